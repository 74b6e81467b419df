// Branches in the window: spines below the time line, cards, curves that are drawn along, and what
// is said when one begins.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "app/kit/widget_registry.h"
#include "app/panels/curves/plot_content.h"
#include "app/panels/time/time_branches.h"
#include "app/session/change_text.h"
#include "tests/support/methods.h"
#include "tests/support/offscreen.h"
#include "tests/support/window_content.h"

namespace slip::app {
namespace {

constexpr float kLowLine = 56, kHighLine = 80;

float LineHeight(OffscreenUi* ui) { return ui->ui().regions.time.height(); }

/// A second run from the middle of the first one, with another time step.
void BranchOff(OffscreenUi* ui, double time, double step) {
  Session& session = ui->session();
  session.playback().SetPlaying(false);
  Settle(ui);
  session.playback().Seek(time);
  Settle(ui);
  session.params().Set(-1, "time_step", step);
  session.playback().SetPlaying(true);
  PassAndDraw(ui, 0.2);
}

TEST(BranchWindow, TheTimeLineGrowsAndThePlotsGiveTheRoom) {
  OPEN_OR_SKIP(ui, "conveyor");
  PassAndDraw(ui.get(), 0.5);
  EXPECT_EQ(LineHeight(ui.get()), kLowLine);
  EXPECT_EQ(FindWidget("time/branch/1"), nullptr);
  const Rect view = ui->ui().regions.view;
  BranchOff(ui.get(), 0.2, 2e-3);
  EXPECT_EQ(LineHeight(ui.get()), kHighLine);
  EXPECT_EQ(ui->ui().regions.view.max.y, view.max.y) << "the picture stays";
  EXPECT_EQ(ui->ui().regions.plots.max.y, ui->ui().regions.time.min.y);
  ASSERT_NE(FindWidget("time/branch/1"), nullptr);
  EXPECT_EQ(FindWidget("time/branch/2"), nullptr) << "the present one is the main spine";
  EXPECT_EQ(FindWidget("time/branch/1/label")->text, "b1 40 %");
  EXPECT_NE(FindWidget("time/step_number")->text.find(", b2"), std::string::npos);
}

TEST(BranchWindow, SpinesStandWhereTheBranchesAre) {
  OPEN_OR_SKIP(ui, "conveyor");
  PassAndDraw(ui.get(), 0.6);
  const double end = ui->session().snapshot().history_end;
  BranchOff(ui.get(), 0.3, 2e-3);
  const WidgetRecord spine = *FindWidget("time/spine"), row = *FindWidget("time/branch/1");
  const WidgetRecord label = *FindWidget("time/branch/1/label");
  // the whole line is the scene's duration
  const double length = ui->session().scene()->duration;
  const auto x = [&](double time) {
    const float pad = 8;
    return spine.min.x + pad +
           static_cast<float>(time / length) * (spine.max.x - spine.min.x - 2 * pad);
  };
  EXPECT_NEAR(row.min.x, x(0.3) + 12 - 4, 2) << "behind a take-off of 45 degrees";
  EXPECT_NEAR(label.min.x, x(end) + 8, 2);
  EXPECT_FALSE(Overlap(spine, row)) << "a click on it is no seek";
  ASSERT_TRUE(ui->Click("time/branch/1"));
  Settle(ui.get());
  EXPECT_EQ(ui->session().snapshot().branch, 0);
  EXPECT_EQ(ui->session().snapshot().time, end);
  EXPECT_NE(FindWidget("time/branch/2"), nullptr) << "now the other one is the thin one";
  EXPECT_EQ(FindWidget("time/branch/1"), nullptr);
}

TEST(BranchWindow, TwoAreDrawnAndTheOthersCounted) {
  OPEN_OR_SKIP(ui, "conveyor");
  PassAndDraw(ui.get(), 0.5);
  for (int i = 0; i < 19; ++i) BranchOff(ui.get(), 0.1 + 0.01 * i, i % 2 == 0 ? 2e-3 : 1e-3);
  ASSERT_EQ(ui->session().branches().Living().size(), 20u);
  int spines = 0;
  for (int b = 1; b <= 20; ++b)
    spines += FindWidget(fmt::format("time/branch/{}", b)) != nullptr ? 1 : 0;
  EXPECT_EQ(spines, 2);
  EXPECT_EQ(LineHeight(ui.get()), kHighLine);
  ASSERT_NE(FindWidget("time/branches/more"), nullptr);
  ASSERT_TRUE(ui->Click("time/branches/more"));
  Settle(ui.get());
  EXPECT_EQ(ui->ui().state.shell.left_tab, TabId::kBranches);
  EXPECT_NE(FindWidget("branches/20"), nullptr);
}

TEST(BranchWindow, LabelsOfSpinesDoNotOverlap) {
  for (const double second : {0.30, 0.31, 0.38}) {
    OPEN_OR_SKIP(ui, "conveyor", 1280, 720);
    PassAndDraw(ui.get(), 0.5);
    BranchOff(ui.get(), 0.2, 2e-3);
    BranchOff(ui.get(), second, 1e-3);
    const WidgetRecord* a = FindWidget("time/branch/1/label");
    const WidgetRecord* b = FindWidget("time/branch/2/label");
    ASSERT_NE(a, nullptr);
    ASSERT_NE(b, nullptr);
    EXPECT_FALSE(Overlap(*a, *b));
    for (const WidgetRecord& tick : Widgets()) {
      if (tick.id != "time/tick") continue;
      EXPECT_FALSE(Overlap(*a, tick)) << tick.text;
      EXPECT_FALSE(Overlap(*b, tick)) << tick.text;
    }
  }
}

TEST(BranchWindow, ARunWithoutAChangeIsNotDrawnTwice) {
  UI_OR_SKIP(ui, OpenPlan("conveyor", "sap,similar"));
  PassAndDraw(ui.get(), 0.5);
  const double end = ui->session().snapshot().history_end;
  ui->session().playback().SetPlaying(false);
  Settle(ui.get());
  ui->session().playback().Seek(0.2);
  Settle(ui.get());
  ui->session().playback().SetPlaying(true);
  PassAndDraw(ui.get(), 0.1);
  ASSERT_EQ(ui->session().branches().along().Numbers().size(), 1u);
  // where this run has not come to yet
  for (const PlotSeries& series : test::ContentOf(&ui->ui(), 0).along) {
    EXPECT_GT(series.data.TimeAt(0), 0.25) << series.label;
    EXPECT_NEAR(series.data.TimeAt(series.data.size() - 1), end, 1e-9);
  }
  PassAndDraw(ui.get(), 0.5);
  for (const PlotSeries& series : test::ContentOf(&ui->ui(), 0).along)
    EXPECT_LE(series.data.size(), 1u) << series.label;
}

TEST(BranchWindow, ACardSaysWhyItCannotBeDropped) {
  OPEN_OR_SKIP(ui, "conveyor", 1280, 900);
  PassAndDraw(ui.get(), 0.5);
  BranchOff(ui.get(), 0.2, 2e-3);
  ui->ui().state.shell.left_tab = TabId::kBranches;
  Settle(ui.get());
  const WidgetRecord* kept = FindWidget("branches/1/kept");
  ASSERT_NE(kept, nullptr);
  EXPECT_NE(kept->text.find("needs it"), std::string::npos) << kept->text;
  EXPECT_EQ(FindWidget("branches/2/kept"), nullptr);
}

TEST(BranchWindow, OtherRunsAreDrawnAlongFromTheirForkOn) {
  UI_OR_SKIP(ui, OpenPlan("conveyor", "sap,similar"));
  PassAndDraw(ui.get(), 0.5);
  const double end = ui->session().snapshot().history_end;
  EXPECT_TRUE(test::ContentOf(&ui->ui(), 0).along.empty());
  BranchOff(ui.get(), 0.2, 2e-3);
  const PlotContent content = test::ContentOf(&ui->ui(), 0);
  ASSERT_EQ(content.along.size(), 2u);
  EXPECT_EQ(content.along[0].label, "SAP");
  EXPECT_EQ(content.along[1].label, "Similar");
  EXPECT_EQ(content.along_note, "dimmed: run b1 at 40 %");
  for (const PlotSeries& series : content.along) {
    EXPECT_EQ(series.alpha, 0.4f);
    EXPECT_NEAR(series.data.TimeAt(0), 0.2, 1e-2);
    EXPECT_NEAR(series.data.TimeAt(series.data.size() - 1), end, 1e-9);
  }
  EXPECT_EQ(content.along[0].style.colour, ModelStyle(method_id::kSap).colour);
  EXPECT_GE(ui->ui().state.plots.linked_x.range.max, end) << "it is seen to its end";
  ASSERT_NE(FindWidget("plot/0/along"), nullptr);
  // the eye takes it away, and brings it back
  ui->ui().state.shell.left_tab = TabId::kBranches;
  Settle(ui.get());
  ASSERT_TRUE(ui->Click("branches/1/eye"));
  Settle(ui.get());
  EXPECT_TRUE(test::ContentOf(&ui->ui(), 0).along.empty());
  EXPECT_EQ(FindWidget("time/branch/1/label")->text, "b1") << "nothing was changed on it";
  ASSERT_TRUE(ui->Click("branches/1/eye"));
  Settle(ui.get());
  EXPECT_EQ(test::ContentOf(&ui->ui(), 0).along.size(), 2u);
  // so does the slider
  ui->ui().state.plots.along_opacity = 0;
  Settle(ui.get());
  EXPECT_TRUE(test::ContentOf(&ui->ui(), 0).along.empty());
  EXPECT_EQ(FindWidget("branches/along")->text, "b1 hidden");
}

TEST(BranchWindow, CurvesDrawnAlongAreThoseThatWereDrawn) {
  OPEN_OR_SKIP(ui, "falling-sphere");
  PassAndDraw(ui.get(), 0.4);
  const auto values = [](const SeriesView& view) {
    std::vector<std::pair<double, float>> all;
    for (std::size_t i = 0; i < view.size(); ++i) all.emplace_back(view.TimeAt(i), view.ValueAt(i));
    return all;
  };
  const Session& session = ui->session();
  ui->session().playback().SetPlaying(false);
  Settle(ui.get());
  const auto before = values(session.series().View(0, Signal::kKineticEnergy));
  ui->session().playback().Reset();
  Settle(ui.get());
  ui->session().playback().Step(1);
  Settle(ui.get());
  const SeriesStore* along = session.branches().along().Samples(0);
  ASSERT_NE(along, nullptr);
  EXPECT_EQ(values(along->View(0, Signal::kKineticEnergy)), before);
}

TEST(BranchWindow, ACardSaysThatTheOldFutureIsKept) {
  OPEN_OR_SKIP(ui, "conveyor");
  Session& session = ui->session();
  PassAndDraw(ui.get(), 0.5);
  const double end = session.snapshot().history_end;
  BranchOff(ui.get(), 0.25, 2e-3);
  ASSERT_NE(session.Card(), nullptr);
  EXPECT_EQ(session.Card()->what, "The old future is kept as run b1.");
  EXPECT_EQ(session.Card()->where, "You went back to 0.25 s and changed δt.");
  ASSERT_EQ(session.Card()->actions.size(), 1u);
  EXPECT_EQ(session.Card()->actions[0].label, "Return");
  session.Card()->actions[0].run(&session);
  Settle(ui.get());
  EXPECT_EQ(session.snapshot().branch, 0);
  EXPECT_EQ(session.snapshot().time, end);
  EXPECT_EQ(session.Card(), nullptr)
      << (session.Card() ? session.Card()->Text() : "") << "it is answered";
  session.playback().Reset();
  Settle(ui.get());
  ASSERT_NE(session.Card(), nullptr);
  EXPECT_EQ(session.Card()->what, "The old run is kept as run b1.");
  // another scene has no branches of this one
  ASSERT_TRUE(session.Load("falling-sphere"));
  PassAndDraw(ui.get(), 0.1);
  EXPECT_EQ(session.Card(), nullptr) << session.Card()->Text();
  EXPECT_EQ(session.branches().Living().size(), 1u);
  EXPECT_EQ(LineHeight(ui.get()), kLowLine);
}

TEST(BranchWindow, ReadingTheSceneAgainKeepsTheOldRun) {
  OPEN_OR_SKIP(ui, "conveyor");
  Session& session = ui->session();
  PassAndDraw(ui.get(), 0.4);
  const double end = session.snapshot().history_end;
  ASSERT_TRUE(session.files().Reload());
  PassAndDraw(ui.get(), 0.1);
  ASSERT_EQ(session.branches().Living().size(), 2u);
  ASSERT_NE(session.Card(), nullptr);
  EXPECT_EQ(session.Card()->what, "The old run is kept as run b1.");
  EXPECT_FALSE(test::ContentOf(&ui->ui(), 0).along.empty());
  session.branches().ReturnBy(-1);
  Settle(ui.get());
  EXPECT_EQ(session.snapshot().time, end);
}

TEST(BranchWindow, SpinesDoNotCross) {
  OPEN_OR_SKIP(ui, "conveyor");
  PassAndDraw(ui.get(), 1.0);
  Session& session = ui->session();
  for (const double time : {0.2, 0.6, 0.4}) {
    BranchOff(ui.get(), time, time == 0.6 ? 3e-3 : 2e-3);
    session.playback().SetPlaying(false);
    session.branches().ReturnTo(0);
    Settle(ui.get());
  }
  // of the first run, which is shown, two of them leave: the later one lies above
  const Branches& branches = session.branches();
  session.branches().along().Set(1, true);
  session.branches().along().Set(2, true);
  session.branches().along().Set(3, false);
  Settle(ui.get());
  const WidgetRecord* early = FindWidget("time/branch/2");
  const WidgetRecord* late = FindWidget("time/branch/3");
  ASSERT_NE(early, nullptr);
  ASSERT_NE(late, nullptr);
  EXPECT_NEAR(branches.Start(1), 0.2, 0.02);
  EXPECT_NEAR(branches.Start(2), 0.6, 0.02);
  EXPECT_LT(late->min.y, early->min.y);
}

TEST(BranchWindow, SpinesOfARunThatBeganAgainTakeOffAtTheStart) {
  OPEN_OR_SKIP(ui, "conveyor");
  PassAndDraw(ui.get(), 1.0);
  BranchOff(ui.get(), 0.4, 2e-3);
  ui->session().playback().Reset();
  PassAndDraw(ui.get(), 0.1);
  const WidgetRecord spine = *FindWidget("time/spine");
  const WidgetRecord first = *FindWidget("time/branch/1"), second = *FindWidget("time/branch/2");
  EXPECT_LT(first.min.x, spine.min.x + 24) << "nothing in common";
  EXPECT_GT(second.min.x, first.min.x + 24) << "it leaves the first one where it left it";
  EXPECT_GT(second.min.y, first.min.y);
}

TEST(BranchWindow, CardsSayWhereARunBeginsAndWhatItHasOtherwise) {
  OPEN_OR_SKIP(ui, "conveyor");
  ui->ui().state.shell.left_tab = TabId::kBranches;
  PassAndDraw(ui.get(), 0.5);
  const Branches& branches = ui->session().branches();
  EXPECT_EQ(branches.Changes(0), "as the scene file says");
  const double step = ui->session().params().Value(0, "time_step");
  BranchOff(ui.get(), 0.25, 0.5 * step);
  EXPECT_EQ(branches.Name(1), "b2");
  EXPECT_EQ(branches.Start(1), 0.25);
  EXPECT_TRUE(branches.Changes(1).starts_with("δt ")) << branches.Changes(1);
  EXPECT_EQ(branches.WhyKept(0), "b2 begins on it, and needs it.");
  EXPECT_EQ(branches.WhyKept(1), "This is the run that is shown.");
  ASSERT_TRUE(ui->Click("branches/1/return"));
  Settle(ui.get());
  EXPECT_EQ(branches.present(), 0);
  EXPECT_EQ(branches.WhyKept(1), "");
}

TEST(BranchWindow, ADroppedRunCanBeTakenBackForAWhile) {
  OPEN_OR_SKIP(ui, "conveyor");
  Session& session = ui->session();
  ui->ui().state.shell.left_tab = TabId::kBranches;
  PassAndDraw(ui.get(), 0.5);
  BranchOff(ui.get(), 0.25, 2e-3);
  session.playback().SetPlaying(false);
  session.branches().ReturnTo(0);
  Settle(ui.get());
  ASSERT_TRUE(ui->Click("branches/2/drop"));
  Settle(ui.get());
  EXPECT_EQ(session.branches().Living(), std::vector<int>{0});
  EXPECT_EQ(FindWidget("branches/2"), nullptr);
  EXPECT_EQ(LineHeight(ui.get()), kLowLine);
  ASSERT_NE(session.Card(), nullptr);
  EXPECT_EQ(session.Card()->what, "Run b2 was dropped.");
  session.Card()->actions[0].run(&session);
  Settle(ui.get());
  EXPECT_EQ(session.branches().Living().size(), 2u);
  const std::size_t bytes = session.snapshot().history_bytes;
  session.branches().Drop(1);
  for (int i = 0; i < 40; ++i) ui->Frame(1);
  Settle(ui.get());
  EXPECT_LT(session.snapshot().history_bytes, bytes) << "its history has gone";
  session.branches().TakeBack(1);
  Settle(ui.get());
  EXPECT_EQ(session.branches().Living(), std::vector<int>{0});
}

TEST(BranchWindow, NamesAreTypedAndKept) {
  OPEN_OR_SKIP(ui, "conveyor");
  Session& session = ui->session();
  ui->ui().state.shell.left_tab = TabId::kBranches;
  PassAndDraw(ui.get(), 0.5);
  BranchOff(ui.get(), 0.25, 2e-3);
  session.playback().SetPlaying(false);
  Settle(ui.get());
  ASSERT_TRUE(ui->Click("branches/1/rename"));
  Settle(ui.get());
  ASSERT_NE(FindWidget("branches/1/name"), nullptr);
  ui->Type("coarse");
  Settle(ui.get());
  // a click elsewhere keeps what was typed
  ASSERT_TRUE(ui->Click("branches/opacity"));
  Settle(ui.get());
  Settle(ui.get());
  EXPECT_EQ(session.branches().Name(0), "coarse");
  EXPECT_EQ(FindWidget("branches/1/title")->text, "coarse");
  EXPECT_EQ(FindWidget("branches/1/name"), nullptr);
  const std::string path =
      (std::filesystem::path(testing::TempDir()) / "slipscope-branches.json").string();
  session.experiments().Save(path);
  Settle(ui.get());
  OPEN_OR_SKIP(other, "falling-sphere");
  ASSERT_TRUE(other->session().Load(path));
  for (int i = 0; i < 600 && other->session().files().ReplayProgress(); ++i) {
    other->Frame(0.01);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  Settle(other.get());
  EXPECT_EQ(other->session().branches().Name(0), "coarse");
  EXPECT_EQ(other->session().branches().Name(1), "b2");
  EXPECT_EQ(other->session().branches().present(), 1);
  EXPECT_NE(FindWidget("time/branch/1"), nullptr);
  std::filesystem::remove(path);
}

TEST(ChangeText, HasOnePrefixForBothNumbersAndTheNamesOfChoices) {
  const auto scene = FindScene("conveyor");
  ASSERT_TRUE(scene.ok());
  const Config& config = (*scene)->channels.front().config;
  EXPECT_EQ(ChangeText(config, "time_step", 2e-3, 5e-4), "δt 2 → 0.5 ms");
  EXPECT_EQ(ValueText(config, "time_step", 5e-4), "δt 0.50 ms");
  EXPECT_EQ(ParamName(config, "time_step"), "δt");
  const auto lagged = static_cast<double>(method_id::kLagged);
  const auto similar = static_cast<double>(method_id::kSimilar);
  EXPECT_EQ(ChangeText(config, std::string(kMethodParam), lagged, similar), "Lagged → Similar");
  EXPECT_EQ(ValueText(config, std::string(kMethodParam), similar), "Similar");
  EXPECT_EQ(ChangeText(config, "no_such", 1, 2), "no_such");
  EXPECT_EQ(PlainText("v_s and k^{2}"), "vs and k2");
}

TEST(BranchWindow, AtMostFourAreDrawnAlong) {
  OPEN_OR_SKIP(ui, "conveyor");
  PassAndDraw(ui.get(), 0.5);
  for (int i = 0; i < 6; ++i) BranchOff(ui.get(), 0.1 + 0.02 * i, i % 2 == 0 ? 2e-3 : 1e-3);
  Branches& branches = ui->session().branches();
  for (const int b : branches.Living()) branches.along().Set(b, true);
  Settle(ui.get());
  EXPECT_LE(branches.along().Numbers().size(), BranchesAlong::kMost);
}

TEST(BranchWindow, MarksHaveARowOfTheirOwnBelowNotes) {
  OPEN_OR_SKIP(ui, "conveyor");
  PassAndDraw(ui.get(), 0.5);
  BranchOff(ui.get(), 0.25, 2e-3);
  Session& session = ui->session();
  session.notebook().NameNote(session.notebook().AddNote(), "a note");
  Settle(ui.get());
  std::vector<WidgetRecord> labels;
  for (const WidgetRecord& widget : Widgets()) {
    if (widget.id.starts_with("time/label/")) labels.push_back(widget);
  }
  ASSERT_EQ(labels.size(), 2u);
  EXPECT_GT(labels[0].min.y, labels[1].min.y) << "parameters are below notes";
  EXPECT_FALSE(Overlap(labels[0], labels[1]));
}

TEST(BranchWindow, MarksAndTheirLabelsStandApart) {
  OPEN_OR_SKIP(ui, "conveyor", 1280, 720);
  Session& session = ui->session();
  PassAndDraw(ui.get(), 0.5);
  for (const bool branches : {false, true}) {
    if (branches) BranchOff(ui.get(), 0.2, 2e-3);
    for (int i = 0; i < 8; ++i) {
      const bool step = i % 2 == 0;
      session.params().Set(-1, step ? "time_step" : "max_iterations",
                           step ? 1e-3 * (i + 3) : 50 + i);
      if (i % 4 == 3)
        session.notebook().NameNote(session.notebook().AddNote(), "a note of some length");
      PassAndDraw(ui.get(), i % 3 == 0 ? 0.1 : 1.2);
    }
    int labels = 0, marks = 0;
    for (const WidgetRecord& label : Widgets()) {
      marks += label.id.starts_with("time/mark/") ? 1 : 0;
      if (!label.id.starts_with("time/label/")) continue;
      ++labels;
      for (const WidgetRecord& other : Widgets()) {
        const bool stands_there =
            other.id.starts_with("time/label/") || other.id.starts_with("time/mark/");
        if (!stands_there || other.id == label.id) continue;
        EXPECT_FALSE(Overlap(label, other)) << label.text << ", " << other.id << " " << other.text;
      }
    }
    EXPECT_GE(labels, 2);
    EXPECT_LT(labels, marks) << "some lack room, or there is nothing to test";
  }
}

}  // namespace
}  // namespace slip::app
