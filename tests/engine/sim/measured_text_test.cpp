// Sentences with numbers in braces.
#include "engine/sim/measured_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

namespace slip {
namespace {

std::string Format(double value, std::string_view unit) {
  if (std::isnan(value)) return "-";
  return std::to_string(static_cast<int>(std::lround(1000 * value))) + "m[" + std::string(unit) +
         "]";
}

class MeasuredTextTest : public testing::Test {
 protected:
  MeasuredTextTest() {
    data_.parameter = [this](std::string_view path, std::string_view) -> std::optional<double> {
      const auto found = parameters_.find(std::string(path));
      if (found == parameters_.end()) return std::nullopt;
      return found->second;
    };
    data_.signal = [this](Reduction, Signal signal, std::string_view) -> std::optional<double> {
      if (!measured_ || signal != Signal::kNormalForce) return std::nullopt;
      return 12;
    };
  }
  std::string Write(const std::string& text, const std::string& value = {}) const {
    const auto parsed = MeasuredText::Parse(text, value, nullptr);
    EXPECT_TRUE(parsed.ok()) << text << (parsed.ok() ? "" : parsed.error().Text());
    return parsed.ok() ? parsed->Write(data_, Format) : "";
  }
  static std::string ErrorOf(const std::string& text, const std::string& value = {}) {
    const auto parsed = MeasuredText::Parse(text, value, nullptr);
    return parsed.ok() ? "" : parsed.error().Text();
  }

  std::map<std::string, double> parameters_ = {
      {"time_step", 0.005}, {"friction", 0.5}, {"material.box:own.friction", 0.25}};
  bool measured_ = true;
  ExpressionData data_;
};

TEST_F(MeasuredTextTest, NumbersStandInBraces) {
  EXPECT_EQ(Write("no number"), "no number");
  EXPECT_EQ(Write("{time_step} and { max(normal_force@sap) }."), "5m[s] and 12000m[N].");
  EXPECT_EQ(Write("{max(normal_force@sap) / max(normal_force)} times"), "1000m[] times");
}

TEST_F(MeasuredTextTest, PureFactorsKeepTheUnitAndOthersAreNamed) {
  EXPECT_EQ(Write("{2 * time_step} {time_step / 5} {-time_step}"), "10m[s] 1m[s] -5m[s]");
  EXPECT_EQ(Write("{friction * time_step}"), "3m[]");
  EXPECT_EQ(Write("{friction * time_step [m]}"), "3m[m]");
  EXPECT_EQ(Write("{60 * time_step [m/s^2]}"), "300m[m/s^2]");
}

TEST_F(MeasuredTextTest, ValueIsTheCardsParameter) {
  EXPECT_EQ(Write("{value}", "time_step"), "5m[s]");
  EXPECT_EQ(Write("{max(normal_force) * value [N s]}", "time_step"), "60m[N s]");
  EXPECT_EQ(Write("{value}", "material.box:own.friction"), "250m[]") << "as a path of its own";
}

TEST_F(MeasuredTextTest, WhatIsNotMeasuredIsNoNumber) {
  measured_ = false;
  EXPECT_EQ(Write("{max(normal_force)} at {time_step}"), "- at 5m[s]");
  const auto text = MeasuredText::Parse("{max(normal_force)}", "", nullptr);
  ASSERT_TRUE(text.ok());
  EXPECT_FALSE(text->Measurable(data_));
  measured_ = true;
  EXPECT_TRUE(text->Measurable(data_));
  const auto infinite = MeasuredText::Parse("{1 / (friction - friction)}", "", nullptr);
  ASSERT_TRUE(infinite.ok());
  EXPECT_FALSE(infinite->Measurable(data_));
}

TEST_F(MeasuredTextTest, BracesOfFormulasGroup) {
  EXPECT_EQ(Write("e^{-t} and x_{12} = {time_step}"), "e^{-t} and x_{12} = 5m[s]");
}

TEST_F(MeasuredTextTest, MistakesAreTold) {
  EXPECT_NE(ErrorOf("up to {time_step").find("without '}'"), std::string::npos);
  EXPECT_NE(ErrorOf("{time_stp}").find("did you mean"), std::string::npos);
  EXPECT_NE(ErrorOf("{time_step < 1}").find("expected a number, not a condition"),
            std::string::npos);
  EXPECT_NE(ErrorOf("{time_step [ms]}").find("SI unit"), std::string::npos);
  EXPECT_NE(ErrorOf("{value}").find("shows no parameter"), std::string::npos);
  EXPECT_NE(ErrorOf("{}").find("expected a number"), std::string::npos);
}

}  // namespace
}  // namespace slip
