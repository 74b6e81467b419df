// Quantities with units, numbers as text, and spelling suggestions.
#include "engine/core/param_text.h"

#include <gtest/gtest.h>

#include <array>
#include <clocale>
#include <cmath>
#include <limits>

namespace slip {
namespace {

struct Good {
  const char* text;
  const char* unit;
  double value;
};

TEST(ParamText, ReadsQuantitiesExactly) {
  constexpr Good kCases[] = {
      {"5 ms", "s", 0.005},
      {"5ms", "s", 0.005},
      {"1e7", "N/m", 1e7},
      {"10 MN/m", "N/m", 1e7},
      {"1e7 N/m", "N/m", 1e7},
      {"0.1 kN/mm", "N/m", 1e5},
      {"20 mm/s", "m/s", 0.02},
      {"2 kN", "N", 2000},
      {"1.5 Hz", "Hz", 1.5},
      {"2 1/s", "Hz", 2},
      {"100 \xC2\xB5s", "s", 1e-4},
      {"100 \xCE\xBCs", "s", 1e-4},
      {"100 us", "s", 1e-4},
      {"180 deg", "rad", 3.14159265358979323846},
      {"180°", "rad", 3.14159265358979323846},
      {"50 %", "", 0.5},
      {"+3", "", 3},
      {"-0.5", "m", -0.5},
      {" 7 ", "", 7},
      {".5", "", 0.5},
      {"9.81 m/s^2", "m/s^2", 9.81},
      {"9.81 m/s²", "m/s^2", 9.81},
      {"1 g/cm^3", "kg/m^3", 1000},
      {"3 N s/m", "N s/m", 3},
      {"3 N*s/m", "N s/m", 3},
      {"3 kg/s", "N s/m", 3},
      {"1e9 N/m^1.5", "N/m^1.5", 1e9},
      {"0.2 s/m", "s/m", 0.2},
      {"2 min", "s", 120},
  };
  for (const Good& c : kCases) {
    const Result<double> value = ParseQuantity(c.text, c.unit);
    ASSERT_TRUE(value.ok()) << c.text << ": " << value.error().Text();
    EXPECT_DOUBLE_EQ(*value, c.value) << c.text;
  }
  EXPECT_EQ(*ParseQuantity("5 ms", "s"), 0.005);
  EXPECT_EQ(*ParseQuantity("0.1 ms", "s"), 1e-4);
}

TEST(ParamText, RefusesWhatIsNoFiniteQuantity) {
  constexpr const char* kBad[] = {
      "",      " ",   "abc",      "nan",      "inf",  "-inf", "1e400",    "5 kg",  "5 mm/s",
      "5 xs",  "1,5", "0x10",     "5 ms ms",  "-",    "+",    "5 /",      "5 s^",  "5 s^x",
      "5 deg", "--5", "1e400 ms", "infinity", "5 m/", "5 · ", "1e308 Ts", "5 \xFF"};
  for (const char* text : kBad) {
    EXPECT_FALSE(ParseQuantity(text, "s").ok()) << text;
  }
  EXPECT_FALSE(ParseQuantity("5 s", "").ok());
  EXPECT_NE(ParseQuantity("5 kg", "N/m").error().message.find("N/m"), std::string::npos);
}

TEST(ParamText, IsIndependentOfTheLocale) {
  // Absent on many machines; where it exists a decimal comma must change nothing.
  std::setlocale(LC_ALL, "de_DE.UTF-8");
  EXPECT_EQ(*ParseQuantity("1.5 ms", "s"), 0.0015);
  EXPECT_EQ(FormatNumber(1.5), "1.5");
  std::setlocale(LC_ALL, "C");
}

TEST(ParamText, NumbersReadBackToTheSameBits) {
  for (const double value : {0.0, 1e7, 1e-4, 0.1, 1.0 / 3, -2.5e-300, 1e300, 123456.789, 5e-324}) {
    const std::string text = FormatNumber(value);
    EXPECT_EQ(*ParseQuantity(text, ""), value) << text;
  }
  EXPECT_EQ(FormatNumber(1e7), "1e7");
  EXPECT_EQ(FormatNumber(1e-4), "1e-4");
  EXPECT_EQ(FormatNumber(0.005), "0.005");
  EXPECT_EQ(FormatNumber(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(FormatNumber(std::nan("")), "nan");
}

TEST(ParamText, UnitScales) {
  EXPECT_DOUBLE_EQ(*UnitScale("mm/s"), 1e-3);
  EXPECT_DOUBLE_EQ(*UnitScale("MN/m"), 1e6);
  EXPECT_FALSE(UnitScale("parsec").has_value());
}

TEST(ParamText, SuggestsTheNearestName) {
  constexpr std::array<std::string_view, 4> kNames = {"friction", "stiffness", "time_step", "tilt"};
  EXPECT_EQ(Closest("frictoin", kNames), "friction");
  EXPECT_EQ(Closest("stifness", kNames), "stiffness");
  EXPECT_EQ(Closest("time-step", kNames), "time_step");
  EXPECT_EQ(Closest("Tilt", kNames), "tilt");
  EXPECT_EQ(Closest("stiff", kNames), "stiffness");
  EXPECT_EQ(Closest("banana", kNames), "");
  EXPECT_EQ(Closest(std::string(100000, 'x'), kNames), "");
  EXPECT_EQ(DidYouMean("frictoin", kNames), "did you mean 'friction'?");
  EXPECT_EQ(DidYouMean("banana", kNames), "known: friction, stiffness, time_step, tilt");
  EXPECT_EQ(DidYouMean("banana", std::span<const std::string_view>()), "there is none");
}

}  // namespace
}  // namespace slip
