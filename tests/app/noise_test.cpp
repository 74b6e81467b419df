// Values below the noise of their signal read 0 wherever a screen shows them; files keep them.
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "app/host/window.h"
#include "app/kit/widget_registry.h"
#include "app/panels/curves/plot_content.h"
#include "app/panels/inspect/tables.h"
#include "app/plots/axes.h"
#include "app/session/time_range.h"
#include "engine/sim/signals.h"
#include "engine/tell/format.h"
#include "tests/support/offscreen.h"
#include "tests/support/window_content.h"

namespace slip::app {
namespace {

TEST(Noise, EveryMeasuredSignalStatesIt) {
  for (const SignalInfo& info : SignalTable()) {
    EXPECT_GE(info.noise, 0) << info.name;
    EXPECT_LT(info.noise, 1e-5) << info.name;
    if (info.is_count) EXPECT_EQ(info.noise, 0) << info.name;
  }
  for (const Signal id :
       {Signal::kNormalForce, Signal::kSignedDistance, Signal::kSlipSpeed, Signal::kGlidingOffset,
        Signal::kBeltSpeed, Signal::kKineticEnergy, Signal::kPositionX}) {
    EXPECT_GT(Info(id).noise, 0) << Info(id).name;
  }
}

TEST(Noise, ReadsZero) {
  EXPECT_EQ(FormatSignal(Signal::kBeltSpeed, -3.08e-16), "0 m/s");
  EXPECT_EQ(FormatSignal(Signal::kSignedDistance, -205.1e-12), "0 m");
  EXPECT_EQ(FormatSignal(Signal::kSlipSpeed, 4.98e-12), "0 m/s");
  EXPECT_EQ(FormatSignal(Signal::kSlipSpeed, 3.77e-5), "37.7 µm/s");
  EXPECT_EQ(FormatSignal(Signal::kSignedDistance, -2.81e-3), "−2.81 mm");
  EXPECT_TRUE(std::isnan(AboveNoise(Signal::kSlipSpeed, std::nan(""))));
  // analytic numbers have none
  EXPECT_EQ(AboveNoise(Signal::kMomentumResidual, 1e-16), 1e-16);
}

TEST(Noise, NeitherFillsAnAxisNorLengthensOne) {
  const double noise = Info(Signal::kSignedDistance).noise;
  const AxisRange quiet = AutoFit(AxisScale::kLinear, {-3e-13, 5e-13}, {}, false, noise);
  EXPECT_GE(quiet.span(), 100 * noise);
  const AxisRange log = AutoFit(AxisScale::kLog, {1e-18, 2e-3}, {}, false, noise);
  EXPECT_NEAR(log.min, noise, 1e-3 * noise);
  EXPECT_NEAR(log.max, 1e-2, 1e-5);
  const AxisRange constant = AutoFit(AxisScale::kLinear, {0.05, 0.05 + 1e-12}, {}, false, noise);
  EXPECT_GE(constant.span(), 10 * noise);
  EXPECT_LE(constant.min, 0.05);
  EXPECT_GE(constant.max, 0.05);
}

TEST(Noise, IsKeptInFilesAndNotOnTheScreen) {
  OPEN_OR_SKIP(ui, "conveyor");
  for (int i = 0; i < 60; ++i) ui->Skip(1.0 / 60);
  Session& session = ui->session();
  // Lagged does not glide: what its gap holds is rounding
  const SeriesView gap = session.series().View(1, Signal::kGlidingOffset);
  double tiny = 0;
  for (std::size_t i = 0; i < gap.size(); ++i) {
    const double value = std::abs(static_cast<double>(gap.ValueAt(i)));
    if (value > 0 && value < Info(Signal::kGlidingOffset).noise) tiny = value;
  }
  ASSERT_GT(tiny, 0);
  std::istringstream csv(RangeCsv(session, 0, session.snapshot().time));
  std::string line, cell;
  std::getline(csv, line);
  std::size_t column = 0;
  std::istringstream head(line);
  for (std::size_t i = 0; std::getline(head, cell, ','); ++i) {
    if (cell == "gliding_offset") column = i;
  }
  ASSERT_GT(column, 0u);
  bool kept = false;
  while (std::getline(csv, line)) {
    std::istringstream row(line);
    for (std::size_t i = 0; std::getline(row, cell, ','); ++i) {
      if (i != column || cell.empty()) continue;
      const double value = std::abs(std::stod(cell));
      kept = kept || (value > 0 && value < Info(Signal::kGlidingOffset).noise);
    }
  }
  EXPECT_TRUE(kept);
  // the plots round by the same table
  ui->Frame(0);
  for (std::size_t slot = 0; slot < kPlotSlots; ++slot) {
    const PlotContent content = test::ContentOf(&ui->ui(), slot);
    EXPECT_EQ(content.Spec().noise, Info(content.signal).noise);
    EXPECT_EQ(content.Spec().Read(-0.5 * content.noise), 0);
  }
}

TEST(Units, TheComparisonNeverLeavesOneOut) {
  OPEN_OR_SKIP(ui, "slope-creep");
  for (int i = 0; i < 60; ++i) ui->Skip(1.0 / 60);
  ui->ui().state.shell.inspect_tab = TabId::kCompare;
  for (int i = 0; i < 3; ++i) ui->Frame(0);
  const WidgetRecord* unit = FindWidget("compare/unit/creep_predicted_mm_s");
  ASSERT_NE(unit, nullptr);
  EXPECT_EQ(unit->text, "µm/s");
  EXPECT_FALSE(unit->clipped);
  const WidgetRecord* lagged = FindWidget("compare/creep_predicted_mm_s/1");
  ASSERT_NE(lagged, nullptr);
  EXPECT_EQ(lagged->text, "37.7");
  for (const WidgetRecord& widget : Widgets()) {
    if (widget.id.starts_with("compare/")) EXPECT_FALSE(widget.clipped) << widget.id;
    if (widget.id.starts_with("compare/")) EXPECT_EQ(widget.text.find("e+"), std::string::npos);
  }
  // means skip the start state, which no solve has made
  const std::string text = MetricsText(ui->ui().session, &ui->ui().sources.differences, false);
  EXPECT_EQ(text.find("nan"), std::string::npos) << text;
}

}  // namespace
}  // namespace slip::app
