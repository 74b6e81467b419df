// Errors against reference runs: the table of engine/README.md section 11 from the scenes' own
// files, and orders fitted where there are any.
#include "engine/run/study/reference_error.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/methods.h"

namespace slip {
namespace {

RunPlan PlanOf(const std::string& name, const std::string& model, double duration,
               const std::vector<std::string>& params, double step) {
  const auto scene = FindScene(name);
  EXPECT_TRUE(scene.ok());
  Result<RunPlan> plan = MakeRunPlan(*scene, model, params, {});
  EXPECT_TRUE(plan.ok()) << (plan.ok() ? "" : plan.error().Text());
  plan.value().duration = duration;
  plan.value().configs.front().step.time_step = step;
  return std::move(plan).value();
}

TEST(ReferenceError, IsThatOfTheTableOnTheConveyor) {
  const std::vector<std::string> params = {"stiction_tolerance=1e-6", "relaxation_time=5e-4",
                                           "solver_tolerance=1e-10"};
  const auto run = [&](const std::string& model, double h) {
    return RecordTrajectory(PlanOf("conveyor", model, 1, params, h), 1e-2, {});
  };
  const Trajectory reference = run("lagged", 1e-5);
  EXPECT_EQ(reference.samples(), 100u);
  EXPECT_EQ(reference.bodies, 1u);
  const std::shared_ptr<const Model> kept = PlanOf("conveyor", "sap", 1, {}, 1e-2).scene->model;
  const Model& model = *kept;
  const double steps[] = {1e-2, 5e-3, 2e-3, 1e-3};
  const double lagged[] = {3.8527e-3, 1.9146e-3, 7.6172e-4, 3.7880e-4};
  const double sap[] = {4.3801e-3, 2.2011e-3, 9.0176e-4, 4.7211e-4};
  std::vector<double> errors;
  for (std::size_t i = 0; i < 4; ++i) {
    errors.push_back(CalcReferenceError(model, run("lagged", steps[i]), reference));
    EXPECT_NEAR(errors.back(), lagged[i], 2e-4 * lagged[i]) << steps[i];
    EXPECT_NEAR(CalcReferenceError(model, run("sap", steps[i]), reference), sap[i], 2e-4 * sap[i]);
  }
  const auto fit = FitOrder(steps, errors);
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->order, 1.007, 0.002);
  EXPECT_EQ(fit->count, 4u);
  EXPECT_EQ(Describe(fit), "order 1.01 from 0.001 s to 0.01 s");
}

TEST(ReferenceError, CountsTurnsByTheRadius) {
  const auto run = [&](const std::string& model, double h) {
    return RecordTrajectory(PlanOf("falling-sphere", model, 0.3, {}, h), 4e-3, {});
  };
  const Trajectory reference = run("lagged", 5e-6);
  const std::shared_ptr<const Model> kept =
      PlanOf("falling-sphere", "sap", 1, {}, 1e-3).scene->model;
  const Model& model = *kept;
  EXPECT_NEAR(CalcReferenceError(model, run("lagged", 4e-3), reference), 2.3409e-3, 2e-5);
  EXPECT_NEAR(CalcReferenceError(model, run("similar", 1e-3), reference), 6.8647e-4, 1e-5);
}

TEST(ReferenceError, IsUnknownOfRunsThatCannotBeCompared) {
  const auto run = [&](double duration, double h, double interval) {
    return RecordTrajectory(PlanOf("conveyor", "lagged", duration, {}, h), interval, {});
  };
  const std::shared_ptr<const Model> kept = PlanOf("conveyor", "sap", 1, {}, 1e-2).scene->model;
  const Model& model = *kept;
  const Trajectory whole = run(0.1, 5e-3, 1e-2);
  EXPECT_EQ(CalcReferenceError(model, whole, whole), 0);
  EXPECT_TRUE(std::isnan(CalcReferenceError(model, whole, run(0.05, 5e-3, 1e-2))));
  EXPECT_TRUE(std::isnan(CalcReferenceError(model, whole, run(0.1, 5e-3, 2e-2))));
  EXPECT_EQ(run(0.1, 4e-3, 1e-2).samples(), 0u);
}

TEST(ReferenceError, AStopIsToldAndTheReferenceDividesTheGrid) {
  RunCallbacks callbacks;
  callbacks.poll = [](double fraction) { return fraction < 0.5; };
  EXPECT_TRUE(RecordTrajectory(PlanOf("conveyor", "sap", 0.1, {}, 1e-3), 1e-2, callbacks).stopped);
  EXPECT_EQ(StepsPer(1e-2, 1e-3), 10);
  EXPECT_EQ(StepsPer(1e-2, 3e-3), 0);
  EXPECT_DOUBLE_EQ(ReferenceStep(1e-2, 1e-4), 1e-5);
  EXPECT_EQ(StepsPer(1e-2, ReferenceStep(1e-2, 3e-4)), 334);
}

TEST(ReferenceError, OrdersHoldWhereErrorsFollowAPower) {
  const std::vector<double> steps = {0.08, 0.04, 0.02, 0.01, 0.005};
  std::vector<double> errors;
  for (const double h : steps) errors.push_back(3 * h * h);
  for (const double order : NeighbourOrders(steps, errors)) EXPECT_NEAR(order, 2, 1e-12);
  errors[3] = errors[4] = 8e-4;  // a plateau
  const auto fit = FitOrder(steps, errors);
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->order, 2, 1e-12);
  EXPECT_EQ(fit->coarsest, 0.08);
  EXPECT_EQ(fit->finest, 0.02);
  // two points always have one, and show nothing
  EXPECT_FALSE(FitOrder(std::vector<double>{2, 1}, std::vector<double>{2, 1}));
  EXPECT_FALSE(FitOrder(steps, std::vector<double>{1, 0.5, kNaN, 0.3, 0.2}));
  EXPECT_EQ(Describe({}), "no order: errors follow no power of three neighbouring steps");
  EXPECT_TRUE(FitOrder({}, {}) == std::nullopt);
  // of two ranges of three, the finer one, whichever way the steps go
  const std::vector<double> fine = {1, 0.5, 0.25, 0.2, 0.1, 0.05};
  const std::vector<double> two = {1, 0.5, 0.25, 1, 0.25, 0.0625};
  EXPECT_NEAR(FitOrder(fine, two)->order, 2, 1e-12);
  EXPECT_NEAR(FitOrder(std::vector<double>(fine.rbegin(), fine.rend()),
                       std::vector<double>(two.rbegin(), two.rend()))
                  ->order,
              2, 1e-12);
}

}  // namespace
}  // namespace slip
