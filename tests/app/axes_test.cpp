// Ticks, scales, automatic ranges, and slider positions.
#include "app/plots/axes.h"

#include <gtest/gtest.h>

#include <cmath>

#include "app/kit/param_scale.h"
#include "app/plots/plot.h"

namespace slip::app {
namespace {

TEST(Ticks, OneTwoFive) {
  EXPECT_DOUBLE_EQ(NiceStep(10, 5), 2);
  EXPECT_DOUBLE_EQ(NiceStep(1, 3), 0.5);
  EXPECT_DOUBLE_EQ(NiceStep(7e-3, 10), 1e-3);
  const auto ticks = MakeTicks(AxisScale::kLinear, {-1e-3, 4e-3}, 6, 1e3);
  ASSERT_EQ(ticks.size(), 6u);
  EXPECT_EQ(ticks.front().label, "−1");
  EXPECT_EQ(ticks.back().label, "4");
  EXPECT_NEAR(ticks.back().value, 4e-3, 1e-12);
}

TEST(Ticks, Decades) {
  const auto ticks = MakeTicks(AxisScale::kLog, {1e-2, 1e2}, 6);
  int major = 0, minor = 0;
  for (const Tick& tick : ticks) (tick.major ? major : minor)++;
  EXPECT_EQ(major, 5);
  EXPECT_EQ(minor, 8);
  EXPECT_EQ(ticks.front().label, "10^−2");
  // many decades: fewer labels, none lost at multiples
  int labels = 0;
  for (const Tick& tick : MakeTicks(AxisScale::kLog, {1e-15, 1e3}, 5)) {
    labels += tick.label.empty() ? 0 : 1;
  }
  EXPECT_LE(labels, 6);
  EXPECT_GE(labels, 3);
}

TEST(Axis, ScalesInvert) {
  for (const AxisScale scale : {AxisScale::kLinear, AxisScale::kLog, AxisScale::kSymlog}) {
    const AxisRange range{1e-3, 1e3};
    for (const double unit : {0.0, 0.1, 0.5, 1.0}) {
      EXPECT_NEAR(ToUnit(scale, range, FromUnit(scale, range, unit)), unit, 1e-9);
    }
  }
  EXPECT_TRUE(std::isinf(ToUnit(AxisScale::kLog, {1, 10}, 0)));
}

TEST(Axis, FitHasHysteresis) {
  const AxisRange first = AutoFit(AxisScale::kLinear, {0, 3.1}, {}, false);
  EXPECT_EQ(first, (AxisRange{0, 4}));
  EXPECT_EQ(AutoFit(AxisScale::kLinear, {0, 2}, first, true), first);
  EXPECT_NE(AutoFit(AxisScale::kLinear, {0, 1}, first, true), first);
  EXPECT_NE(AutoFit(AxisScale::kLinear, {0, 5}, first, true), first);
  EXPECT_EQ(AutoFit(AxisScale::kLog, {2, 900}, {}, false), (AxisRange{1, 1000}));
  // dust below zero does not spend a grid step
  EXPECT_EQ(AutoFit(AxisScale::kLinear, {-1e-6, 3.1}, {}, false).min, 0);
}

TEST(Axis, NoCurveRunsAlongTheBorder) {
  for (const double top : {0.41, 0.497, 0.5, 0.98, 1.0}) {
    const AxisRange fresh = AutoFit(AxisScale::kLinear, {0, top}, {}, false);
    EXPECT_LT(top, 0.98 * fresh.max) << top;
    EXPECT_EQ(fresh.min, 0);
    const AxisRange grown = AutoFit(AxisScale::kLinear, {0, top},
                                    AutoFit(AxisScale::kLinear, {0, 0.9 * top}, {}, false), true);
    EXPECT_LT(top, 0.99 * grown.max) << top;
    EXPECT_EQ(AutoFit(AxisScale::kLinear, {0, top}, grown, true), grown) << "it stands still";
  }
  EXPECT_EQ(AutoFit(AxisScale::kLinear, {0.01, 1}, {}, false).min, 0) << "air is not negative";
  EXPECT_LT(AutoFit(AxisScale::kLinear, {-0.4, 0}, {}, false).min, -0.4);
}

TEST(Axis, UnitsOfTitles) {
  EXPECT_EQ(ChooseUnit({0, 4e-3}, AxisScale::kLinear, "m").text, "mm");
  EXPECT_EQ(ChooseUnit({0, 2e-6}, AxisScale::kLinear, "m").text, "µm");
  EXPECT_EQ(ChooseUnit({0, 400}, AxisScale::kLinear, "N").text, "N");
  EXPECT_EQ(ChooseUnit({0, 5}, AxisScale::kLinear, "").text, "–");
}

TEST(Axis, FiguresOfUnitsWithoutPrefixesStayShort) {
  for (const char* unit : {"rad/s", "rad", "kg", ""}) {
    for (const double top : {1e-3, 3e-6, 2e-8}) {
      const AxisUnit chosen = ChooseUnit({0, top}, AxisScale::kLinear, unit);
      for (const Tick& tick : MakeTicks(AxisScale::kLinear, {0, top}, 5, chosen.factor))
        EXPECT_LE(tick.label.size(), 6u) << tick.label << " " << chosen.text;
    }
  }
  EXPECT_EQ(ChooseUnit({0, 2e-6}, AxisScale::kLinear, "rad/s").text, "10⁻⁶ rad/s");
  EXPECT_EQ(ChooseUnit({0, 0.5}, AxisScale::kLinear, "rad/s").text, "rad/s");
}

TEST(AutoFit, WhatIsZeroLiesOnAnAxisFarFromTheNoise) {
  const double noise = 1e-9;
  EXPECT_GE(AutoFit(AxisScale::kLinear, {-3e-13, 5e-13}, {}, false, noise).max, 1e5 * noise);
}

TEST(Slider, RoundTrips) {
  ParamInfo info;
  info.min = 1e-3;
  info.max = 1e3;
  for (const bool zero : {false, true}) {
    for (const Scale scale : {Scale::kLinear, Scale::kLog}) {
      info.scale = scale;
      info.zero = zero;
      for (const double value : {1e-3, 0.05, 1.0, 777.0, 1e3}) {
        const double back = SliderValue(info, SliderPosition(info, value));
        EXPECT_NEAR(back, value, 1e-9 * value);
      }
    }
  }
}

TEST(Slider, ZeroDetent) {
  ParamInfo info;
  info.min = 1e-3;
  info.max = 1e3;
  info.scale = Scale::kLog;
  info.zero = true;
  EXPECT_EQ(SliderPosition(info, 0), 0);
  EXPECT_EQ(SliderValue(info, 0), 0);
  EXPECT_EQ(SliderValue(info, 0.02), 0);
  EXPECT_DOUBLE_EQ(SliderValue(info, kZeroDetent), 1e-3);
  EXPECT_DOUBLE_EQ(SliderPosition(info, 1e-3), kZeroDetent);
  EXPECT_EQ(NudgeValue(info, 1e-3, -1, false), 0);
  EXPECT_EQ(NudgeValue(info, 0, +1, false), 1e-3);
  EXPECT_NEAR(NudgeValue(info, 1, +1, false), std::pow(10.0, 0.05), 1e-12);
  EXPECT_NEAR(NudgeValue(info, 1, +1, true), std::pow(10.0, 0.005), 1e-12);
  info.zero = false;
  EXPECT_DOUBLE_EQ(SliderValue(info, 0), 1e-3);
  EXPECT_DOUBLE_EQ(NudgeValue(info, 1e-3, -1, false), 1e-3);
}

TEST(Slider, DragsToRoundNumbers) {
  ParamInfo info;
  info.min = 1e-5;
  info.max = 0.1;
  info.scale = Scale::kLog;
  EXPECT_EQ(SliderDragValue(info, SliderPosition(info, 0.0050003)), 0.005);
  info.scale = Scale::kInteger;
  info.min = 1;
  info.max = 1000;
  EXPECT_EQ(SliderDragValue(info, 0.5), 32);
}

TEST(LinkedX, ShowsTheMomentThatTheHeadIsAt) {
  LinkedX x;
  x.follow = FollowMode::kLast;
  x.last_seconds = 4;
  x.Update(0, 100, 100);
  EXPECT_NEAR(x.range.max, 100.16, 1e-12);
  const AxisRange live = x.range;
  x.Update(0, 100, 97);
  EXPECT_EQ(x.range, live);  // in sight: nothing moves
  x.Update(0, 100, 26);
  EXPECT_DOUBLE_EQ(x.range.min, 24);
  EXPECT_DOUBLE_EQ(x.range.max, 28);
  x.Update(0, 100, 1);
  EXPECT_DOUBLE_EQ(x.range.min, 0);
}

TEST(AutoFit, SymlogKeepsSmallValuesOfTheOtherSign) {
  const AxisRange range = AutoFit(AxisScale::kSymlog, {-3e-5, 8e-3}, {}, false);
  EXPECT_LE(range.min, -3e-5);
  EXPECT_GE(range.min, -1e-4);
  EXPECT_GE(range.max, 8e-3);
  EXPECT_LE(range.max, 2e-2);
  // one sign only: zero is the other end, and the tick of zero is there
  const AxisRange positive = AutoFit(AxisScale::kSymlog, {10, 4000}, {}, false);
  EXPECT_EQ(positive.min, 0);
  EXPECT_EQ(positive.max, 5000);
  for (const Tick& tick : MakeTicks(AxisScale::kSymlog, {5, 100}, 6)) EXPECT_GE(tick.value, 5);
}

}  // namespace
}  // namespace slip::app
