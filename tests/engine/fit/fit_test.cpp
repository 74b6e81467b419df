// Fits to made-up tosses: the truth is found, the intervals hold it, the law that made them is
// chosen, and no number depends on threads.
#include "engine/fit/fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "engine/fit/dice.h"
#include "engine/fit/fit_files.h"
#include "tests/support/tosses.h"

namespace slip {
namespace {

/// Tosses of a cube of this law with these values, ready to be fitted by `models`.
FitPlan PlanOf(const std::string& maker, const std::vector<std::string>& truth,
               const std::string& models, const std::string& vary, int count, uint64_t seed) {
  const auto scene = FindScene("cube-toss");
  EXPECT_TRUE(scene) << scene.error().Text();
  // four times the scene's step: half a second of a toss in sixty steps
  const auto made = MakeRunPlan(*scene, maker, truth, {});
  EXPECT_TRUE(made) << made.error().Text();
  auto base = MakeRunPlan(*scene, models, {"time_step=4ms"}, {});
  EXPECT_TRUE(base) << base.error().Text();
  auto plan = MakeFitPlan(
      std::move(base).value(),
      test::MakeTossRuns(**scene, made->configs.front(), count, seed, {0.2e-3, 2e-3}, 0.5), {vary},
      "");
  EXPECT_TRUE(plan) << plan.error().Text();
  FitPlan whole = std::move(plan).value();
  whole.resamples = 100;
  whole.landscape = 3;
  return whole;
}

TEST(Fit, FrictionOfMadeUpTossesLong) {
  FitPlan plan =
      PlanOf("lagged", {"friction=0.3", "time_step=4ms"}, "lagged", "friction=log:0.05:1", 6, 3);
  plan.folds = 2;
  const FitResult result = Fit(plan, 2);
  ASSERT_EQ(result.methods.size(), 1u);
  const MethodFit& fit = result.methods[0];
  ASSERT_EQ(fit.values.size(), 1u);
  EXPECT_NEAR(fit.values[0].value, 0.3, 0.02);
  EXPECT_LE(fit.values[0].low, 0.3);
  EXPECT_GE(fit.values[0].high, 0.3);
  EXPECT_DOUBLE_EQ(fit.values[0].before, 0.18);
  EXPECT_LT(MedianPosition(fit, FitStage::kHeld), 0.5 * MedianPosition(fit, FitStage::kBefore));
  EXPECT_EQ(fit.landscape.score.size(), 3u);
  for (const FitError& error : fit.errors) EXPECT_GE(error.fold, 0);

  // another number of threads
  const std::string texts = fmt::format("{}", fmt::join(FitTexts(plan, result, {}), "\n"));
  EXPECT_EQ(fmt::format("{}", fmt::join(FitTexts(plan, Fit(plan, 1), {}), "\n")), texts);
  // another seed is another search
  plan.seed = 2;
  EXPECT_NE(fmt::format("{}", fmt::join(FitTexts(plan, Fit(plan, 2), {}), "\n")), texts);
}

TEST(Fit, TheLawThatMadeThemExplainsThem) {
  FitPlan plan = PlanOf("sap", {"friction=0.4", "relaxation_time=20ms", "time_step=4ms"},
                        "lagged,sap", "friction=log:0.1:1,relaxation_time=log:1e-3:0.1", 4, 8);
  plan.landscape = 0;
  plan.folds = 2;
  const FitResult result = Fit(plan, 2);
  ASSERT_EQ(result.ranking.size(), 2u);
  EXPECT_EQ(result.methods[result.ranking[0].method].label, "sap");
  EXPECT_DOUBLE_EQ(result.ranking[0].ratio, 1);
  EXPECT_GT(result.ranking[1].ratio, 1.2);
  // the other one does not read the relaxation time
  EXPECT_EQ(result.methods[0].values.size(), 1u);
  EXPECT_EQ(result.methods[1].values.size(), 2u);
  EXPECT_NEAR(result.methods[1].values[1].value, 20e-3, 4e-3);
  const auto told = TellFit(plan, result);
  ASSERT_EQ(told.size(), 2u);
  EXPECT_TRUE(told[0].starts_with("sap explains 4 runs")) << told[0];
  EXPECT_NE(told[1].find("lagged is"), std::string::npos) << told[1];
}

// Who is nearest is not said to explain best where the runs do not show it, nor that a fit helps.
TEST(Fit, WhatIsNotSureIsNotSaid) {
  const FitPlan plan =
      PlanOf("lagged", {"time_step=4ms"}, "lagged,similar", "friction=log:0.05:1", 5, 3);
  FitResult result;
  for (const char* label : {"lagged", "similar"}) {
    MethodFit& fit = result.methods.emplace_back();
    fit.label = label;
    for (int i = 0; i < 5; ++i)
      fit.errors.push_back({.fold = i,
                            .before = {1e-3, 1e-3, 0},
                            .after = {1e-3, 1e-3, 0},
                            .held = {1e-3, 1e-3, 0}});
  }
  const auto told = [&](FitRival best, FitRival other) {
    best.ratio = 1, other.method = 1;
    result.ranking = {best, other};
    return fmt::format("{}", fmt::join(TellFit(plan, result), "\n"));
  };
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  FitRival best{.held = 1e-3, .gain = 0.5, .gain_low = 0.4, .gain_high = 0.6},
      other{.held = 2e-3, .ratio = 2, .low = 1.5, .high = 3, .worse = 5};
  std::string text = told(best, other);
  EXPECT_TRUE(has(text, "lagged explains 5 runs that it was not fitted to best")) << text;
  EXPECT_FALSE(has(text, "Off by")) << text;
  other.low = 0.9;
  text = told(best, other);
  EXPECT_TRUE(has(text, "No model surely explains 5 runs")) << text;
  EXPECT_TRUE(has(text, "lagged is nearest")) << text;
  EXPECT_FALSE(has(text, "fitted to best:")) << text;
  best.gain = 1.1, best.gain_high = 1.3;
  EXPECT_TRUE(has(told(best, other), "the fit does not help with runs that it has not seen"));
  best.gain = 0.9;
  EXPECT_TRUE(has(told(best, other), "these runs do not tell whether the fit helps"));
  best.gain_low = best.gain_high = kNaN;
  EXPECT_TRUE(has(told(best, other), "5 runs are too few to tell whether the fit helps"));
}

TEST(Fit, RunsThatAreHeldOutChangeNothingOfTheFitLong) {
  FitPlan plan =
      PlanOf("lagged", {"friction=0.3", "time_step=4ms"}, "lagged", "friction=log:0.05:1", 5, 4);
  plan.landscape = 0;
  plan.held_out = {0, 0, 0, 0, 1};
  const FitResult with = Fit(plan, 2);
  EXPECT_EQ(with.methods[0].errors[4].fold, 0);
  EXPECT_EQ(with.methods[0].errors[0].fold, -1);
  EXPECT_TRUE(std::isnan(with.methods[0].errors[0].held.way));
  EXPECT_EQ(with.methods[0].errors[4].held.way, with.methods[0].errors[4].after.way);
  plan.runs.pop_back();
  plan.held_out.pop_back();
  plan.folds = 1;
  const FitResult without = Fit(plan, 2);
  EXPECT_EQ(with.methods[0].values[0].value, without.methods[0].values[0].value);
  EXPECT_EQ(with.methods[0].values[0].low, without.methods[0].values[0].low);
  EXPECT_TRUE(without.ranking.empty());
  EXPECT_NE(TellFit(plan, without)[0].find("none of which was left out"), std::string::npos);
}

TEST(Fit, WhoNoLongerWaitsStopsIt) {
  const FitPlan plan = PlanOf("lagged", {"friction=0.3", "time_step=4ms"}, "lagged,similar",
                              "friction=log:0.05:1", 2, 4);
  int asked = 0;
  FitCallbacks callbacks;
  callbacks.poll = [&](double fraction) {
    EXPECT_GE(fraction, 0);
    EXPECT_LE(fraction, 1);
    return ++asked < 3;
  };
  const FitResult result = Fit(plan, 2, callbacks);
  EXPECT_TRUE(result.stopped);
  EXPECT_EQ(result.methods.size(), 1u);
  EXPECT_LT(asked, 200);
  callbacks = {};
  callbacks.stop = [] { return true; };
  EXPECT_TRUE(Fit(plan, 2, callbacks).stopped);
}

// SLIPSCOPE_FIT_TRIALS=100 is the measurement of tests/bench/results.md: friction, stiffness and
// dissipation of twelve tosses. By itself a short form of it, of friction alone.
TEST(FitLong, IntervalsHoldTheTruth) {
  const char* asked = std::getenv("SLIPSCOPE_FIT_TRIALS");
  const int trials = asked == nullptr ? 6 : std::atoi(asked);
  const bool whole = asked != nullptr;
  int held = 0, all = 0, jointly = 0;
  for (int trial = 0; trial < trials; ++trial) {
    Dice dice(1000 + static_cast<uint64_t>(trial));
    const auto between = [&](double a, double b) { return a * std::pow(b / a, dice.Number()); };
    const double friction = between(0.12, 0.4), stiffness = between(5e3, 5e4),
                 dissipation = between(0.3, 3);
    std::vector<std::string> truth = {fmt::format("friction={:.17g}", friction),
                                      fmt::format("time_step={}", whole ? "2ms" : "4ms")};
    std::string vary = "friction=log:0.05:1";
    if (whole) {
      truth.push_back(fmt::format("stiffness={:.17g}", stiffness));
      truth.push_back(fmt::format("dissipation={:.17g}", dissipation));
      vary += ",stiffness=log:1e3:3e5,dissipation=log:0.03:30";
    }
    FitPlan plan = PlanOf("similar", truth, "similar", vary, whole ? 12 : 6,
                          2000 + static_cast<uint64_t>(trial));
    for (Config& config : plan.base.configs) config.step.time_step = whole ? 2e-3 : 4e-3;
    plan.folds = 1;
    plan.landscape = 0;
    plan.resamples = whole ? 500 : 200;
    const FitResult result = Fit(plan, 2);
    const double values[] = {friction, stiffness, dissipation};
    bool every = true;
    for (std::size_t i = 0; i < result.methods[0].values.size(); ++i) {
      const FitValue& value = result.methods[0].values[i];
      const bool within = value.low <= values[i] && values[i] <= value.high;
      every = every && within;
      held += within;
      ++all;
      if (whole) {
        fmt::print("{} {} {:.4g}: {:.4g} ({:.4g} to {:.4g}){}\n", trial, plan.axes[value.axis].path,
                   values[i], value.value, value.low, value.high, within ? "" : " missed");
      }
    }
    jointly += every;
  }
  if (whole) fmt::print("within: {} of {}, all of a trial: {} of {}\n", held, all, jointly, trials);
  EXPECT_GE(held, whole ? 0.9 * all : all - 1);
}

TEST(FitPlan, WhatIsWrongWithAnAxisIsASentence) {
  const auto scene = FindScene("cube-toss");
  const auto base = MakeRunPlan(*scene, "lagged", {}, {});
  const Config& config = base->configs.front();
  const auto sentence = [&](const std::string& text) {
    const auto axis = ParseFitAxis(config, text);
    return axis ? std::string("fine") : axis.error().Text();
  };
  EXPECT_EQ(sentence("friction=log:0.1:1"), "fine");
  EXPECT_EQ(sentence("friction"), "fine");
  EXPECT_EQ(sentence("material.plastic.stiffness=log:10kN/m:1MN/m"), "fine");
  EXPECT_NE(sentence("frction=log:0.1:1").find("did you mean"), std::string::npos);
  EXPECT_EQ(sentence("=log:0.1:1"),
            "--vary: expected PATH=RANGE, found '=log:0.1:1' (for example friction=log:0.05:1)");
  EXPECT_EQ(sentence("friction=0.1:1"),
            "--vary friction: expected log:a:b or lin:a:b, found '0.1:1'");
  EXPECT_EQ(sentence("friction=log:0.1:1:5"),
            "--vary friction: expected log:a:b or lin:a:b, found 'log:0.1:1:5'");
  EXPECT_EQ(sentence("friction=log:0:1"),
            "--vary friction: a logarithmic range begins above 0 (found 0)");
  EXPECT_EQ(sentence("friction=lin:0.5:0.5"),
            "--vary friction: the range must rise (found 0.5 to 0.5)");
  EXPECT_NE(sentence("friction=log:x:1").find("--vary friction"), std::string::npos);
  EXPECT_NE(sentence("friction=lin:-1:1").find("friction must be"), std::string::npos);
  EXPECT_NE(sentence("normal_law").find("only numbers without steps"), std::string::npos);

  const auto axis = ParseFitAxis(config, "friction");
  EXPECT_DOUBLE_EQ(axis->low, 0.018);
  EXPECT_DOUBLE_EQ(axis->high, 1.8);
  EXPECT_DOUBLE_EQ(axis->Value(0.5), 0.18);
  EXPECT_DOUBLE_EQ(axis->Place(0.18), 0.5);
  EXPECT_EQ(axis->Place(100), 1);

  const auto whole = [&](const std::vector<std::string>& vary, const std::string& held = "") {
    const auto plan = MakeFitPlan(*base, {}, vary, held);
    return plan ? std::string("fine") : plan.error().Text();
  };
  EXPECT_NE(whole({"friction", "material.plastic.friction"}).find("sets the same value"),
            std::string::npos);
  EXPECT_NE(whole({"relaxation_time"}).find("lagged reads none"), std::string::npos);
  EXPECT_NE(whole({"friction"}, "toss-1").find("no recorded run 'toss-1'"), std::string::npos);
}

}  // namespace
}  // namespace slip
