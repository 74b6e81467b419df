// Knobs between two steps: what does not change leaves every bit, what changes is booked as steps
// count it.
#include "engine/sim/knob_changes.h"

#include <gtest/gtest.h>

#include <functional>

#include "engine/run/study/run_plan.h"
#include "engine/scene/scene.h"
#include "tests/support/models.h"

namespace slip {
namespace {

struct Case {
  const char *scene, *method;
  int steps;
};

Simulation StartScene(const Case& each) {
  const auto scene = FindScene(each.scene);
  if (!scene) throw std::runtime_error(scene.error().Text());
  const auto plan = MakeRunPlan(*scene, each.method, {}, {});
  if (!plan) throw std::runtime_error(plan.error().Text());
  Simulation sim(plan->scene->ModelFor(plan->configs[0]), plan->configs[0]);
  for (int i = 0; i < each.steps; ++i) EXPECT_TRUE(Advanced(sim.Step())) << sim.failure();
  return sim;
}

// Boxes that stick, robots on their feet, a pile: their springs are under load along the ground.
const std::vector<Case>& Cases() {
  static const std::vector<Case> cases = {{"conveyor", "exponential", 5},
                                          {"conveyor", "implicit-euler", 5},
                                          {"conveyor", "sap", 5},
                                          {"quadruped-trot", "exponential", 200},
                                          {"quadruped-trot", "implicit-euler", 200},
                                          {"slope-creep", "exponential", 20},
                                          {"card-house", "similar", 30},
                                          {"card-house", "lagged", 0},
                                          {"conveyor", "exponential", 0}};
  return cases;
}

/// Turns a knob and sets it back.
void TurnAndSetBack(Simulation* sim, const std::function<void(Config*)>& turn) {
  const Config config = sim->config();
  Config other = config;
  turn(&other);
  EXPECT_FALSE(other == config);
  sim->SetConfig(other);
  sim->SetConfig(config);
}

TEST(KnobChanges, WhatIsSetBackLeavesEveryBit) {
  const std::pair<const char*, std::function<void(Config*)>> turns[] = {
      {"gravity", [](Config* c) { c->step.gravity = 5; }},
      {"time step", [](Config* c) { c->step.time_step *= 0.7; }},
      {"stiffness",
       [](Config* c) {
         for (Material& material : c->materials) material.stiffness *= 3;
       }},
      {"method",
       [](Config* c) {
         const bool convex = Info(c->method()).contact_model >= 0;
         c->step.method = static_cast<int>(*FindMethod(convex ? "todorov" : "sap"));
       }},
      {"controlled error", [](Config* c) { c->step.error_control = 1 - c->step.error_control; }}};
  for (const Case& each : Cases()) {
    for (const auto& [name, turn] : turns) {
      SCOPED_TRACE(std::string(each.scene) + ' ' + each.method + ' ' + name);
      Simulation sim = StartScene(each), same = StartScene(each);
      const double stored = same.state().energy.elastic;
      TurnAndSetBack(&sim, turn);
      EXPECT_EQ(Hash(sim.state()), Hash(same.state()));
      EXPECT_EQ(sim.state().energy.elastic, stored);
      for (int i = 0; i < 3; ++i) {
        ASSERT_EQ(sim.Step(), same.Step());
        EXPECT_EQ(Hash(sim.state()), Hash(same.state())) << "step " << i + 1;
      }
    }
  }
}

// As a command line has it: --at with the value that the knob has.
TEST(KnobChanges, AChangeToTheSameValueIsNone) {
  for (const Case& each : Cases()) {
    SCOPED_TRACE(std::string(each.scene) + ' ' + each.method);
    Simulation sim = StartScene(each), same = StartScene(each);
    sim.SetConfig(Config(sim.config()));
    EXPECT_EQ(Hash(sim.state()), Hash(same.state()));
  }
}

// The order of several changes between two steps is nobody's business.
TEST(KnobChanges, OnlyWhereTheyLeadCounts) {
  Simulation one = StartScene(Cases()[0]), other = StartScene(Cases()[0]);
  Config config = one.config();
  config.step.gravity = 5;
  config.step.time_step *= 0.5;
  config.materials[0].stiffness *= 2;
  one.SetConfig(config);
  TurnAndSetBack(&other, [](Config* c) { c->step.gravity = 1; });
  Config partly = other.config();
  partly.materials[0].stiffness *= 0.1;
  other.SetConfig(partly);
  partly.step.time_step *= 3;
  other.SetConfig(partly);
  other.SetConfig(config);
  EXPECT_EQ(Hash(one.state()), Hash(other.state()));
}

// All that springs with anchors store goes with the stiffness, what they hold along the ground too.
TEST(KnobChanges, AStifferSpringBooksAllThatItHolds) {
  for (const Case& each : Cases()) {
    if (each.steps == 0 || Info(*FindMethod(each.method)).family != Family::kAnchored) continue;
    SCOPED_TRACE(std::string(each.scene) + ' ' + each.method);
    Simulation sim = StartScene(each);
    const EnergyLedger before = sim.state().energy;
    ASSERT_GT(before.elastic, 0);
    Config config = sim.config();
    for (Material& material : config.materials) material.stiffness *= 3;
    sim.SetConfig(config);
    const EnergyLedger& after = sim.state().energy;
    EXPECT_NEAR(after.elastic, 3 * before.elastic, 1e-12 * before.elastic);
    EXPECT_NEAR(after.drive_work - before.drive_work, 2 * before.elastic, 1e-9 * before.elastic);
    EXPECT_NEAR(after.mechanical - before.mechanical, 2 * before.elastic, 1e-9 * before.elastic);
  }
}

// A softer spring gives less: what the knob took is not found missing in the next step.
TEST(KnobChanges, TheNextStepLosesNothingForThem) {
  Simulation sim = StartScene({"conveyor", "exponential", 5});
  Config config = sim.config();
  config.step.time_step = 1e-9;  // nothing moves in it
  config.materials[0].stiffness *= 0.5;
  sim.SetConfig(config);
  const EnergyLedger before = sim.state().energy;
  ASSERT_TRUE(Advanced(sim.Step())) << sim.failure();
  const EnergyLedger& after = sim.state().energy;
  EXPECT_NEAR(after.elastic, before.elastic, 1e-3 * before.elastic);
  EXPECT_NEAR(after.numerical, before.numerical, 1e-3 * before.elastic);
}

}  // namespace
}  // namespace slip
