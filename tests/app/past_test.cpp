// What was done stays as it was: the past of a channel that was switched, and edits that are
// undone.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/kit/widget_registry.h"
#include "app/panels/curves/plot_content.h"
#include "app/state/channel_style.h"
#include "tests/support/methods.h"
#include "tests/support/offscreen.h"
#include "tests/support/window_content.h"

namespace slip::app {
namespace {

TEST(Past, TheRecordedPastKeepsTheModelThatComputedIt) {
  UI_OR_SKIP(ui, OpenPlan("conveyor", "sap,similar"));
  Pass(ui.get(), 0.3);
  Session& session = ui->session();
  session.params().SetMethod(0, method_id::kLagged);
  PassAndDraw(ui.get(), 0.3);
  const auto labels = [&] {
    std::vector<std::string> found;
    for (const PlotSeries& series : test::ContentOf(&ui->ui(), 0).series)
      if (!series.prediction) found.push_back(series.label);
    return found;
  };
  EXPECT_EQ(labels(), (std::vector<std::string>{"SAP", "Lagged", "Similar"}));
  const PlotContent content = test::ContentOf(&ui->ui(), 0);
  EXPECT_EQ(content.series[0].style.colour, ModelStyle(method_id::kSap).colour);
  EXPECT_EQ(content.series[1].style.colour, ModelStyle(method_id::kLagged).colour);
  const double switched = session.notebook().marks().back().time;
  EXPECT_TRUE(content.series[0].data.Covers(switched));
  EXPECT_FALSE(content.series[1].data.Covers(switched - 0.01));
  EXPECT_FALSE(content.series[0].data.Covers(switched + 0.05));
  EXPECT_EQ(session.notebook().Label(session.notebook().marks().back()), "SAP → Lagged");
  EXPECT_EQ(StyleOf(ui->ui().session, session.notebook().marks().back()).colour,
            ModelStyle(method_id::kLagged).colour);
  ASSERT_FALSE(MakePlotEvents(ui->ui().session).empty());
  EXPECT_EQ(MakePlotEvents(ui->ui().session).back().label, "SAP → Lagged");
  // a branch is told again as it was
  session.playback().Reset();
  PassAndDraw(ui.get(), 0.1);
  EXPECT_EQ(labels(), (std::vector<std::string>{"Lagged", "Similar"}));
  session.branches().ReturnBy(-1);
  PassAndDraw(ui.get(), 0.05);
  EXPECT_EQ(labels(), (std::vector<std::string>{"SAP", "Lagged", "Similar"}));
}

TEST(Undo, ResetAllIsTakenBackAtOnce) {
  OPEN_OR_SKIP(ui, "quadruped-stand");
  Settle(ui.get());
  Session& session = ui->session();
  session.params().Set(-1, "time_step", 2e-3);
  session.params().Set(-1, "tilt", 0.2);
  session.params().Set(-1, "robot.solo.controller", 0);
  Settle(ui.get());
  ASSERT_TRUE(ui->Click("left/tabs/Joints"));
  Settle(ui.get());
  // without a controller nothing holds the joints: gains are there once motors do
  ASSERT_TRUE(ui->Click("joints/take-over"));
  Settle(ui.get());
  const int changed = session.params().ChangedCount();
  EXPECT_GT(changed, 3);
  ASSERT_NE(FindWidget("joints/gains"), nullptr);
  const WidgetRecord gains = *FindWidget("joints/gains");
  ASSERT_TRUE(ui->Click("joints/gains"));
  Settle(ui.get());
  const WidgetRecord reset = *FindWidget("param/reset_all");
  EXPECT_TRUE(reset.min.x >= gains.max.x || reset.min.y >= gains.max.y)
      << "a second click would reset";
  ASSERT_TRUE(ui->Click("param/reset_all"));
  Settle(ui.get());
  EXPECT_EQ(session.params().ChangedCount(), 0);
  ASSERT_NE(session.Card(), nullptr);
  EXPECT_EQ(session.Card()->what, fmt::format("{} parameters are the scene's again.", changed));
  ASSERT_EQ(session.Card()->actions.size(), 1u);
  session.Card()->actions[0].run(&session);
  Settle(ui.get());
  EXPECT_EQ(session.params().Value(0, "time_step"), 2e-3);
  EXPECT_EQ(session.params().Value(1, "tilt"), 0.2);
  session.params().Redo();
  EXPECT_EQ(session.params().ChangedCount(), 0);
}

TEST(Undo, ResetAllLeavesAnAddedChannelItsModel) {
  OPEN_OR_SKIP(ui, "conveyor");
  Session& session = ui->session();
  session.playback().SetPlaying(false);
  Settle(ui.get());
  session.looks().Add(method_id::kTodorov);
  Settle(ui.get());
  Settle(ui.get());
  ASSERT_EQ(session.channel_count(), 4);
  EXPECT_EQ(session.params().ChangedCount(), 0) << "a model that was added is no changed parameter";
  session.params().Set(-1, "friction", 0.3);
  Settle(ui.get());
  session.params().ResetAll();
  Settle(ui.get());
  Settle(ui.get());
  EXPECT_EQ(session.looks().Name(3), "Todorov");
  EXPECT_EQ(session.params().ChangedCount(), 0);
  ASSERT_NE(session.Card(), nullptr);
  // the card goes with what it speaks of
  session.params().Undo();
  Settle(ui.get());
  EXPECT_EQ(session.Card(), nullptr);
  EXPECT_EQ(session.params().Value(3, "friction"), 0.3);
  // the channels of the file are known though one before them has gone
  session.looks().Remove(0);
  Settle(ui.get());
  Settle(ui.get());
  session.params().ResetAll();
  Settle(ui.get());
  Settle(ui.get());
  EXPECT_EQ(session.looks().Name(0), "Lagged");
  EXPECT_EQ(session.looks().Name(2), "Todorov");
}

TEST(Past, BeforeAModelWasAddedItIsAbsent) {
  OPEN_OR_SKIP(ui, "conveyor");
  Session& session = ui->session();
  session.playback().SetPlaying(true);
  Pass(ui.get(), 1);
  session.looks().Add(method_id::kTodorov);
  Pass(ui.get(), 1);
  session.playback().SetPlaying(false);
  Settle(ui.get());
  session.looks().SetLead(3);
  session.playback().Seek(0.5);
  Settle(ui.get());
  Settle(ui.get());
  EXPECT_NEAR(session.snapshot().time, 0.5, 0.01);
  EXPECT_EQ(session.looks().lead(), 0) << "who is there leads";
  EXPECT_FALSE(session.looks().Present(3));
  EXPECT_TRUE(session.looks().Present(0));
  ASSERT_NE(FindWidget("time/step_number"), nullptr);
  EXPECT_EQ(FindWidget("time/step_number")->text, "step 50");
  EXPECT_FALSE(session.series().View(3, Signal::kNormalForce).empty()) << "its curve stays";
  ASSERT_EQ(session.notebook().marks().size(), 1u);
  EXPECT_EQ(session.notebook().Label(session.notebook().marks()[0]), "Todorov added");
  EXPECT_NEAR(session.notebook().marks()[0].time, 1, 0.1);
  // it begins where the run goes on
  session.playback().Step(1);
  Settle(ui.get());
  Settle(ui.get());
  EXPECT_FALSE(session.snapshot().live);
  session.playback().SetPlaying(true);
  Pass(ui.get(), 0.2);
  EXPECT_TRUE(session.looks().Present(3));
  EXPECT_EQ(session.looks().lead(), 3);
  EXPECT_NEAR(session.series().View(3, Signal::kNormalForce).TimeAt(0), 0.51, 0.011);
  EXPECT_NEAR(session.series().View(0, Signal::kNormalForce).TimeAt(0), 0, 1e-9);
  ASSERT_EQ(session.notebook().marks().size(), 1u);
  EXPECT_NEAR(session.notebook().marks()[0].time, 0.51, 0.011);
  session.branches().ReturnBy(-1);
  Settle(ui.get());
  Settle(ui.get());
  ASSERT_EQ(session.notebook().marks().size(), 1u);
  EXPECT_NEAR(session.notebook().marks()[0].time, 1, 0.1);
}

TEST(Past, TheComparisonCountsStepsOfThePresentModel) {
  OPEN_OR_SKIP(ui, "conveyor");
  Session& session = ui->session();
  session.playback().SetPlaying(true);
  Pass(ui.get(), 1);
  session.params().SetMethod(2, method_id::kLagged);
  Pass(ui.get(), 0.5);
  session.playback().SetPlaying(false);
  Settle(ui.get());
  ui->ui().state.shell.inspect_tab = TabId::kCompare;
  Settle(ui.get());
  Settle(ui.get());
  // Similar has the larger condition number; Lagged steps alone have that of the other Lagged
  const WidgetRecord* of_lagged = FindWidget("compare/condition_number_max/1");
  const WidgetRecord* of_changed = FindWidget("compare/condition_number_max/2");
  ASSERT_NE(of_lagged, nullptr);
  ASSERT_NE(of_changed, nullptr);
  const double changed_max = std::stod(of_changed->text), lagged_max = std::stod(of_lagged->text);
  EXPECT_LT(changed_max, 2 * lagged_max) << of_changed->text;
  const SeriesView whole = session.series().View(2, Signal::kConditionNumber);
  EXPECT_GT(whole.Extent(0, whole.size()).max, 2 * changed_max) << "else this says nothing";
}

TEST(Undo, ASlowDragIsUndoneToItsStart) {
  OPEN_OR_SKIP(ui, "conveyor");
  ui->ui().state.shell.left_tab = TabId::kParameters;
  ui->session().playback().SetPlaying(false);
  Settle(ui.get());
  Session& session = ui->session();
  const double before = session.params().Value(0, "time_step");
  const WidgetRecord slider = *FindWidget("param/time_step/slider");
  const float y = (slider.min.y + slider.max.y) / 2;
  ui->MoveMouse({slider.min.x + 20, y});
  ui->SetButton(0, true);
  ui->Frame(0);
  for (const float share : {0.3f, 0.5f, 0.7f}) {
    ui->MoveMouse({slider.min.x + share * (slider.max.x - slider.min.x), y});
    for (int i = 0; i < 60; ++i) ui->Frame(0);
  }
  ui->SetButton(0, false);
  Settle(ui.get());
  ASSERT_NE(session.params().Value(0, "time_step"), before);
  session.params().Undo();
  EXPECT_EQ(session.params().Value(0, "time_step"), before);
}

}  // namespace
}  // namespace slip::app
