// The arm that presses: comes down straight, then its force is the one wanted.
#include <gtest/gtest.h>

#include "engine/control/controllers.h"
#include "tests/engine/control/robot_run.h"

namespace slip {
namespace {

struct Arm {
  std::shared_ptr<const Model> model = std::make_shared<const Model>(test::MakeArm());
  Simulation sim;

  explicit Arm(const std::string& method, double h)
      : sim(model, test::RobotConfig(method, "arm", ControllerId::kPress, h)) {
    Set("approach_speed=0.15");
  }
  void Set(const char* assignment) {
    Config config = sim.config();
    ASSERT_TRUE(ApplyAssignment(&config, assignment).ok());
    sim.SetConfig(config);
  }
  void RunTo(double time) {
    while (sim.time() < time - 1e-9) ASSERT_EQ(sim.Step(), StepStatus::kConverged);
  }
  Vec3 Tool() const { return sim.state().X_WB.back() * model->bodies.back().points_B[0]; }
  double Force() const {
    double force = 0;
    for (const ContactFrame& contact : sim.contacts()) force += contact.fn;
    return force;
  }
};

class Press : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Models, Press, testing::ValuesIn(test::kRobotMethods), test::MethodName);

TEST_P(Press, ComesDownAndPresses) {
  Arm arm(GetParam(), 2e-3);
  ASSERT_TRUE(CheckController(*arm.model, arm.model->robots[0], ControllerId::kPress).ok());
  const Vec3 start = arm.Tool();
  EXPECT_NEAR(start.z(), 0.245, 1e-3);
  arm.RunTo(1);
  // straight down, at the speed wanted
  EXPECT_LT((arm.Tool() - start).head<2>().norm(), 1e-3);
  EXPECT_NEAR(arm.Tool().z(), start.z() - 0.15, 5e-3);
  EXPECT_EQ(arm.Force(), 0);
  arm.RunTo(3.5);
  EXPECT_NEAR(arm.Force(), 10, 0.1);
  EXPECT_NEAR(arm.Tool().z(), 0, 1e-3);
  EXPECT_LT(arm.sim.state().v.norm(), 1e-3);
  // live, up and down
  arm.Set("robot.arm.press_force=25");
  arm.RunTo(5);
  EXPECT_NEAR(arm.Force(), 25, 0.25);
  arm.Set("robot.arm.press_force=5");
  arm.RunTo(6.5);
  EXPECT_NEAR(arm.Force(), 5, 0.1);
  EXPECT_LT((arm.Tool() - start).head<2>().norm(), 2e-3);
}

}  // namespace
}  // namespace slip
