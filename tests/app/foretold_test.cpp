// Forces that exponential integration foretells stand in the plots while the run stands.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/kit/widget_registry.h"
#include "app/panels/curves/plot_content.h"
#include "engine/sim/part_signals.h"
#include "tests/support/offscreen.h"
#include "tests/support/window_content.h"

namespace slip::app {
namespace {

// The curve in a plot; empty where there is none.
SeriesView Foretold(OffscreenUi* ui, std::size_t slot) {
  for (const PlotSeries& series : test::ContentOf(&ui->ui(), slot).series) {
    if (series.end_note.empty()) continue;
    EXPECT_EQ(series.label, "Exponential");
    EXPECT_EQ(series.end_note, "predicted for 20 ms");
    EXPECT_EQ(series.style.colour, Color(Token::kText));
    EXPECT_FALSE(series.IsFormula());
    return series.data;
  }
  return {};
}

TEST(ForetoldPlot, ShowsTheForcesOfTheNext20Ms) {
  UI_OR_SKIP(ui, OpenPlan("quadruped-stand", "sap,exponential", {"tilt=0"}));
  Session& session = ui->session();
  Settle(ui.get());  // the scene has its plots
  UiState& state = ui->ui().state;
  const auto foot = SignalNamed(session.scene_model(), "force:solo/FL_FOOT");
  ASSERT_TRUE(foot.ok());
  state.plots.slots[0].signal = Signal::kNormalForce;
  state.plots.slots[1].signal = foot.value();
  state.plots.slots[2].signal = Signal::kPositionZ;
  session.playback().SetPlaying(true);
  Pass(ui.get(), 0.5);
  EXPECT_TRUE(Foretold(ui.get(), 0).empty()) << "while it runs, nobody asks";
  session.playback().SetPlaying(false);
  for (int i = 0; i < 10; ++i) ui->Frame(1.0 / 60);
  const SeriesView all = Foretold(ui.get(), 0), of_foot = Foretold(ui.get(), 1);
  ASSERT_GT(all.size(), 50u);
  ASSERT_EQ(of_foot.size(), all.size());
  EXPECT_TRUE(Foretold(ui.get(), 2).empty()) << "no force";
  const double now = session.frame(1).time;
  EXPECT_NEAR(all.TimeAt(0), now, 1e-12);
  EXPECT_NEAR(all.TimeAt(all.size() - 1), now + 20e-3, 1e-12);
  EXPECT_TRUE(std::isnan(all.At(now - 1e-3)));
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_NEAR(all.ValueAt(i), 24.5f, 2.0f);
    EXPECT_NEAR(of_foot.ValueAt(i), all.ValueAt(i) / 4, 1.0f);
  }
  // the axis makes room, and shows the words where the curve is more than a spot
  EXPECT_GE(state.plots.linked_x.range.max, now + 20e-3);
  EXPECT_EQ(FindWidget("plot/0/end"), nullptr);
  state.plots.linked_x.follow = FollowMode::kFree;
  state.plots.linked_x.range = {now - 0.05, now + 0.05};
  ui->Frame(0);
  ASSERT_NE(FindWidget("plot/0/end"), nullptr);
  EXPECT_EQ(FindWidget("plot/0/end")->text, "predicted for 20 ms");

  // with other knobs, another future: of the past too
  session.params().Set(-1, "gravity", 20);
  for (int i = 0; i < 10; ++i) ui->Frame(1.0 / 60);
  const SeriesView heavier = Foretold(ui.get(), 0);
  ASSERT_FALSE(heavier.empty());
  EXPECT_GT(heavier.ValueAt(heavier.size() - 1), 24.5f + 2.0f);
  session.playback().Seek(0.3);
  for (int i = 0; i < 10; ++i) ui->Frame(1.0 / 60);
  const SeriesView before = Foretold(ui.get(), 0);
  ASSERT_FALSE(before.empty());
  EXPECT_NEAR(before.TimeAt(0), 0.3, 5e-3);
  EXPECT_NEAR(before.ValueAt(before.size() - 1), 24.5f, 2.0f);
  session.playback().SetPlaying(true);
  ui->Frame(1.0 / 60);
  ui->Frame(1.0 / 60);
  EXPECT_TRUE(Foretold(ui.get(), 0).empty());
}

}  // namespace
}  // namespace slip::app
