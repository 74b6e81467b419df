// One channel by itself: what turning a knob does to the balance of energy.
#include "engine/sim/simulation.h"

#include <gtest/gtest.h>
#include <algorithm>

#include "engine/convex/convex_params.h"
#include "engine/scene/scene.h"
#include "engine/sim/timeline.h"
#include "tests/support/methods.h"
#include "tests/support/models.h"

namespace slip::test {
namespace {

// Bodies that turn overlap by other distances than those the step solved for. The ledger counts in
// the latter, so a knob that does not change must not do work.
TEST(Simulation, AKnobThatStaysDoesNoWork) {
  const auto scene = FindScene("card-house");
  ASSERT_TRUE(scene.ok());
  Config config = (*scene)->channels[0].config;
  config.step.part<ConvexParams>().stiction_tolerance = 1e-2;  // it falls
  Simulation sim((*scene)->model, config);
  for (int i = 0; i < 400; ++i) {
    ASSERT_TRUE(Advanced(sim.Step()));
    sim.SetConfig(config);
  }
  // nothing is driven here
  EXPECT_NEAR(sim.state().energy.drive_work, 0, 1e-12);
}

// A stiffer spring holds more energy at the same overlap: in proportion to the stiffness.
TEST(Simulation, AStifferSpringGetsItsEnergyFromTheKnob) {
  Config config = BeltConfig(method_id::kLagged, 1e-3);
  Simulation sim(BoxOnBelt(), config);
  ASSERT_TRUE(RunTo(&sim, 0.5));
  const double elastic = Value(sim, Signal::kElasticEnergy);
  ASSERT_GT(elastic, 0);
  const double before = sim.state().energy.drive_work;
  config.materials[0].stiffness *= 3;
  sim.SetConfig(config);
  EXPECT_NEAR(sim.state().energy.drive_work - before, 2 * elastic, 1e-9 * elastic);
}

TEST(Simulation, StagesAreTheStep) {
  const auto scene = FindScene("clutter");
  ASSERT_TRUE(scene.ok());
  Simulation sim((*scene)->model, (*scene)->channels[0].config);
  for (int i = 0; i < 60; ++i) {
    ASSERT_TRUE(Advanced(sim.Step()));
    double sum = 0;
    for (const Signal id : {Signal::kDetectionTimeUs, Signal::kAssemblyTimeUs, Signal::kSolveTimeUs,
                            Signal::kMeasureTimeUs}) {
      EXPECT_GT(Value(sim, id), 0) << Info(id).name;
      sum += Value(sim, id);
    }
    EXPECT_LE(sum, Value(sim, Signal::kTimedStepUs));
    // stages of short steps are timed in the first step, and then in every 64th
    if (i == 0) EXPECT_EQ(Value(sim, Signal::kTimedStepUs), Value(sim, Signal::kStepTimeUs));
  }
}
// Parts of the steps of other formulations, and that to time them changes no bit.
TEST(Simulation, PartsAreThoseOfTheFormulation) {
  using S = Signal;
  const std::vector<std::pair<const char*, std::vector<Signal>>> kinds = {
      {"exponential", {S::kKinematicsTimeUs, S::kLinearTimeUs, S::kIntegralsTimeUs}},
      {"implicit-euler", {S::kKinematicsTimeUs, S::kLinearTimeUs, S::kLineTimeUs}},
      {"explicit-euler", {S::kKinematicsTimeUs}},
      {"lagged", {}},
  };
  const auto scene = FindScene("quadruped-squat");
  ASSERT_TRUE(scene.ok());
  for (const auto& [name, parts] : kinds) {
    Config config = (*scene)->config;
    config.step.method = static_cast<int>(*FindMethod(name));
    config.step.time_step = 1e-4;
    Simulation sim((*scene)->model, config), untimed((*scene)->model, config);
    sim.SetMeasureCondition(true, true, true);
    for (int i = 0; i < 50; ++i) {
      ASSERT_TRUE(Advanced(sim.Step()) && Advanced(untimed.Step())) << sim.failure();
      EXPECT_EQ(Value(sim, S::kTimedStepUs), Value(sim, S::kStepTimeUs));
      double sum = 0;
      for (const Signal id : {S::kKinematicsTimeUs, S::kLinearTimeUs, S::kIntegralsTimeUs,
                              S::kLineTimeUs, S::kDistancesTimeUs, S::kSortingTimeUs}) {
        const bool has = std::find(parts.begin(), parts.end(), id) != parts.end();
        EXPECT_EQ(Value(sim, id) > 0, has) << name << " " << Info(id).name;
        if (has) sum += Value(sim, id);
      }
      EXPECT_LE(sum, Value(sim, S::kStepTimeUs)) << name;
    }
    EXPECT_EQ(Hash(sim.state()), Hash(untimed.state())) << name;
  }
}

TEST(Simulation, AQuasiDynamicStepTellsItsProgram) {
  const auto scene = FindScene("bunny-grasp");
  ASSERT_TRUE(scene.ok());
  Simulation sim((*scene)->model, (*scene)->channels[0].config);
  sim.SetMeasureCondition(true, true, true);
  ASSERT_TRUE(Advanced(sim.Step()));
  // the paper prints 13 variables and 80 rows; 992 points against three objects, and the corners of
  // both fingers against the ground
  EXPECT_EQ(Value(sim, Signal::kUnknowns), 13);
  EXPECT_EQ(Value(sim, Signal::kProgramRows), 80);
  EXPECT_EQ(Value(sim, Signal::kPointsChecked), 3 * 992 + 16);
  EXPECT_GT(Value(sim, Signal::kDistancesTimeUs), 0);
  EXPECT_GT(Value(sim, Signal::kSortingTimeUs), 0);
  EXPECT_LE(Value(sim, Signal::kDistancesTimeUs) + Value(sim, Signal::kSortingTimeUs),
            Value(sim, Signal::kDetectionTimeUs));
}

// Methods find contact points at different ends of the step; arrows stand on the body all the same.
TEST(Simulation, ContactPointsGoAlongWithTheBody) {
  for (const MethodId method : {method_id::kSap, method_id::kLagged, method_id::kSimilar}) {
    Config config = BeltConfig(method, 0.1);
    config.surfaces[0].belt_speed = 2;
    Simulation sim(BoxOnBelt(), config);
    double farthest = 0;
    for (int i = 0; i < 20; ++i) {
      ASSERT_TRUE(Advanced(sim.Step()));
      const Pose& X = sim.state().X_WB[0];
      ChannelFrame frame;
      frame.bodies.push_back({X});
      for (const ContactFrame& contact : sim.contacts()) {
        const Vec3 p_B = X.q.conjugate() * (PointAtEnd(frame, contact) - X.p);
        // one of its corners, or the middle of its face, wherever the step took it
        double nearest = 1;
        for (const Vec3& point : sim.model().bodies[0].points_B)
          nearest = std::min(nearest, (point - p_B).head<2>().norm());
        EXPECT_LT(nearest, 1e-6);
        farthest = std::max(farthest, (PointAtEnd(frame, contact) - contact.p_W).norm());
      }
    }
    EXPECT_GT(farthest, 0.02);  // there was something to go along with
  }
}

// What a record holds is all that the answer depends on: after a look back it is the same bits.
TEST(Simulation, ARestoredStepTurnsKnobsLikeTheStepItself) {
  const auto scene = FindScene("card-house");
  ASSERT_TRUE(scene.ok());
  Config config = (*scene)->channels[0].config;
  Simulation sim((*scene)->model, config), other((*scene)->model, config);
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(Advanced(sim.Step()));
  Timeline timeline(1 << 20);
  timeline.Append(sim.now(), sim.time(), false);
  StepRecord record;
  timeline.Load(0, &record);
  other.Restore(record, config);
  config.materials[0].stiffness *= 0.7;
  sim.SetConfig(config);
  other.SetConfig(config);
  EXPECT_TRUE(Equal(sim.state(), other.state()));
}

}  // namespace
}  // namespace slip::test
