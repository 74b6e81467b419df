// Quadrupeds with exponential integration: memory, fewer products of matrices, balance of energy.
#include <gtest/gtest.h>

#include "engine/integrators/integrator_params.h"
#include "engine/scene/scene.h"
#include "engine/sim/method_list.h"
#include "engine/sim/simulation.h"
#include "tests/support/alloc_guard.h"
#include "tests/support/models.h"

namespace slip {
namespace {

constexpr MethodId kTrotMethod = MethodNamed("exponential");

TEST(Exponential, ATrotDoesNotAllocate) {
  const auto scene = FindScene("quadruped-trot");
  ASSERT_TRUE(scene.ok());
  for (const MethodId method : {kTrotMethod, MethodNamed("explicit-euler")}) {
    for (const double tolerance : {0.0, 1e-3}) {
      Config config = scene.value()->config;
      config.step.method = static_cast<int>(method);
      config.step.time_step = method == kTrotMethod ? 2e-3 : 1e-4;
      config.step.part<ExponentialParams>().product_tolerance = tolerance;
      Simulation sim(scene.value()->ModelFor(config), config);
      while (sim.time() < 0.8) ASSERT_EQ(sim.Step(), StepStatus::kConverged) << sim.failure();
      const test::AllocGuard guard;
      while (sim.time() < 1.2) (void)sim.Step();
      EXPECT_EQ(guard.count(), 0u);
    }
  }
}

TEST(Exponential, ALooseToleranceOfProductsKeepsTheMotion) {
  const auto scene = FindScene("quadruped-trot");
  ASSERT_TRUE(scene.ok());
  const auto end = [&](double tolerance) {
    Config config = scene.value()->config;
    config.step.method = static_cast<int>(kTrotMethod);
    config.step.time_step = 2e-3;
    config.step.part<ExponentialParams>().product_tolerance = tolerance;
    Simulation sim(scene.value()->ModelFor(config), config);
    while (sim.time() < 0.5) EXPECT_EQ(sim.Step(), StepStatus::kConverged) << sim.failure();
    return Vec3(sim.state().X_WB[0].p);
  };
  const Vec3 full = end(0);
  EXPECT_LT((end(1e-6) - full).norm(), 1e-5);
  EXPECT_LT((end(1e-2) - full).norm(), 1e-3);
}

TEST(Exponential, TheBalanceOfARobotCloses) {
  const auto scene = FindScene("quadruped-squat");
  ASSERT_TRUE(scene.ok());
  Config config = scene.value()->config;
  config.step.method = static_cast<int>(kTrotMethod);
  config.step.time_step = 1e-3;
  Simulation sim(scene.value()->ModelFor(config), config);
  double most = 0;  // work in the cycle
  while (sim.time() < 1) {
    ASSERT_EQ(sim.Step(), StepStatus::kConverged) << sim.failure();
    most = std::max(most, std::abs(test::Value(sim, Signal::kDriveWork)));
  }
  // what the time stepping makes of it is small beside what the motors do
  EXPECT_GT(most, 0.5);
  EXPECT_LT(std::abs(test::Value(sim, Signal::kNumericalDissipation)), 0.05 * most);
}

TEST(Exponential, AQuadrupedStandsAtFortyMilliseconds) {
  const auto scene = FindScene("quadruped-stand");
  ASSERT_TRUE(scene.ok());
  Config config = scene.value()->config;
  config.step.method = static_cast<int>(kTrotMethod);
  config.step.time_step = 0.04;
  Simulation sim(scene.value()->ModelFor(config), config);
  const double height = sim.state().X_WB[0].p.z();
  while (sim.time() < 2) ASSERT_EQ(sim.Step(), StepStatus::kConverged) << sim.failure();
  EXPECT_NEAR(sim.state().X_WB[0].p.z(), height, 0.01);
  EXPECT_LT(sim.state().v.norm(), 0.05);
}

}  // namespace
}  // namespace slip
