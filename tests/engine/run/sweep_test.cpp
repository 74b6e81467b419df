// The grid of a sweep, its order and spacing, and that threads and shards do not show in the rows.
#include "engine/run/study/sweep.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/run/record/recorder_columns.h"
#include "engine/run/study/reference_error.h"
#include "engine/run/study/sweep_file.h"
#include "tests/support/methods.h"

namespace slip {
namespace {

RunPlan BasePlan(const std::string& models, double duration = 0.1) {
  const auto scene = FindScene("conveyor");
  EXPECT_TRUE(scene.ok());
  Result<RunPlan> plan = MakeRunPlan(*scene, models, {}, {});
  EXPECT_TRUE(plan.ok());
  plan.value().duration = duration;
  return std::move(plan).value();
}

SweepPlan MakePlan(const std::string& models, const std::vector<std::string>& vary,
                   double duration = 0.1) {
  Result<SweepPlan> plan = MakeSweepPlan(BasePlan(models, duration), vary);
  EXPECT_TRUE(plan.ok()) << (plan.ok() ? "" : plan.error().Text());
  return plan.ok() ? *plan : SweepPlan{};
}

std::vector<double> ValuesOf(const std::string& text) {
  const Result<SweepAxis> axis = ParseVary(BasePlan("sap").configs[0], text);
  EXPECT_TRUE(axis.ok()) << text << ": " << (axis.ok() ? "" : axis.error().Text());
  return axis.ok() ? axis->values : std::vector<double>{};
}

std::vector<SweepRow> Rows(const SweepPlan& plan, int jobs) {
  std::vector<SweepRow> rows;
  SweepCallbacks callbacks;
  callbacks.row = [&](const SweepRow& row) { rows.push_back(row); };
  EXPECT_TRUE(RunSweep(plan, jobs, callbacks));
  return rows;
}

/// All that is reproducible in a row, bit for bit.
std::vector<double> Numbers(const SweepRow& row) {
  std::vector<double> numbers = {static_cast<double>(row.run), static_cast<double>(row.status),
                                 static_cast<double>(row.steps), static_cast<double>(row.measured),
                                 static_cast<double>(row.not_converged)};
  for (const SignalInfo& info : SignalTable()) {
    if (info.is_wall) continue;
    for (const Reduction reduction : {Reduction::kMax, Reduction::kMean, Reduction::kLast}) {
      numbers.push_back(row.stats.Get(reduction, info.id).value_or(-1e300));
    }
  }
  return numbers;
}

TEST(Sweep, SpacingHasExactEndsAndRoundNumbers) {
  EXPECT_EQ(ValuesOf("time_step=log:1e-4:1e-2:3"), (std::vector<double>{1e-4, 1e-3, 1e-2}));
  EXPECT_EQ(ValuesOf("friction=lin:0:1:11"),
            (std::vector<double>{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1}));
  const std::vector<double> log = ValuesOf("time_step=log:3e-4:7e-3:17");
  ASSERT_EQ(log.size(), 17u);
  EXPECT_EQ(log.front(), 3e-4);
  EXPECT_EQ(log.back(), 7e-3);
  for (std::size_t i = 1; i < log.size(); ++i) {
    EXPECT_NEAR(log[i] / log[i - 1], std::pow(7e-3 / 3e-4, 1.0 / 16), 1e-12);
  }
  EXPECT_EQ(ValuesOf("friction=lin:0.7:0.2:2"), (std::vector<double>{0.7, 0.2}));
  EXPECT_EQ(ValuesOf("friction=lin:0.7:0.2:1"), (std::vector<double>{0.7}));
  EXPECT_EQ(ValuesOf("max_iterations=log:1:4:5"), (std::vector<double>{1, 2, 3, 4}));
}

TEST(Sweep, ListsTakeUnitsAndChoices) {
  EXPECT_EQ(ValuesOf("time_step=10ms,5 ms,0.001"), (std::vector<double>{0.01, 0.005, 0.001}));
  EXPECT_EQ(ValuesOf("time_step=log:1ms:10 ms:2"), (std::vector<double>{0.001, 0.01}));
  EXPECT_EQ(ValuesOf("normal_law=hertz,hunt-crossley"), (std::vector<double>{1, 0}));
  EXPECT_EQ(ColumnName("time_step", "s"), "time_step_s");
  EXPECT_EQ(ColumnName("material.steel.stiffness", "N/m"), "material.steel.stiffness_N_m");
  EXPECT_EQ(ColumnName("gravity", "m/s^2"), "gravity_m_s2");
  EXPECT_EQ(ColumnName("normal_law", ""), "normal_law");
}

TEST(Sweep, WrongAxesSayWhatIsWrong) {
  const std::pair<std::vector<std::string>, const char*> kCases[] = {
      {{"time_stpe=1ms"}, "did you mean 'time_step'?"},
      {{"time_step"}, "PATH=SPEC"},
      {{"=1"}, "PATH=SPEC"},
      {{"time_step="}, "log:a:b:n"},
      {{"time_step=lgo:1ms:2ms:3"}, "log:a:b:n"},
      {{"time_step=log:1ms:2ms"}, "log:a:b:n"},
      {{"time_step=log:0:2ms:3"}, "ends > 0"},
      {{"time_step=log:1ms:2ms:0"}, "from 1 to 1000000"},
      {{"time_step=lin:1ms:2ms:1.5"}, "from 1 to 1000000"},
      {{"time_step=lin:1ms:2ms:1e9"}, "from 1 to 1000000"},
      {{"time_step=lin:1ms:2kg:3"}, "expected a number in s"},
      {{"time_step=1ms,,2ms"}, "found nothing"},
      {{"friction=0.5,-1"}, "friction must be >= 0 (found -1)"},
      {{"friction=lin:0:99:3"}, "friction must be <="},
      {{"normal_law=hertz,hunt-crosley"}, "did you mean 'hunt-crossley'?"},
      {{"normal_law=lin:0:1:2"}, "list its values"},
      {{"method=0,1"}, "-m"},
      {{"friction=0.1,0.2", "friction=0.3"}, "given twice"},
      {{"friction=0.1", "material.steel.friction=0.3"}, "same parameter"},
      {{"friction=lin:0:1:1000", "stiffness=log:1e4:1e6:1001"}, "at most 1000000"},
  };
  for (const auto& [vary, message] : kCases) {
    const Result<SweepPlan> plan = MakeSweepPlan(BasePlan("sap"), vary);
    ASSERT_FALSE(plan.ok()) << vary[0];
    EXPECT_EQ(plan.errors().size(), 1u) << vary[0];
    EXPECT_NE(plan.error().Text().find(message), std::string::npos) << plan.error().Text();
  }
  for (const char* text : {"", "2", "0/3", "4/3", "1/2/3", "a/b", "1.5/3"}) {
    EXPECT_FALSE(ParseShard(text).ok()) << text;
  }
}

TEST(Sweep, TheFirstAxisIsTheSlowestAndModelsTheFastest) {
  const SweepPlan plan = MakePlan("lagged,sap", {"friction=0.1,0.2", "time_step=10ms,5ms,2ms"});
  ASSERT_EQ(plan.points(), 6u);
  ASSERT_EQ(plan.runs(), 12u);
  EXPECT_EQ(plan.Values(0), (std::vector<double>{0.1, 0.01}));
  EXPECT_EQ(plan.Values(1), (std::vector<double>{0.1, 0.005}));
  EXPECT_EQ(plan.Values(3), (std::vector<double>{0.2, 0.01}));
  EXPECT_EQ(plan.ConfigOf(1).method(), method_id::kSap);
  EXPECT_EQ(plan.ConfigOf(2).method(), method_id::kLagged);
  EXPECT_EQ(plan.ConfigOf(2).step.time_step, 0.005);
  EXPECT_EQ(*GetParam(plan.ConfigOf(7), "friction"), 0.2);
  EXPECT_EQ(plan.Describe(3), "friction=0.2, time_step=0.01 s");
}

TEST(Sweep, AxesGoSideBySide) {
  const SweepPlan plan =
      MakePlan("sap", {"friction=0.1,0.2", "time_step=10ms,5ms; stiffness=1e6,1e7"});
  ASSERT_EQ(plan.points(), 4u);
  EXPECT_EQ(plan.Values(0), (std::vector<double>{0.1, 0.01, 1e6}));
  EXPECT_EQ(plan.Values(1), (std::vector<double>{0.1, 0.005, 1e7}));
  EXPECT_EQ(plan.Values(2), (std::vector<double>{0.2, 0.01, 1e6}));
  EXPECT_EQ(*GetParam(plan.ConfigOf(3), "stiffness"), 1e7);
  EXPECT_EQ(plan.Describe(3, "time_step"), "friction=0.2, stiffness=1e7 N/m");
}

TEST(Sweep, FormulasFollowTheAxes) {
  const auto scene = FindScene("quadruped-trot");
  ASSERT_TRUE(scene.ok());
  Result<RunPlan> base =
      MakeRunPlan(*scene, "exponential,explicit-euler", {"time_step@explicit-euler=0.5ms"}, {});
  ASSERT_TRUE(base.ok());
  const Result<SweepPlan> plan =
      MakeSweepPlan(*base, {"stiffness=1e4,1e6", "zeta=0.5,1"},
                    {"damping=2*zeta*sqrt(stiffness)", "solver_tolerance=1e-9*zeta"});
  ASSERT_TRUE(plan.ok()) << plan.error().Text();
  ASSERT_EQ(plan->runs(), 8u);
  const double expected[] = {100, 200, 1000, 2000};
  for (std::size_t point = 0; point < 4; ++point) {
    const Config config = plan->ConfigOf(2 * point);
    EXPECT_DOUBLE_EQ(*GetParam(config, "damping"), expected[point]);
    EXPECT_DOUBLE_EQ(plan->ValueOf(plan->formulas[0], 2 * point), expected[point]);
    EXPECT_DOUBLE_EQ(config.step.solver_tolerance, point % 2 == 0 ? 0.5e-9 : 1e-9);
  }
  // a method may have a step of its own
  EXPECT_EQ(plan->ConfigOf(1).step.time_step, 5e-4);
  EXPECT_NE(plan->ConfigOf(0).step.time_step, 5e-4);
  EXPECT_EQ(SweepColumns(*plan)[3].name, "damping_N_s_m");
}

// In whatever order they are given, a formula reads what others have set.
TEST(Sweep, FormulasFollowFromOneAnother) {
  const Result<SweepPlan> plan =
      MakeSweepPlan(BasePlan("sap"), {"zeta=1,2"}, {"dissipation=friction+1", "friction=0.1*zeta"});
  ASSERT_TRUE(plan.ok()) << plan.error().Text();
  for (std::size_t run = 0; run < 2; ++run) {
    const double friction = 0.1 * static_cast<double>(run + 1);
    EXPECT_DOUBLE_EQ(*GetParam(plan->ConfigOf(run), "dissipation"), friction + 1);
    for (const SweepFormula& formula : plan->formulas)
      EXPECT_DOUBLE_EQ(plan->ValueOf(formula, run),
                       friction + (formula.path == "friction" ? 0 : 1));
  }
}

TEST(Sweep, WrongFormulasSayWhatIsWrong) {
  struct Case {
    std::vector<std::string> vary, derive;
    const char* message;
  };
  const Case kCases[] = {
      {{"zeta=1,2"}, {}, "zeta"},
      {{"zeta=1,2"}, {"friction=0.1"}, "zeta"},
      {{}, {"friction"}, "PATH=EXPRESSION"},
      {{}, {"frction=0.1"}, "did you mean 'friction'?"},
      {{}, {"friction=0.1*("}, "column"},
      {{}, {"friction=max(pitch)"}, "reads a signal"},
      {{}, {"friction=-1"}, "friction must be >= 0 (found -1)"},
      {{"time_step=1ms,2ms"}, {"friction=time_step-1.5ms"}, "at time_step=0.001 s"},
      {{"friction=0.1"}, {"friction=0.2"}, "same parameter"},
      {{}, {"friction=0.1", "friction=0.2"}, "given twice"},
      {{}, {"normal_law=1"}, "a choice"},
      {{"zeta=1"}, {"friction=0.1*zet"}, "did you mean 'zeta'?"},
      {{}, {"friction=0.5*friction"}, "it follows from itself: friction from friction"},
      {{},
       {"stiffness=1e4*dissipation", "dissipation=friction", "friction=1e-5*stiffness"},
       "stiffness from dissipation from friction from stiffness"},
      {{"friction=0.1,0.2;stiffness=1e4"}, {}, "side by side, and have 2 and 1 values"},
  };
  for (const Case& each : kCases) {
    const Result<SweepPlan> plan = MakeSweepPlan(BasePlan("sap"), each.vary, each.derive);
    ASSERT_FALSE(plan.ok()) << each.message;
    EXPECT_NE(plan.error().Text().find(each.message), std::string::npos) << plan.error().Text();
  }
}

// A run that ends before its first step has nothing to tell, and is not "ok".
TEST(Sweep, RunsWithoutAStepAreRefused) {
  RunPlan base = BasePlan("sap");
  base.duration = 1e-3;
  const Result<SweepPlan> plan = MakeSweepPlan(base, {"time_step=1ms,5ms"});
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(plan.error().message,
            "--duration 0.001 s is below half a step of 0.005 s: no step would be made");
  EXPECT_TRUE(MakeSweepPlan(base, {"time_step=1ms,2ms"}).ok());
  EXPECT_FALSE(ParseLargest(base, "time_step=1ms,5ms").ok());
  base.steps = 1;
  EXPECT_TRUE(MakeSweepPlan(base, {"time_step=1ms,5ms"}).ok());
}

TEST(Sweep, ErrorsAgainstAReferenceHaveTheirOrder) {
  SweepPlan plan = MakePlan("lagged,sap", {"time_step=10ms,5ms,2ms"}, 0.5);
  const Result<SweepReference> reference = MakeReference(plan, "auto", FindMethod("lagged"));
  ASSERT_TRUE(reference.ok()) << reference.error().Text();
  EXPECT_EQ(reference->interval, 0.01);
  EXPECT_DOUBLE_EQ(reference->step, 2e-4);
  plan.reference = *reference;
  const std::vector<SweepRow> one = Rows(plan, 1), two = Rows(plan, 2);
  ASSERT_EQ(one.size(), 6u);
  std::vector<double> errors;
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].reference_error, two[i].reference_error);
    EXPECT_GT(one[i].real_time_factor, 0);
    if (i % 2 == 0) errors.push_back(one[i].reference_error);
    if (i % 2 == 1) EXPECT_GT(one[i].reference_error, one[i - 1].reference_error);
  }
  const auto fit = FitOrder(std::vector<double>{1e-2, 5e-3, 2e-3}, errors);
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->order, 1.05, 0.1);
  // another grid or a step that does not divide it
  EXPECT_FALSE(MakeReference(MakePlan("sap", {"time_step=10ms,4ms"}), "auto", {}).ok());
  EXPECT_FALSE(MakeReference(plan, "3ms", {}).ok());
  EXPECT_FALSE(MakeReference(plan, "-1", {}).ok());
  plan.base.steps = 10;
  EXPECT_FALSE(MakeReference(plan, "auto", {}).ok());
  plan.base.steps = 0;
  EXPECT_EQ(MakeReference(plan, "0.1ms", {})->step, 1e-4);
}

TEST(Sweep, TheLargestValueMayHaveConditions) {
  SweepPlan plan = MakePlan("sap", {});
  plan.largest = *ParseLargest(plan.base, "time_step=1ms,20ms");
  EXPECT_EQ(Rows(plan, 1)[0].largest, 0.02);
  const double offset = *Rows(plan, 1)[0].stats.Get(Reduction::kMax, Signal::kGlidingOffset);
  plan.largest_if = {*Expression::Parse(fmt::format("max(gliding_offset) < {}", 0.5 * offset))};
  const double found = Rows(plan, 1)[0].largest;
  EXPECT_GT(found, 0.005);
  EXPECT_LT(found, 0.015);
  plan.largest_if = {*Expression::Parse("max(gliding_offset) < 0")};
  EXPECT_TRUE(std::isnan(Rows(plan, 1)[0].largest));
}

TEST(Sweep, ChosenSignalsHaveMinLastAndMedian) {
  SweepPlan plan = MakePlan("sap", {});
  const std::size_t before = SweepColumns(plan).size();
  plan.signals = {Signal::kPositionX, Signal::kSolveTimeUs};
  const std::vector<SweepColumn> columns = SweepColumns(plan);
  ASSERT_EQ(columns.size(), before + 6);
  EXPECT_EQ(columns[before].name, "position_x_min_m");
  EXPECT_EQ(columns[before + 2].name, "position_x_median_m");
  EXPECT_EQ(columns[before + 5].name, "solve_wall_us_median");
  const SweepRow row = Rows(plan, 1)[0];
  ASSERT_EQ(row.medians.size(), 2u);
  EXPECT_GT(row.medians[0], *row.stats.Get(Reduction::kMin, Signal::kPositionX));
  EXPECT_LT(row.medians[0], *row.stats.Get(Reduction::kMax, Signal::kPositionX));
  EXPECT_GT(row.medians[1], 0);
}

TEST(Sweep, RowsDoNotDependOnTheNumberOfThreads) {
  const SweepPlan plan = MakePlan("sap,similar", {"time_step=10ms,5ms,2ms", "friction=0.2,0.5"});
  const std::vector<SweepRow> one = Rows(plan, 1), three = Rows(plan, 3);
  ASSERT_EQ(one.size(), 12u);
  ASSERT_EQ(three.size(), 12u);
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].run, i);
    EXPECT_EQ(Numbers(one[i]), Numbers(three[i])) << i;
    EXPECT_EQ(one[i].config, three[i].config);
  }
}

TEST(Sweep, ShardsPartTheGridByPoint) {
  SweepPlan plan = MakePlan("sap,similar", {"friction=lin:0.1:0.5:5"}, 0.02);
  const std::vector<SweepRow> whole = Rows(plan, 1);
  std::vector<int> seen(plan.runs(), 0);
  for (int index = 1; index <= 3; ++index) {
    plan.shard = {index, 3};
    for (const SweepRow& row : Rows(plan, 2)) {
      ++seen[row.run];
      EXPECT_EQ(Numbers(row), Numbers(whole[row.run]));
    }
  }
  EXPECT_EQ(seen, std::vector<int>(plan.runs(), 1));
  plan.shard = {9, 9};  // more parts than points: nothing to do
  EXPECT_TRUE(Rows(plan, 2).empty());
}

TEST(Sweep, OnlyTheWindowIsMeasured) {
  SweepPlan plan = MakePlan("similar", {"time_step=10ms,1ms"}, 0.5);
  const std::vector<SweepRow> whole = Rows(plan, 1);
  EXPECT_EQ(whole[0].measured, 50);
  plan.from = 0.3;
  plan.to = 0.4;
  const std::vector<SweepRow> part = Rows(plan, 1);
  EXPECT_EQ(part[0].steps, 50);
  EXPECT_EQ(part[0].measured, 11);  // both ends, whatever the round-off
  EXPECT_EQ(part[1].measured, 101);
  EXPECT_LT(*part[1].stats.Get(Reduction::kMax, Signal::kFrictionDissipation),
            *whole[1].stats.Get(Reduction::kMax, Signal::kFrictionDissipation));
  plan.from = plan.to = 9;
  const SweepRow none = Rows(plan, 1)[0];
  EXPECT_EQ(none.measured, 0);
  EXPECT_FALSE(none.stats.Get(Reduction::kMax, Signal::kNormalForce).has_value());
  EXPECT_TRUE(std::isnan(none.wall_median_us));
}

TEST(Sweep, AFailedRunIsARow) {
  // one iteration is no solution
  const std::vector<SweepRow> rows =
      Rows(MakePlan("similar", {"solver_tolerance=1e-12", "max_iterations=1,100"}), 2);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].status, SweepStatus::kFailed);
  EXPECT_FALSE(rows[0].note.empty());
  EXPECT_EQ(rows[1].status, SweepStatus::kOk);
  const SweepPlan starved =
      MakePlan("similar", {"solver_tolerance=1e-12", "max_iterations=1", "lost_steps=accept"});
  EXPECT_EQ(Rows(starved, 1)[0].status, SweepStatus::kNotConverged);
}

TEST(Sweep, AStopDeliversWhatIsFinished) {
  const SweepPlan plan = MakePlan("sap", {"friction=lin:0.1:0.5:101"}, 200);
  std::vector<std::size_t> runs;
  SweepCallbacks callbacks;
  callbacks.row = [&](const SweepRow& row) { runs.push_back(row.run); };
  callbacks.poll = [&](double fraction) {
    EXPECT_GE(fraction, 0);
    EXPECT_LE(fraction, 1);
    return runs.size() < 2;
  };
  EXPECT_FALSE(RunSweep(plan, 3, callbacks));
  EXPECT_GE(runs.size(), 2u);
  EXPECT_LT(runs.size(), 101u);
  EXPECT_TRUE(std::is_sorted(runs.begin(), runs.end()));
}

TEST(Sweep, ChangesOfTheModelAreFollowed) {
  const auto scene = FindScene("ball-pit");
  ASSERT_TRUE(scene.ok());
  Result<RunPlan> base = MakeRunPlan(*scene, "lagged", {}, {});
  ASSERT_TRUE(base.ok());
  base.value().steps = 2;
  Result<SweepPlan> plan = MakeSweepPlan(*base, {"bodies=2,7"});
  ASSERT_TRUE(plan.ok()) << plan.error().Text();
  const std::vector<SweepRow> rows = Rows(*plan, 1);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[1].status, SweepStatus::kOk);
  // potential energy tells the number of bodies
  EXPECT_NE(*rows[0].stats.Get(Reduction::kLast, Signal::kPotentialEnergy),
            *rows[1].stats.Get(Reduction::kLast, Signal::kPotentialEnergy));
}

TEST(Sweep, TheGlidingOffsetScalesAsKnown) {
  // Lagged does not glide, Similar by μ δt |v_t|, SAP by μ (δt + τ_d) |v_t|
  const SweepPlan plan = MakePlan("sap,lagged,similar", {"time_step=1ms,10ms"}, 1);
  const std::vector<SweepRow> rows = Rows(plan, 2);
  ASSERT_EQ(rows.size(), 6u);
  const auto gap = [&](std::size_t i) {
    return *rows[i].stats.Get(Reduction::kMax, Signal::kGlidingOffset);
  };
  const double tau = *GetParam(plan.ConfigOf(0), "relaxation_time");
  EXPECT_NEAR(gap(5) / gap(2), 10, 1.0);
  EXPECT_NEAR(gap(3) / gap(0), (10e-3 + tau) / (1e-3 + tau), 1.0);
  EXPECT_LT(gap(1), 1e-6);
  EXPECT_LT(gap(4), 1e-6);
}

}  // namespace
}  // namespace slip
