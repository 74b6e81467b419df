// What a study weighs, where its suites lie, and the pictures that it asks for.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "engine/scene/scene.h"
#include "engine/study/study_pace.h"
#include "tests/support/temp_folder.h"

namespace slip::test {
namespace {

namespace fs = std::filesystem;

const std::string kStop = R"toml(
schema = "slipscope.study/1"
title = "Stop"
story = "A box stops."
[[run]]
id = "stop"
scene = "sliding-box"
methods = ["lagged", "sap"]
axes = ["friction=0.25,0.5", "time_step=2ms,1ms"]
duration = 0.45
quick_duration = 0.15
metrics = {way = "last(position_x)"}
)toml";

Study Stop() {
  const Result<Study> study = ReadStudy(kStop, "stop.toml", false);
  EXPECT_TRUE(study.ok()) << study.error().Text();
  return *study;
}

// How far a study is: cells of a slow method weigh more as soon as one of them was made.
TEST(Study, CellsWeighWhatTheirMethodTakes) {
  const StudyPlan plan{{Stop()}, {}};
  const StudyRun& run = plan.studies[0].runs[0];
  ASSERT_EQ(run.plan.models(), 2u);
  StudyPace pace(plan, std::vector<bool>(plan.cells(), false));
  EXPECT_EQ(pace.fraction(), 0);
  double all = 0;
  std::vector<double> works;
  for (std::size_t cell = 0; cell < plan.cells(); ++cell) {
    works.push_back(plan.WorkOf(plan.PlaceOf(cell)));
    all += works.back();
  }
  const auto make = [&](std::size_t cell, double seconds_per_work) {
    const StudyPlan::Place place = plan.PlaceOf(cell);
    pace.Add(place, works[cell]);
    pace.Measure(place, works[cell], seconds_per_work * works[cell]);
  };
  make(0, 1);
  EXPECT_DOUBLE_EQ(pace.fraction(), works[0] / all) << "all are alike as long as one is known";
  make(1, 9);
  double of[2] = {0, 0};
  for (std::size_t cell = 0; cell < works.size(); ++cell) of[cell % 2] += works[cell];
  EXPECT_DOUBLE_EQ(pace.fraction(), (works[0] + 9 * works[1]) / (of[0] + 9 * of[1]));
  for (std::size_t cell = 2; cell < works.size(); ++cell) make(cell, cell % 2 == 0 ? 1 : 9);
  EXPECT_DOUBLE_EQ(pace.fraction(), 1);
}

// A suite is a name, or a file beside the study, wherever the program is started.
TEST(Study, SuitesAreCountedFromTheStudysFile) {
  const TempFolder folder;
  fs::create_directories(folder.path("mine"));
  fs::copy_file(SceneFolder() + "/suites/friction.toml", folder.path("mine/own.toml"));
  const auto read = [&](const std::string& suite) {
    return ReadStudy(
        "schema = \"slipscope.study/1\"\ntitle = \"S\"\nstory = \"s\"\n[[run]]\n"
        "id = \"q\"\nmethods = [\"sap\"]\nsuite = \"" +
            suite + "\"\n",
        folder.path("study.toml"), false);
  };
  const Result<Study> own = read("mine/own.toml");
  ASSERT_TRUE(own.ok()) << own.error().Text();
  EXPECT_EQ(own->cells(), read("friction")->cells());
  EXPECT_NE(read("own.toml").error().Text().find("own.toml"), std::string::npos);
}

TEST(Study, PicturesHaveTimesWithinTheirRun) {
  const std::string picture =
      "\n[[picture]]\nid = \"frames\"\ntitle = \"F\"\nrun = \"stop\"\ntimes = [0, \"0.1 s\", "
      "0.2]\n";
  const auto read = [&](const std::string& from, const std::string& to, bool quick = false) {
    std::string text = picture;
    if (!from.empty()) text.replace(text.find(from), from.size(), to);
    return ReadStudy(kStop + text, "stop.toml", quick);
  };
  const Result<Study> fine = read("", "");
  ASSERT_TRUE(fine.ok()) << fine.error().Text();
  ASSERT_EQ(fine->pictures.size(), 1u);
  EXPECT_EQ(fine->pictures[0].times, (std::vector<double>{0, 0.1, 0.2}));
  const auto has = [](const Result<Study>& study, const std::string& words) {
    ASSERT_FALSE(study.ok()) << words;
    EXPECT_NE(study.error().Text().find(words), std::string::npos) << study.error().Text();
  };
  has(read("0.2]", "9]"), "times must rise, from 0 to the end of the run");
  has(read("0.2]", "0.05]"), "times must rise");
  has(read("[0, \"0.1 s\", 0.2]", "[]"), "needs 1 to 12 times (found 0)");
  has(read("\"stop\"", "\"stp\""), "no run 'stp' (did you mean 'stop'?)");
  // a quick run that is shorter has the frames that it reaches
  const Result<Study> quick = read("0.2]", "9]", true);
  ASSERT_TRUE(quick.ok()) << quick.error().Text();
  EXPECT_EQ(quick->pictures[0].times.size(), 2u);
}

}  // namespace
}  // namespace slip::test
