// That the judge of random runs sees what it is there for, and nothing in a run that is sound.
#include "tests/random/judge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/support/judged_run.h"

namespace slip::test {
namespace {

constexpr char kBounce[] =
    "slipscope run bouncing-ball -m lagged -p time_step=1e-3 -p dissipation=0 "
    "-p gained_energy=accept --steps 400";

TEST(Judge, FindsNothingInASoundRun) {
  for (const char* line :
       {kBounce, "conveyor -m similar --steps 200", "clutter -m sap -p stiffness=1e5 --steps 40",
        "quadruped-trot -m sap --steps 600", "biped-walk -m lagged --steps 600",
        "arm-press -m anitescu --steps 400",
        "conveyor -m similar -p time_step=9.53e-07 -p normal_law=log-barrier -p "
        "barrier_stiffness=4.177e+07 -p friction=1.316 -p stiction_tolerance=0.02831 -p "
        "belt_amplitude=0.5607 --steps 300"}) {
    const RunVerdict v = WatchRun(line, [](Simulation*) {});
    EXPECT_LE(v.gain_ratio.value, 1) << line;
    EXPECT_LE(v.created.value, 1) << line;
    EXPECT_LE(v.depth_ratio.value, 1) << line;
    EXPECT_EQ(v.through.value, 0) << line;
    EXPECT_EQ(v.unconverged, 0) << line;
    EXPECT_FALSE(v.not_finite) << line;
    EXPECT_TRUE(v.failure.empty()) << v.failure;
  }
}

TEST(Judge, AStepBeyondDigitsIsNamed) {
  const RunVerdict v = WatchRun(
      "spring-wall -m exponential -p time_step=0.01786 -p stiffness=6.155e+07 -p "
      "damping=1.996e+05 -p mass=2.822e-09 --steps 3",
      [](Simulation*) {});
  EXPECT_FALSE(v.not_finite);
  EXPECT_NE(v.failure.find("its exponential has no digits"), std::string::npos) << v.failure;
}

constexpr char kTrot[] = "quadruped-trot -m lagged -p gained_energy=accept --steps 300";

TEST(Judge, SeesEnergyFromNowhere) {
  const RunVerdict v = WatchRun(kBounce, [](Simulation* sim) {
    if (sim->step() != 300) return;
    StepRecord record = sim->now();
    record.state.v *= 10;
    sim->Restore(record, sim->config());
  });
  EXPECT_GT(v.gain_ratio.value, 1);
  EXPECT_EQ(v.created.step, 301);
  EXPECT_EQ(v.MainCause(), Cause::kContact);
}

TEST(Judge, SeesEnergyFromNowhereInARobot) {
  const RunVerdict v = WatchRun(kTrot, [](Simulation* sim) {
    if (sim->step() != 200) return;
    StepRecord record = sim->now();
    record.state.v.array() += 2;
    sim->Restore(record, sim->config());
  });
  EXPECT_GT(v.gain_ratio.value, 1);
  EXPECT_EQ(v.created.step, 201);
}

// Motors with far targets throw the robot about; the balance knows who pays.
TEST(Judge, KnowsWhatDrivesARobot) {
  const RunVerdict v = WatchRun(
      "quadruped-trot -m lagged -p time_step=0.01 -p joint_target=3 -p joint_stiffness=20 "
      "--steps 150",
      [](Simulation*) {});
  EXPECT_GT(v.work, 10);
  EXPECT_LE(v.gain_ratio.value, 1);
  EXPECT_FALSE(v.runaway && !v.driven);
}

// Asked too seldom for its steps, the controller loses the robot; then its motors brake.
TEST(Judge, KnowsTheBrakesOfARobot) {
  const RunVerdict v =
      WatchRun("quadruped-trot -m lagged -p time_step=0.04 -p control_period=0.04 --steps 150",
               [](Simulation*) {});
  EXPECT_LT(v.work, 0);
  EXPECT_LE(v.gain_ratio.value, 1);
  EXPECT_FALSE(v.runaway);
}

// Springs of 400 N m/rad that are two turns away from their targets, in steps of 50 ms.
TEST(Judge, TellsADrivenRunawayFromAnother) {
  const std::string line =
      "quadruped-trot -m todorov -p time_step=0.05 -p joint_target=12 -p joint_stiffness=400 "
      "-p gained_energy=accept --steps 100";
  const RunVerdict driven = WatchRun(line, [](Simulation*) {});
  EXPECT_TRUE(driven.runaway);
  EXPECT_TRUE(driven.driven);
  EXPECT_GT(driven.explicit_gain, 0);
  const RunVerdict thrown = WatchRun(std::string(kBounce), [](Simulation* sim) {
    StepRecord record = sim->now();
    record.state.v *= 10;
    sim->Restore(record, sim->config());
  });
  EXPECT_TRUE(thrown.runaway);
  EXPECT_FALSE(thrown.driven);
}

// Steps of 61 ms turn the cards into each other: what throws them is no gain of any step. With the
// bias of the middle nothing is thrown.
TEST(Judge, TellsWhatLongStepsMakeFromWhatAStepCreates) {
  const RunVerdict v = WatchRun(
      "card-house -m lagged -p time_step=0.06126 -p stiffness=3.373e11 -p dissipation=41.29 "
      "-p friction=3 -p stiction_tolerance=1.445e-08 -p tilt=1.047 -p turning=start --steps 150",
      [](Simulation*) {});
  EXPECT_GT(v.thrown_ratio.value, 1);
  EXPECT_LE(v.gain_ratio.value, 1);
  EXPECT_LE(v.created.value, 1);
}

// Its damper lets it out at 2 cm/s.
TEST(Judge, SeesABodyThatStaysBelowTheFloor) {
  const auto put_below_at = [](int64_t step) {
    return WatchRun("bouncing-ball -m lagged -p time_step=1e-3 -p dissipation=50 --steps 400",
                    [step](Simulation* sim) {
                      if (sim->step() != step) return;
                      StepRecord record = sim->now();
                      record.state.X_WB[0].p.z() = -0.2;
                      sim->Restore(record, sim->config());
                    });
  };
  const RunVerdict v = put_below_at(399 - kSunkSteps);
  EXPECT_GT(v.through.value, 0.15);
  EXPECT_GT(v.depth_ratio.value, 1);
  EXPECT_EQ(put_below_at(400 - kSunkSteps).through.value, 0);
}

// Steps of 78 ms in which the things in a bin turn by several radians.
TEST(Judge, KnowsWhoComesBackFromBelow) {
  const RunVerdict v = WatchRun(
      "object-bin -m anitescu -p time_step=0.07778 -p friction=0 --steps 60", [](Simulation*) {});
  EXPECT_GT(v.depth.value, 0.05);
  EXPECT_EQ(v.through.value, 0);
  EXPECT_LE(v.gain_ratio.value, 1);
}

TEST(Judge, CountsStepsThatDidNotConverge) {
  const RunVerdict v = WatchRun(
      "clutter -m lagged -p max_iterations=1 -p lost_steps=accept --steps 30", [](Simulation*) {});
  EXPECT_GT(v.unconverged, 0);
  EXPECT_GT(v.residual.value, 0);
  EXPECT_LE(v.harmful, v.unconverged);
}

TEST(DrawRun, RepeatsItselfAndIsValidLong) {
  std::vector<std::shared_ptr<const Scene>> scenes;
  for (const std::string& name : ListScenes()) scenes.push_back(*FindScene(name));
  const std::vector<ScenePair> pairs = ListPairs(scenes);
  std::set<std::string> lines, drawn, methods;
  for (int64_t i = 0; i < 600; ++i) {
    const RunSpec spec = DrawRun(pairs, 7, i);
    const std::string line = spec.CommandLine();
    EXPECT_EQ(line, DrawRun(pairs, 7, i).CommandLine());
    lines.insert(line);
    drawn.insert(spec.scene + ' ' + spec.model);
    methods.insert(spec.model);
    const auto again = ParseCommandLine(line);
    ASSERT_TRUE(again.ok()) << line;
    EXPECT_EQ(again->CommandLine(), line);
    const auto plan = MakeRunPlan(*FindScene(spec.scene), spec.model, spec.assignments, {});
    ASSERT_TRUE(plan.ok()) << line;
    EXPECT_TRUE(CheckFriction(plan->configs[0].materials).ok()) << line;
  }
  EXPECT_GT(lines.size(), 590u);
  EXPECT_EQ(drawn.size(), pairs.size());
  const auto ours = std::count_if(Methods().begin(), Methods().end(), [](const MethodInfo& method) {
    return method.family != Family::kEngine;
  });
  EXPECT_EQ(methods.size(), static_cast<std::size_t>(ours)) << "every method steps some scene";
  const auto has = [&](std::string_view text) {
    return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
      return line.find(text) != std::string::npos;
    });
  };
  for (const char* text : {" slip_set=published", " anchors=published", " bias=first-order",
                           " slip_prediction=stick", " gained_energy=accept", " error_control=on",
                           " turning=start", " closest_points=", "quadruped-trot -m exponential",
                           "quadruped-jump -m rk4", "bunny-grasp -m quasi-dynamic"})
    EXPECT_TRUE(has(text)) << text;
  for (const char* text :
       {" max_iterations=", " lost_steps=", " solver_tolerance=", " qp_tolerance="})
    EXPECT_FALSE(has(text)) << text;
}

}  // namespace
}  // namespace slip::test
