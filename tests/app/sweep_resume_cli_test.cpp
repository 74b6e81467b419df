// Sweeps that were killed go on; rows that were changed are not joined.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/program.h"

namespace slip {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

/// sweep.csv without wall times, which alone differ.
std::string Rows(const std::string& folder) {
  std::string out;
  for (const auto& row : ReadCsv(folder + "/sweep.csv")) {
    for (const auto& [name, cell] : row)
      out += name.starts_with("wall_") ? std::string() : name + "=" + cell + ",";
    out += "\n";
  }
  return out;
}

std::string Meta(const std::string& folder) {
  nlohmann::json meta = nlohmann::json::parse(ReadText(folder + "/meta.json"));
  meta.erase("command_line");
  meta.erase("checksum");  // of that as well
  return meta.dump(1);
}

std::size_t Lines(const std::string& path) {
  const std::string text = ReadText(path);
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

Arguments LongSweep(const std::string& output, const Arguments& more = {}) {
  Arguments all = {"sweep", "conveyor", "-m", "sap,similar", "--vary", "friction=lin:0.1:0.9:9",
                   "-t",    "4",        "-j", "2",           "-o",     output};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

/// Kills the sweep when it has written some rows, so many at least.
void Kill(const Arguments& sweep, const std::string& output, std::size_t rows) {
  Program program(sweep);
  ASSERT_TRUE(WaitFor([&] { return Lines(output + "/sweep.csv.part") > rows; }));
  program.Signal(SIGKILL);
  EXPECT_EQ(program.Wait().exit, 137);
  EXPECT_FALSE(fs::exists(output + "/sweep.csv"));
}

TEST(SweepResume, AKilledSweepGoesOn) {
  const TempFolder folder;
  const Arguments expect = {"--expect", "friction < 0.35"};
  for (const Arguments& more : {Arguments{}, expect}) {
    const std::string whole = folder.path(more.empty() ? "whole" : "whole-expect"),
                      cut = folder.path(more.empty() ? "cut" : "cut-expect");
    const ProgramResult once = RunProgram(LongSweep(whole, more));
    EXPECT_EQ(once.exit, more.empty() ? 0 : 4) << once.err;
    ASSERT_NO_FATAL_FAILURE(Kill(LongSweep(cut, more), cut, 3));
    const std::size_t kept = Lines(cut + "/sweep.csv.part") - 1;
    const ProgramResult resumed = RunProgram(LongSweep(cut, more));
    EXPECT_EQ(resumed.exit, once.exit) << resumed.err;
    EXPECT_NE(resumed.err.find("goes on with a sweep that was cut off: "), std::string::npos)
        << resumed.err;
    EXPECT_EQ(resumed.out.substr(0, resumed.out.find(" in ")),
              once.out.substr(0, once.out.find(" in ")));
    EXPECT_EQ(Rows(cut), Rows(whole));
    EXPECT_EQ(Meta(cut), Meta(whole));
    EXPECT_GE(kept, 3u);
    const auto fails = [](const std::string& text) {
      std::istringstream in(text);
      std::size_t count = 0;
      for (std::string line; std::getline(in, line);)
        count += line.find("--expect is false at ") != std::string::npos ? 1 : 0;
      return count;
    };
    EXPECT_EQ(fails(resumed.err), fails(once.err)) << resumed.err;
    EXPECT_FALSE(fs::exists(cut + "/sweep.csv.part"));
    EXPECT_FALSE(fs::exists(cut + "/meta.json.part"));
  }
}

TEST(SweepResume, AnInterruptedSweepGoesOnLikewise) {
  const TempFolder folder;
  const std::string whole = folder.path("whole");
  // long enough that the signal comes in its midst
  const auto sweep = [](const std::string& output, const Arguments& more) {
    Arguments all = LongSweep(output, {"--expect", "friction < 0.35"});
    *std::find(all.begin(), all.end(), "4") = "30";
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  ASSERT_EQ(RunProgram(sweep(whole, {})).exit, 4);
  for (const int signal : {SIGINT, SIGTERM}) {
    const std::string cut = folder.path(std::to_string(signal));
    Program program(sweep(cut, {}));
    ASSERT_TRUE(WaitFor([&] { return Lines(cut + "/sweep.csv.part") > 4; }));
    program.Signal(signal);
    const ProgramResult ended = program.Wait();
    EXPECT_EQ(ended.exit, 128 + signal);
    EXPECT_NE(ended.err.find("the same command goes on with them"), std::string::npos) << ended.err;
    const std::string before = ReadText(cut + "/sweep.csv");
    // another sweep does not take its place
    EXPECT_EQ(RunProgram(sweep(cut, {"-p", "gravity=9"})).exit, 2);
    EXPECT_EQ(ReadText(cut + "/sweep.csv"), before);
    const ProgramResult resumed = RunProgram(sweep(cut, {}));
    EXPECT_EQ(resumed.exit, 4) << resumed.err;
    EXPECT_NE(resumed.err.find("goes on with a sweep that was cut off: "), std::string::npos)
        << resumed.err;
    EXPECT_EQ(Rows(cut), Rows(whole));
    EXPECT_EQ(Meta(cut), Meta(whole));
    // wall times tell that rows were kept
    const std::size_t third = before.find('\n', before.find('\n', before.find('\n') + 1) + 1);
    EXPECT_EQ(ReadText(cut + "/sweep.csv").substr(0, third), before.substr(0, third));
    // one that is complete stays so
    EXPECT_EQ(RunProgram(sweep(cut, {})).exit, 2);
  }
}

// wall times tell: kept rows are those of the first try
TEST(SweepResume, KeptRowsAreNotMadeAgain) {
  const TempFolder folder;
  const std::string cut = folder.path("cut");
  ASSERT_NO_FATAL_FAILURE(Kill(LongSweep(cut), cut, 4));
  const std::string before = ReadText(cut + "/sweep.csv.part");
  ASSERT_EQ(RunProgram(LongSweep(cut)).exit, 0);
  const std::string after = ReadText(cut + "/sweep.csv");
  const std::size_t whole = before.rfind('\n') + 1;
  EXPECT_EQ(after.substr(0, whole), before.substr(0, whole));
}

// half a line at the end, a row that was changed, one that nobody noted: not kept, made again
TEST(SweepResume, OnlyWholeRowsAreKept) {
  const TempFolder folder;
  const std::string whole = folder.path("whole"), cut = folder.path("cut");
  ASSERT_EQ(RunProgram(LongSweep(whole)).exit, 0);
  ASSERT_NO_FATAL_FAILURE(Kill(LongSweep(cut), cut, 5));
  const std::string part = cut + "/sweep.csv.part";
  std::string text = ReadText(part);
  // the third row is of another friction; what follows cannot be trusted to be in order either
  std::size_t at = 0;
  for (int i = 0; i < 3; ++i) at = text.find('\n', at) + 1;
  text.replace(text.find(",0.", at) + 3, 1, "7");
  WriteText(part, text + "17,0.9,sap,ok,1");
  const ProgramResult resumed = RunProgram(LongSweep(cut));
  EXPECT_EQ(resumed.exit, 0) << resumed.err;
  EXPECT_NE(resumed.err.find(": 2 of 18 rows are kept"), std::string::npos) << resumed.err;
  EXPECT_EQ(Rows(cut), Rows(whole));
  EXPECT_EQ(Meta(cut), Meta(whole));
}

TEST(SweepResume, AnotherSweepIsNotGoneOnWith) {
  const TempFolder folder;
  const std::string cut = folder.path("cut");
  ASSERT_NO_FATAL_FAILURE(Kill(LongSweep(cut), cut, 3));
  const std::string rows = ReadText(cut + "/sweep.csv.part");
  for (const Arguments& other : {Arguments{"-p", "gravity=9"}, Arguments{"--shard", "1/2"},
                                 Arguments{"--expect", "friction < 1"}}) {
    const ProgramResult refused = RunProgram(LongSweep(cut, other));
    EXPECT_EQ(refused.exit, 2) << refused.err;
    EXPECT_NE(refused.err.find("sweep.csv.part: was left by another sweep that was cut off"),
              std::string::npos)
        << refused.err;
    EXPECT_EQ(ReadText(cut + "/sweep.csv.part"), rows);
  }
  const ProgramResult forced = RunProgram(LongSweep(cut, {"-p", "gravity=9", "--force"}));
  EXPECT_EQ(forced.exit, 0) << forced.err;
  EXPECT_EQ(ReadCsv(cut + "/sweep.csv").size(), 18u);
}

TEST(SweepMerge, RowsThatWereChangedAreNamed) {
  const TempFolder folder;
  const auto shard = [&](const char* which, const std::string& output) {
    return Arguments{"sweep", "conveyor", "-m",      "sap", "--vary", "friction=0.1,0.2,0.3,0.4",
                     "-t",    "0.1",      "--shard", which, "-o",     output};
  };
  const std::string a = folder.path("a"), b = folder.path("b");
  ASSERT_EQ(RunProgram(shard("1/2", a)).exit, 0);
  ASSERT_EQ(RunProgram(shard("2/2", b)).exit, 0);
  int merges = 0;
  const auto merge = [&] {
    return RunProgram(
        {"sweep", "-o", folder.path("m" + std::to_string(++merges)), "--merge", a, b});
  };
  ASSERT_EQ(merge().exit, 0);
  const std::string good = ReadText(b + "/sweep.csv");
  const auto altered = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const std::size_t at = text.rfind(from);
    EXPECT_NE(at, std::string::npos) << from;
    WriteText(b + "/sweep.csv", text.replace(at, from.size(), to));
    const ProgramResult result = merge();
    EXPECT_EQ(result.exit, 5) << from << " -> " << to;
    EXPECT_NE(result.err.find("b/sweep.csv:3: is not the line that the sweep wrote"),
              std::string::npos)
        << result.err;
  };
  altered(",0.4", ",0.7");
  altered(",0.4", ",nan");
  altered(",sap,", ",lagged,");
  altered(",ok,", ",failed,");
  // a row less, a row more
  WriteText(b + "/sweep.csv", good.substr(0, good.rfind('\n', good.size() - 2) + 1));
  EXPECT_NE(merge().err.find("b/sweep.csv: has 2 lines, and the sweep wrote 3"), std::string::npos);
  WriteText(b + "/sweep.csv", good);
  EXPECT_EQ(merge().exit, 0);
  // what it says of itself counts as well
  const std::string meta = ReadText(b + "/meta.json");
  for (const auto& [from, to] : {std::pair{"0.4", "0.7"},
                                 {"\"duration_s\": 0.1", "\"duration_s\": 1"},
                                 {"\"checksum\"", "\"x-sum\""}}) {
    std::string text = meta;
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    WriteText(b + "/meta.json", text.replace(at, std::string(from).size(), to));
    const ProgramResult result = merge();
    EXPECT_EQ(result.exit, 5) << from;
    EXPECT_NE(result.err.find("b/meta.json: "), std::string::npos) << result.err;
  }
  WriteText(b + "/meta.json", meta);
  EXPECT_EQ(merge().exit, 0);
  // what was joined can be joined again
  EXPECT_EQ(RunProgram({"sweep", "-o", folder.path("n"), "--merge", folder.path("m1")}).exit, 0);
}

}  // namespace
}  // namespace slip
