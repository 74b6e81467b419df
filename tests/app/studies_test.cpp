// The place of the studies: what it knows and says without pixels; jobs begun, stopped, ended; and
// the same by hand in the window.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <thread>

#include "app/panels/studies/study_words.h"
#include "app/report/report_words.h"
#include "render/video/frame_writer.h"
#include "tests/support/creep_study.h"
#include "tests/support/folders.h"
#include "tests/support/offscreen.h"
#include "tests/support/program.h"
#include "tests/support/stepped_session.h"

namespace slip::app {
namespace {

namespace fs = std::filesystem;

const std::string kCreep =
    test::CreepStudy{
        .source = "A. Author, On Slopes (memo), figure 7",
        .story = "It creeps by its law, `stiction_tolerance` or v_s.",
        .steps = "2ms,1ms,0.5ms",
        .quick_steps = "2ms,1ms",
        .duration = "0.2",
        .every = 10,
        .rest = test::kCreepTable + test::CreepLaw("Lagged creeps by its law") + R"toml(
[[condition]]
id = "wrong"
mark = "paper"
text = "It does not creep"
value = "max(slope.creep)"
high = 0
known = "It does."
[[condition]]
id = "steps"
mark = "paper"
text = "The smallest step is there"
value = "slope.creep[lagged, time_step=0.5ms]"
low = 0
quick = false
)toml"}
        .Text();

/// A session with the study in its list.
struct StudySession {
  explicit StudySession(const std::string& text = kCreep)
      : path(folder.path("creep.toml")), at("conveyor", false, 0) {
    WriteText(path, text);
    EXPECT_TRUE(at.session->Load(path));
    Until([&] { return studies().opened() == 1; });
  }
  Studies& studies() { return at.session->files().studies(); }
  const StudyEntry& entry() { return studies().list().at(0); }
  /// Frames until it is so, for a minute at the most.
  template <class Is>
  void Until(const Is& is) {
    for (int i = 0; i < 6000 && !is(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      at.session->Update(0.01 * i);
    }
    EXPECT_TRUE(is());
  }
  void RunToEnd(bool quick) {
    studies().Run(0, quick);
    Until([&] { return !entry().Waits(); });
  }

  TempFolder folder;
  std::string path;
  SteppedSession at;
};

/// Of many steps: it lasts until it is stopped.
std::string LongStudy() {
  std::string text = kCreep;
  const auto put = [&](const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
  };
  put("\naxes = [\"time_step=2ms,1ms,0.5ms\"", "\naxes = [\"time_step=2ms,1ms,1us\"");
  put("duration = 0.2", "duration = 20\nquick_duration = 0.2");
  put("time_step=0.5ms]", "time_step=1us]");
  return text;
}

TEST(Studies, AFileBecomesAnEntryAndRuns) {
  StudySession of;
  EXPECT_TRUE(of.entry().own);
  EXPECT_EQ(of.entry().title, "Creep on a slope");
  EXPECT_EQ(MoodOf(of.entry()), StudyMood::kFresh);
  EXPECT_EQ(HeldText(of.entry()), "");
  of.RunToEnd(true);
  ASSERT_EQ(of.entry().state, StudyState::kDone) << of.entry().error;
  ASSERT_NE(of.entry().cells, nullptr);
  const StudyShown& shown = *of.entry().shown;
  EXPECT_TRUE(shown.whole);
  EXPECT_EQ(shown.made, 8u);
  ASSERT_EQ(shown.report.verdicts.size(), 3u);
  EXPECT_EQ(SignOf(shown.report.verdicts[0], true).word, "holds");
  EXPECT_EQ(SignOf(shown.report.verdicts[1], true).word, "known");
  EXPECT_EQ(SignOf(shown.report.verdicts[2], true).word, "whole study only");
  EXPECT_EQ(MoodOf(of.entry()), StudyMood::kKnown);
  EXPECT_EQ(HeldText(of.entry()), "1/1 +1");
  EXPECT_EQ(AnswersText(shown), "1 holds, 1 known, 1 left out");
  ASSERT_EQ(shown.report.figures.size(), 1u);
  EXPECT_EQ(shown.report.figures[0].panels[0].curves.size(), 4u);
  EXPECT_EQ(shown.axes[0].x_values.size(), 2u);
  EXPECT_EQ(shown.axes[0].x.Title("Time step"), "Time step [ms]");
  ASSERT_EQ(shown.report.tables.size(), 1u);
  EXPECT_EQ(shown.report.tables[0].rows.size(), 9u);
}

TEST(Studies, WhatIsExpectedIsKnownBeforeARun) {
  StudySession of;
  const Study& study = of.entry().plans[1]->studies.front();
  EXPECT_EQ(WordsOf(ExpectationOf(study.conditions[0])).expected, "0.99 … 1.01");
  EXPECT_EQ(WordsOf(ExpectationOf(study.conditions[0])).measured, "–");
  EXPECT_EQ(WordsOf(ExpectationOf(study.conditions[1])).expected, "≤ 0");
  EXPECT_EQ(WordsOf(ExpectationOf(study.conditions[2])).expected, "≥ 0") << "left out";
}

// A value of our own choice that does not hold fails nothing, and yet not all holds.
TEST(Studies, OneThatHoldsInPartIsNotSaidToHold) {
  std::string text = kCreep;
  for (const auto& [from, to] : {std::pair("mark = \"derived\"", "mark = \"chosen\""),
                                 std::pair("high = 1.01", "high = 0.5")})
    text.replace(text.find(from), std::strlen(from), to);
  StudySession of(text);
  of.RunToEnd(true);
  EXPECT_EQ(SignOf(of.entry().shown->report.verdicts[0], true).word, "does not hold");
  EXPECT_EQ(MoodOf(of.entry()), StudyMood::kDiffers);
  EXPECT_EQ(SignOf(MoodOf(of.entry())).word, "holds in part");
  StudiesView view;
  view.filter = StudyFilter::kHold;
  EXPECT_TRUE(RowsOf(of.studies().list(), view).empty());
  view.filter = StudyFilter::kKnown;
  EXPECT_FALSE(RowsOf(of.studies().list(), view).empty());
}

// How far a study is: its cells count by their steps, as the last ones may be the longest.
TEST(Studies, CellsCountByTheirSteps) {
  StudySession of(LongStudy());
  const StudyPlan& plan = *of.entry().plans[0];
  const double first = plan.WorkOf(plan.PlaceOf(0)), last = plan.WorkOf(plan.PlaceOf(11));
  EXPECT_NEAR(last / first, 2000, 1);
}

TEST(Studies, StoppedOnesGoOnWithTheirCells) {
  StudySession of(LongStudy());
  of.studies().Run(0, false);
  EXPECT_EQ(of.entry().state, StudyState::kRuns);
  // the quick cells of the axes come first; the others would take many minutes
  of.Until([&] { return of.entry().shown != nullptr && of.entry().shown->made >= 2; });
  EXPECT_FALSE(of.entry().shown->whole);
  EXPECT_TRUE(Waits(of.entry().shown->report.verdicts[2], false)) << "it has not been measured";
  EXPECT_EQ(SignOf(of.entry().shown->report.verdicts[2], false).word, "waits");
  const auto asked = std::chrono::steady_clock::now();
  of.studies().Stop(0);
  of.Until([&] { return !of.entry().Waits(); });
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - asked;
  EXPECT_LT(took.count(), 10);
  EXPECT_EQ(of.entry().state, StudyState::kStopped);
  EXPECT_EQ(of.entry().cells, nullptr);
  const std::size_t made = of.entry().shown->made;
  of.studies().Run(0, false);
  of.Until([&] { return of.entry().shown != nullptr; });
  EXPECT_GE(of.entry().shown->made, made) << "they were kept";
  of.studies().StopAll();
}

TEST(Studies, AWindowThatClosesDoesNotWait) {
  auto of = std::make_unique<StudySession>(LongStudy());
  of->studies().Run(0, false);
  of->Until([&] { return of->entry().shown != nullptr; });
  const auto asked = std::chrono::steady_clock::now();
  of.reset();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - asked;
  EXPECT_LT(took.count(), 10);
}

TEST(Studies, SaveWritesWhatTheCommandWrites) {
  StudySession of;
  of.studies().Save({0});  // says that there is nothing yet
  EXPECT_FALSE(of.studies().saving());
  of.RunToEnd(true);
  const fs::path before = fs::current_path();
  fs::current_path(of.folder.path("."));
  of.studies().Save({0});
  of.Until([&] { return !of.studies().saving(); });
  fs::current_path(before);
  const std::string own = of.folder.path("slipscope-study-creep-001");
  const std::string other = of.folder.path("command");
  const ProgramResult made = RunProgram({"study", of.path, "--quick", "-o", other});
  ASSERT_EQ(made.exit, 0) << made.err << made.out;
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(other)) {
    if (!entry.is_regular_file()) continue;
    const fs::path name = fs::relative(entry.path(), other);
    ASSERT_TRUE(fs::exists(own / name)) << name;
    ++files;
    // wall times and the command differ
    if (name.extension() == ".png")
      EXPECT_TRUE(render::ReadPng(entry.path().string()).ok()) << name;
    if (name == "creep-slope.csv" || name.string().starts_with("report")) continue;
    EXPECT_EQ(ReadText((own / name).string()), ReadText(entry.path().string())) << name;
  }
  EXPECT_EQ(files, 7);
}

// A gallery that is opened again shows what was made, and by whom.
TEST(Studies, ResultsOutliveTheWindow) {
  const TempFolder cache;
  const TempFolder folder;
  WriteText(folder.path("creep.toml"), kCreep);
  const auto open = [&](const std::string& version) {
    auto at = std::make_unique<SteppedSession>("conveyor", false, 0);
    at->session->experiments().SetContext({"", version, "test"});
    at->session->files().studies().KeepIn(cache.path("studies"));
    EXPECT_TRUE(at->session->Load(folder.path("creep.toml")));
    return at;
  };
  const auto until = [](SteppedSession* at, const auto& is) {
    for (int i = 0; i < 6000 && !is(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      at->session->Update(0.01 * i);
    }
    ASSERT_TRUE(is());
  };
  std::string held;
  {
    const auto at = open("1.0");
    Studies& studies = at->session->files().studies();
    until(at.get(), [&] { return studies.opened() == 1; });
    EXPECT_EQ(studies.list()[0].state, StudyState::kFresh);
    studies.Run(0, true);
    until(at.get(), [&] { return !studies.list()[0].Waits(); });
    EXPECT_EQ(studies.list()[0].made_by, "");
    held = HeldText(studies.list()[0]);
  }
  for (const bool same : {true, false}) {
    const auto at = open(same ? "1.0" : "1.1");
    Studies& studies = at->session->files().studies();
    until(at.get(), [&] { return studies.opened() == 1; });
    const StudyEntry& entry = studies.list()[0];
    ASSERT_EQ(entry.state, StudyState::kDone);
    EXPECT_TRUE(entry.quick);
    EXPECT_EQ(entry.made_by, "1.0");
    EXPECT_EQ(entry.outdated, !same);
    EXPECT_EQ(HeldText(entry), held);
    EXPECT_EQ(entry.shown->report.figures.at(0).panels.at(0).curves.size(), 4u);
    ASSERT_NE(entry.cells, nullptr);
    EXPECT_TRUE(entry.cells->index->Read(0).has_value());
  }
  // another study is another one
  std::string text = kCreep;
  text.replace(text.find("tilt=12"), 7, "tilt=11");
  WriteText(folder.path("creep.toml"), text);
  const auto at = open("1.0");
  Studies& studies = at->session->files().studies();
  until(at.get(), [&] { return studies.opened() == 1; });
  EXPECT_EQ(studies.list()[0].state, StudyState::kFresh);
}

TEST(Studies, TheOldestResultsGoFirst) {
  StudySession of;
  of.RunToEnd(true);
  const KeptCells& cells = *of.entry().cells;
  const TempFolder cache;
  const auto bytes = [&] {
    std::uintmax_t sum = 0;
    for (const auto& entry : fs::recursive_directory_iterator(cache.path(".")))
      if (entry.is_regular_file()) sum += entry.file_size();
    return sum;
  };
  std::vector<std::shared_ptr<const StudyPlan>> plans;
  for (int i = 0; i < 7; ++i) {
    auto plan = std::make_shared<StudyPlan>(*cells.plan);
    plan->studies.front().text += "# " + std::to_string(i);
    plans.push_back(plan);
  }
  const auto keep = [&](const KeptStudies& kept, int i) {
    kept.Keep({plans[static_cast<std::size_t>(i)], nullptr, cells.index}, {"", "1", "b"}, 1);
  };
  keep(KeptStudies(cache.path(".")), 0);
  const std::uintmax_t one = bytes();
  ASSERT_GT(one, 100u);
  const KeptStudies kept(cache.path("."), 5 * one);
  for (int i = 1; i < 7; ++i) keep(kept, i);
  EXPECT_LE(bytes(), 5 * one);
  EXPECT_EQ(kept.Find(plans[0]).shown, nullptr);
  EXPECT_EQ(kept.Find(plans[1]).shown, nullptr);
  EXPECT_NE(kept.Find(plans[6]).shown, nullptr);
  // one that would take most of the room is not kept at all
  const TempFolder narrow;
  const KeptStudies small(narrow.path("."), one * 2);
  keep(small, 0);
  EXPECT_EQ(small.Find(plans[0]).shown, nullptr);
}

// The live scene steps with the very parameters of the study's cells.
TEST(Studies, ShowMeHasTheParametersOfTheCells) {
  StudySession of;
  const StudyRun& run = of.entry().plans[0]->studies.front().runs.front();
  for (std::size_t point = 0; point < run.plan.points(); ++point) {
    const CellScene made = SceneOfPoint(run, point);
    ASSERT_EQ(made.scene->channels.size(), run.plan.models());
    for (std::size_t m = 0; m < run.plan.models(); ++m) {
      const Config wanted = run.plan.ConfigOf(point * run.plan.models() + m);
      const Config& shown = made.scene->channels[m].config;
      EXPECT_EQ(shown.method(), wanted.method());
      for (const ParamEntry& entry : ListParams(wanted))
        EXPECT_EQ(GetParam(shown, entry.path), GetParam(wanted, entry.path)) << entry.path;
    }
  }
  const std::size_t at = PointAt(run, 0, 0.5e-3);
  EXPECT_EQ(PointWords(run, at), "Time step 0.5 ms, Stiction tolerance 0.1 mm/s");
  of.studies().ShowMe(0, 0, at);
  of.Until([&] { return of.at.session->scene()->id == "slope-creep"; });
  EXPECT_EQ(of.at.session->scene()->channels.front().config.step.time_step, 0.5e-3);
}

// Those of a suite are questions: each opens its own scene.
TEST(Studies, ShowMeOpensTheQuestionOfASuite) {
  int suites = 0;
  for (const std::string& name : ListStudies()) {
    const Result<Study> study = FindStudy(name, false);
    ASSERT_TRUE(study.ok()) << study.error().Text();
    for (const StudyRun& run : study->runs) {
      if (run.suite == nullptr) continue;
      ++suites;
      std::size_t point = 0;
      for (const SuiteCase& of : run.suite->cases) {
        for (std::size_t variant = 0; variant < of.variants.size(); ++variant, ++point) {
          const CellScene made = SceneOfPoint(run, point);
          EXPECT_EQ(made.scene->id, of.scene->id);
          EXPECT_LE(made.scene->channels.size(), 5u);
          EXPECT_TRUE(PointWords(run, point).starts_with(of.id));
        }
      }
      EXPECT_EQ(point, run.plan.points());
      EXPECT_TRUE(RunWords(run).starts_with("suite friction: 43 questions to 1")) << RunWords(run);
      const std::string words = ShownWords(run, 0);
      EXPECT_EQ(ShownModels(run, 0).size(), 5u);
      EXPECT_NE(words.find("; left out, as a window has 5 models at most: "), std::string::npos)
          << words;
    }
  }
  EXPECT_GT(suites, 0);
}

TEST(Studies, ABrokenFileSaysWhy) {
  StudySession of;
  WriteText(of.folder.path("broken.toml"),
            "schema = \"slipscope.study/1\"\ntitle = \"x\"\nstory = \"y\"\nrun = 3\n");
  ASSERT_TRUE(of.at.session->Load(of.folder.path("broken.toml")));
  of.Until([&] { return of.at.session->Card() != nullptr; });
  EXPECT_EQ(of.at.session->Card()->what, "The study was not opened.");
  EXPECT_NE(of.at.session->Card()->advice.find("run"), std::string::npos);
  EXPECT_EQ(of.studies().list().size(), 1u);
}

TEST(Studies, TheListIsSortedSearchedAndFiltered) {
  StudySession of;
  of.studies().List();
  of.Until([&] { return !of.studies().listing(); });
  const std::vector<StudyEntry>& list = of.studies().list();
  EXPECT_GT(list.size(), 30u);
  EXPECT_EQ(list.at(of.studies().opened_as()).id, "creep");
  StudiesView view;
  std::vector<StudyRow> rows = RowsOf(list, view);
  EXPECT_EQ(rows.front().entry, -1);
  EXPECT_EQ(rows.back().strong, "creep") << "one's own come last";
  const auto heading = std::find_if(rows.begin(), rows.end(), [](const StudyRow& row) {
    return row.entry < 0 && row.strong == "A Theory of Irrotational Contact Fields";
  });
  ASSERT_NE(heading, rows.end());
  EXPECT_EQ((heading + 1)->strong, "Figure 2");
  view.search = "iterations and condition number over the time step";
  rows = RowsOf(list, view);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[1].strong, "Figure 16");
  view.search.clear();
  view.filter = StudyFilter::kHold;
  EXPECT_TRUE(RowsOf(list, view).empty());
  EXPECT_EQ(CountByFilter(list)[0], static_cast<int>(list.size()));
  for (const StudyEntry& entry : list) EXPECT_EQ(entry.error, "") << entry.id;
}

TEST(Studies, ScreensGetFewPointsWithAllPeaks) {
  Figure figure;
  FigurePanel panel;
  FigureCurve curve;
  curve.method = MethodId{};
  for (int i = 0; i < 200000; ++i) {
    curve.x.push_back(i);
    curve.y.push_back(i == 77777 ? 50 : i == 155555 ? kNaN : std::sin(0.01 * i));
  }
  panel.curves.push_back(curve);
  figure.panels.push_back(panel);
  const FigureAxes axes = FitFigure(figure);
  const Figure thin = Thinned(figure, axes);
  const FigureCurve& left = thin.panels[0].curves[0];
  EXPECT_LT(left.x.size(), 5000u);
  EXPECT_NE(std::find(left.y.begin(), left.y.end(), 50), left.y.end());
  EXPECT_EQ(std::count_if(left.y.begin(), left.y.end(), [](double y) { return std::isnan(y); }), 1);
  EXPECT_EQ(left.x.front(), 0);
  EXPECT_EQ(left.x.back(), 199999);
}

}  // namespace
}  // namespace slip::app
