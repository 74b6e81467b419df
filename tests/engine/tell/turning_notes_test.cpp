// What is said of steps that are too long for what turns in them.
#include "engine/sim/turning_bodies.h"

#include <gtest/gtest.h>

#include "engine/convex/convex_params.h"
#include "engine/scene/scene.h"
#include "engine/sim/simulation.h"
#include "engine/tell/step_notes.h"
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

/// The note of a run of these steps; empty = there is none.
std::string Say(std::string_view id, const std::vector<SignalValues>& steps) {
  StepNotes notes{Model{}};
  StepParams params;
  int64_t step = 0;
  for (const SignalValues& values : steps) {
    ++step;
    notes.Add({values, params, step, 2e-3 * static_cast<double>(step)});
  }
  const std::vector<StepNote> list = notes.List();
  const StepNote* note = Find(list, id);
  return note != nullptr ? note->what + "; " + note->advice : std::string();
}

TEST(TurningNotes, SayWhatTurnsTooFarInAStep) {
  EXPECT_EQ(Say("turn", {Step(0.4, 1, 0, 0)}), "");
  EXPECT_EQ(Say("turn", {Step(0.4, 1, 0, 0), Step(0.8, 1, 0, 0), Step(0.7, 1, 0, 0)}),
            "turns a body by 46 deg in a step while it touches: rolling and spinning need a turn "
            "below 0.5 rad; take steps below 1.2 ms");
}

TEST(TurningNotes, AskForTheBodyOfTheFarthestTurn) {
  StepNotes notes{Model{}};
  StepParams params;
  notes.Add({Step(0.8, 1, 0, 0), params, 1, 2e-3});
  EXPECT_TRUE(notes.wants_body());
  notes.Add({Step(0.7, 1, 0, 0), params, 2, 4e-3});
  EXPECT_FALSE(notes.wants_body());
}

TEST(TurningNotes, SayWhereEnergyComesFromNowhere) {
  EXPECT_EQ(Say("created", {Step(0.05, 2, 0.1, -0.16)}),
            "made energy from nowhere while bodies turned: 0.16 J, 8 % of the largest kinetic "
            "energy; a smaller time step makes less");
  EXPECT_EQ(Say("created", {Step(0.05, 2, 0.1, -0.01)}), "") << "less than a hundredth";
  EXPECT_EQ(Say("created", {Step(0.05, 2, 0.1, 0.16)}), "") << "lost, not made";
  EXPECT_EQ(Say("created", {Step(0.005, 2, 0.1, -0.16)}), "") << "nothing turned";
  EXPECT_EQ(Say("created", {Step(0.05, 2, 3, -0.16)}), "") << "overlap gave it back";
  EXPECT_EQ(Say("created", {Step(0.05, 2, 0.1, -0.16), Step(0.05, 2, 0.1, 0)}), "")
      << "the run has lost it again";
}

std::string Roll(std::string_view id, Turning turning, double h) {
  const auto scene = ReadSceneText(kRollingCoin, "coin.toml");
  EXPECT_TRUE(scene.ok()) << scene.error().Text();
  Config config = (*scene)->config;
  config.step.part<ConvexParams>().turning = static_cast<int>(turning);
  config.step.time_step = h;
  Simulation sim((*scene)->model, config);
  StepNotes notes(*(*scene)->model);
  while (sim.time() < 0.6) {
    EXPECT_TRUE(Advanced(sim.Step()));
    notes.Watch(sim);
  }
  const std::vector<StepNote> list = notes.List();
  const StepNote* note = Find(list, id);
  return note != nullptr ? note->what : std::string();
}

TEST(TurningNotes, KnowACoinThatClimbs) {
  EXPECT_NE(Roll("created", Turning::kStart, 1e-3), "");
  EXPECT_EQ(Roll("created", Turning::kMiddle, 1e-3), "");
  EXPECT_EQ(Roll("turn", Turning::kMiddle, 1e-3), "");
  const std::string note = Roll("turn", Turning::kMiddle, 40e-3);
  EXPECT_TRUE(note.starts_with("turns coin by ")) << note;
}

TEST(TurningNotes, LeaveBallsAlone) {
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
