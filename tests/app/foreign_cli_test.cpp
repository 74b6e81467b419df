// Runs as arrays, and recorded runs of other engines, on the command line.
#include <gtest/gtest.h>

#include <filesystem>

#include "engine/npz/npz_file.h"
#include "tests/support/program.h"

namespace slip {
namespace {

namespace fs = std::filesystem;

TEST(ForeignCli, ARunAsArraysIsOneFileAChannel) {
  const TempFolder folder;
  const std::vector<std::string> run = {"run",     "conveyor", "-m", "sap,lagged",
                                        "--steps", "5",        "-o", folder.path("x.npz")};
  const ProgramResult first = RunProgram(run);
  EXPECT_EQ(first.exit, 0) << first.err;
  EXPECT_NE(first.err.find("arrays in " + folder.path("x-sap.npz")), std::string::npos)
      << first.err;
  const auto npz = NpzFile::Read(folder.path("x-lagged.npz"));
  ASSERT_TRUE(npz) << npz.error().Text();
  EXPECT_EQ(npz->Find("position")->shape(), (std::vector<int64_t>{5, 1, 3}));
  const std::string bytes = ReadText(folder.path("x-sap.npz"));
  EXPECT_EQ(RunProgram(run).exit, 2) << "never over a file without --force";
  std::vector<std::string> again = run;
  again.emplace_back("--force");
  EXPECT_EQ(RunProgram(again).exit, 0);
  EXPECT_EQ(fs::file_size(folder.path("x-sap.npz")), bytes.size() + 8 * 4)
      << "a longer command line, four bytes a letter";
  EXPECT_EQ(
      RunProgram({"run", "conveyor", "-m", "sap", "--steps", "5", "-o", folder.path("one.npz")})
          .exit,
      0);
  EXPECT_TRUE(fs::exists(folder.path("one.npz")));
}

TEST(ForeignCli, ARecordedRunIsOneMoreChannel) {
  const TempFolder folder;
  const auto run = [&](std::vector<std::string> more) {
    std::vector<std::string> all = {"conveyor", "-m", "sap", "--steps", "60"};
    more.insert(more.begin() + 1, all.begin(), all.end());
    return RunProgram(more);
  };
  ASSERT_EQ(run({"run", "-o", folder.path("own")}).exit, 0);
  ASSERT_EQ(run({"run", "-o", folder.path("own.npz")}).exit, 0);
  const ProgramResult beside =
      run({"compare", "--foreign", "tables=" + folder.path("own"), "--foreign",
           "arrays=" + folder.path("own.npz"), "-o", folder.path("out"), "--expect",
           "abs(max(normal_force@2) - max(normal_force@3)) < 1e-9", "--expect",
           "abs(max(normal_force@tables) - max(normal_force@sap)) < 1e-9"});
  EXPECT_EQ(beside.exit, 0) << beside.err;
  EXPECT_NE(beside.out.find("\ntables "), std::string::npos) << beside.out;
  EXPECT_NE(beside.out.find("1 mm apart at"), std::string::npos) << beside.out;
  int rows = 0;
  std::map<std::string, std::map<std::string, std::string>> first, second;
  for (const auto& row : ReadCsv(folder.path("out/bodies.csv"))) {
    auto& of = row.at("model") == "tables" ? first : second;
    if (row.at("model") == "sap") continue;
    of[row.at("step")] = row;
    of[row.at("step")].erase("model");
    ++rows;
  }
  EXPECT_EQ(rows, 120);
  EXPECT_EQ(first, second) << "tables and arrays give the same rows";
  const std::string metrics = ReadText(folder.path("out/metrics.json"));
  EXPECT_NE(metrics.find("\"condition_number\": \"a recording tells nothing of a solver\""),
            std::string::npos);
  EXPECT_NE(metrics.find("\"apart_1mm_s\": null"), std::string::npos);
}

TEST(ForeignCli, WhatCannotBeReadEndsWithASentence) {
  const TempFolder folder;
  WriteText(folder.path("x.csv"),
            "time_s,body,px_m,py_m,pz_m,qw,qx,qy,qz\n0,barrel,0,0,0,1,0,0,0\n");
  WriteText(folder.path("good.csv"),
            "time_s,body,px_m,py_m,pz_m,qw,qx,qy,qz\n0,box,0,0,0.05,1,0,0,0\n");
  const auto result = [](const std::vector<std::string>& more) {
    std::vector<std::string> all = {"compare", "conveyor", "-m", "sap", "--steps", "3"};
    all.insert(all.end(), more.begin(), more.end());
    return RunProgram(all);
  };
  const ProgramResult none = result({"--foreign", folder.path("x.csv")});
  EXPECT_EQ(none.exit, 5);
  EXPECT_NE(none.err.find("no body of the scene is in it; it has barrel"), std::string::npos)
      << none.err;
  EXPECT_EQ(result({"--foreign", folder.path("y.npz")}).exit, 5);
  const ProgramResult taken = result({"--foreign", "sap=" + folder.path("x.csv")});
  EXPECT_EQ(taken.exit, 2);
  EXPECT_NE(taken.err.find("'sap' is a method of ours"), std::string::npos) << taken.err;
  const ProgramResult unknown = result(
      {"--expect", "max(slip_speed@table) < 1", "--foreign", "tables=" + folder.path("good.csv")});
  EXPECT_EQ(unknown.exit, 2);
  EXPECT_NE(unknown.err.find("no model 'table'"), std::string::npos) << unknown.err;
  EXPECT_NE(unknown.err.find("did you mean 'tables'"), std::string::npos) << unknown.err;
  EXPECT_EQ(result({"--align", "best"}).exit, 2) << "without a recording";
  EXPECT_EQ(result({"--foreign", folder.path("x.csv"), "--align", "worst"}).exit, 2);
}

TEST(ForeignCli, APictureShowsARecordedRunBesideTheModels) {
  const TempFolder folder;
  ASSERT_EQ(
      RunProgram({"run", "conveyor", "-m", "lagged", "-t", "0.3", "-o", folder.path("x.npz")}).exit,
      0);
  const auto picture = [&](const std::string& name, const std::vector<std::string>& more) {
    std::vector<std::string> all = {"render", "conveyor", "-m",       "sap",
                                    "--time", "0.25",     "--region", "view",
                                    "--size", "1000x600", "-o",       folder.path(name)};
    all.insert(all.end(), more.begin(), more.end());
    return RunProgram(all);
  };
  const ProgramResult plain = picture("plain.png", {});
  if (plain.exit == 6) GTEST_SKIP() << "no off-screen OpenGL here";
  ASSERT_EQ(plain.exit, 0) << plain.err;
  const ProgramResult beside = picture("beside.png", {"--foreign", folder.path("x.npz")});
  EXPECT_EQ(beside.exit, 0) << beside.err;
  EXPECT_EQ(picture("again.png", {"--foreign", folder.path("x.npz")}).exit, 0);
  EXPECT_NE(ReadText(folder.path("plain.png")), ReadText(folder.path("beside.png")));
  EXPECT_EQ(ReadText(folder.path("again.png")), ReadText(folder.path("beside.png")))
      << "same command, same bytes";
  EXPECT_EQ(picture("none.png", {"--foreign", folder.path("y.npz")}).exit, 5);
  EXPECT_EQ(picture("none.png", {"--foreign", "sap=" + folder.path("x.npz")}).exit, 2);
  EXPECT_FALSE(fs::exists(folder.path("none.png")));
}

}  // namespace
}  // namespace slip
