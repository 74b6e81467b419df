// What is said of steps that are too long for what turns in them.
#include "engine/sim/turn_watch.h"

#include <gtest/gtest.h>

#include "engine/scene/scene.h"
#include "engine/sim/simulation.h"
#include "tests/support/rolling_coin.h"

namespace slip {
namespace {

SignalValues Step(double turn, double kinetic, double elastic, double numerical) {
  SignalValues values;
  values.fill(std::nan(""));
  const auto at = [&](Signal id) -> double& { return values[static_cast<std::size_t>(id)]; };
  at(Signal::kTimeStep) = 2e-3;
  at(Signal::kTurnPerStep) = turn;
  at(Signal::kKineticEnergy) = kinetic;
  at(Signal::kElasticEnergy) = elastic;
  at(Signal::kNumericalDissipation) = numerical;
  return values;
}

TEST(TurnWatch, SaysWhatTurnsTooFarInAStep) {
  TurnWatch watch;
  EXPECT_FALSE(watch.Add(Step(0.4, 1, 0, 0)));
  EXPECT_EQ(watch.TurnNote(), "");
  EXPECT_TRUE(watch.Add(Step(0.8, 1, 0, 0)));
  EXPECT_FALSE(watch.Add(Step(0.7, 1, 0, 0)));
  EXPECT_EQ(watch.TurnNote(),
            "a body turns by 46 deg in a step while it touches: rolling and spinning need a turn "
            "below 0.5 rad (time step below 1.2 ms)");
}

TEST(TurnWatch, SaysWhereEnergyComesFromNowhere) {
  const auto note = [](const SignalValues& step) {
    TurnWatch watch;
    watch.Add(step);
    return watch.EnergyNote();
  };
  EXPECT_EQ(note(Step(0.05, 2, 0.1, -0.16)),
            "energy from nowhere: 0.16 J, 8 % of the largest kinetic energy, came from the time "
            "stepping while bodies turned; a smaller time step makes less");
  EXPECT_EQ(note(Step(0.05, 2, 0.1, -0.01)), "") << "less than a hundredth";
  EXPECT_EQ(note(Step(0.05, 2, 0.1, 0.16)), "") << "lost, not made";
  EXPECT_EQ(note(Step(0.005, 2, 0.1, -0.16)), "") << "nothing turned";
  EXPECT_EQ(note(Step(0.05, 2, 3, -0.16)), "") << "overlap gave it back";
}

TurnWatch Roll(Turning turning, double h) {
  const auto scene = ReadSceneText(kRollingCoin, "coin.toml");
  EXPECT_TRUE(scene.ok()) << scene.error().Text();
  Config config = (*scene)->config;
  config.step.turning = static_cast<int>(turning);
  config.step.time_step = h;
  Simulation sim((*scene)->model, config);
  TurnWatch watch;
  while (sim.time() < 0.6) {
    EXPECT_TRUE(Advanced(sim.Step()));
    watch.Watch(sim);
  }
  return watch;
}

TEST(TurnWatch, KnowsACoinThatClimbs) {
  EXPECT_NE(Roll(Turning::kStart, 1e-3).EnergyNote(), "");
  EXPECT_EQ(Roll(Turning::kMiddle, 1e-3).EnergyNote(), "");
  EXPECT_EQ(Roll(Turning::kMiddle, 1e-3).TurnNote(), "");
  const std::string note = Roll(Turning::kMiddle, 40e-3).TurnNote();
  EXPECT_TRUE(note.starts_with("coin turns by ")) << note;
}

TEST(TurnWatch, LeavesBallsAlone) {
  Model model;
  Body ball;
  ball.shape.kind = ShapeKind::kSphere;
  ball.SetJoint(JointKind::kFree);
  ball.points_B = {Vec3::Zero()};
  Body weighted = ball;
  weighted.points_B = {Vec3(0, 0, 0.01)};
  Body box = ball;
  box.shape.kind = ShapeKind::kBox;
  Body plate = box;
  plate.SetJoint(JointKind::kPlanar);
  model.bodies = {ball, weighted, box, plate};
  model.Finish();
  EXPECT_FALSE(TurnsContacts(model, model.bodies[0]));
  EXPECT_TRUE(TurnsContacts(model, model.bodies[1]));
  EXPECT_TRUE(TurnsContacts(model, model.bodies[2]));
  EXPECT_FALSE(TurnsContacts(model, model.bodies[3]));
}

}  // namespace
}  // namespace slip
