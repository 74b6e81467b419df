// What is said of steps that did not converge: the true reason, and a residual only where one was
// compared with a tolerance.
#include "engine/run/track/unconverged.h"

#include <gtest/gtest.h>

#include "engine/run/study/run_plan.h"
#include "engine/solver/convex_qp.h"

namespace slip {
namespace {

std::string TextOf(const Unconverged& steps) {
  std::string text;
  for (const Error& sentence : steps.Sentences()) text += sentence.Text() + "\n";
  return text;
}

TEST(Unconverged, NamesEachReason) {
  Unconverged steps;
  EXPECT_TRUE(steps.Sentences().empty());
  SolveRecord residual;
  residual.iterations = 7;
  residual.worst_residual = 3e-4;
  steps.Add(residual);
  EXPECT_EQ(TextOf(steps), "1 step did not converge, worst residual 0.0003\n");
  EXPECT_EQ(WhyUnconverged(residual), "after 7 iterations, residual 0.0003");
  residual.worst_residual = 2e-4;
  steps.Add(residual);
  EXPECT_EQ(TextOf(steps), "2 steps did not converge, worst residual 0.0003\n");

  SolveRecord floored;
  floored.floor_steps = 2;
  floored.inner_steps = 10;
  Unconverged inner;
  inner.Add(floored);
  EXPECT_EQ(TextOf(inner).find("1 step did not converge to the accuracy: inner steps of the "),
            std::size_t{0});
  EXPECT_EQ(TextOf(inner).find("residual"), std::string::npos);
  EXPECT_EQ(WhyUnconverged(floored),
            "2 of 10 inner steps of the smallest length missed the accuracy");
  SolveRecord kept;
  kept.floor_steps = 0;
  kept.worst_residual = 1e-3;
  inner.Add(kept);
  EXPECT_EQ(inner.residual, 1);

  SolveRecord program;
  program.program.status = static_cast<int>(QpStatus::kRegularised);
  steps.Add(program);
  steps.Add(inner);
  EXPECT_EQ(steps.total(), 5);
  EXPECT_EQ(steps.overlapping, 1);
  EXPECT_EQ(steps.Sentences().size(), 3u);
  EXPECT_NE(TextOf(steps).find("no motion keeps all contacts apart"), std::string::npos);
  EXPECT_EQ(steps.worst, 1e-3);
}

// Exact friction that found no solution says by how many newtons, not by a residual it has not.
TEST(Unconverged, AStepOfAnotherLawNamesItsMismatch) {
  const auto plan = MakeRunPlan(*FindScene("clutter"), "coulomb", {"max_iterations=1"}, {});
  ASSERT_TRUE(plan.ok()) << plan.error().Text();
  RunPlan short_plan = *plan;
  short_plan.steps = 20;
  std::vector<Track> tracks;
  const RunResult result = slip::Run(short_plan, &tracks, {});
  const Unconverged steps = result.ByReason();
  EXPECT_GT(steps.unsolved, 0);
  EXPECT_EQ(steps.total(), result.NotConverged());
  EXPECT_EQ(steps.residual, 0);
  EXPECT_GT(steps.mismatch, 0);
  const std::string text = TextOf(steps);
  EXPECT_NE(text.find("no solution found, "), std::string::npos) << text;
  EXPECT_NE(text.find(" N"), std::string::npos) << text;
  EXPECT_EQ(text.find("residual"), std::string::npos) << text;
}

// A step that solves its law, in a way that is unstable, has no bounds that are wrong.
TEST(Unconverged, AnUnstableSolutionIsNamed) {
  const auto plan =
      MakeRunPlan(*FindScene("card-house"), "coulomb",
                  {"time_step=0.005222", "stiffness=1.496e10", "dissipation=0", "friction=1.657",
                   "torsional_friction=0.07778", "stiction_tolerance=2.31e-7", "mass=0.001603"},
                  {});
  ASSERT_TRUE(plan.ok()) << plan.error().Text();
  RunPlan short_plan = *plan;
  short_plan.steps = 1;
  std::vector<Track> tracks;
  const RunResult result = slip::Run(short_plan, &tracks, {});
  const std::string text = TextOf(result.ByReason());
  EXPECT_NE(text.find("1 step did not converge: only an unstable solution"), std::string::npos)
      << text;
  EXPECT_EQ(text.find(" N"), std::string::npos) << text;
}

// Bounds of friction of several contacts go round in a circle, and end where each moves by less.
TEST(Unconverged, ExactFrictionCalmsBoundsThatChaseEachOther) {
  const auto plan = MakeRunPlan(
      *FindScene("card-house"), "coulomb",
      {"time_step=6.678e-5", "stiffness=1.692e11", "dissipation=0.09277", "friction=1.372",
       "torsional_friction=0.09301", "stiction_tolerance=5.058e-7", "mass=0.02782"},
      {});
  ASSERT_TRUE(plan.ok()) << plan.error().Text();
  RunPlan short_plan = *plan;
  short_plan.steps = 150;
  std::vector<Track> tracks;
  EXPECT_EQ(slip::Run(short_plan, &tracks, {}).NotConverged(), 0);
}

TEST(Unconverged, CountsEveryStepOfARunOnce) {
  const auto scene = FindScene("conveyor");
  ASSERT_TRUE(scene.ok());
  const std::vector<std::string> starved = {"error_control=on", "min_step=1ms", "accuracy=1e-8"};
  const auto plan = MakeRunPlan(*scene, "lagged,exponential", starved, {});
  ASSERT_TRUE(plan.ok());
  RunPlan short_plan = *plan;
  short_plan.steps = 20;
  std::vector<Track> tracks;
  const RunResult result = slip::Run(short_plan, &tracks, {});
  EXPECT_GT(result.NotConverged(), 0);
  EXPECT_EQ(result.ByReason().total(), result.NotConverged());
  EXPECT_EQ(result.ByReason().accuracy, result.NotConverged());
}

}  // namespace
}  // namespace slip
