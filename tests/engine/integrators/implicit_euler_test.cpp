// Steps of implicit Euler whose residual has kinks between the start and the solution, and those of
// which numbers have no solution.
#include <gtest/gtest.h>

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
