// The mouse spring under every method: the force that is shown is the one that moved the body, and
// the work that is booked is that of this force.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/method/mouse_spring.h"
#include "tests/support/alloc_guard.h"
#include "tests/support/methods.h"
#include "tests/support/models.h"

namespace slip::test {
namespace {

constexpr double kMass = 2, kInertia = 5e-3;

// A ball that nothing touches, with the same moment of inertia about all axes.
std::shared_ptr<const Model> BallInTheAir() {
  Body ball;
  ball.name = "ball";
  ball.shape.radius = 0.08;
  ball.SetJoint(JointKind::kFree);
  ball.mass = kMass;
  ball.inertia_B = Vec3::Constant(kInertia);
  ball.points_B = {Vec3::Zero()};
  ball.X_WB.p = Vec3(0, 0, 5);
  ball.V_WB << 1, -2, 0.5, 0.3, 0, 1;
  Surface floor;
  floor.name = "floor";
  Model model;
  model.bodies = {ball};
  model.surfaces = {floor};
  return Finish(model);
}

Config PullConfig(std::string_view method, double h) {
  Config config = BeltConfig(*FindMethod(method), h);
  config.surfaces.clear();
  config.grab = MouseSpring(kMass, 9.81, 1.5, 3);  // off centre: it turns the ball, too
  config.grab.body = 0;
  config.grab.p_BP = Vec3(0.05, 0.03, -0.04);
  config.grab.p_WA = Vec3(0.5, -0.3, 5.2);
  return config;
}

Config TwistConfig(std::string_view method, double h) {
  Config config = PullConfig(method, h);
  config.grab = TwistSpring(config.grab, kMass, kInertia, 0.2);
  config.grab.body = 0;
  config.grab.q_WA = Quat(Eigen::AngleAxisd(1.2, Vec3(0.6, 0, 0.8)));
  return config;
}

struct Moved {
  Vec3 momentum, spin;  // what the step added
  double inner = 0;     // 1/2 dv^T M dv [J]
};

Moved Difference(const State& before, const State& after) {
  const VectorX dv = after.v - before.v;
  const Vec3 w = dv.head<3>(), v = dv.tail<3>();
  return {kMass * v, kInertia * w, 0.5 * (kMass * v.squaredNorm() + kInertia * w.squaredNorm())};
}

class PullByMethod : public testing::TestWithParam<const char*> {
 protected:
  std::string method() const { return GetParam(); }
  // The velocity of the end is the one that the body goes by.
  bool implicit() const { return method() == "sap" || method() == "implicit-euler"; }
  bool constant() const { return method() == "explicit-euler" || method() == "exponential"; }
};

constexpr double kLarge = 0.02;  // [s]

TEST_P(PullByMethod, ShowsTheForceThatActed) {
  for (const int inner : {0, 1, 2}) {  // whole steps, inner ones, extrapolated ones
    Config config = PullConfig(method(), kLarge);
    config.step.error_control = inner > 0 ? 1 : 0;
    config.step.local_extrapolation = inner > 1 ? 1 : 0;
    config.step.accuracy = 1e-4;
    Simulation sim(BallInTheAir(), config);
    int capped = 0;
    for (int i = 0; i < 60; ++i) {
      const State before = sim.state();
      ASSERT_EQ(sim.Step(), StepStatus::kConverged) << sim.failure();
      const Vec3 weight(0, 0, -kMass * 9.81);
      const Vec3 force = Difference(before, sim.state()).momentum / kLarge - weight;
      // what an implicit step leaves of its equation, over a short inner step
      EXPECT_LT((sim.now().grab_force_W - force).norm(), 1e-8) << "step " << i << ", " << inner;
      capped +=
          (before.X_WB[0] * config.grab.p_BP - config.grab.p_WA).norm() * config.grab.stiffness >
          config.grab.force_limit;
    }
    EXPECT_GT(capped, 0);
    EXPECT_LT(capped, 60);
  }
}

TEST_P(PullByMethod, ShowsTheTorqueThatActed) {
  Simulation sim(BallInTheAir(), TwistConfig(method(), kLarge));
  for (int i = 0; i < 40; ++i) {
    const State before = sim.state();
    ASSERT_EQ(sim.Step(), StepStatus::kConverged) << sim.failure();
    const Vec3 torque = Difference(before, sim.state()).spin / kLarge;
    EXPECT_LT((sim.now().grab_force_W - torque).norm(), 1e-10) << "step " << i;
  }
}

// What the ledger leaves to the time stepping is what the scheme itself loses.
TEST_P(PullByMethod, BooksTheWorkOfThatForce) {
  for (const bool twist : {false, true}) {
    Simulation sim(BallInTheAir(),
                   twist ? TwistConfig(method(), kLarge) : PullConfig(method(), kLarge));
    if (method() == "rk4") continue;
    for (int i = 0; i < 40; ++i) {  // a ball that is turned alone falls: it lands later
      const State before = sim.state();
      ASSERT_EQ(sim.Step(), StepStatus::kConverged) << sim.failure();
      const double lost = sim.state().energy.numerical - before.energy.numerical;
      // forces that stay as they were do their work on the way that they give: nothing is lost
      const double expected = constant() ? 0 : Difference(before, sim.state()).inner;
      EXPECT_NEAR(lost, expected, 1e-10) << "step " << i;
      if (implicit()) EXPECT_GE(lost, -1e-10);
    }
  }
}

TEST_P(PullByMethod, InnerStepsBookTheirOwn) {
  if (!constant()) return;
  Config config = PullConfig(method(), kLarge);
  config.step.error_control = 1;
  config.step.accuracy = 1e-4;
  Simulation sim(BallInTheAir(), config);
  double inner = 0;
  double work = 0;
  for (int i = 0; i < 60; ++i) {
    ASSERT_EQ(sim.Step(), StepStatus::kConverged) << sim.failure();
    EXPECT_NEAR(sim.state().energy.numerical, 0, 1e-10);
    inner = std::max(inner, sim.solve().inner_steps);
    work = std::max(work, std::abs(sim.state().energy.drive_work));
  }
  EXPECT_GT(inner, 1);
  EXPECT_GT(work, 1);
}

TEST_P(PullByMethod, AllocatesNothing) {
  Simulation sim(BallInTheAir(), PullConfig(method(), 2e-3));
  for (int i = 0; i < 10; ++i) (void)sim.Step();
  const AllocGuard guard;
  for (int i = 0; i < 20; ++i) (void)sim.Step();
  EXPECT_EQ(guard.count(), 0u);
}

INSTANTIATE_TEST_SUITE_P(MouseSpring, PullByMethod,
                         testing::Values("sap", "explicit-euler", "implicit-euler", "rk4",
                                         "exponential"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// The books of a method of order four close to that order.
TEST(MouseSpring, RungeKuttaLosesByItsOrder) {
  const auto lost = [](double h) {
    Config config = PullConfig("rk4", h);
    config.grab.force_limit = 1e6;  // smooth
    config.grab.p_BP.setZero();     // its order is that of motions along lines
    Simulation sim(BallInTheAir(), config);
    EXPECT_TRUE(RunTo(&sim, 0.4));
    return std::abs(sim.state().energy.numerical);
  };
  const double coarse = lost(0.02), fine = lost(0.01);
  EXPECT_LT(fine, 1e-3);
  EXPECT_GT(coarse / fine, 12);
}

// From rest in every step: its velocities are ways over the step.
TEST(MouseSpring, QuasiDynamicShowsTheForceThatActed) {
  Simulation sim(BallInTheAir(), PullConfig("quasi-dynamic", kLarge));
  for (int i = 0; i < 40; ++i) {
    ASSERT_EQ(sim.Step(), StepStatus::kConverged) << sim.failure();
    const Vec3 v = sim.state().v.tail<3>();
    const Vec3 force = kMass * v / kLarge + Vec3(0, 0, kMass * 9.81);
    EXPECT_LT((sim.now().grab_force_W - force).norm(), 1e-5) << "step " << i;
  }
}

// What cannot move is not pulled.
TEST(MouseSpring, DoesNothingToAFixedBody) {
  Model model = *BallInTheAir();
  model.bodies[0].SetJoint(JointKind::kFixed);
  for (const char* method : {"sap", "explicit-euler", "quasi-dynamic"}) {
    Simulation sim(Finish(model), PullConfig(method, kLarge));
    ASSERT_TRUE(Advanced(sim.Step())) << sim.failure();
    EXPECT_EQ(sim.now().grab_force_W, Vec3::Zero()) << method;
  }
}

}  // namespace
}  // namespace slip::test
