// One channel by itself: what turning a knob does to the balance of energy.
#include "engine/sim/simulation.h"

#include <gtest/gtest.h>

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
  config.step.stiction_tolerance = 1e-2;  // it falls
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
    // stages of short steps are timed in every sixteenth only
    if (i % 16 == 0) EXPECT_LE(sum, Value(sim, Signal::kStepTimeUs));
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
