// --threads 0 on the command line: the same files byte for byte, but for wall times and the line
// itself, from one thread.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "tests/support/folders.h"
#include "tests/support/program.h"
#include "tests/support/without_threads.h"

namespace slip {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

bool IsWallTime(const std::string& name) {
  return name.find("wall") != std::string::npos || name.find("real_time") != std::string::npos;
}

/// Without the columns of wall times. Quoted cells only behind them.
std::string WithoutWallTimes(const std::string& csv) {
  std::istringstream lines(csv);
  std::string line, text;
  std::set<std::size_t> left_out;
  for (bool header = true; std::getline(lines, line); header = false) {
    std::istringstream cells(line);
    std::string cell;
    for (std::size_t i = 0; std::getline(cells, cell, ','); ++i) {
      if (header && IsWallTime(cell)) left_out.insert(i);
      if (!left_out.contains(i)) text += cell + ",";
    }
    text += "\n";
  }
  return text;
}

void LeaveOut(nlohmann::json* json) {
  if (json->is_object()) {
    for (const char* key : {"command_line", "command", "checksum"}) json->erase(key);
    std::vector<std::string> walls;
    for (const auto& item : json->items())
      if (IsWallTime(item.key())) walls.push_back(item.key());
    for (const std::string& key : walls) json->erase(key);
  }
  if (json->is_structured())
    for (auto& item : *json) LeaveOut(&item);
}

/// By file: its bytes, as far as two runs have them in common.
std::map<std::string, std::string> Contents(const std::string& folder) {
  std::map<std::string, std::string> contents;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const std::string name = fs::relative(entry.path(), folder).string();
    std::string text = ReadText(entry.path().string());
    if (name.ends_with(".csv")) text = WithoutWallTimes(text);
    if (name.ends_with(".json")) {
      nlohmann::json json = nlohmann::json::parse(text);
      LeaveOut(&json);
      text = json.dump();
    }
    // they quote the line
    if (name.find("report.") != std::string::npos) text.clear();
    contents[name] = text;
  }
  return contents;
}

/// The same command in two folders, with threads and without. Returns the number of its files.
std::size_t ExpectTheSame(Arguments arguments, const Arguments& jobs) {
  const TempFolder with, without;
  Arguments threaded = arguments;
  threaded.insert(threaded.end(), jobs.begin(), jobs.end());
  arguments.insert(arguments.end(), {"--threads", "0"});
  Launch launch;
  launch.folder = with.path();
  const ProgramResult first = RunProgram(threaded, launch);
  EXPECT_EQ(first.exit, 0) << first.err;
  launch.folder = without.path();
  const ProgramResult second = RunProgram(arguments, launch);
  EXPECT_EQ(second.exit, 0) << second.err;
  const auto expected = Contents(with.path()), found = Contents(without.path());
  EXPECT_EQ(expected.size(), found.size());
  for (const auto& [name, text] : expected) {
    const auto other = found.find(name);
    EXPECT_TRUE(other != found.end() && other->second == text)
        << name << " of " << arguments.front();
  }
  return found.size();
}

TEST(WithoutThreadsCli, RunsAreTheSame) {
  EXPECT_EQ(
      ExpectTheSame({"run", "conveyor", "-t", "0.5", "-o", "out", "--save", "a.json"}, {"-j", "3"}),
      7u);
  EXPECT_EQ(ExpectTheSame({"compare", "quadruped-trot", "-t", "0.1", "-o", "out"}, {"-j", "3"}),
            7u);
}

TEST(WithoutThreadsCli, SweepsAreTheSame) {
  const Arguments steps = {"sweep", "conveyor", "-o", "out", "--vary", "time_step=10ms,5ms,2ms"};
  const auto sweep = [&](const Arguments& more) {
    Arguments all = steps;
    all.insert(all.end(), more.begin(), more.end());
    return ExpectTheSame(all, {"-j", "3"});
  };
  EXPECT_EQ(sweep({"-m", "sap,lagged", "-t", "0.2"}), 2u);
  EXPECT_EQ(sweep({"-m", "lagged", "-t", "0.2", "--reference", "auto", "--truth", "lagged"}), 2u);
  EXPECT_EQ(sweep({"-m", "sap", "-t", "0.1", "--local-error", "10ms"}), 2u);
  EXPECT_EQ(ExpectTheSame({"sweep", "spring-wall", "-m", "explicit-euler", "-t", "0.2", "-o", "out",
                           "--largest", "time_step=0.05ms,20ms"},
                          {"-j", "2"}),
            2u);
}

TEST(WithoutThreadsCli, StudiesAreTheSame) {
  EXPECT_GT(ExpectTheSame({"study", "seed-001-figure-03", "--quick", "-o", "out"}, {"-j", "3"}),
            4u);
}

TEST(WithoutThreadsCli, FitsReplaysAndPicturesAreTheSame) {
  const std::string tosses = SourceFolder() + "/assets/motions/cube-toss";
  EXPECT_GE(ExpectTheSame(
                {"fit", "cube-toss", "-m", "lagged", "-p", "time_step=4ms", "--foreign",
                 tosses + "/toss-01.csv", tosses + "/toss-02.csv", "--vary", "friction=log:0.05:1",
                 "--landscape", "3", "--folds", "2", "--resamples", "20", "-o", "out"},
                {"-j", "3"}),
            4u);
  const TempFolder folder;
  const std::string file = folder.path("a.json");
  ASSERT_EQ(RunProgram({"run", "conveyor", "-t", "0.3", "--save", file}).exit, 0);
  const ProgramResult replay = RunProgram({"replay", file, "--verify", "--threads", "0"});
  EXPECT_EQ(replay.exit, 0) << replay.err;
  EXPECT_NE(replay.out.find("the same bits"), std::string::npos) << replay.out;
  const ProgramResult probe = RunProgram({"render", "conveyor", "--time", "0", "--size", "64x36",
                                          "--region", "view", "-o", folder.path("probe.png")});
  if (probe.exit == 6) GTEST_SKIP() << "no off-screen OpenGL here";
  EXPECT_EQ(ExpectTheSame({"render", "conveyor", "-t", "0.3", "--fps", "10", "--region", "view",
                           "--size", "128x72", "-o", "frames/"},
                          {}),
            4u);
}

/// The most threads that a command has at a time.
int MostThreads(const Arguments& arguments) {
  Program program(arguments);
  int most = 0;
  while (program.Runs()) most = std::max(most, CountThreads(std::to_string(program.id())));
  const ProgramResult result = program.Wait();
  EXPECT_EQ(result.exit, 0) << result.err;
  return most;
}

TEST(WithoutThreadsCli, CommandsHaveOneThread) {
  const TempFolder folder;
  const std::string tosses = SourceFolder() + "/assets/motions/cube-toss", file = folder.path("a");
  ASSERT_EQ(RunProgram({"run", "clutter", "-m", "sap,lagged", "-t", "0.4", "--save", file}).exit,
            0);
  const Arguments commands[] = {
      {"run", "clutter", "-t", "0.4", "-j", "3"},
      {"compare", "quadruped-trot", "-t", "0.3", "-j", "3"},
      {"sweep", "conveyor", "-m", "sap", "--vary", "time_step=log:0.1ms:1ms:4", "-t", "1", "-j",
       "3", "-o", folder.path("sweep")},
      {"study", "seed-001-figure-14", "--quick", "-j", "3"},
      {"fit", "cube-toss", "-m", "lagged", "-p", "time_step=2ms", "--foreign",
       tosses + "/toss-01.csv", tosses + "/toss-02.csv", "--vary", "friction=log:0.05:1", "--folds",
       "2", "-j", "3"},
      {"replay", file, "-j", "3"}};
  for (Arguments arguments : commands) {
    EXPECT_GT(MostThreads(arguments), 1) << arguments.front() << ": what is counted is not seen";
    arguments.insert(arguments.end(), {"--threads", "0", "--force"});
    if (arguments.front() == "replay") arguments.pop_back();
    EXPECT_EQ(MostThreads(arguments), 1) << arguments.front();
  }
}

TEST(WithoutThreadsCli, AnotherNumberIsRefused) {
  for (const char* command : {"run", "sweep", "study", "fit", "render", "replay"}) {
    const ProgramResult result = RunProgram({command, "conveyor", "--threads", "2"});
    EXPECT_EQ(result.exit, 2) << command;
    EXPECT_NE(result.err.find("--threads: expected 0, found '2' (-j says how many there are)"),
              std::string::npos)
        << result.err;
    EXPECT_NE(RunProgram({command, "--help"}).out.find("--threads"), std::string::npos) << command;
  }
  EXPECT_NE(RunProgram({"--help"}).out.find("--threads"), std::string::npos);
}

// Who interrupts a run of one thread need not wait for its long step either.
TEST(WithoutThreadsCli, ASweepEndsAtASignal) {
  const TempFolder folder;
  Program program({"sweep", "conveyor", "-m", "sap", "--vary", "time_step=5ms,1us", "-t", "100",
                   "-o", folder.path("out"), "--threads", "0"});
  ASSERT_TRUE(WaitFor([&] { return fs::exists(folder.path("out/sweep.csv.part")); }));
  program.Signal(2);
  const ProgramResult result = program.Wait(10);
  EXPECT_EQ(result.exit, 130) << result.err;
}

}  // namespace
}  // namespace slip
