// Plots against another signal and histograms: paths, bins, names, files, the menu.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "app/frame/input.h"
#include "app/host/window.h"
#include "app/kit/widget_registry.h"
#include "app/panels/curves/annotations.h"
#include "app/panels/curves/plot_content.h"
#include "app/plots/across_plot.h"
#include "app/plots/halo.h"
#include "app/plots/svg.h"
#include "engine/core/numbers.h"
#include "tests/support/program.h"
#include "tests/support/ui_harness.h"
#include "tests/support/window_content.h"

namespace slip::app {
namespace {

TEST(AcrossPath, KeepsEveryPointOfAFewAndTheExtremesOfMany) {
  Series x, y;
  std::vector<AcrossPoint> path;
  for (int i = 0; i < 100; ++i) {
    x.Append(0.01 * i, i);
    y.Append(0.01 * i, i == 50 ? kNaN : -i);
  }
  CalcAcrossPath(x.View(), y.View(), 0.1, 0.605, &path);
  ASSERT_EQ(path.size(), 51u);
  EXPECT_EQ(path.front().x, 10);
  EXPECT_EQ(path.front().y, -10);
  EXPECT_TRUE(path[40].IsGap());
  EXPECT_EQ(path.back().x, 60);

  x.Clear();
  y.Clear();
  constexpr int kMany = 200000;
  for (int i = 0; i < kMany; ++i) {
    x.Append(1e-5 * i, i == 77777 ? 9 : std::sin(1e-3 * i));
    y.Append(1e-5 * i, i == 123456 ? -7 : std::cos(1e-3 * i));
  }
  CalcAcrossPath(x.View(), y.View(), 0, 1e9, &path);
  EXPECT_LT(path.size(), 9000u);
  double most = 0, least = 0, last = -1;
  for (const AcrossPoint& p : path) {
    most = std::max(most, p.x);
    least = std::min(least, p.y);
    EXPECT_GT(p.time, last);
    last = p.time;
  }
  EXPECT_EQ(most, 9);
  EXPECT_EQ(least, -7);
}

TEST(Histogram, SharesAndQuantilesAreThoseOfTheSamples) {
  Series data;
  for (int i = 1; i <= 100; ++i) data.Append(0.01 * i, i);
  const BinAxis axis = MakeBins(AxisScale::kLinear, {1, 100}, 24, false, 0);
  EXPECT_EQ(axis.range, (AxisRange{0, 100}));
  EXPECT_EQ(axis.count, 20);
  const Bins bins = CalcBins(data.View(), 0, 10, axis, 0);
  EXPECT_EQ(bins.samples, 100u);
  EXPECT_EQ(bins.median, 50);
  EXPECT_EQ(bins.upper, 95);
  double sum = 0;
  for (const double share : bins.shares) sum += share;
  EXPECT_NEAR(sum, 1, 1e-12);
  EXPECT_NEAR(bins.shares[10], 0.05, 1e-12);
  // of a part of the time
  EXPECT_EQ(CalcBins(data.View(), 0.095, 0.205, axis, 0).samples, 11u);
  EXPECT_EQ(CalcBins(data.View(), 20, 30, axis, 0).samples, 0u);
}

TEST(Histogram, CountsHaveABinEachAndDecadesEqualOnes) {
  const BinAxis counts = MakeBins(AxisScale::kLinear, {1, 7}, 24, true, 0);
  EXPECT_EQ(counts.count, 7);
  EXPECT_EQ(counts.BinOf(1), 0);
  EXPECT_EQ(counts.BinOf(7), 6);
  EXPECT_EQ(counts.BinOf(8), -1);
  const BinAxis decades = MakeBins(AxisScale::kLog, {2e-5, 0.7}, 24, false, 0);
  EXPECT_NEAR(decades.range.min, 1e-5, 1e-12);
  EXPECT_NEAR(decades.range.max, 1, 1e-12);
  EXPECT_EQ(decades.count, 20);
  EXPECT_EQ(decades.BinOf(0), -1);
  EXPECT_NEAR(decades.Border(4) / decades.Border(0), 10, 1e-9);
}

TEST(Histogram, RoundingIsZero) {
  Series data;
  for (int i = 0; i < 10; ++i) data.Append(i, i % 2 ? 3e-13 : -2e-12);
  const BinAxis axis = MakeBins(AxisScale::kLinear, {-2e-12, 3e-13}, 24, false, 1e-9);
  const Bins bins = CalcBins(data.View(), 0, 10, axis, 1e-9);
  EXPECT_EQ(bins.median, 0);
  EXPECT_EQ(bins.upper, 0);
  EXPECT_NEAR(*std::max_element(bins.shares.begin(), bins.shares.end()), 1, 1e-12);
}

TEST(LogAxis, ShowsTheDecadesThatCarryDataAndNoOthers) {
  const AxisRange wide{1e-9, 1};
  const AxisRange fit = AutoFit(AxisScale::kLog, {3e-4, 0.2}, wide, true);
  EXPECT_NEAR(std::log10(fit.min), -4, 1e-9);
  EXPECT_NEAR(std::log10(fit.max), 0, 1e-9);
  // what has outermost decades with data stands still
  EXPECT_EQ(AutoFit(AxisScale::kLog, {9e-4, 0.2}, fit, true), fit);
}

TEST(EqualAxes, GiveBothAxesAsManyPixelsForAUnit) {
  PlotFrame frame;
  frame.well_min = {10, 20};
  frame.well_max = {410, 220};
  frame.x = {9, 13};
  frame.y = {-5, 5};
  EqualizeAxes(&frame);
  EXPECT_NEAR(frame.X(12) - frame.X(11), frame.Y(1) - frame.Y(2), 1e-3);
  // nothing that was seen is cut off, and the middle stays
  EXPECT_EQ(frame.y, (AxisRange{-5, 5}));
  EXPECT_NEAR(frame.x.min, 1, 1e-9);
  EXPECT_NEAR(frame.x.max, 21, 1e-9);
  const PlotFrame once = frame;
  EqualizeAxes(&frame);
  EXPECT_NEAR(frame.x.min, once.x.min, 1e-9);
}

TEST(EqualAxes, AreOfConesByThemselvesAndOfOneUnitByChoice) {
  PlotSpec spec;
  spec.kind = PlotKind::kAgainst;
  spec.unit = "N";
  spec.across.unit = "N";
  PlotState state;
  PlotFrame frame;
  EXPECT_TRUE(MayBeEqual(spec, frame));
  EXPECT_FALSE(HasEqualAxes(spec, state, frame));
  state.equal_axes = true;
  EXPECT_TRUE(HasEqualAxes(spec, state, frame));
  state.equal_axes.reset();
  spec.slope = 0.5;
  EXPECT_TRUE(HasEqualAxes(spec, state, frame));
  state.equal_axes = false;
  EXPECT_FALSE(HasEqualAxes(spec, state, frame));
  state.equal_axes = true;
  frame.x_scale = AxisScale::kLog;
  EXPECT_FALSE(HasEqualAxes(spec, state, frame));
  frame.x_scale = AxisScale::kLinear;
  spec.across.unit = "m/s";
  EXPECT_FALSE(MayBeEqual(spec, frame));
}

TEST(PlotChoices, AreReadAsTheyAreWritten) {
  const Model model;
  for (const std::string name :
       {"friction_force", "friction_force@slip_speed", "iterations@histogram"}) {
    const Result<PlotChoice> choice = PlotNamed(model, name);
    ASSERT_TRUE(choice.ok()) << name;
    EXPECT_EQ(NameOf(model, *choice), name);
  }
  EXPECT_EQ(LabelOf(model, PlotChoice{Signal::kFrictionForce, PlotKind::kAgainst}),
            "Friction force against Slip speed");
  const Result<PlotChoice> bad = PlotNamed(model, "friction_force@nonsense");
  ASSERT_FALSE(bad.ok());
  EXPECT_NE(bad.error().message.find("nonsense"), std::string::npos);
}

TEST(Annotations, TheFirstStickComesAfterASlip) {
  Series sticking, slipping;
  // rests, slips, one of two sticks, both stick, slips again, sticks again
  const int stick[] = {2, 0, 1, 2, 0, 2}, slip[] = {0, 2, 1, 0, 2, 0};
  for (int i = 0; i < 6; ++i) {
    sticking.Append(0.1 * i, stick[i]);
    slipping.Append(0.1 * i, slip[i]);
  }
  const auto time = FirstStick(sticking.View(), slipping.View());
  ASSERT_TRUE(time.has_value());
  EXPECT_NEAR(*time, 0.3, 1e-12);
  slipping.Truncate(0.05);
  sticking.Truncate(0.05);
  EXPECT_FALSE(FirstStick(sticking.View(), slipping.View()).has_value());
}

TEST(Halo, LiesWhereCurvesCoincideAndUnderTheUpperOnes) {
  test::UiHarness ui({1280, 720, 1.0f, Theme::kDark, false});
  Series one, same;
  for (int i = 0; i <= 100; ++i) {
    one.Append(i * 0.01, 1);
    same.Append(i * 0.01, i < 50 ? 1 : 5);
  }
  PlotSeries a, b;
  a.data = one.View();
  b.data = same.View();
  ui.Frame([&] {
    PlotFrame frame = LayoutFrame({0, 0}, {600, 300});
    frame.x = {0, 1};
    frame.y = {0, 10};
    const PlotSeries* const drawn[] = {&a, &b};
    const std::vector<std::vector<HaloRun>> halos = CalcHalos(frame, drawn);
    const std::vector<HaloRun>& runs = halos[0];
    ASSERT_EQ(runs.size(), 1u);
    EXPECT_NEAR(runs[0].from, frame.well_min.x, 1);
    EXPECT_NEAR(runs[0].to, frame.X(0.5), 5);
    EXPECT_TRUE(halos[1].empty());
    const PlotSeries* const alone[] = {&a, nullptr};
    EXPECT_TRUE(CalcHalos(frame, alone)[0].empty());
  });
  const ImVec2 line[] = {{0, 0}, {100, 100}};
  const std::vector<ImVec2> cut = CutToRun(line, {20, 60});
  ASSERT_EQ(cut.size(), 2u);
  EXPECT_NEAR(cut[0].y, 20, 1e-4);
  EXPECT_NEAR(cut[1].x, 60, 1e-4);
}

class AcrossFiles : public testing::Test {
 protected:
  AcrossFiles() {
    for (int i = 0; i <= 10; ++i) {
      force_.Append(0.1 * i, i);
      speed_.Append(0.1 * i, 0.5 * i);
    }
    series_.resize(1);
    series_[0].label = "SAP";
    series_[0].data = force_.View();
    series_[0].across = speed_.View();
    spec_.title = "Friction force";
    spec_.unit = "N";
    spec_.kind = PlotKind::kAgainst;
    spec_.across = {"Slip speed", "m/s"};
    spec_.series = series_;
    x_.range = {0, 1};
  }
  Series force_, speed_;
  std::vector<PlotSeries> series_;
  PlotSpec spec_;
  LinkedX x_;
};

TEST_F(AcrossFiles, CsvHasBothSignalsWithUnits) {
  const std::string csv = PlotCsv(spec_, {0.15, 0.35});
  EXPECT_EQ(csv,
            "series,time [s],Slip speed [m/s],Friction force [N]\n"
            "SAP,0.2,1,2\nSAP,0.3,1.5,3\n");
  spec_.kind = PlotKind::kHistogram;
  spec_.across = {"Friction force", "N"};
  const std::string bins = PlotCsv(spec_, x_.range);
  EXPECT_EQ(bins.substr(0, bins.find('\n')), "from [N],to [N],SAP share of steps [-]");
  EXPECT_EQ(bins.substr(bins.find('\n') + 1, 4), "0,0.");
}

TEST_F(AcrossFiles, SvgHasTheirCurvesAndTitles) {
  spec_.slope = 0.5;
  const std::string svg = PlotSvg(spec_, PlotState(), x_, {480, 300});
  EXPECT_NE(svg.find(">Slip speed [m/s]</text>"), std::string::npos);
  EXPECT_NE(svg.find("Friction force [N]"), std::string::npos);
  EXPECT_NE(svg.find("<title>SAP</title>"), std::string::npos);
  EXPECT_NE(svg.find("friction limit"), std::string::npos);
  spec_.kind = PlotKind::kHistogram;
  spec_.across = {"Friction force", "N"};
  const std::string bars = PlotSvg(spec_, PlotState(), x_, {480, 300});
  EXPECT_NE(bars.find("fill-opacity"), std::string::npos);
  EXPECT_NE(bars.find("SAP, median"), std::string::npos);
  EXPECT_NE(bars.find("SAP, 95 % lie below"), std::string::npos);
}

class AcrossWindow : public testing::Test {
 protected:
  void SetUp() override {
    UiSetup setup;
    setup.scene = *FindScene("conveyor");
    auto made = OffscreenUi::Create(setup, 1600, 900);
    if (!made.ok()) GTEST_SKIP() << made.error().Text();
    ui_ = std::move(made).value();
    EnableWidgetRegistry(true);
    ui_->ui().state.view.quality = render::Quality::kLow;
    for (int i = 0; i < 30; ++i) ui_->Skip(1.0 / 60);
    ui_->session().playback().SetPlaying(false);
    Draw();
  }
  void Draw() {
    ui_->Frame(0);
    ui_->Frame(0);
  }
  PlotSlot& slot() { return ui_->ui().state.plots.slots[0]; }

  std::unique_ptr<OffscreenUi> ui_;
};

TEST_F(AcrossWindow, TheTitlesMenuChoosesThem) {
  ASSERT_TRUE(ui_->Click("plots/0/signal"));
  Draw();
  ASSERT_TRUE(ui_->Click("plots/kind/histogram"));
  Draw();
  EXPECT_EQ(slot().kind, PlotKind::kHistogram);
  const WidgetRecord* readout = FindWidget("plot/0/readout/0");
  ASSERT_NE(readout, nullptr);
  EXPECT_NEAR(std::stod(readout->text), 9.81, 0.5);
  // the signal is chosen without losing the kind
  ASSERT_TRUE(ui_->Click("plots/0/signal"));
  Draw();
  ASSERT_TRUE(ui_->Click("signal/friction_force"));
  Draw();
  EXPECT_EQ(slot().signal, Signal::kFrictionForce);
  EXPECT_EQ(slot().kind, PlotKind::kHistogram);
}

TEST_F(AcrossWindow, ActionsReachThemAndTheViewKeepsThem) {
  ui_->ui().requests.Do(Action::kPlotAgainst);
  Draw();
  EXPECT_EQ(slot().kind, PlotKind::kAgainst);
  EXPECT_TRUE(slot().state.across_valid);
  const PlotContent content = test::ContentOf(&ui_->ui(), 0);
  ASSERT_FALSE(content.series.empty());
  EXPECT_EQ(content.series[0].across.size(), content.series[0].data.size());
  ui_->ui().requests.Do(Action::kPlotHistogram);
  Draw();
  EXPECT_EQ(slot().kind, PlotKind::kHistogram);
  ui_->ui().requests.Do(Action::kPlotOverTime);
  Draw();
  EXPECT_EQ(slot().kind, PlotKind::kTime);
}

TEST_F(AcrossWindow, AnnotationsAreSwitchable) {
  slot().Choose({Signal::kNormalForce});
  PlotContent content = test::ContentOf(&ui_->ui(), 0);
  ASSERT_EQ(content.lines.size(), 1u);
  EXPECT_NEAR(content.lines[0].value, 9.81, 1e-9);
  EXPECT_EQ(content.lines[0].label, "m g = 9.81 N");
  slot().Choose({Signal::kFrictionForce});
  content = test::ContentOf(&ui_->ui(), 0);
  ASSERT_EQ(content.lines.size(), 1u);
  double limit = 0;
  const ChannelFrame& lead = ui_->session().frame(ui_->session().looks().lead());
  for (const ContactFrame& contact : lead.contacts) limit += contact.friction * contact.fn;
  EXPECT_NEAR(content.lines[0].value, limit, 1e-9);
  slot().state.annotations = false;
  EXPECT_TRUE(test::ContentOf(&ui_->ui(), 0).lines.empty());
  // another signal keeps the switch
  slot().Choose({Signal::kNormalForce});
  EXPECT_TRUE(test::ContentOf(&ui_->ui(), 0).lines.empty());
}

TEST_F(AcrossWindow, TheConeOfForcesHasTheCoefficient) {
  slot().Choose({Signal::kFrictionForce, PlotKind::kAgainst, Signal::kNormalForce});
  Draw();
  const PlotContent content = test::ContentOf(&ui_->ui(), 0);
  ASSERT_TRUE(content.slope.has_value());
  EXPECT_NEAR(*content.slope, 0.5, 1e-9);
}

}  // namespace
}  // namespace slip::app
