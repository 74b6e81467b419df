// Numbers for people: prefixes, minus sign, missing values.
#include "engine/tell/format.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "app/kit/param_scale.h"

namespace slip::app {
namespace {

TEST(Format, EngineeringPrefixes) {
  EXPECT_EQ(FormatQuantity(1e7, "N/m"), "10.0 MN/m");
  EXPECT_EQ(FormatQuantity(5e-4, "s"), "0.50 ms");
  EXPECT_EQ(FormatQuantity(1.23e-4, "s"), "0.123 ms");
  EXPECT_EQ(FormatQuantity(5e-5, "s"), "50.0 µs");
  EXPECT_EQ(FormatQuantity(-2.814e-3, "m"), "−2.81 mm");
  EXPECT_EQ(FormatQuantity(1e-4, "m/s"), "0.10 mm/s");
  EXPECT_EQ(FormatQuantity(109.4, "N"), "109 N");
  EXPECT_EQ(FormatQuantity(0.557, "m/s"), "0.557 m/s");
  EXPECT_EQ(FormatQuantity(10, "s/m"), "10.0 s/m");
  EXPECT_EQ(FormatQuantity(9.81, "m/s^2"), "9.81 m/s²");
  EXPECT_EQ(FormatQuantity(0, "s"), "0 s");
  EXPECT_EQ(FormatQuantity(9.9996e-3, "s"), "10.0 ms");
}

TEST(Format, PureNumbersAndAngles) {
  EXPECT_EQ(FormatQuantity(0.5, ""), "0.50");
  EXPECT_EQ(FormatQuantity(1e-3, ""), "1.00×10⁻³");
  EXPECT_EQ(FormatQuantity(99999, ""), "1.00×10⁵");
  EXPECT_EQ(FormatQuantity(std::numbers::pi / 6, "rad"), "30.0°");
  EXPECT_EQ(AsRich("1.00×10⁻³"), "1.00×10^{−3}");
}

TEST(Format, MissingValuesAreNoData) {
  EXPECT_EQ(FormatQuantity(std::nan(""), "m"), "–");
  EXPECT_EQ(FormatFixed(std::nan(""), 2), "–");
  EXPECT_EQ(FormatFixed(-0.001, 2), "0.00");
  EXPECT_EQ(FormatFixed(-1.5, 1), "−1.5");
}

TEST(Format, CountsAreWhole) {
  EXPECT_EQ(FormatCount(9), "9");
  EXPECT_EQ(FormatCount(0), "0");
  EXPECT_EQ(FormatCount(-0.0), "0");
  EXPECT_EQ(FormatCount(-3), "−3");
  EXPECT_EQ(FormatCount(123456), "123456");
  EXPECT_EQ(FormatCount(8.5), std::nullopt);
  EXPECT_EQ(FormatCount(std::nan("")), std::nullopt);
  EXPECT_EQ(FormatCount(HUGE_VAL), std::nullopt);
}

TEST(Format, Changes) {
  EXPECT_EQ(FormatChange(1e-2, 4e-3, "s"), "10 → 4 ms");
  EXPECT_EQ(FormatChange(1e6, 1e7, "N/m"), "1 → 10 MN/m");
  // decades apart, each side has its own unit
  EXPECT_EQ(FormatChange(1e-2, 1e-7, "s"), "10.0 ms → 0.10 µs");
  EXPECT_EQ(FormatChange(1e7, 1e12, "N/m"), "10.0 MN/m → 1.00 TN/m");
  EXPECT_EQ(FormatChange(0, 1e-3, "s"), "0 → 1 ms");
  EXPECT_EQ(PrettyUnit("N s/m"), "N·s/m");
  EXPECT_EQ(PrettyUnit("N/m^1.5"), "N/m^{1.5}");
}

TEST(Format, WholeParametersHaveNoDecimals) {
  ParamInfo bodies;
  bodies.scale = Scale::kInteger;
  EXPECT_EQ(SplitParam(bodies, 1).number, "1");
  EXPECT_EQ(FormatParam(bodies, 4000), "4000");
  ParamInfo stiffness;
  stiffness.unit = "N/m";
  EXPECT_EQ(FormatParam(stiffness, 1e7), FormatQuantity(1e7, "N/m"));
}

TEST(Format, SlowPacesKeepTwoDigits) {
  EXPECT_EQ(FormatPace(1), "×1.00");
  EXPECT_EQ(FormatPace(0.25), "×0.25");
  EXPECT_EQ(FormatPace(12.345), "×12.35");
  EXPECT_EQ(FormatPace(0.0042), "×0.0042");
  EXPECT_EQ(FormatPace(0.000123), "×0.00012");
  EXPECT_EQ(FormatPace(0), "×0.00");
}

}  // namespace
}  // namespace slip::app
