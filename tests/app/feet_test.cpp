// Joints and feet in the window: plots of their signals, their menu, and the table of feet.
#include <gtest/gtest.h>

#include <cmath>

#include "app/frame/input.h"
#include "app/kit/widget_registry.h"
#include "app/panels/curves/plot_content.h"
#include "app/session/time_range.h"
#include "engine/sim/foot_load.h"
#include "engine/sim/part_signals.h"
#include "tests/support/offscreen.h"
#include "tests/support/window_content.h"

namespace slip::app {
namespace {

Signal Named(OffscreenUi& ui, const std::string& name) {
  const Result<Signal> signal = SignalNamed(ui.session().scene_model(), name);
  EXPECT_TRUE(signal.ok()) << name;
  return *signal;
}

void Click(OffscreenUi* ui, const std::string& name) {
  ASSERT_TRUE(ui->Click(name)) << name;
  Settle(ui);
}

TEST(RobotPlots, TheSceneChoosesSignalsOfJointsAndFeet) {
  OPEN_OR_SKIP(ui, "quadruped-trot");
  PassAndDraw(ui.get(), 0.3);
  const UiState& state = ui->ui().state;
  EXPECT_EQ(state.plots.slots[0].signal, Named(*ui, "force:solo/FL_FOOT"));
  EXPECT_EQ(state.plots.slots[1].signal, Named(*ui, "torque:solo/FL_KFE"));
  const PlotContent torque = test::ContentOf(&ui->ui(), 1);
  EXPECT_EQ(torque.title, "Joint torque, FL\\_KFE") << "rich text";
  EXPECT_EQ(torque.unit, "N m");
  ASSERT_EQ(torque.lines.size(), 2u) << "the motor's limit, both ways";
  EXPECT_EQ(torque.lines[0].value, 8);
  EXPECT_EQ(torque.lines[1].value, -8);
  ASSERT_EQ(torque.series.size(), 3u);
  EXPECT_GT(torque.series[0].data.size(), 20u);
  EXPECT_EQ(test::ContentOf(&ui->ui(), 0).title, "Foot force, FL");
}

TEST(RobotPlots, APlotOpenedLaterShowsThePast) {
  OPEN_OR_SKIP(ui, "quadruped-stand");
  PassAndDraw(ui.get(), 0.3);
  const SeriesStore& series = ui->session().series();
  const SeriesView force = series.View(0, Named(*ui, "force:solo/HR_FOOT"));
  EXPECT_EQ(force.size(), series.View(0, Signal::kNormalForce).size());
  EXPECT_NEAR(force.At(series.end()), 5, 0.1) << "uphill, on a lean of 0.1 rad";
  // of a scene without robots there is none
  ASSERT_TRUE(ui->session().Load("conveyor"));
  const Signal gone = Named(*Open("quadruped-stand"), "force:solo/HR_FOOT");
  PassAndDraw(ui.get(), 0.1);
  EXPECT_TRUE(ui->session().series().View(0, gone).empty());
}

TEST(RobotPlots, TheirMenuFoldsByQuantity) {
  OPEN_OR_SKIP(ui, "quadruped-stand");
  PassAndDraw(ui.get(), 0.1);
  ui->session().playback().SetPlaying(false);
  Click(ui.get(), "plots/0/signal");
  Click(ui.get(), "signals/torque");
  Click(ui.get(), "signal/torque:solo/FL_HFE");
  EXPECT_EQ(ui->ui().state.plots.slots[0].signal, Named(*ui, "torque:solo/FL_HFE"));
}

TEST(RobotPlots, TheExportOfAStretchHasThem) {
  OPEN_OR_SKIP(ui, "quadruped-stand");
  PassAndDraw(ui.get(), 0.1);
  const std::string csv = RangeCsv(ui->session(), 0.01, 0.05);
  const std::string head = csv.substr(0, csv.find('\n'));
  EXPECT_NE(head.find(",torque:solo/FL_KFE,"), head.npos);
  EXPECT_TRUE(head.ends_with(",height:solo/HR_FOOT"));
  const std::string row = csv.substr(head.size() + 1, csv.find('\n', head.size() + 1));
  EXPECT_EQ(
      std::count(head.begin(), head.end(), ','),
      std::count(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(row.find('\n')), ','));
}

TEST(Feet, TheTableIsThereForRobotsOnly) {
  OPEN_OR_SKIP(ui, "quadruped-trot");
  PassAndDraw(ui.get(), 0.05);
  EXPECT_EQ(ui->ui().actions().WhyDisabled(Action::kFeetTab), nullptr);
  EXPECT_EQ(ui->ui().state.shell.inspect_tab, TabId::kFeet) << "it opens by itself";
  PassAndDraw(ui.get(), 0.3);
  ui->session().playback().SetPlaying(false);
  Settle(ui.get());
  for (const char* foot : {"FL", "FR", "HL", "HR"}) {
    const WidgetRecord* row = FindWidget("feet/solo/" + std::string(foot) + "_FOOT");
    ASSERT_NE(row, nullptr) << foot;
    EXPECT_GT(row->max.x, row->min.x + 300) << foot;
  }
  Click(ui.get(), "feet/solo/HL_FOOT");
  const Model& model = *ui->session().model();
  EXPECT_EQ(ui->ui().state.picked.selection.body, model.robots[0].feet[2].body);

  OPEN_OR_SKIP(other, "conveyor");
  other->ui().state.shell.inspect_tab = TabId::kFeet;
  PassAndDraw(other.get(), 0.1);
  EXPECT_NE(other->ui().actions().WhyDisabled(Action::kFeetTab), nullptr);
  EXPECT_EQ(FindWidget("feet/solo/FL_FOOT"), nullptr);
}

TEST(Feet, AFootInTheAirFoldsToALine) {
  OPEN_OR_SKIP(ui, "quadruped-jump");
  ui->ui().state.shell.inspect_tab = TabId::kFeet;
  Pass(ui.get(), 0.1);
  ui->session().playback().SetPlaying(false);
  Settle(ui.get());
  const auto height = [] {
    const WidgetRecord* row = FindWidget("feet/solo/FL_FOOT");
    return row != nullptr ? row->max.y - row->min.y : 0;
  };
  EXPECT_EQ(height(), 68) << "three models of 20, and a rim";
  ui->session().playback().SetPlaying(true);
  bool flew = false;
  for (int i = 0; i < 200 && !flew; ++i) {
    Pass(ui.get(), 0.02);
    flew = true;
    for (int c = 0; c < 3; ++c) flew = flew && ui->session().frame(c).contacts.empty();
  }
  ASSERT_TRUE(flew);
  ui->session().playback().SetPlaying(false);
  Settle(ui.get());
  EXPECT_EQ(height(), 24);
}

TEST(Feet, NothingIsSaidOfContactsThatNobodyHasComputed) {
  OPEN_OR_SKIP(ui, "quadruped-jump");
  ui->session().playback().SetPlaying(false);
  ui->session().playback().Reset();
  Settle(ui.get());
  Settle(ui.get());
  ASSERT_EQ(ui->session().frame(0).step, 0);
  ASSERT_NE(FindWidget("feet/solo/FL_FOOT"), nullptr);
  EXPECT_NE(FindWidget("feet/solo/FL_FOOT")->text.find("not computed yet"), std::string::npos)
      << FindWidget("feet/solo/FL_FOOT")->text;
  ASSERT_NE(FindWidget("overlay/tag/0"), nullptr);
  EXPECT_NE(FindWidget("overlay/tag/0")->text.find("–"), std::string::npos)
      << FindWidget("overlay/tag/0")->text;
  ui->session().playback().Step(1);
  Settle(ui.get());
  Settle(ui.get());
  EXPECT_EQ(FindWidget("feet/solo/FL_FOOT")->text.find("not computed yet"), std::string::npos);
}

// At rest the feet creep at 0.3 nm/s: below what the signal resolves, and not zero.
TEST(Feet, CreepBelowTheNoiseIsSaidToBeThere) {
  UI_OR_SKIP(ui, OpenPlan("quadruped-stand", "", {"tilt=0"}));
  ui->session().lessons().progress().Answer(0);
  PassAndDraw(ui.get(), 0.2);
  // without the first touch in sight
  ui->ui().state.plots.linked_x.follow = FollowMode::kLast;
  ui->ui().state.plots.linked_x.last_seconds = 0.5;
  PassAndDraw(ui.get(), 2);
  const double slip =
      static_cast<double>(ui->session().series().View(0, Named(*ui, "slip:solo/FL_FOOT")).At(1e9));
  ASSERT_GT(slip, 0);
  ASSERT_LT(slip, Info(Signal::kSlipSpeed).noise);
  const WidgetRecord* below = FindWidget("plot/0/below");
  ASSERT_NE(below, nullptr);
  EXPECT_EQ(below->text, "below 1 nm/s, where rounding begins");
}

}  // namespace
}  // namespace slip::app
