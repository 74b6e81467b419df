// The sweep command from outside: files, order, shards, exit codes, messages.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/program.h"

namespace slip {
namespace {

using Arguments = std::vector<std::string>;

/// sweep.csv without its wall-time columns.
std::string Reproducible(const std::string& path) {
  std::istringstream in(ReadText(path));
  std::string out;
  std::vector<bool> keep;
  for (std::string line; std::getline(in, line);) {
    std::istringstream cells(line);
    std::size_t i = 0;
    for (std::string cell; std::getline(cells, cell, ','); ++i) {
      if (out.empty() || i >= keep.size()) keep.push_back(cell.rfind("wall_", 0) != 0);
      if (keep[i]) out += cell + ",";
    }
    out += "\n";
  }
  return out;
}

Arguments Sweep(const Arguments& more, const std::string& output) {
  Arguments all = {"sweep",  "conveyor",
                   "-m",     "sap,similar",
                   "--vary", "friction=0.2,0.5",
                   "--vary", "time_step=log:1ms:10ms:3",
                   "-t",     "0.1",
                   "-o",     output};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

TEST(SweepCli, TheLargestStableValueIsPrinted) {
  const TempFolder folder;
  const ProgramResult result =
      RunProgram({"sweep", "quadruped-squat", "-m", "exponential,explicit-euler", "--largest",
                  "time_step=0.1ms,40ms", "-t", "0.1", "-o", folder.path("a")});
  ASSERT_EQ(result.exit, 0) << result.err;
  EXPECT_EQ(result.out.rfind("model           largest time_step\nexponential   "
                             "            ≥ 40 ms\n",
                             0),
            0u)
      << result.out;
  EXPECT_NE(result.out.find("\nexplicit-euler "), std::string::npos) << result.out;
}

TEST(SweepCli, ErrorsAgainstAReferenceComeWithTheirOrder) {
  const TempFolder folder;
  const ProgramResult result = RunProgram(
      {"sweep", "conveyor", "-m", "lagged,sap", "--vary", "time_step=10ms,5ms,2ms,1ms", "-t", "0.5",
       "--reference", "auto", "--truth", "lagged", "-p", "stiction_tolerance=1e-6", "--signals",
       "position_x,step_wall_us", "-o", folder.path("a")});
  ASSERT_EQ(result.exit, 0) << result.err;
  EXPECT_EQ(result.out.rfind("model ", 0), 0u) << result.out;
  EXPECT_NE(result.out.find("its error  order  holds from"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("\nlagged"), std::string::npos) << result.out;
  const std::string csv = ReadText(folder.path("a/sweep.csv"));
  const std::string header = csv.substr(0, csv.find('\n'));
  EXPECT_NE(header.find(",reference_error_m,reference_step_s,real_time_factor,"),
            std::string::npos);
  EXPECT_EQ(header.substr(header.find(",note")),
            ",note,position_x_min_m,position_x_last_m,position_x_median_m,step_wall_us_min,"
            "step_wall_us_last,step_wall_us_median");
  // goes on where it was, by the same lines whatever the clocks said
  const auto meta = nlohmann::json::parse(ReadText(folder.path("a/meta.json")));
  EXPECT_EQ(meta["reference"]["method"], "lagged");
  EXPECT_EQ(meta["reference"]["step_s"], 1e-4);
}

TEST(SweepCli, WhatDoesNotGoTogetherIsSaid) {
  const std::vector<std::pair<Arguments, const char*>> cases = {
      {{"--reference", "auto", "--local-error", "10ms"}, "do not go together"},
      {{"--reference", "auto", "--largest", "max_iterations=10,20"}, "do not go together"},
      {{"--reference", "3ms"}, "does not divide"},
      {{"--reference", "auto", "--at", "0.05:time_step=2ms"}, "do not go together"},
      {{"--truth", "lagged"}, "--truth needs"},
      {{"--largest-if", "max(pitch) < 1"}, "--largest-if needs --largest"},
      {{"--largest", "max_iterations=10,20", "--largest-if", "max(ptch) < 1"}, "--largest-if"},
      {{"--signals", "slip_sped"}, "did you mean 'slip_speed'"},
      {{"--derive", "damping"}, "PATH=EXPRESSION"},
  };
  const TempFolder folder;
  for (const auto& [more, message] : cases) {
    const ProgramResult result = RunProgram(Sweep(more, folder.path("a")));
    EXPECT_EQ(result.exit, 2) << more[0];
    EXPECT_NE(result.err.find(message), std::string::npos) << result.err;
  }
}

TEST(SweepCli, RowsStandInTheOrderOfTheGrid) {
  const TempFolder folder;
  const ProgramResult result = RunProgram(Sweep({}, folder.path("a")));
  ASSERT_EQ(result.exit, 0) << result.err;
  EXPECT_EQ(result.out, "12 rows in " + folder.path("a") + "/sweep.csv\n");
  EXPECT_EQ(result.err, "");
  const std::string text = ReadText(folder.path("a/sweep.csv"));
  EXPECT_EQ(text.rfind("run,friction,time_step_s,model,status,steps,not_converged_steps,"
                       "measured_steps,normal_force_max_N,normal_force_mean_N,",
                       0),
            0u)
      << text.substr(0, 200);
  const std::string header = text.substr(0, text.find('\n'));
  EXPECT_TRUE(header.ends_with(",wall_us_median,wall_us_p99,note")) << header;
  const auto rows = ReadCsv(folder.path("a/sweep.csv"));
  ASSERT_EQ(rows.size(), 12u);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double steps[] = {0.001, 0.0031622776601683794, 0.01};
    EXPECT_EQ(rows[i].at("run"), std::to_string(i + 1));
    EXPECT_EQ(std::stod(rows[i].at("friction")), i < 6 ? 0.2 : 0.5);
    EXPECT_NEAR(std::stod(rows[i].at("time_step_s")), steps[i / 2 % 3], 1e-17);
    EXPECT_EQ(rows[i].at("model"), i % 2 == 0 ? "sap" : "similar");
    EXPECT_EQ(rows[i].at("status"), "ok");
    EXPECT_GT(std::stod(rows[i].at("wall_us_median")), 0);
  }
  EXPECT_EQ(rows[0].at("steps"), "100");
  const nlohmann::json meta = nlohmann::json::parse(ReadText(folder.path("a/meta.json")));
  EXPECT_EQ(meta["schema"], "slipscope.sweep/1");
  EXPECT_EQ(meta["scene"]["id"], "conveyor");
  EXPECT_EQ(meta["axes"][1]["values"][2], 0.01);
  EXPECT_EQ(meta["axes"][1]["unit"], "s");
  EXPECT_EQ(meta["channels"][1]["model"], "similar");
  EXPECT_EQ(meta["rows"], 12);
  EXPECT_TRUE(meta["complete"]);
  EXPECT_TRUE(meta["columns"]["sweep.csv"].contains("gliding_offset_mean_m"));
}

TEST(SweepCli, ThreadsAndShardsDoNotShow) {
  const TempFolder folder;
  ASSERT_EQ(RunProgram(Sweep({"-j", "1"}, folder.path("one"))).exit, 0);
  ASSERT_EQ(RunProgram(Sweep({"-j", "2"}, folder.path("two"))).exit, 0);
  const std::string whole = Reproducible(folder.path("one/sweep.csv"));
  EXPECT_EQ(Reproducible(folder.path("two/sweep.csv")), whole);

  Arguments merge = {"sweep", "-o", folder.path("merged"), "--merge"};
  for (const char* shard : {"3/4", "1/4", "4/4", "2/4"}) {
    const std::string part = folder.path(std::string("part") + shard[0]);
    ASSERT_EQ(RunProgram(Sweep({"--shard", shard}, part)).exit, 0);
    merge.push_back(part);
  }
  const ProgramResult merged = RunProgram(merge);
  ASSERT_EQ(merged.exit, 0) << merged.err;
  EXPECT_EQ(Reproducible(folder.path("merged/sweep.csv")), whole);
  const nlohmann::json meta = nlohmann::json::parse(ReadText(folder.path("merged/meta.json")));
  EXPECT_EQ(meta["rows"], 12);
  EXPECT_TRUE(meta["complete"]);
  EXPECT_EQ(meta["merged_from"].size(), 4u);

  // What does not belong together is not joined.
  const auto refused = [&](const Arguments& parts, int exit, const char* message) {
    Arguments all = {"sweep", "-o", folder.path("no"), "--merge"};
    all.insert(all.end(), parts.begin(), parts.end());
    const ProgramResult result = RunProgram(all);
    EXPECT_EQ(result.exit, exit) << result.err;
    EXPECT_NE(result.err.find(message), std::string::npos) << result.err;
  };
  const std::string a = folder.path("part1"), b = folder.path("part2"), c = folder.path("part3");
  refused({a, b, c}, 5, "shard 4/4 is missing");
  refused({a, b, c, c}, 5, "so is");
  refused({a, folder.path("one")}, 5, "is of another sweep");
  refused({a, folder.path("none")}, 5, "no such file");
  ASSERT_EQ(RunProgram(Sweep({"--shard", "4/4", "-p", "gravity=9"}, folder.path("g"))).exit, 0);
  refused({a, b, c, folder.path("g")}, 5, "is of another sweep");
  WriteText(folder.path("g/meta.json"), "{\"schema\": 3}");
  refused({a, b, c, folder.path("g")}, 5, "is not");
  WriteText(folder.path("part4/sweep.csv"), ReadText(folder.path("part4/sweep.csv")) + "7,1\n");
  refused({a, b, c, folder.path("part4")}, 5, "sweep.csv:4");
  EXPECT_EQ(RunProgram(merge).exit, 5);
}

TEST(SweepCli, AnInterruptKeepsFinishedRows) {
  const TempFolder folder;
  const Arguments sweep = {"sweep", "conveyor", "-m", "sap", "--vary", "time_step=lin:1ms:2ms:1001",
                           "-t",    "100",      "-j", "2",   "-o",     folder.path("a")};
  const ProgramResult result = RunProgram(sweep, 2, SIGINT);
  EXPECT_EQ(result.exit, 130) << result.err;
  const auto rows = ReadCsv(folder.path("a/sweep.csv"));
  EXPECT_FALSE(rows.empty());
  EXPECT_LT(rows.size(), 1001u);
  EXPECT_EQ(rows.front().at("status"), "ok");
  const nlohmann::json meta = nlohmann::json::parse(ReadText(folder.path("a/meta.json")));
  EXPECT_FALSE(meta["complete"]);
  EXPECT_EQ(meta["rows"], rows.size());
  Arguments term = sweep;
  term.back() = folder.path("b");
  EXPECT_EQ(RunProgram(term, 0.3, SIGTERM).exit, 143);
  // a single interrupted shard: what there is, and an exit code that says so
  const ProgramResult merge =
      RunProgram({"sweep", "-o", folder.path("m"), "--merge", folder.path("a")});
  EXPECT_EQ(merge.exit, 1);
  EXPECT_NE(merge.err.find("runs are missing: " + folder.path("a") + " was interrupted"),
            std::string::npos)
      << merge.err;
  EXPECT_EQ(ReadCsv(folder.path("m/sweep.csv")).size(), rows.size());
}

TEST(SweepCli, ExitCodes) {
  const TempFolder folder;
  int number = 0;
  std::string scene = "sliding-box";  // it starts in touch, which barriers refuse
  const auto sweep = [&](const Arguments& more) {
    Arguments all = {"sweep", scene, "-t", "0.1", "-o", folder.path(std::to_string(++number))};
    all.insert(all.end(), more.begin(), more.end());
    return RunProgram(all);
  };
  const Arguments laws = {"-m", "lagged", "--vary", "normal_law=hunt-crossley,ipc-barrier"};
  const ProgramResult one_failed = sweep(laws);
  EXPECT_EQ(one_failed.exit, 1) << one_failed.err;
  EXPECT_NE(one_failed.err.find("run 2 (normal_law=ipc-barrier, lagged): "), std::string::npos)
      << one_failed.err;
  EXPECT_NE(one_failed.err.find("1 of 2 runs failed (status and note of each are in sweep.csv).\n"),
            std::string::npos)
      << one_failed.err;
  const auto rows = ReadCsv(folder.path("1/sweep.csv"));
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].at("status"), "ok");
  EXPECT_EQ(rows[1].at("status"), "failed");
  EXPECT_NE(ReadText(folder.path("1/sweep.csv")).find("the barrier law needs a gap"),
            std::string::npos);
  EXPECT_EQ(rows[1].at("normal_force_max_N"), "nan");
  EXPECT_EQ(rows[0].at("normal_law"), "hunt-crossley");
  EXPECT_EQ(sweep({"-m", "lagged", "--vary", "normal_law=ipc-barrier"}).exit, 1);
  Arguments strict = laws;
  strict.emplace_back("--strict");
  EXPECT_EQ(sweep(strict).exit, 3);

  scene = "conveyor";
  const Arguments steps = {"-m", "lagged,similar", "--vary", "time_step=1ms,10ms"};
  Arguments expect = steps;
  expect.insert(expect.end(), {"--expect", "max(gliding_offset@lagged) < 1e-6"});
  EXPECT_EQ(sweep(expect).exit, 0);
  expect.back() = "max(gliding_offset@similar) < 2e-4";
  const ProgramResult wrong = sweep(expect);
  EXPECT_EQ(wrong.exit, 4);
  EXPECT_NE(wrong.err.find("--expect is false at time_step=0.01 s: "), std::string::npos)
      << wrong.err;
  // nothing is overwritten unasked
  number = 0;
  EXPECT_EQ(sweep(steps).exit, 2);
  number = 0;
  Arguments forced = steps;
  forced.emplace_back("--force");
  EXPECT_EQ(sweep(forced).exit, 0);
}

TEST(SweepCli, WrongUsageIsOneLine) {
  const TempFolder folder;
  const std::pair<Arguments, const char*> kCases[] = {
      {{}, "scene is required"},
      {{"conveyor", "--vary", "time_stpe=1ms"}, "did you mean 'time_step'?"},
      {{"conveyor", "--vary", "time_step=log:1ms:10ms:0"}, "from 1 to 1000000"},
      {{"conveyor", "--vary", "friction=1,-1"}, "friction must be >= 0 (found -1)"},
      {{"conveyor", "--vary", "friction=lin:0:1:999999", "-m", "sap,lagged"}, "at most 1000000"},
      {{"conveyor", "--vary", "method=sap"}, "-m"},
      {{"conveyor", "--shard", "3/2"}, "--shard must be I/N"},
      {{"conveyor", "-j", "0"}, "--jobs must be"},
      {{"conveyor", "--from", "9"}, "nothing is measured"},
      {{"conveyor", "--from", "1", "--to", "0.5"}, "nothing is measured"},
      {{"conveyor", "--merge", "a"}, "--merge takes"},
      {{"conveyor", "--every", "2"}, "unknown option '--every'"},
      {{"conveyor", "--expect", "max(glidin_offset) < 1"}, "did you mean 'gliding_offset'?"},
  };
  for (const auto& [arguments, message] : kCases) {
    Arguments all = {"sweep", "-o", folder.path("a")};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const ProgramResult result = RunProgram(all);
    EXPECT_EQ(result.exit, 2) << message << result.err;
    EXPECT_NE(result.err.find(message), std::string::npos) << message << "\n" << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }
  const ProgramResult no_output = RunProgram({"sweep", "conveyor"});
  EXPECT_EQ(no_output.exit, 2);
  EXPECT_NE(no_output.err.find("--output is required"), std::string::npos) << no_output.err;
  EXPECT_EQ(RunProgram({"sweep", "conveior", "-o", folder.path("a")}).exit, 5);
  EXPECT_EQ(RunProgram({"sweep", "--help"}).exit, 0);
}

}  // namespace
}  // namespace slip
