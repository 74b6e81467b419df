// Robots that nothing is near are left out of the search for pairs; others are found.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/scene/scene.h"
#include "engine/sim/simulation.h"

namespace slip {
namespace {

// Pairs of bodies, not of one robot, that touch after a step: a robot, another so far away, and a
// box above the first at this height.
int CountPairs(double distance, double height) {
  const std::string text = fmt::format(
      "title = \"t\"\n[material.a]\n[surface.floor]\n"
      "[robot.near]\nfile = \"quadruped.urdf\"\nposition = [0, 0, 0.4]\n"
      "[robot.far]\nfile = \"quadruped.urdf\"\nposition = [{}, 0, 0.4]\n"
      "[body.box]\nshape = \"box\"\nsize = [0.1, 0.1, 0.1]\nmass = 1\nposition = [0, 0, {}]\n"
      "[[channel]]\nmodel = \"sap\"\n",
      distance, height);
  const auto scene = ReadSceneText(text, "t");
  EXPECT_TRUE(scene.ok()) << scene.error().Text();
  if (!scene.ok()) return -1;
  const Model& model = *(*scene)->model;
  Simulation sim((*scene)->model, (*scene)->channels[0].config);
  EXPECT_EQ(sim.Step(), StepStatus::kConverged);
  int pairs = 0;
  for (const ContactFrame& contact : sim.contacts()) {
    if (contact.body_a < 0) continue;
    const int a = model.bodies[static_cast<std::size_t>(contact.body_a)].robot;
    const int b = model.bodies[static_cast<std::size_t>(contact.body)].robot;
    EXPECT_NE(a, b);
    ++pairs;
  }
  return pairs;
}

TEST(LoneRobots, HaveNoPairs) { EXPECT_EQ(CountPairs(5, 3), 0); }

TEST(LoneRobots, TwoThatMeetCollide) { EXPECT_GT(CountPairs(0.15, 3), 0); }

TEST(LoneRobots, OneThatABodyMeetsCollidesWithIt) { EXPECT_GT(CountPairs(5, 0.4), 0); }

}  // namespace
}  // namespace slip
