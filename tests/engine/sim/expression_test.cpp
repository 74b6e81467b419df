// Conditions on signals and parameters.
#include "engine/sim/expression.h"

#include <gtest/gtest.h>

#include <cmath>

namespace slip {
namespace {

/// Gliding offsets of two channels, a time step of 1 ms, and nothing else.
ExpressionData Data() {
  ExpressionData data;
  data.signal = [](Reduction reduction, Signal signal,
                   std::string_view model) -> std::optional<double> {
    if (signal != Signal::kGlidingOffset) return std::nullopt;
    if (model == "sap" || model == "1") return reduction == Reduction::kMax ? 3e-3 : 1e-3;
    if (model == "lagged") return 0.0;
    if (model.empty()) return reduction == Reduction::kMin ? 0.0 : 3e-3;
    if (model == "todorov") return std::nan("");
    return std::nullopt;
  };
  data.parameter = [](std::string_view path, std::string_view) -> std::optional<double> {
    if (path == "time_step") return 1e-3;
    return std::nullopt;
  };
  return data;
}

bool True(const char* text) {
  const Result<Expression> expression = Expression::Parse(text);
  EXPECT_TRUE(expression.ok()) << text << ": " << expression.error().Text();
  return expression.ok() && expression->Evaluate(Data());
}

TEST(Expression, Evaluates) {
  EXPECT_TRUE(True("1 < 2"));
  EXPECT_FALSE(True("2 < 1"));
  EXPECT_TRUE(True("max(gliding_offset) < 4e-3"));
  EXPECT_TRUE(True("max(gliding_offset@sap) < 4 mm"));
  EXPECT_TRUE(True("max(gliding_offset@1) < 4 mm and time_step < 2 ms"));
  EXPECT_TRUE(True("last(gliding_offset@sap) - last(gliding_offset@lagged) > 0.5 mm"));
  EXPECT_TRUE(True("2 + 3 * 4 == 14"));
  EXPECT_TRUE(True("(2 + 3) * 4 == 20"));
  EXPECT_TRUE(True("8 / 4 / 2 == 1"));
  EXPECT_TRUE(True("-2 < -1 and not 1 > 2"));
  EXPECT_TRUE(True("abs(-2) == 2"));
  EXPECT_TRUE(True("2 * sqrt(1 + 3) == 4"));
  EXPECT_FALSE(True("sqrt(-1) < 1"));
  EXPECT_TRUE(True("1 > 2 or 2 > 1"));
  EXPECT_TRUE(True("1 > 2 and 1 > 2 or 2 > 1"));
  EXPECT_TRUE(True("1 ms/time_step == 1"));
  EXPECT_TRUE(True("1 mm/s < 2 mm/s"));
  EXPECT_TRUE(True("time_step <= 0.001"));
  EXPECT_TRUE(True("time_step != 0.002"));
}

TEST(Expression, NumbersMayHaveNamesOfTheirOwn) {
  const std::vector<std::string> names = {"zeta"};
  const auto damping = Expression::ParseNumber("2 * zeta * sqrt(stiffness)", nullptr, names);
  ASSERT_TRUE(damping.ok());
  EXPECT_TRUE(damping->ReadsParameter("zeta"));
  EXPECT_TRUE(damping->ReadsParameter("stiffness"));
  EXPECT_FALSE(damping->ReadsParameter("friction"));
  EXPECT_FALSE(damping->ReadsAnySignal());
  ExpressionData data;
  data.parameter = [](std::string_view path, std::string_view) -> std::optional<double> {
    return path == "zeta" ? 0.5 : 1e4;
  };
  EXPECT_EQ(damping->Number(data), 100);
  EXPECT_FALSE(Expression::ParseNumber("2 * zeta").ok());
  EXPECT_TRUE(Expression::ParseNumber("max(pitch)")->ReadsAnySignal());
}

TEST(Expression, WhatCannotBeAnsweredIsFalse) {
  EXPECT_FALSE(True("max(gliding_offset@similar) < 1"));
  EXPECT_FALSE(True("not max(gliding_offset@similar) < 1"));
  EXPECT_FALSE(True("max(gliding_offset@todorov) != 1"));
  EXPECT_FALSE(True("stiffness > 0"));
  EXPECT_FALSE(Expression().Evaluate(Data()));
  EXPECT_FALSE(Expression::Parse("stiffness > 0")->Evaluate({}));
}

TEST(Expression, RefusesWithColumnAndHint) {
  struct Bad {
    const char* text;
    const char* message;
  };
  const std::string deep = std::string(5000, '(');
  const std::string nots = [] {
    std::string text;
    for (int i = 0; i < 500; ++i) text += "not ";
    return text + "1 < 2";
  }();
  const Bad kCases[] = {
      {"", "column 1"},
      {"max(glidin_offset) < 1", "column 5"},
      {"max(gliding_offset@sapp) < 1", "'sapp'"},
      {"gliding_offset < 1", "reduction"},
      {"frictoin < 1", "frictoin"},
      {"maxx(gliding_offset) < 1", "maxx"},
      {"max(gliding_offset < 1", "')'"},
      {"1 < ", "column"},
      {"1", "comparison"},
      {"max(gliding_offset)", "comparison"},
      {"1 < 2 3", "end"},
      {"1 < 2 < 3", "end"},
      {"(1 < 2) + 1 > 0", "comparison"},
      {"1 and 2", "comparisons"},
      {"1 < 2 parsec", "unit"},
      {"1e999 > 0", "fits"},
      {"$", "expected"},
      {deep.c_str(), ""},
      {nots.c_str(), "nested"},
  };
  for (const Bad& c : kCases) {
    const Result<Expression> expression = Expression::Parse(c.text);
    ASSERT_FALSE(expression.ok()) << c.text;
    EXPECT_NE(expression.error().Text().find(c.message), std::string::npos)
        << c.text << " -> " << expression.error().Text();
  }
  EXPECT_EQ(Expression::Parse("max(glidin_offset) < 1").error().hint,
            "did you mean 'gliding_offset'?");
}

}  // namespace
}  // namespace slip
