// --signals and --files: any signal over time, and no file that nobody asked for.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/support/program.h"

namespace slip {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

std::set<std::string> FilesIn(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    names.insert(entry.path().filename().string());
  return names;
}

TEST(ChosenFilesCli, SignalsAreColumnsOverTime) {
  const TempFolder folder;
  const ProgramResult result =
      RunProgram({"run", "conveyor", "-m", "sap,lagged", "-t", "0.1", "--signals",
                  "gliding_offset,max_stiction_tolerance,solve_wall_us", "-o", folder.path("a")});
  ASSERT_EQ(result.exit, 0) << result.err;
  EXPECT_EQ(FilesIn(folder.path("a")).size(), 7u);
  const std::string csv = ReadText(folder.path("a/signals.csv"));
  EXPECT_EQ(csv.substr(0, csv.find('\n')),
            "step,time_s,model,gliding_offset_m,max_stiction_tolerance_m_s,solve_wall_us");
  const auto rows = ReadCsv(folder.path("a/signals.csv"));
  ASSERT_EQ(rows.size(), 20u);
  std::set<std::string> clocks;
  double largest = 0;
  for (const auto& row : rows) {
    if (row.at("model") == "sap") clocks.insert(row.at("solve_wall_us"));
    largest = std::max(largest, std::stod(row.at("gliding_offset_m")));
  }
  // every step is timed where somebody reads it
  EXPECT_GT(clocks.size(), 3u);
  const auto metrics = nlohmann::json::parse(ReadText(folder.path("a/metrics.json")));
  EXPECT_EQ(largest, metrics["models"]["sap"]["signals"]["gliding_offset"]["max"]);
  EXPECT_GT(metrics["models"]["sap"]["wall_us"]["medians"]["solve_wall_us"], 0);
  const auto meta = nlohmann::json::parse(ReadText(folder.path("a/meta.json")));
  EXPECT_TRUE(meta["columns"]["signals.csv"].contains("gliding_offset_m"));
}

TEST(ChosenFilesCli, OnlyChosenFilesAreWritten) {
  const TempFolder folder;
  const Arguments run = {"run", "quadruped-squat", "-m", "exponential", "-t", "0.05"};
  const auto with = [&](Arguments more) {
    more.insert(more.begin(), run.begin(), run.end());
    return RunProgram(more);
  };
  ASSERT_EQ(with({"--files", "joints,metrics", "-o", folder.path("a")}).exit, 0);
  EXPECT_EQ(FilesIn(folder.path("a")),
            (std::set<std::string>{"joints.csv", "meta.json", "metrics.json"}));
  const auto meta = nlohmann::json::parse(ReadText(folder.path("a/meta.json")));
  EXPECT_EQ(meta["columns"].size(), 1u);
  // all signals
  ASSERT_EQ(with({"--files", "signals", "-o", folder.path("b")}).exit, 0);
  EXPECT_EQ(FilesIn(folder.path("b")), (std::set<std::string>{"meta.json", "signals.csv"}));
  const std::string csv = ReadText(folder.path("b/signals.csv"));
  EXPECT_NE(csv.substr(0, csv.find('\n')).find(",force:solo/FL_FOOT_N"), std::string::npos);
  // files of a former result go with it
  ASSERT_EQ(with({"--files", "bodies", "-o", folder.path("a"), "--force"}).exit, 0);
  EXPECT_EQ(FilesIn(folder.path("a")), (std::set<std::string>{"bodies.csv", "meta.json"}));
  // the same rows as without a choice
  ASSERT_EQ(with({"-o", folder.path("c")}).exit, 0);
  EXPECT_EQ(ReadText(folder.path("a/bodies.csv")), ReadText(folder.path("c/bodies.csv")));
}

// What the window draws ahead: the first force is that of the start, and the run comes true to it.
TEST(ChosenFilesCli, ForetoldForcesAreThoseThatCome) {
  const TempFolder folder;
  const ProgramResult result =
      RunProgram({"run", "quadruped-squat", "-m", "exponential,sap", "-p", "time_step=0.1ms", "-t",
                  "0.01", "--foretell", "10ms", "--signals", "normal_force", "--files", "signals",
                  "-o", folder.path("a")});
  ASSERT_EQ(result.exit, 0) << result.err;
  EXPECT_EQ(FilesIn(folder.path("a")),
            (std::set<std::string>{"foretold.csv", "meta.json", "signals.csv"}));
  const auto rows = ReadCsv(folder.path("a/foretold.csv"));
  ASSERT_EQ(rows.size(), 65u * 4u);  // four feet; none of SAP
  double foretold = 0;
  for (const auto& row : rows) {
    EXPECT_EQ(row.at("model"), "exponential");
    if (row.at("time_s") == "0.01") foretold += std::stod(row.at("normal_N"));
  }
  double came = 0;
  for (const auto& row : ReadCsv(folder.path("a/signals.csv")))
    if (row.at("model") == "exponential") came = std::stod(row.at("normal_force_N"));
  EXPECT_GT(came, 10);
  EXPECT_NEAR(foretold, came, 0.05 * came);
}

TEST(ChosenFilesCli, ArraysAreChosenAlike) {
  const TempFolder folder;
  const auto size = [&](const Arguments& more) {
    Arguments all = {"run", "conveyor", "-m", "sap", "-t", "0.1", "--force"};
    all.insert(all.end(), more.begin(), more.end());
    all.insert(all.end(), {"-o", folder.path("x.npz")});
    const ProgramResult result = RunProgram(all);
    EXPECT_EQ(result.exit, 0) << result.err;
    return ReadText(folder.path("x.npz"));
  };
  const std::string all = size({}), some = size({"--files", "signals", "--signals", "slip_speed"});
  EXPECT_NE(all.find("contact_force.npy"), std::string::npos);
  EXPECT_EQ(some.find("contact_force.npy"), std::string::npos);
  EXPECT_EQ(some.find("position.npy"), std::string::npos);
  EXPECT_NE(some.find("signal_slip_speed.npy"), std::string::npos);
  EXPECT_EQ(some.find("signal_pitch.npy"), std::string::npos);
  EXPECT_NE(size({"--signals", "step_wall_us"}).find("signal_step_wall_us.npy"), std::string::npos);
}

TEST(ChosenFilesCli, WrongChoicesAreSaid) {
  const std::vector<std::pair<Arguments, const char*>> cases = {
      {{"--signals", "pitch"}, "--signals needs --output"},
      {{"--files", "steps"}, "--files needs --output"},
      {{"--foretell", "20ms", "-o", "X.npz"}, "--foretell needs --output, a folder"},
      {{"--foretell", "-1", "-o", "X"}, "--foretell must be a number"},
      {{"--signals", "ptch", "-o", "X"}, "did you mean 'pitch'?"},
      {{"--signals", "pitch,pitch", "-o", "X"}, "given twice"},
      {{"--signals", "pitch,", "-o", "X"}, "--signals"},
      {{"--files", "step", "-o", "X"}, "did you mean 'steps'?"},
      {{"--files", "steps", "--signals", "pitch", "-o", "X"}, "not among --files"},
      {{"--files", "steps", "-o", "X.npz"}, "no arrays 'steps'"},
  };
  const TempFolder folder;
  for (auto [more, message] : cases) {
    for (std::string& word : more)
      if (word.starts_with("X")) word = folder.path(word);
    more.insert(more.begin(), {"run", "conveyor", "-t", "0.1"});
    const ProgramResult result = RunProgram(more);
    EXPECT_EQ(result.exit, 2) << message;
    EXPECT_NE(result.err.find(message), std::string::npos) << result.err;
  }
  EXPECT_TRUE(FilesIn(folder.path("")).empty());
}

TEST(ChosenFilesCli, WhereNothingIsForetoldThatIsSaid) {
  const TempFolder folder;
  const ProgramResult result = RunProgram({"run", "slope-creep", "-m", "sap", "--steps", "2",
                                           "--foretell", "20ms", "-o", folder.path("out")});
  EXPECT_EQ(result.exit, 0) << result.err;
  EXPECT_NE(result.err.find("foretold.csv has no rows"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace slip
