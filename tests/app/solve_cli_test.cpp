// `slipscope solve` of contact problems of others, and of several models at once.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/fclib_files.h"
#include "tests/support/program.h"
#include "tests/support/temp_folder.h"

namespace slip {
namespace {

TEST(CliSolve, AnswersPublicProblemsInAllModels) {
  if (!test::CanWriteFclib()) GTEST_SKIP() << "built without HDF5";
  const TempFolder folder;
  const std::string file = folder.path("column.hdf5");
  FclibMessage message = test::Column(3, 0.3);
  message.title = "A column";
  test::WriteFclib(message, file);
  const ProgramResult table = RunProgram({"solve", file});
  EXPECT_EQ(table.exit, 0) << table.err;
  EXPECT_NE(table.out.find("A column: 3 bodies, 12 contacts, rigid limit"), std::string::npos)
      << table.out;
  EXPECT_NE(table.out.find("without friction: there is no step before"), std::string::npos)
      << table.out;
  const ProgramResult result = RunProgram({"solve", file, "--json"});
  ASSERT_EQ(result.exit, 0) << result.err;
  const auto answers = nlohmann::json::parse(result.out)["answers"];
  ASSERT_EQ(answers.size(), 7u);
  for (const auto& answer : answers) {
    EXPECT_TRUE(bool(answer["converged"])) << answer["model"];
    EXPECT_EQ(answer["impulses"].size(), 12u);
    const bool exact = answer["model"] == "coulomb";
    EXPECT_EQ(double(answer["natural_map"]) < 1e-8, exact) << answer["model"];
    EXPECT_EQ(double(answer["alart_curnier"]) < 1e-8, exact) << answer["model"];
  }
  const ProgramResult one = RunProgram({"solve", file, "-m", "coulomb"});
  EXPECT_EQ(one.exit, 0);
  EXPECT_NE(one.out.find("distance from Coulomb: natural map"), std::string::npos) << one.out;
  EXPECT_NE(RunProgram({"check", file}).out.find("3 bodies, 12 contacts"), std::string::npos);
}

TEST(CliSolve, NamesWhatItDoesNotRead) {
  if (!test::CanWriteFclib()) GTEST_SKIP() << "built without HDF5";
  const TempFolder folder;
  const std::string file = folder.path("local.hdf5");
  FclibMessage message;
  message.groups = {"fclib_local"};
  test::WriteFclib(message, file);
  const ProgramResult local = RunProgram({"solve", file});
  EXPECT_EQ(local.exit, 5);
  EXPECT_NE(local.err.find("local form"), std::string::npos) << local.err;
  std::ofstream(folder.path("text.hdf5")) << "no HDF5";
  const ProgramResult text = RunProgram({"solve", folder.path("text.hdf5")});
  EXPECT_EQ(text.exit, 5);
  EXPECT_NE(text.err.find("no HDF5 file"), std::string::npos) << text.err;
}

TEST(CliSolve, ComparesModelsOnAProblemOfOurs) {
  const TempFolder folder;
  ASSERT_EQ(RunProgram({"run", "falling-sphere", "-m", "sap", "-t", "0.06", "--every", "50",
                        "--dump-problems", folder.path("p")})
                .exit,
            0);
  const std::string file = folder.path("p/sap-000050.json");
  const ProgramResult result = RunProgram({"solve", file, "-m", "sap,coulomb", "--json"});
  ASSERT_EQ(result.exit, 0) << result.err;
  const auto answers = nlohmann::json::parse(result.out)["answers"];
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_EQ(answers[1]["model"], "coulomb");
  EXPECT_LT(double(answers[1]["natural_map"]), 0.1 * double(answers[0]["natural_map"]));
  EXPECT_EQ(RunProgram({"solve", file, "-m", "sap,coulom"}).exit, 2);
}

}  // namespace
}  // namespace slip
