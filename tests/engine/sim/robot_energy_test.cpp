// The energy ledger of robots, and what ends a run that is unstable.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/core/param_text.h"
#include "engine/scene/scene.h"
#include "engine/sim/simulation.h"

namespace slip {
namespace {

Simulation Make(const std::string& scene, double time_step = 1e-3) {
  const auto found = *FindScene(scene);
  Config config = found->channels[0].config;
  config.step.time_step = time_step;
  return Simulation(found->model, config);
}

TEST(RobotEnergy, WorkOfTheMotorsIsCountedOnce) {
  for (const char* scene : {"quadruped-jump", "quadruped-squat", "arm-press"}) {
    Simulation sim = Make(scene);
    const double h = sim.config().step.time_step;
    const double start = sim.now().state.energy.mechanical;
    double work = 0, most = 0;
    for (int i = 0; i < 500; ++i) {
      ASSERT_TRUE(Advanced(sim.Step())) << scene;
      ChannelFrame frame;
      sim.Fill(&frame);
      for (const JointFrame& joint : frame.joints) work += h * joint.force * joint.rate;
      most = std::max(most, std::abs(work));
    }
    const EnergyLedger& ledger = sim.now().state.energy;
    EXPECT_GT(most, 0.01) << scene;
    EXPECT_NEAR(ledger.drive_work, work, 1e-9 * most) << scene;
    // nothing else gives energy, and the scheme takes some
    const double lost = work - (ledger.mechanical - start);
    EXPECT_GT(lost, 0) << scene;
    EXPECT_NEAR(ledger.numerical + ledger.friction + ledger.damping, lost, 1e-9 * most) << scene;
  }
}

StepStatus EndOfAnUnstableMotion(const char* gained_energy, std::string* failure) {
  Simulation sim = Make("quadruped-trot", 50e-3);
  Config config = sim.config();
  for (const char* change :
       {"method=todorov", "joint_target=12", "joint_stiffness=400", gained_energy})
    EXPECT_TRUE(ApplyAssignment(&config, change).ok());
  sim.SetConfig(config);
  StepStatus status = StepStatus::kConverged;
  for (int i = 0; i < 1000 && Advanced(status); ++i) status = sim.Step();
  EXPECT_LE(sim.state().v.segment<3>(3).norm(), kRunawaySpeed);
  EXPECT_LT(sim.state().X_WB[0].p.norm(), 1e4);
  *failure = sim.failure();
  return status;
}

TEST(RobotEnergy, AnUnstableMotionEndsWhileItIsOne) {
  std::string failure;
  EXPECT_EQ(EndOfAnUnstableMotion("gained_energy=refuse", &failure), StepStatus::kGain);
  EXPECT_NE(failure.find("from nothing"), std::string::npos) << failure;
  EXPECT_EQ(EndOfAnUnstableMotion("gained_energy=accept", &failure), StepStatus::kRunaway);
  EXPECT_NE(failure.find("faster than 10 km/s"), std::string::npos) << failure;
}

}  // namespace
}  // namespace slip
