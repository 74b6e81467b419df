// Steps of implicit Euler whose residual has kinks between the start and the solution, and those of
// which numbers have no solution.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/run/study/run_plan.h"
#include "tests/support/alloc_guard.h"
#include "tests/support/judged_run.h"

namespace slip::test {
namespace {

RunVerdict Watch(const std::string& line) {
  return WatchRun(line, [](Simulation*) {});
}

Simulation StartLine(const std::string& line) {
  const auto spec = ParseCommandLine(line);
  if (!spec) throw std::runtime_error(spec.error().Text());
  auto plan = MakeRunPlan(FindScene(spec->scene).value(), spec->model, spec->assignments, {});
  if (!plan) throw std::runtime_error(plan.error().Text());
  return Simulation(plan->scene->ModelFor(plan->configs[0]), plan->configs[0]);
}

// A rod that friction turns into the ground: the only solution is the jam, in which the tip stops
// at once. On the way there the residual grows by orders.
constexpr const char* kJam =
    "sliding-rod -m implicit-euler -p time_step=0.00244 -p stiffness=5067 -p damping=3.865e4 "
    "-p friction=2.662 -p mass=0.00145 -p bias=first-order -p gained_energy=accept --steps 300";

TEST(ImplicitEuler, FindsTheJamOfARodThatFrictionTurnsIntoTheGround) {
  Simulation sim = StartLine(kJam);
  ASSERT_EQ(sim.Step(), StepStatus::kConverged);
  ChannelFrame frame;
  sim.Fill(&frame);
  ASSERT_EQ(frame.contacts.size(), 1u);
  EXPECT_LT(frame.contacts[0].vt, 1e-2);

  const RunVerdict v = Watch(kJam);
  EXPECT_EQ(v.steps, 300);
  EXPECT_EQ(v.unconverged, 0);
  EXPECT_LE(v.ledger.rise.value, 1e-9);
}

TEST(ImplicitEuler, ConvergesWhereContactsAndMotorsChangeWithinTheStep) {
  for (const char* line :
       {// a light body on stiff springs, where the last bits are much of the weight
        "conveyor -m implicit-euler -p time_step=0.01664 -p stiffness=3.2e11 -p damping=145.2 "
        "-p friction=1.774 -p belt_speed=-4.254 -p mass=0.0002491 --steps 100",
        "sliding-mass -m implicit-euler -p time_step=0.000384 -p stiffness=1.018e7 "
        "-p damping=80.07 -p friction=3 -p gravity=20 -p mass=8.221e-9 --steps 10",
        // an impact within the ramp of its force
        "bouncing-mass -m implicit-euler -p time_step=0.02829 -p stiffness=4.283e11 -p "
        "damping=3099 "
        "-p friction=0 -p mass=6.8e-7 --steps 6",
        "spinning-sphere -m implicit-euler -p time_step=6.697e-5 -p stiffness=760.1 "
        "-p damping=2.138e4 -p friction=1.452 -p tilt=-0.2021 -p mass=0.0002052 --steps 100",
        // a robot that lands
        "quadruped-jump -m implicit-euler -p time_step=0.01826 -p stiffness=5.081e7 "
        "-p damping=0.1324 -p friction=0.06692 --steps 20"}) {
    SCOPED_TRACE(line);
    const RunVerdict v = Watch(line);
    EXPECT_TRUE(v.failure.empty()) << v.failure;
    EXPECT_EQ(v.unconverged, 0);
    EXPECT_FALSE(v.ledger.broken());
  }
}

// A ball that rolls is slow where it touches, and what that is summed from is not: the last bits of
// that, times a damper, move a body of a microgram, and are no missing force.
TEST(ImplicitEuler, GrantsTheLastBitsOfWhatAVelocityIsSummedFrom) {
  const RunVerdict v = Watch(
      "bouncing-ball -m implicit-euler -p time_step=0.03768 -p error_control=off -p "
      "stiffness=4696 -p damping=4.2e+05 -p friction=0.9733 -p gravity=14.65 -p "
      "tilt=-0.2388 -p mass=1.017e-09 -p anchors=published --steps 300");
  EXPECT_TRUE(v.failure.empty()) << v.failure;
  EXPECT_EQ(v.unconverged, 0);
  EXPECT_FALSE(v.ledger.broken());
}

// The tip of a light rod grazes the ground: of its damper's force it needs a part in 1e11, which no
// number of its position gives.
constexpr const char* kGraze =
    "sliding-rod -m implicit-euler -p time_step=0.004647 -p stiffness=1.002e6 -p damping=1.559e5 "
    "-p friction=0.4072 -p mass=1.04e-9 -p gained_energy=accept --steps 91";

TEST(ImplicitEuler, FindsTheForceThatALightBodyNeedsOfADamper) {
  const RunVerdict v = Watch(kGraze);
  EXPECT_TRUE(v.failure.empty()) << v.failure;
  EXPECT_EQ(v.steps, 91);
  EXPECT_EQ(v.unconverged, 0);
}

// Springs hold what friction and the surface give, and nothing of what a ramp has taken from it.
TEST(ImplicitEuler, StoresNothingThatARampHasTaken) {
  Simulation sim = StartLine(kGraze);
  const Material& rod = sim.config().materials[0];
  for (int i = 0; i < 91; ++i) {
    ASSERT_TRUE(Advanced(sim.Step())) << sim.failure();
    double most = 0;
    for (const ContactFrame& contact : sim.contacts()) {
      const double pressed = rod.stiffness * std::min(0.0, contact.signed_distance);
      const double held = rod.friction * contact.fn;
      most += 0.5 * (pressed * pressed + held * held) / rod.stiffness;
    }
    ASSERT_LE(SignalOf(sim, Signal::kElasticEnergy), 1.01 * most + 1e-12) << sim.step();
  }
}

// Robots on stiff motors, whose limits and feet change within the step by turns.
TEST(ImplicitEuler, ConvergesWhereManyPiecesChangeLong) {
  for (const char* line :
       {"quadruped-jump -m implicit-euler -p time_step=0.003918 -p stiffness=3.94e+04 -p "
        "damping=0.2099 -p friction=0 -p control_period=0.07156 -p stand_height=0.12 -p "
        "squat_amplitude=0.04557 -p squat_rate=10 -p trot_speed=-0.2405 -p "
        "trot_lift=0.06611 -p trot_period=0.2 -p sway_amplitude=0.06 -p sway_rate=6 -p "
        "step_length=0.06083 -p step_lift=0.03944 -p press_force=89.84 -p "
        "approach_speed=0.03789 -p joint_target=1.324 -p joint_stiffness=3.387e+06 -p "
        "joint_damping=1.219e+05 --steps 150",
        "biped-shift -m implicit-euler -p time_step=0.001101 -p error_control=off -p "
        "stiffness=1.829e+10 -p damping=2.499 -p friction=0 -p control_period=0.09486 -p "
        "stand_height=0.246 -p squat_amplitude=0.02787 -p squat_rate=2.904 -p "
        "trot_speed=0.3618 -p trot_lift=0.02702 -p trot_period=0.2 -p "
        "sway_amplitude=0.04276 -p sway_rate=0 -p step_length=-0.06212 -p step_lift=0.04191 "
        "-p press_force=100 -p approach_speed=0.00872 -p joint_target=-12.566370614359172 "
        "-p joint_stiffness=6.036e+04 -p joint_damping=2.318e+05 --steps 150",
        "quadruped-stand -m implicit-euler -p time_step=0.005055 -p stiffness=1.221e+07 -p "
        "damping=10.13 -p friction=2.736 -p control_period=0.0005404 -p stand_height=0.1823 "
        "-p squat_amplitude=0.02329 -p squat_rate=0 -p trot_speed=0.4 -p trot_lift=0.05689 "
        "-p trot_period=0.4822 -p sway_amplitude=0.06 -p sway_rate=0.1436 -p "
        "step_length=-0.1 -p step_lift=0.09064 -p press_force=91.3 -p "
        "approach_speed=0.004827 -p joint_target=12.566370614359172 -p "
        "joint_stiffness=89.72 -p joint_damping=6390 -p bias=first-order --steps 150",
        // a foot that just touches, beside others
        "quadruped-squat -m implicit-euler -p time_step=0.008129 -p stiffness=1.437e+04 -p "
        "damping=5.239e+05 -p friction=3 -p control_period=0.005207 -p stand_height=0.2453 "
        "-p squat_amplitude=0.05859 -p squat_rate=3.86 -p trot_speed=-0.4 -p "
        "trot_lift=0.005742 -p trot_period=0.8 -p sway_amplitude=0.06 -p sway_rate=0 -p "
        "step_length=0.1353 -p step_lift=0.01 -p press_force=63.04 -p "
        "approach_speed=0.02258 -p joint_target=-12.566370614359172 -p "
        "joint_stiffness=2.501e+05 -p joint_damping=9.407e+04 -p gained_energy=refuse "
        "--steps 5"}) {
    SCOPED_TRACE(line);
    const RunVerdict v = Watch(line);
    EXPECT_EQ(v.unconverged, 0);
    EXPECT_EQ(v.harmful, 0);
  }
}

// It was made of shorter steps, or lost.
TEST(ImplicitEuler, NeedsNoShorterStepsWhereThereIsASolution) {
  Simulation sim =
      StartLine("sliding-rod -m implicit-euler -p time_step=7ms -p stiffness=2e8 --steps 50");
  for (int i = 0; i < 50; ++i) {
    ASSERT_EQ(sim.Step(), StepStatus::kConverged) << sim.failure();
    EXPECT_EQ(sim.solve().anchors.pieces, 0);
  }
}

TEST(ImplicitEuler, OtherWaysAreAlwaysTheSame) {
  Simulation sim = StartLine(kJam);
  const StepRecord start = sim.now();
  const auto run = [&] {
    std::vector<uint64_t> hashes;
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(sim.Step(), StepStatus::kConverged);
      hashes.push_back(Hash(sim.state()));
    }
    return hashes;
  };
  const auto first = run();
  sim.Restore(start, sim.config());
  EXPECT_EQ(run(), first);
}

// Also where the first jam comes late: the memory for it was taken before.
TEST(ImplicitEuler, OtherWaysAllocateNothing) {
  Simulation sim = StartLine(kJam);
  const StepRecord start = sim.now();
  const Config jams = sim.config();
  Config slides = jams;
  slides.materials[0].friction = 0.1;
  sim.SetConfig(slides);
  for (int i = 0; i < 3; ++i) ASSERT_EQ(sim.Step(), StepStatus::kConverged) << sim.failure();
  sim.Restore(start, jams);
  for (const char* time : {"first", "again"}) {
    const test::AllocGuard guard;
    for (int i = 0; i < 3; ++i) {
      ASSERT_EQ(sim.Step(), StepStatus::kConverged);
      // only those on other ways are not recorded
      if (i == 0) {
        ASSERT_GT(sim.solve().iterations, sim.solve().recorded) << time;
      }
    }
    EXPECT_EQ(guard.count(), 0u) << time;
    sim.Restore(start, jams);
  }
}

// No velocity gives this weight: the next number of the position is half of it away.
TEST(ImplicitEuler, NamesTheDigitsThatPositionsDoNotHave) {
  Simulation sim = StartLine(
      "sliding-box -m implicit-euler -p time_step=0.05398 -p stiffness=1.263e10 -p damping=93.84 "
      "-p friction=3 -p mass=1.443e-7 --steps 2");
  StepStatus status = StepStatus::kConverged;
  while (sim.step() < 2 && Advanced(status)) status = sim.Step();
  EXPECT_EQ(status, StepStatus::kLost);
  EXPECT_NE(sim.failure().find("last digits of positions"), std::string::npos) << sim.failure();
  EXPECT_NE(sim.failure().find("lower the stiffness"), std::string::npos) << sim.failure();
}

}  // namespace
}  // namespace slip::test
