// A robot that was pulled over: its controller gives up, and its motion ends.
#include "engine/control/fallen.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/core/param_text.h"
#include "engine/scene/scene.h"
#include "engine/sim/simulation.h"
#include "tests/engine/control/robot_run.h"

namespace slip {
namespace {

class SceneRun {
 public:
  SceneRun(const std::string& scene, const std::string& method)
      : scene_(FindScene(scene).value()), sim_(scene_->model, ConfigFor(method)) {}

  /// False when a step fails.
  bool RunTo(double time) {
    while (sim_.time() < time - 1e-9) {
      if (!Advanced(sim_.Step())) return false;
    }
    return true;
  }
  /// The mouse holds the base at a point far away.
  bool PullFor(const Vec3& force, double seconds) {
    Config config = sim_.config();
    config.grab.body = 0;
    config.grab.p_WA = sim_.state().X_WB[0].p + 1e3 * force.normalized();
    config.grab.stiffness = 1e3;
    config.grab.force_limit = force.norm();
    sim_.SetConfig(config);
    const bool pulled = RunTo(sim_.time() + seconds);
    config.grab = Grab{};
    sim_.SetConfig(config);
    return pulled;
  }
  void Set(const std::string& assignment) {
    Config config = sim_.config();
    ASSERT_TRUE(ApplyAssignment(&config, assignment).ok());
    sim_.SetConfig(config);
  }
  bool HasGivenUp() const {
    ChannelFrame frame;
    sim_.Fill(&frame);
    return frame.given_up.at(0) != 0;
  }
  bool IsDown() const {
    const Model& model = *scene_->model;
    return IsFallen(model, model.robots[0], sim_.state().X_WB);
  }
  const Simulation& sim() const { return sim_; }

 private:
  Config ConfigFor(const std::string& method) const {
    Config config = scene_->channels.front().config;
    EXPECT_TRUE(ApplyAssignment(&config, "method=" + method).ok());
    return config;
  }

  std::shared_ptr<const Scene> scene_;
  Simulation sim_;
};

class PulledOver : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Models, PulledOver, testing::ValuesIn(test::kRobotMethods),
                         test::MethodName);

TEST_P(PulledOver, ABipedComesToRest) {
  for (const Vec3& force : {Vec3(180, 0, 0), Vec3(0, -400, 100), Vec3(800, 300, 900)}) {
    SceneRun run("biped-walk", GetParam());
    ASSERT_TRUE(run.RunTo(1)) << run.sim().failure();
    EXPECT_FALSE(run.HasGivenUp());
    ASSERT_TRUE(run.PullFor(force, 1)) << force.transpose() << ": " << run.sim().failure();
    ASSERT_TRUE(run.RunTo(20)) << force.transpose() << ": " << run.sim().failure();
    EXPECT_TRUE(run.HasGivenUp());
    // pulled gently it may sit down, with its trunk upright
    if (force.norm() > 200) EXPECT_TRUE(run.IsDown());
    EXPECT_LT(run.sim().state().X_WB[0].p.z(), 0.5);
    EXPECT_LT(run.sim().state().v.cwiseAbs().maxCoeff(), 0.5) << force.transpose();
  }
}

TEST_P(PulledOver, AQuadrupedComesToRestLong) {
  for (const Vec3& force : {Vec3(0, 60, 20), Vec3(-40, 30, 40)}) {
    SceneRun run("quadruped-trot", GetParam());
    ASSERT_TRUE(run.RunTo(0.5)) << run.sim().failure();
    ASSERT_TRUE(run.PullFor(force, 1)) << force.transpose() << ": " << run.sim().failure();
    ASSERT_TRUE(run.RunTo(15)) << force.transpose() << ": " << run.sim().failure();
    // one that was thrown over may have come back on its feet
    EXPECT_TRUE(run.HasGivenUp() || !run.IsDown());
    EXPECT_LT(run.sim().state().v.cwiseAbs().maxCoeff(), 5) << force.transpose();
  }
}

TEST(OutOfControl, ItsMotorsBrakeAndNothingElse) {
  SceneRun run("biped-walk", "sap");
  ASSERT_TRUE(run.PullFor(Vec3(400, 0, 0), 1)) << run.sim().failure();
  ASSERT_TRUE(run.RunTo(1.5));
  ASSERT_TRUE(run.HasGivenUp());
  std::vector<JointFrame> joints;
  run.sim().GetJoints(&joints);
  double most = 0;
  for (const JointFrame& joint : joints) {
    EXPECT_LE(joint.force * joint.rate, 0);
    most = std::max(most, std::abs(joint.force));
  }
  EXPECT_GT(most, 1);
  EXPECT_EQ(run.sim().config().joints[0].damping, 0) << "no knob has moved";
}

TEST(OutOfControl, AnotherControllerOrPeriodStartsAnew) {
  SceneRun run("quadruped-stand", "sap");
  ASSERT_TRUE(run.PullFor(Vec3(0, 40, 10), 1)) << run.sim().failure();
  ASSERT_TRUE(run.RunTo(3));
  ASSERT_TRUE(run.HasGivenUp());
  run.Set("controller=none");
  ASSERT_TRUE(run.RunTo(3.1));
  EXPECT_FALSE(run.HasGivenUp());
  run.Set("controller=stand");
  ASSERT_TRUE(run.RunTo(3.2));
  EXPECT_TRUE(run.HasGivenUp()) << "it still lies there";
}

}  // namespace
}  // namespace slip
