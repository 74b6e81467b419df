// The limits of stable steps: against the growth of single modes and of simulated point masses, and
// for a robot against the published table.
#include "engine/integrators/stability.h"
#include "engine/integrators/stable_step.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "engine/scene/scene.h"
#include "engine/sim/method_list.h"
#include "engine/sim/simulation.h"
#include "engine/tell/step_notes.h"
#include "tests/support/alloc_guard.h"
#include "tests/support/models.h"

namespace slip {
namespace {

constexpr double kGravity = 9.81;

struct Spring {
  double mass, stiffness, damping;
};
// light and heavy damping, and the same with other masses and stiffnesses
const Spring kSprings[] = {{1, 1e5, 300},  {1, 1e5, 30},    {1, 1e5, 1000}, {0.1, 1e5, 300},
                           {10, 1e5, 300}, {2.5, 1e8, 1e4}, {1, 1e4, 2000}};

Simulation OnItsSpring(const Spring& spring, double h, const char* method = "explicit-euler") {
  Body body;
  body.name = "mass";
  body.mass = spring.mass;
  body.inertia_B = Vec3::Ones();
  body.points_B = {Vec3::Zero()};
  body.SetJoint(JointKind::kFree);
  Surface floor;
  floor.name = "floor";
  Model model;
  model.bodies = {body};
  model.surfaces = {floor};
  Config config;
  config.step.method = static_cast<int>(*FindMethod(method));
  config.step.time_step = h;
  Material rubber;
  rubber.stiffness = spring.stiffness;
  rubber.damping = spring.damping;
  config.materials = {rubber};
  auto finished = test::Finish(model);
  Simulation sim(finished, config);
  State state = sim.state();
  // at rest but for a millionth
  const double depth = spring.mass * kGravity / spring.stiffness;
  state.X_WB[0].p = Vec3(0, 0, -depth * (1 + 1e-6));
  state.memory.push_back({finished->bodies[0].first_key, Vec3::Zero(), false});
  sim.SetState(state);
  return sim;
}

// Growth of the motion about rest over so many steps.
double Growth(const Spring& spring, double h, int steps) {
  Simulation sim = OnItsSpring(spring, h);
  const auto motion = [&] {
    const double depth = spring.mass * kGravity / spring.stiffness;
    const double x = sim.state().X_WB[0].p.z() + depth, v = sim.state().v[5];
    return std::hypot(x * std::sqrt(spring.stiffness / spring.mass), v);
  };
  const double start = motion();
  for (int i = 0; i < steps; ++i) {
    if (sim.Step() != StepStatus::kConverged) return std::numeric_limits<double>::infinity();
  }
  return motion() / start;
}

TEST(Stability, ExplicitEulerGrowsBeyondItsLimitAndNotBelow) {
  for (const Spring& s : kSprings) {
    const double c = s.damping / s.mass, k = s.stiffness / s.mass;
    const double limit = ExplicitEulerStableStep(c, k);
    SCOPED_TRACE(testing::Message()
                 << s.mass << " kg, " << s.stiffness << ", " << s.damping << ": " << limit);
    EXPECT_DOUBLE_EQ(limit, std::min(2 / c, 2 * s.damping / s.stiffness));
    EXPECT_LT(Growth(s, 0.97 * limit, 4000), 1);
    EXPECT_GT(Growth(s, 1.03 * limit, 4000), 2);
  }
}

// The largest |root| of s² − trace s + determinant.
double SpectralRadius(double trace, double determinant) {
  const std::complex<double> root =
      std::sqrt(std::complex<double>(0.25 * trace * trace - determinant));
  return std::max(std::abs(0.5 * trace + root), std::abs(0.5 * trace - root));
}

TEST(Stability, LimitsAreWhereTheSpectralRadiusIsOne) {
  for (double c = 1; c < 1e6; c *= 3.7) {
    for (double k = 1; k < 1e9; k *= 11) {
      const double h = ExplicitEulerStableStep(c, k);
      const auto euler = [&](double step) {
        return SpectralRadius(2 - step * c - 0.5 * step * step * k,
                              1 - step * c + 0.5 * step * step * k);
      };
      EXPECT_LE(euler(0.999 * h), 1 + 1e-12) << c << " " << k;
      EXPECT_GT(euler(1.001 * h), 1) << c << " " << k;
      const auto runge_kutta = [&](double step) {
        double largest = 0;
        for (const double sign : {-1.0, 1.0}) {
          const std::complex<double> z =
              step * (-0.5 * c + sign * std::sqrt(std::complex<double>(0.25 * c * c - k)));
          largest = std::max(
              largest, std::abs(1.0 + z + z * z / 2.0 + z * z * z / 6.0 + z * z * z * z / 24.0));
        }
        return largest;
      };
      const double longest = RungeKuttaStableStep(c, k);
      for (double part = 0.01; part < 1; part += 0.01) {
        EXPECT_LE(runge_kutta(part * longest), 1 + 1e-12) << c << " " << k << " at " << part;
      }
      EXPECT_GT(runge_kutta(1.001 * longest), 1) << c << " " << k;
    }
  }
  EXPECT_NEAR(RungeKuttaStableStep(1e3, 1), 2.785293563405282e-3, 1e-8);
  EXPECT_NEAR(RungeKuttaStableStep(0, 1), std::sqrt(8), 1e-9);
  EXPECT_EQ(ExplicitEulerStableStep(0, 1), 0);
}

TEST(Stability, TheSignalIsTheMethodsLimitAndNaNInTheAir) {
  for (const char* method : {"explicit-euler", "exponential"}) {
    Simulation sim = OnItsSpring({1, 1e5, 1000}, 1e-4, method);
    const auto limit = [&] {
      return sim.signals()[static_cast<std::size_t>(Signal::kStabilityLimit)];
    };
    EXPECT_TRUE(std::isnan(limit()));
    ASSERT_EQ(sim.Step(), StepStatus::kConverged);
    EXPECT_NEAR(limit(), 2e-3, 1e-12) << method;
    sim.SetMeasureCondition(false);
    ASSERT_EQ(sim.Step(), StepStatus::kConverged);
    EXPECT_TRUE(std::isnan(limit())) << method;
    sim.SetMeasureCondition(true);
    State state = sim.state();
    state.X_WB[0].p.z() = 1;
    sim.SetState(state);
    ASSERT_EQ(sim.Step(), StepStatus::kConverged);
    EXPECT_TRUE(std::isnan(limit())) << method;
  }
  Simulation convex = OnItsSpring({1, 1e5, 300}, 1e-3, "sap");
  ASSERT_EQ(convex.Step(), StepStatus::kConverged);
  EXPECT_TRUE(std::isnan(convex.signals()[static_cast<std::size_t>(Signal::kStabilityLimit)]));
}

// Hammoud et al., table 2: Solo is stable up to 0.08 to 0.16 ms.
TEST(Stability, AQuadrupedHasThePublishedLimit) {
  const auto scene = FindScene("quadruped-stand");
  ASSERT_TRUE(scene.ok());
  Config config = (*scene)->config;
  for (const char* change :
       {"method=explicit-euler", "time_step=0.1ms", "stiffness=1e5", "damping=300"}) {
    ASSERT_TRUE(ApplyAssignment(&config, change).ok());
  }
  const auto limit = [](const Simulation& sim) {
    return sim.signals()[static_cast<std::size_t>(Signal::kStabilityLimit)];
  };
  Simulation sim((*scene)->model, config);
  for (int i = 0; i < 20; ++i) ASSERT_EQ(sim.Step(), StepStatus::kConverged) << sim.failure();
  EXPECT_NEAR(limit(sim), 0.141e-3, 0.006e-3);  // spec: 2/(300 x 47.2); 0.08 to 0.16 measured
  const double first = limit(sim);
  ASSERT_TRUE(ApplyAssignment(&config, "damping=600").ok());
  config.step.time_step = 0.05e-3;
  sim.SetConfig(config);
  ASSERT_EQ(sim.Step(), StepStatus::kConverged);
  EXPECT_NEAR(limit(sim), first / 2, 0.01 * first);
}

void RunAway(bool accepts) {
  std::string said[2];
  for (const bool measured : {true, false}) {
    Simulation sim = OnItsSpring({1, 1e5, 300}, 20e-3);
    sim.SetMeasureCondition(measured);
    Config accepting = sim.config();
    accepting.step.gained_energy = accepts ? 1 : 0;
    sim.SetConfig(accepting);
    State state = sim.state();
    state.X_WB[0].p.z() = 0.05;
    sim.SetState(state);
    StepStatus status = StepStatus::kConverged;
    for (int i = 0; i < 1000 && Advanced(status); ++i) {
      status = sim.Step();
      EXPECT_LT(sim.state().X_WB[0].p.norm(), 1);
      EXPECT_LT(sim.state().v.norm(), 5);
    }
    EXPECT_EQ(status, accepts ? StepStatus::kRunaway : StepStatus::kGain) << sim.failure();
    EXPECT_NE(
        sim.failure().find("(Explicit Euler, time step 20 ms; its limit here was about 6 ms)"),
        std::string::npos)
        << sim.failure();
    ChannelFrame frame;
    sim.Fill(&frame);
    EXPECT_NEAR(frame.exceeded_step, 6e-3, 1e-9);
    EXPECT_EQ(frame.state, ChannelState::kFailed);
    said[measured] = sim.failure();
    // below the limit it goes on from there
    Config config = sim.config();
    config.step.time_step = 2e-3;
    sim.SetConfig(config);
    for (int i = 0; i < 500; ++i) ASSERT_EQ(sim.Step(), StepStatus::kConverged) << sim.failure();
    sim.Fill(&frame);
    EXPECT_TRUE(std::isnan(frame.exceeded_step));
  }
  EXPECT_EQ(said[0], said[1]);
}

TEST(Stability, ARunawayEndsBeforeItIsData) {
  RunAway(false);
  RunAway(true);
}

// A limit of nothing, or one below every time step, is none that a person could keep to.
TEST(Stability, WhereNoStepIsStableNoLimitIsNamedThatCannotBeKept) {
  const struct {
    Spring spring;
    const char *why, *advice;
  } runs[] = {{{1, 1e5, 0},
               "(Explicit Euler, time step 20 ms; contacts without damping make energy at any step "
               "of it)",
               "raise the contact damping, or take a method without a limit"},
              {{1, 1e12, 0.1},
               "(Explicit Euler, time step 20 ms; its limit here was about 2e-10 ms)",
               "no time step is so short: take a method without a limit"}};
  for (const auto& run : runs) {
    Simulation sim = OnItsSpring(run.spring, 20e-3);
    State state = sim.state();
    state.X_WB[0].p.z() = 0.05;
    sim.SetState(state);
    StepStatus status = StepStatus::kConverged;
    for (int i = 0; i < 1000 && Advanced(status); ++i) status = sim.Step();
    ASSERT_FALSE(Advanced(status));
    EXPECT_NE(sim.failure().find(run.why), std::string::npos) << sim.failure();
    EXPECT_NE(sim.failure().find(run.advice), std::string::npos) << sim.failure();
    EXPECT_EQ(sim.failure().find("below the limit"), std::string::npos) << sim.failure();
    StepNotes notes(sim.model());
    SignalValues values;
    values.fill(std::nan(""));
    values[static_cast<std::size_t>(Signal::kStabilityLimit)] = sim.last_solve().stable_step;
    notes.Add({values, sim.config().step, 1, 20e-3});
    const std::vector<StepNote> list = notes.List();
    const StepNote* note = Find(list, "beyond");
    ASSERT_NE(note, nullptr);
    EXPECT_EQ(note->what.find("about 0 ms"), std::string::npos) << note->what;
    EXPECT_NE(note->advice.find(run.advice), std::string::npos) << note->advice;
  }
}

// Without damping no inner step is stable, so the accuracy alone decides on their lengths.
TEST(Stability, ControlledErrorGoesOnWhereNoStepIsStable) {
  Simulation sim = OnItsSpring({1, 1e5, 0}, 10e-3);
  Config config = sim.config();
  config.step.error_control = 1;
  sim.SetConfig(config);
  State state = sim.state();
  state.X_WB[0].p.z() = 0.05;
  sim.SetState(state);
  double highest = 0;
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(Advanced(sim.Step())) << sim.failure();
    highest = std::max(highest, sim.state().X_WB[0].p.z());
  }
  EXPECT_GT(highest, 0.02) << "it bounces";
}

TEST(Stability, MeasuringItAllocatesNothing) {
  const auto scene = FindScene("quadruped-stand");
  ASSERT_TRUE(scene.ok());
  Config config = (*scene)->config;
  for (const char* change : {"method=explicit-euler", "time_step=0.1ms"})
    ASSERT_TRUE(ApplyAssignment(&config, change).ok());
  Simulation sim((*scene)->model, config);
  for (int i = 0; i < 200; ++i) ASSERT_EQ(sim.Step(), StepStatus::kConverged) << sim.failure();
  const std::size_t before = test::AllocationCount();
  for (int i = 0; i < 20; ++i) sim.Step();
  EXPECT_EQ(test::AllocationCount(), before);
}

}  // namespace
}  // namespace slip
