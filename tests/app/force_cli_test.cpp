// --force leaves no files of a former result behind, and touches nothing else.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "tests/support/program.h"

namespace slip {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> Names(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

void Make(const std::vector<std::string>& arguments) {
  const ProgramResult result = RunProgram(arguments);
  ASSERT_EQ(result.exit, 0) << result.err;
}

TEST(ForceCli, FilesOfAFormerResultGo) {
  const TempFolder folder;
  const std::string out = folder.path("out");
  Make({"run", "quadruped-stand", "-m", "sap", "--steps", "3", "-o", out});
  ASSERT_TRUE(fs::exists(out + "/joints.csv"));
  WriteText(out + "/notes.csv", "mine");
  Make({"run", "conveyor", "-m", "sap", "--steps", "3", "-o", out, "--force"});
  EXPECT_EQ(Names(out),
            (std::vector<std::string>{"bodies.csv", "contacts.csv", "events.csv", "meta.json",
                                      "metrics.json", "notes.csv", "steps.csv"}));
  Make({"sweep", "conveyor", "-m", "sap", "--vary", "friction=0.1,0.2", "-t", "0.05", "-o", out,
        "--force"});
  EXPECT_EQ(Names(out), (std::vector<std::string>{"meta.json", "notes.csv", "sweep.csv"}));
  Make({"run", "conveyor", "-m", "sap", "--steps", "3", "-o", out, "--force"});
  EXPECT_FALSE(fs::exists(out + "/sweep.csv"));
  EXPECT_EQ(ReadText(out + "/notes.csv"), "mine");
}

TEST(ForceCli, NamesThatSomebodyElseUsesStay) {
  const TempFolder folder;
  const std::string out = folder.path("out");
  fs::create_directory(out);
  WriteText(out + "/joints.csv", "mine");
  Make({"run", "conveyor", "-m", "sap", "--steps", "3", "-o", out, "--force"});
  EXPECT_EQ(ReadText(out + "/joints.csv"), "mine") << "no meta.json said that it is ours";
}

TEST(ForceCli, ProblemsOfALongerRunGo) {
  const TempFolder folder;
  const std::string dump = folder.path("dump");
  const auto run = [&](const char* model, const char* steps) {
    Make({"run", "conveyor", "-m", model, "--steps", steps, "--dump-problems", dump, "--force"});
  };
  run("sap,sap", "5");
  ASSERT_EQ(Names(dump).size(), 10u);
  WriteText(dump + "/sap-000099.json", "{}");
  WriteText(dump + "/holiday-000001.json", ReadText(dump + "/sap-000001.json"));
  run("lagged", "2");
  EXPECT_EQ(Names(dump), (std::vector<std::string>{"holiday-000001.json", "lagged-000001.json",
                                                   "lagged-000002.json", "sap-000099.json"}));
}

}  // namespace
}  // namespace slip
