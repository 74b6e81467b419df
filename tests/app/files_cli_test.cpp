// What the program leaves on the disk when things go wrong: full disks, two runs in one folder,
// signals, closed descriptors, names that cannot be.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/support/program.h"

namespace slip {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

/// A run that ends only when it is told to.
Arguments EndlessRun(const std::string& folder) {
  return {"run", "conveyor", "-t", "1e5", "--every", "1000", "-o", folder};
}

int CountParts(const std::string& folder) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".part") ++count;
  }
  return count;
}

bool OneLine(const std::string& text) {
  return !text.empty() && text.find('\n') == text.size() - 1;
}

TEST(FilesCli, ASecondRunIntoAFolderIsRefused) {
  const TempFolder folder;
  const std::string out = folder.path("out");
  Program first(EndlessRun(out));
  ASSERT_TRUE(WaitFor([&] { return fs::exists(out + "/metrics.json.part"); }));
  for (const char* force : {"--every", "--force"}) {
    Arguments run = {"run", "conveyor", "-t", "0.1", "-p", "friction=0.1", "-o", out, force};
    if (run.back() == "--every") run.emplace_back("1");
    const ProgramResult second = RunProgram(run);
    EXPECT_EQ(second.exit, 2);
    EXPECT_TRUE(OneLine(second.err)) << second.err;
    EXPECT_NE(second.err.find("out/steps.csv: another run is writing this file now"),
              std::string::npos)
        << second.err;
  }
  EXPECT_EQ(RunProgram({"sweep", "conveyor", "--vary", "friction=1", "-t", "0.1", "-o", out}).exit,
            2);
  first.Signal(SIGINT);
  EXPECT_EQ(first.Wait().exit, 130);
  EXPECT_FALSE(nlohmann::json::parse(ReadText(out + "/meta.json"))["complete"]);
  for (const auto& row : ReadCsv(out + "/steps.csv")) {
    EXPECT_EQ(std::stoll(row.at("step")) % 1000, 0);
  }
  EXPECT_EQ(CountParts(out), 0);
}

TEST(FilesCli, WhatAKilledRunLeftIsKeptUntilForce) {
  const TempFolder folder;
  const std::string out = folder.path("out");
  Program first(EndlessRun(out));
  ASSERT_TRUE(WaitFor([&] {
    return fs::exists(out) && fs::exists(out + "/metrics.json.part") &&
           fs::file_size(out + "/steps.csv.part") > 0;
  }));
  first.Signal(SIGKILL);
  EXPECT_EQ(first.Wait().exit, 137);
  const std::string left = ReadText(out + "/steps.csv.part");
  Arguments again = {"run", "conveyor", "--steps", "2", "-o", out};
  const ProgramResult refused = RunProgram(again);
  EXPECT_EQ(refused.exit, 2);
  EXPECT_TRUE(OneLine(refused.err)) << refused.err;
  EXPECT_NE(refused.err.find("steps.csv.part: was left by a run that was cut off, and 5 more"),
            std::string::npos)
      << refused.err;
  EXPECT_EQ(ReadText(out + "/steps.csv.part"), left);
  again.emplace_back("--force");
  const ProgramResult forced = RunProgram(again);
  EXPECT_EQ(forced.exit, 0) << forced.err;
  EXPECT_EQ(CountParts(out), 0);
  EXPECT_EQ(ReadCsv(out + "/steps.csv").size(), 6u);
}

TEST(FilesCli, AClosedTerminalKeepsFinishedRows) {
  const TempFolder folder;
  const std::string out = folder.path("out");
  Program run(EndlessRun(out));
  ASSERT_TRUE(WaitFor([&] {
    return fs::exists(out + "/steps.csv.part") && fs::file_size(out + "/steps.csv.part") > 1000;
  }));
  run.Signal(SIGHUP);
  const ProgramResult result = run.Wait();
  EXPECT_EQ(result.exit, 129);
  EXPECT_NE(result.err.find("interrupted; finished rows were kept"), std::string::npos);
  EXPECT_FALSE(ReadCsv(out + "/steps.csv").empty());
  EXPECT_FALSE(nlohmann::json::parse(ReadText(out + "/meta.json"))["complete"]);
  EXPECT_EQ(CountParts(out), 0);
}

TEST(FilesCli, ClosedDescriptorsBecomeNoDataFiles) {
  const TempFolder folder;
  const std::string out = folder.path("out");
  Arguments run = EndlessRun(out);
  run.insert(run.end(), {"--progress", "json"});
  Launch launch;
  launch.closed = {0, 1, 2};
  Program program(run, launch);
  // progress starts after a second
  std::this_thread::sleep_for(std::chrono::milliseconds(2500));
  program.Signal(SIGINT);
  EXPECT_EQ(program.Wait().exit, 130);
  for (const char* name : {"steps.csv", "bodies.csv", "contacts.csv", "events.csv"}) {
    EXPECT_EQ(ReadText(out + "/" + name).find_first_of("{}"), std::string::npos) << name;
  }
  EXPECT_TRUE(nlohmann::json::accept(ReadText(out + "/meta.json")));
  // who asked for an answer on a closed stdout gets none, and is told
  launch.closed = {1};
  const ProgramResult list = RunProgram({"list", "models"}, launch);
  EXPECT_EQ(list.exit, 1);
  EXPECT_NE(list.err.find("stdout cannot be written"), std::string::npos) << list.err;
}

TEST(FilesCli, AFullStdoutIsASentence) {
  const TempFolder folder;
  ASSERT_EQ(RunProgram({"run", "conveyor", "--steps", "1", "-m", "sap", "--dump-problems",
                        folder.path("p")})
                .exit,
            0);
  const std::string problem = folder.path("p/sap-000001.json");
  Launch launch;
  launch.out = "/dev/full";
  for (const Arguments& arguments : {Arguments{"list", "scenes"},
                                     {"show", "conveyor"},
                                     {"doctor"},
                                     {"solve", problem},
                                     {"solve", problem, "--json"},
                                     {"check", problem},
                                     {"compare", "conveyor", "--steps", "1"},
                                     {"run", "conveyor", "--steps", "1"},
                                     {"--help"},
                                     {"run", "--help"},
                                     {"--version"}}) {
    const ProgramResult result = RunProgram(arguments, launch);
    EXPECT_EQ(result.exit, 1) << arguments[0];
    EXPECT_EQ(result.err, "slipscope: stdout cannot be written: No space left on device.\n")
        << arguments[0];
  }
}

TEST(FilesCli, AFullDiskIsASentence) {
  const TempFolder folder;
  Launch launch;
  launch.file_limit = 100000;
  const ProgramResult run =
      RunProgram({"run", "clutter", "-t", "1", "-o", folder.path("out")}, launch);
  EXPECT_EQ(run.exit, 1) << run.err;
  EXPECT_NE(run.err.find("cannot be written: File too large"), std::string::npos) << run.err;
  EXPECT_TRUE(OneLine(run.err)) << run.err;
  EXPECT_TRUE(fs::is_empty(folder.path("out")));
}

std::map<std::string, std::string> ReadFolder(const std::string& folder) {
  std::map<std::string, std::string> texts;
  for (const auto& entry : fs::directory_iterator(folder))
    texts[entry.path().filename().string()] = ReadText(entry.path().string());
  return texts;
}

TEST(FilesCli, AFullDiskKeepsTheFormerResultWhole) {
  const TempFolder folder;
  const std::string out = folder.path("out"), sweep = folder.path("sweep");
  const std::string save = folder.path("out/a.json");
  const Arguments kRuns[] = {{"run", "conveyor", "-t", "0.1", "-o", out, "--save", save},
                             {"compare", "conveyor", "-t", "0.1", "-o", out, "--save", save},
                             {"sweep", "conveyor", "-t", "0.1", "-o", sweep}};
  for (const Arguments& run : kRuns) {
    const std::string& where = run.front() == "sweep" ? sweep : out;
    fs::remove_all(where);
    ASSERT_EQ(RunProgram(run).exit, 0);
    const auto before = ReadFolder(where);
    ASSERT_FALSE(before.empty());
    Arguments again = run;
    again[3] = "5";
    again.emplace_back("--force");
    if (run.front() == "sweep") again.insert(again.end(), {"--vary", "friction=lin:0.1:1:400"});
    Launch launch;
    launch.file_limit = 60000;
    const ProgramResult full = RunProgram(again, launch);
    EXPECT_EQ(full.exit, 1) << run.front();
    EXPECT_TRUE(OneLine(full.err)) << full.err;
    EXPECT_NE(full.err.find("cannot be written: File too large"), std::string::npos) << full.err;
    EXPECT_TRUE(ReadFolder(where) == before) << run.front();
  }
}

TEST(FilesCli, ProblemsThatCannotBeWrittenKeepTheFormerRun) {
  const TempFolder folder;
  const std::string out = folder.path("out"), problems = folder.path("p");
  const Arguments run = {"run", "conveyor", "-m", "sap", "--steps", "9", "-o", out};
  ASSERT_EQ(RunProgram(run).exit, 0);
  const auto before = ReadFolder(out);
  // a folder in the way of the fifth
  fs::create_directories(problems + "/sap-000005.json");
  Arguments again = run;
  again.insert(again.end(), {"--dump-problems", problems, "--force"});
  const ProgramResult result = RunProgram(again);
  EXPECT_EQ(result.exit, 1);
  EXPECT_TRUE(OneLine(result.err.substr(result.err.find("slipscope: ")))) << result.err;
  EXPECT_NE(result.err.find("sap-000005.json: cannot be written: Is a directory"),
            std::string::npos)
      << result.err;
  EXPECT_TRUE(ReadFolder(out) == before);
}

TEST(FilesCli, ADeviceIsNoFolder) {
  const Arguments kCases[] = {{"run", "conveyor", "--steps", "2", "-o", "/dev/full"},
                              {"run", "conveyor", "--steps", "2", "--dump-problems", "/dev/full"},
                              {"sweep", "conveyor", "--steps", "2", "-o", "/dev/full"},
                              {"render", "conveyor", "--time", "0", "-o", "/dev/full"}};
  for (const Arguments& arguments : kCases) {
    const ProgramResult result = RunProgram(arguments);
    EXPECT_EQ(result.exit, 1) << arguments[0];
    EXPECT_EQ(result.err, "slipscope: /dev/full: is a device or a pipe, not a folder.\n");
  }
}

TEST(FilesCli, NoExceptionLeavesTheProgram) {
  const TempFolder folder;
  const std::string longest(300, 'a'), loop = folder.path("loop");
  fs::create_symlink(loop, loop);
  struct Case {
    Arguments arguments;
    int exit;
    const char* message;
  };
  const Case kCases[] = {
      {{"run", "conveyor", "--steps", "1", "-o", longest}, 1, "File name too long"},
      {{"run", "conveyor", "--steps", "1", "-o", loop}, 1, "symbolic links"},
      {{"run", "conveyor", "--steps", "1", "-o", "/proc/self/none"}, 1, "/proc/self/none: cannot"},
      {{"run", "conveyor", "--steps", "1", "--save", longest}, 1, "File name too long"},
      {{"run", "conveyor", "--steps", "1", "--dump-problems", longest}, 1, "File name too long"},
      {{"run", "conveyor", "--steps", "1", "--dump-problems", loop}, 1, "symbolic links"},
      {{"sweep", "conveyor", "-t", "0.1", "-o", longest}, 1, "File name too long"},
      {{"render", "conveyor", "-t", "0.1", "-o", longest + ".png"}, 1, "File name too long"},
      {{"render", "conveyor", "-t", "0.1", "-o", loop + "/"}, 1, "symbolic links"},
      {{"render", "conveyor", "-t", "0.1", "-o", loop + "/a.png"}, 1, "symbolic links"},
      {{longest}, 2, "no command or scene"},
      {{"run", longest}, 5, "slipscope: "},
      {{"check", longest + ".json"}, 5, "slipscope: "},
  };
  for (const Case& c : kCases) {
    const ProgramResult result = RunProgram(c.arguments);
    EXPECT_EQ(result.exit, c.exit) << c.arguments[0] << " " << result.err;
    EXPECT_NE(result.err.find(c.message), std::string::npos) << c.arguments[0] << " " << result.err;
    EXPECT_TRUE(OneLine(result.err)) << result.err;
  }
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(FilesCli, OutOfMemoryIsASentence) {
  // somewhere between what the program itself needs and what the run needs, on the main thread
  // and on one that shares the steps
  for (const char* jobs : {"1", "2"}) {
    int caught = 0;
    for (int megabytes = 24; megabytes < 64; megabytes += 2) {
      Launch launch;
      launch.memory_limit = int64_t{megabytes} << 20;
      const ProgramResult result =
          RunProgram({"run", "ball-pit", "-p", "bodies=4000", "--steps", "2", "-j", jobs}, launch);
      if (result.exit == 0) break;
      if (result.exit == 127) continue;  // not even the libraries fit
      EXPECT_EQ(result.exit, 1) << result.err;
      EXPECT_EQ(result.err, "slipscope: ended early: out of memory.\n");
      ++caught;
    }
    EXPECT_GT(caught, 0);
  }
}
#endif

TEST(FilesCli, AFolderInUseIsOneLineAndTheSameExitCode) {
  const TempFolder folder;
  const std::string out = folder.path("out"), save = folder.path("a.json");
  ASSERT_EQ(RunProgram({"run", "conveyor", "--steps", "2", "-o", out, "--save", save}).exit, 0);
  ASSERT_EQ(RunProgram({"run", "conveyor", "--steps", "2", "--dump-problems", out + "p"}).exit, 0);
  WriteText(folder.path("a.png"), "");
  WriteText(folder.path("a.mp4"), "");
  fs::create_directories(folder.path("frames"));
  WriteText(folder.path("frames/frame-000003.png"), "mine");
  const Arguments kCases[] = {
      {"run", "conveyor", "--steps", "2", "-o", out},
      {"compare", "conveyor", "--steps", "2", "-o", out},
      {"run", "conveyor", "--steps", "2", "--save", save},
      {"run", "conveyor", "--steps", "2", "--dump-problems", out + "p"},
      {"sweep", "conveyor", "--vary", "friction=1", "-t", "0.1", "-o", out},
      {"render", "conveyor", "--time", "0.1", "-o", folder.path("a.png")},
      {"render", "conveyor", "-t", "0.1", "-o", folder.path("a.mp4")},
      {"render", "conveyor", "-t", "0.1", "-o", folder.path("frames/")},
      {"render", "conveyor", "-t", "0.1", "-o", folder.path("frames")},
  };
  for (const Arguments& arguments : kCases) {
    const ProgramResult result = RunProgram(arguments);
    EXPECT_EQ(result.exit, 2) << arguments[0] << " " << result.err;
    EXPECT_TRUE(OneLine(result.err)) << result.err;
    EXPECT_NE(result.err.find("exists already"), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("--force"), std::string::npos) << result.err;
  }
  EXPECT_EQ(ReadText(folder.path("frames/frame-000003.png")), "mine");
}

TEST(FilesCli, ARunSaysWhatItWrote) {
  const TempFolder folder;
  const std::string out = folder.path("out");
  const ProgramResult run = RunProgram({"run", "conveyor", "--steps", "4", "-m", "lagged", "-o",
                                        out, "--dump-problems", out + "/p", "--every", "2"});
  EXPECT_EQ(run.exit, 0);
  EXPECT_TRUE(run.out.empty()) << run.out;
  EXPECT_EQ(run.err, "6 files in " + out + "/, 2 problems in " + out + "/p/\n");
  const ProgramResult quiet = RunProgram({"run", "conveyor", "--steps", "4", "-m", "lagged", "-o",
                                          out, "--force", "--progress", "none"});
  EXPECT_EQ(quiet.exit, 0);
  EXPECT_TRUE(quiet.err.empty()) << quiet.err;
}

TEST(FilesCli, AFalseExpectationTellsTheValue) {
  const ProgramResult run =
      RunProgram({"run", "conveyor", "--steps", "5", "--expect",
                  "max(iterations@sap) < 0 and friction > 1", "--expect", "1 < 0"});
  EXPECT_EQ(run.exit, 4);
  EXPECT_NE(run.err.find("--expect is false: max(iterations@sap) < 0 and friction > 1 (found "
                         "max(iterations@sap) = "),
            std::string::npos)
      << run.err;
  EXPECT_NE(run.err.find(", friction = 0.5)"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("--expect is false: 1 < 0.\n"), std::string::npos) << run.err;
  const TempFolder folder;
  const ProgramResult sweep =
      RunProgram({"sweep", "conveyor", "-m", "sap", "--vary", "time_step=1ms,2ms", "-t", "0.01",
                  "--expect", "time_step > 1.5ms", "-o", folder.path("out")});
  EXPECT_EQ(sweep.exit, 4);
  EXPECT_NE(sweep.err.find("(found time_step = 0.001 s)"), std::string::npos) << sweep.err;
}

TEST(FilesCli, BareListNamesItsChoices) {
  const ProgramResult list = RunProgram({"list"});
  EXPECT_EQ(list.exit, 2);
  EXPECT_TRUE(OneLine(list.err)) << list.err;
  EXPECT_NE(list.err.find("scenes, models, laws, parameters, signals, robots, studies, keys, "
                          "dialects or suites"),
            std::string::npos)
      << list.err;
}

TEST(FilesCli, WithoutADisplayTheWindowPointsToRender) {
  Launch launch;
  launch.environment = {{"DISPLAY", ""}, {"WAYLAND_DISPLAY", ""}};
  const ProgramResult window = RunProgram({"conveyor", "--frames", "1"}, launch);
  EXPECT_EQ(window.exit, 6);
  EXPECT_TRUE(OneLine(window.err)) << window.err;
  EXPECT_NE(window.err.find("slipscope render SCENE -o picture.png"), std::string::npos)
      << window.err;
}

}  // namespace
}  // namespace slip
