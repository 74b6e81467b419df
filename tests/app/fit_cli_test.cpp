// fit on the command line: what it writes, what it refuses, and that a signal leaves nothing.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/folders.h"
#include "tests/support/program.h"

namespace slip {
namespace {

namespace fs = std::filesystem;

std::string Tosses() { return std::string(SourceFolder()) + "/assets/motions/cube-toss"; }

/// On some made-up tosses, with long steps.
std::vector<std::string> Short(std::vector<std::string> more) {
  std::vector<std::string> all = {"fit", "cube-toss", "-p", "time_step=4ms", "--resamples", "50"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

TEST(FitCli, WritesItsTables) {
  const TempFolder folder;
  const auto run = [&](const std::string& jobs, const std::string& out) {
    return RunProgram(Short(
        {"-m", "lagged,similar", "--foreign", Tosses() + "/toss-01.csv", Tosses() + "/toss-02.csv",
         Tosses() + "/toss-03.csv", Tosses() + "/toss-04.csv", "--vary", "friction=log:0.05:1",
         "--landscape", "5", "--folds", "2", "-j", jobs, "-o", folder.path(out)}));
  };
  const ProgramResult result = run("2", "out");
  ASSERT_EQ(result.exit, 0) << result.err;
  EXPECT_NE(result.out.find("95 % interval"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("No model surely explains 4 runs that it was not fitted to best"),
            std::string::npos)
      << result.out;
  const auto values = ReadCsv(folder.path("out/fit.csv"));
  ASSERT_EQ(values.size(), 2u);
  EXPECT_EQ(values[0].at("model"), "lagged");
  EXPECT_NEAR(std::stod(values[0].at("fitted")), 0.27, 0.05);
  EXPECT_LT(std::stod(values[0].at("low")), std::stod(values[0].at("high")));
  EXPECT_EQ(ReadCsv(folder.path("out/runs.csv")).size(), 8u);
  EXPECT_EQ(ReadCsv(folder.path("out/landscape.csv")).size(), 10u);
  const auto json = nlohmann::json::parse(ReadText(folder.path("out/fit.json")));
  EXPECT_EQ(json["schema"], "slipscope.fit/1");
  EXPECT_EQ(json["runs"][0]["name"], "toss-01");
  EXPECT_NE(json["runs"][0]["engine"].get<std::string>().find("made up"), std::string::npos)
      << "meta.json beside the tables";
  EXPECT_EQ(json["report"].size(), 3u);
  EXPECT_NE(ReadText(folder.path("out/landscape.svg")).find(">lagged</text>"), std::string::npos);

  ASSERT_EQ(run("1", "one").exit, 0);
  for (const char* file : {"fit.csv", "runs.csv", "landscape.csv", "landscape.svg"}) {
    EXPECT_EQ(ReadText(folder.path(std::string("one/") + file)),
              ReadText(folder.path(std::string("out/") + file)))
        << file;
  }
  EXPECT_EQ(run("1", "one").exit, 2) << "never over a file without --force";
}

TEST(FitCli, WhatIsWrongIsASentence) {
  const TempFolder folder;
  const auto refused = [&](std::vector<std::string> more, int exit, const std::string& part) {
    const ProgramResult result = RunProgram(Short(std::move(more)));
    EXPECT_EQ(result.exit, exit) << result.err;
    EXPECT_NE(result.err.find(part), std::string::npos) << result.err;
  };
  const std::string toss = Tosses() + "/toss-01.csv";
  refused({"--vary", "friction"}, 2, "--foreign");
  refused({"--foreign", toss}, 2, "--vary");
  refused({"--foreign", toss, "--vary", "frction"}, 2, "did you mean 'friction'");
  refused({"--foreign", toss, "--vary", "friction=0.1:1"}, 2, "expected log:a:b or lin:a:b");
  refused({"--foreign", toss, "--vary", "friction", "--held-out", "toss-09"}, 2,
          "--held-out: no recorded run 'toss-09'");
  refused({"--foreign", toss, "--vary", "friction", "--held-out", "toss-01"}, 2,
          "no recorded run is left to fit to");
  refused({"--foreign", toss, toss, "--vary", "friction"}, 2, "two channels would be called");
  refused({"--foreign", toss, "--vary", "friction", "-m", "mjco"}, 2, "no model 'mjco'");
  refused({"--foreign", toss, "--vary", "friction", "--start", "rest"}, 2, "no start 'rest'");
  refused({"--foreign", toss, "--vary", "friction", "--folds", "0"}, 2, "--folds must be");
  refused({"--foreign", folder.path("none.csv"), "--vary", "friction"}, 5, "none.csv");
  fs::create_directory(folder.path("empty"));
  refused({"--foreign", folder.path("empty"), "--vary", "friction"}, 5,
          "no recorded run is in this folder");
  WriteText(folder.path("bad.csv"),
            "time_s,px_m,py_m,pz_m,qw,qx,qy,qz\n0,0,0,1,1,0,0,0\n0.1,0,0,x,1,0,0,0\n");
  refused({"--foreign", folder.path("bad.csv"), "--vary", "friction"}, 5, "bad.csv:3");
  WriteText(folder.path("meta.json"), R"({"schema": "slipscope.foreign/1", "up": "x"})");
  WriteText(folder.path("good.csv"), ReadText(toss));
  refused({"--foreign", folder.path("good.csv"), "--vary", "friction"}, 5,
          "meta.json: up cannot be 'x'");
  // somebody else's file of that name says nothing of the tables
  WriteText(folder.path("meta.json"), R"({"up": "x"})");
  EXPECT_EQ(RunProgram({"check", "cube-toss"}).exit, 0);
  EXPECT_EQ(
      RunProgram({"compare", "cube-toss", "--steps", "3", "--foreign", folder.path("good.csv")})
          .exit,
      0);
}

/// A table like one of the tosses, with each number changed, or the first rows of it.
std::string Changed(int columns_from, int columns_to, double factor, std::size_t rows = 1000) {
  std::string text;
  std::size_t row = 0;
  std::istringstream lines(ReadText(Tosses() + "/toss-02.csv"));
  for (std::string line; std::getline(lines, line);) {
    if (row++ > rows) break;
    std::string cell;
    int column = 0;
    for (const char c : line + "\n") {
      if (c != ',' && c != '\n') {
        cell += c;
        continue;
      }
      const bool now = row > 1 && column >= columns_from && column < columns_to;
      text += (now ? fmt::format("{:.17g}", factor * std::stod(cell)) : cell) + c;
      cell.clear();
      ++column;
    }
  }
  return text;
}

TEST(FitCli, WhatTellsNothingOrIsOfAnotherSceneIsNotFitted) {
  const TempFolder folder;
  const std::string good = Tosses() + "/toss-01.csv";
  const auto table = [&](const std::string& name, const std::string& text) {
    WriteText(folder.path(name + ".csv"), text);
    return folder.path(name + ".csv");
  };
  const auto fit = [&](const std::string& scene, std::vector<std::string> more) {
    std::vector<std::string> all = {"fit",           scene,    "-m",       "sap",         "-p",
                                    "time_step=4ms", "--vary", "friction", "--landscape", "0",
                                    "--resamples",   "10"};
    all.insert(all.end(), more.begin(), more.end());
    return RunProgram(all);
  };
  const auto refused = [&](const ProgramResult& result, int exit, const std::string& part) {
    EXPECT_EQ(result.exit, exit) << result.err << result.out;
    EXPECT_NE(result.err.find(part), std::string::npos) << result.err;
    EXPECT_TRUE(result.out.empty()) << result.out;
  };
  const std::string two = table("two", Changed(0, 0, 1, 2)),
                    free = table("free", Changed(0, 0, 1, 8));
  refused(fit("cube-toss", {"--foreign", two}), 5, "two is left out: 2 samples tell nothing");
  refused(fit("cube-toss", {"--foreign", free}), 5,
          "free is left out: no parameter of --vary changes it");
  refused(fit("cube-toss", {"--foreign", two}), 5, "no recorded run is left to fit to");
  const ProgramResult rest = fit("cube-toss", {"--foreign", two, free, good});
  EXPECT_EQ(rest.exit, 0) << rest.err;
  EXPECT_NE(rest.err.find("note: two is left out"), std::string::npos) << rest.err;
  EXPECT_NE(rest.out.find("Fitted to 1 run,"), std::string::npos) << rest.out;

  refused(fit("falling-sphere", {"--foreign", good}), 5, "where its joint in this scene holds it");
  refused(fit("cube-toss", {"--foreign", table("mm", Changed(1, 4, 1000))}), 5, "flies at first");
  refused(fit("cube-toss", {"--foreign", table("dm", Changed(1, 4, 0.1))}), 5, "deep in what it");
  refused(fit("cube-toss", {"--foreign", table("ms", Changed(0, 1, 1000))}), 5, "flies at first");
  std::string scene = ReadText(std::string(SourceFolder()) + "/scenes/cube-toss.toml");
  scene.resize(scene.find("[lesson]"));
  const std::string size = "\nsize = [0.1048, 0.1048, 0.1048]";
  ASSERT_NE(scene.find(size), std::string::npos);
  scene.replace(scene.find(size), size.size(), "\nsize = [0.2, 0.2, 0.2]");
  WriteText(folder.path("large.toml"), scene);
  refused(fit(folder.path("large.toml"), {"--foreign", good}), 5, "deep in what it touches");

  refused(fit("cube-toss", {"--foreign", Tosses(), "--folds", "100"}), 2,
          "--folds must be at most 8, the number of recorded runs (found 100)");
  refused(fit("cube-toss", {"--foreign", Tosses(), "--folds", "2", "--held-out", "toss-01"}), 2,
          "--folds and --held-out do not go together");
}

TEST(FitCli, AnInterruptLeavesNothing) {
  const TempFolder folder;
  Program program({"fit", "cube-toss", "--foreign", Tosses(), "-p", "time_step=0.2ms", "--vary",
                   "friction,stiffness", "-o", folder.path("out")});
  ASSERT_TRUE(WaitFor([&] { return fs::exists(folder.path("out/fit.csv.part")); }));
  program.Signal(SIGINT);
  const ProgramResult result = program.Wait(60);
  EXPECT_EQ(result.exit, 128 + SIGINT) << result.err;
  EXPECT_NE(result.err.find("nothing was written"), std::string::npos) << result.err;
  EXPECT_TRUE(result.out.empty()) << result.out;
  EXPECT_TRUE(!fs::exists(folder.path("out")) || fs::is_empty(folder.path("out")));
}

}  // namespace
}  // namespace slip
