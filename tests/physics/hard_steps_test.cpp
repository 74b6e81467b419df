// Large steps on stiff ground, where Newton on the cost alone took hundreds of iterations or never
// ended, and what was kept threw bodies through the floor.
#include <gtest/gtest.h>

#include "engine/convex/convex_params.h"
#include "engine/run/study/run_plan.h"
#include "tests/support/methods.h"
#include "tests/support/models.h"

namespace slip {
namespace {

using test::Value;

Simulation Start(const std::string& scene_name, const std::string& model,
                 const std::vector<std::string>& assignments) {
  auto scene = FindScene(scene_name);
  if (!scene) throw std::runtime_error(scene.error().Text());
  auto plan = MakeRunPlan(*scene, model, assignments, {});
  if (!plan) throw std::runtime_error(plan.error().Text());
  return Simulation(plan->scene->ModelFor(plan->configs[0]), plan->configs[0]);
}

struct HardRun {
  const char* name;
  const char* scene;
  const char* model;
  std::vector<std::string> assignments;
  int steps;
};
void PrintTo(const HardRun& run, std::ostream* out) { *out << run.name; }

class HardRuns : public testing::TestWithParam<HardRun> {};

TEST_P(HardRuns, EveryStepConvergesLong) {
  const HardRun& run = GetParam();
  Simulation sim = Start(run.scene, run.model, run.assignments);
  const double start = Value(sim, Signal::kKineticEnergy) + Value(sim, Signal::kPotentialEnergy);
  for (int i = 0; i < run.steps; ++i) {
    ASSERT_EQ(sim.Step(), StepStatus::kConverged)
        << "step " << i << ": " << sim.failure() << " " << sim.solve().iterations << " iterations";
    ASSERT_LT(Value(sim, Signal::kKineticEnergy), 1.2 * start) << "step " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Scenes, HardRuns,
    testing::Values(HardRun{"pit_frictionless",
                            "ball-pit",
                            "lagged-regularized",
                            {"time_step=0.06499", "stiffness=5.092e10", "friction=0",
                             "stiction_tolerance=5.224e-6", "bodies=400"},
                            25},
                    HardRun{"clutter_frictionless",
                            "clutter",
                            "lagged",
                            {"time_step=0.0465", "stiffness=6.948e9", "friction=0",
                             "stiction_tolerance=2.883e-6"},
                            150},
                    HardRun{"clutter_rough",
                            "clutter",
                            "lagged",
                            {"time_step=0.05868", "stiffness=9.755e10", "friction=3",
                             "stiction_tolerance=4.495e-6"},
                            150},
                    HardRun{"pit_soft",
                            "ball-pit",
                            "lagged",
                            {"time_step=0.0689", "stiffness=9.08e5", "friction=0",
                             "stiction_tolerance=6.911e-3", "bodies=400"},
                            15},
                    HardRun{"rod",
                            "sliding-rod",
                            "lagged",
                            {"time_step=0.03253", "stiffness=1.763e11", "friction=3",
                             "stiction_tolerance=4.854e-6"},
                            300}),
    [](const auto& run) { return std::string(run.param.name); });

// Springs that pull every joint against its limit, and legs that hit the ground: Newton alone goes
// from one side of a bound to the other and ends nowhere.
TEST(HardSteps, LimitsAndMotorsOfRobotsConverge) {
  for (const char* scene : {"quadruped-trot", "quadruped-squat", "quadruped-jump", "biped-walk"}) {
    for (const char* model : {"similar", "anitescu", "todorov"}) {
      for (const char* h : {"time_step=0.01", "time_step=0.04"}) {
        for (const char* target : {"joint_target=3", "joint_target=-6"}) {
          SCOPED_TRACE(std::string(scene) + ' ' + model + ' ' + h + ' ' + target);
          // what thrashes so makes energy: here the solver is asked for
          Simulation sim =
              Start(scene, model,
                    {h, target, "friction=2", "joint_stiffness=100", "gained_energy=accept"});
          sim.SetMeasureCondition(false);
          for (int i = 0; i < 30; ++i) {
            ASSERT_EQ(sim.Step(), StepStatus::kConverged) << "step " << i << ": " << sim.failure();
          }
        }
      }
    }
  }
}

// A step far from its solution leaves the state as it was and says so; the knob lets it pass.
TEST(LostStep, IsRefusedUnlessAccepted) {
  const std::vector<std::string> starved = {"max_iterations=1", "time_step=10ms"};
  Simulation refused = Start("clutter", "sap", starved);
  StepStatus status = StepStatus::kConverged;
  while (Advanced(status) && refused.step() < 200) {
    const State before = refused.state();
    status = refused.Step();
    if (Advanced(status)) continue;
    EXPECT_EQ(status, StepStatus::kLost);
    EXPECT_EQ(refused.state().step, before.step);
    EXPECT_EQ(refused.state().v, before.v);
    EXPECT_NE(refused.failure().find("residual"), std::string::npos) << refused.failure();
    EXPECT_NE(refused.failure().find("body '"), std::string::npos) << refused.failure();
  }
  ASSERT_EQ(status, StepStatus::kLost);

  Simulation accepted =
      Start("clutter", "sap", {"max_iterations=1", "time_step=10ms", "lost_steps=accept"});
  int flagged = 0;
  for (int i = 0; i < 200; ++i) {
    const StepStatus one = accepted.Step();
    ASSERT_TRUE(Advanced(one)) << accepted.failure();
    flagged += one == StepStatus::kIterationLimit;
  }
  EXPECT_GT(flagged, 0);

  // raising the limit is all the refused run needs
  Config config = refused.config();
  config.step.max_iterations = 100;
  refused.SetConfig(config);
  refused.ClearFailure();
  EXPECT_EQ(refused.Step(), StepStatus::kConverged);
}

// A gyroscopic moment does no work, however far a body turns within a step.
TEST(HardSteps, AFreeSpinKeepsItsEnergy) {
  Body body;
  body.SetJoint(JointKind::kFree);
  body.inertia_B = Vec3(0.01, 0.02, 0.025);
  body.V_WB.head<3>() = Vec3(90, 20, -40);
  Model model;
  model.bodies = {body};
  Config config = test::BeltConfig(method_id::kSap, 0.05);
  config.surfaces.clear();
  config.step.gravity = 0;
  Simulation sim(test::Finish(model), config);
  const double start = Value(sim, Signal::kKineticEnergy);
  for (int i = 0; i < 500; ++i) {
    ASSERT_EQ(sim.Step(), StepStatus::kConverged);
    ASSERT_LE(Value(sim, Signal::kKineticEnergy), start * (1 + 1e-9)) << "step " << i;
  }
  EXPECT_GT(Value(sim, Signal::kKineticEnergy), 0.999 * start);
}

// A start that glides has the height that the model predicts of itself, damper included.
// A microsecond's impulse under a slip of 10 m/s: the last bit of the velocity is worth more than
// the tolerance, and the step ends there.
TEST(HardSteps, AStepThatOnlyRoundOffKeepsFromItsToleranceHasConverged) {
  Simulation sim =
      Start("conveyor-constant", "anitescu", {"time_step=1.032e-6", "friction=3", "belt_speed=10"});
  for (int i = 0; i < 5; ++i) {
    ASSERT_EQ(sim.Step(), StepStatus::kConverged);
    EXPECT_LT(Value(sim, Signal::kMomentumResidual), 1e-3);
  }
}

TEST(HardSteps, AGlidingStartIsThePredictedOne) {
  const double h = 2e-3, speed = 1, tau = 0.05;
  for (const MethodId id : {method_id::kSap, method_id::kSimilar}) {
    Config config = test::BeltConfig(id, h);
    config.step.part<ConvexParams>().normal_law = static_cast<int>(NormalLawId::kKelvinVoigt);
    config.step.part<ConvexParams>().stiction_tolerance = 1e-9;
    config.materials[0].relaxation_time = tau;
    Model model = *test::BoxOnBelt(JointKind::kXZ, 0, Vec3(speed, 0, 0));
    model.bodies[0].start_offset = StartOffset::kGlide;
    Simulation sim(test::Finish(model), config);
    EXPECT_NEAR(sim.state().X_WB[0].p.z() - 0.05, 0.5 * (h + tau) * speed, 1e-8);
  }
}

// Balls that fly past each other at large steps: gliding models may act across a gap, but not
// farther than a ball's own size.
TEST(HardSteps, BallsThatPassEachOtherAreNoContactsLong) {
  Simulation sim =
      Start("ball-pit", "sap", {"time_step=0.092", "friction=3", "stiffness=1e5", "bodies=400"});
  double most = 0;
  for (int i = 0; i < 25; ++i) {
    ASSERT_EQ(sim.Step(), StepStatus::kConverged) << sim.failure();
    most = std::max(most, Value(sim, Signal::kContacts));
  }
  EXPECT_LT(most, 8000);
}

}  // namespace
}  // namespace slip
