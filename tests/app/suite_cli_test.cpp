// `slipscope run --suite` and `list suites`.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/program.h"
#include "tests/support/temp_folder.h"

namespace slip {
namespace {

void WriteSuite(const std::string& path, const std::string& law) {
  std::ofstream(path) << "schema = \"slipscope.suite/1\"\ntitle = \"Small\"\nstory = \"One.\"\n"
                         "[[case]]\nid = \"stop\"\ntitle = \"It stops\"\n"
                         "scene = \"sliding-box-consistent\"\nduration = 0.3\nunit = \"m\"\n"
                         "measure = \"last(position_x)\"\nwithin = 0.1\nlaw = \""
                      << law << "\"\n";
}

TEST(CliSuite, ChecksWhatItsFileSays) {
  const TempFolder folder;
  const std::string file = folder.path("small.toml");
  WriteSuite(file, "0.1");
  const ProgramResult good =
      RunProgram({"run", "--suite", file, "-m", "lagged,coulomb", "-o", folder.path("out")});
  EXPECT_EQ(good.exit, 0) << good.err;
  EXPECT_NE(good.out.find("2 right, 0 predicted, 0 known, 0 wrong"), std::string::npos) << good.out;
  const std::string csv = ReadText(folder.path("out/suite.csv"));
  EXPECT_EQ(csv.find("case,variant,model,unit,law,value,predicted,verdict,note\nstop,"), 0u) << csv;
  WriteSuite(file, "0.2");
  const ProgramResult wrong = RunProgram({"run", "--suite", file, "-m", "lagged"});
  EXPECT_EQ(wrong.exit, 4);
  EXPECT_NE(wrong.out.find("1 wrong"), std::string::npos) << wrong.out;
}

TEST(CliSuite, RefusesWhatDoesNotFit) {
  EXPECT_EQ(RunProgram({"run", "conveyor", "--suite", "friction"}).exit, 2);
  EXPECT_EQ(RunProgram({"run", "--suite", "friction", "-p", "friction=1"}).exit, 2);
  EXPECT_EQ(RunProgram({"run", "--suite", "friction", "-m", "sapp"}).exit, 2);
  const ProgramResult none = RunProgram({"run", "--suite", "fricton"});
  EXPECT_EQ(none.exit, 5);
  EXPECT_NE(none.err.find("did you mean 'friction'?"), std::string::npos) << none.err;
  EXPECT_EQ(RunProgram({"run"}).exit, 2);
}

TEST(CliSuite, IsListed) {
  const auto rows = nlohmann::json::parse(RunProgram({"list", "suites", "--json"}).out);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0]["id"], "friction");
}

}  // namespace
}  // namespace slip
