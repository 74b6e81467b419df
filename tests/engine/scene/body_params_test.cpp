// Mass and material of single bodies as parameters: what they do, and that a run with them can be
// said as a command and read from a file.
#include <gtest/gtest.h>

#include "engine/run/study/run_plan.h"
#include "engine/scene/scene.h"
#include "engine/sim/simulation.h"

namespace slip {
namespace {

/// Two boxes of one material lie side by side on a slope that holds them.
constexpr const char* kTwoBoxes = R"(
title = "two boxes"
tilt = 0.3
time_step = "5 ms"
[material.wood]
friction = 0.5
stiffness = 1e6
[surface.ground]
[body.left]
shape = "box"
size = [0.1, 0.1, 0.1]
mass = 1
position = [0, -0.5, 0.05]
[body.right]
shape = "box"
size = [0.1, 0.1, 0.1]
mass = 1
position = [0, 0.5, 0.05]
[[channel]]
model = "lagged"
)";

std::shared_ptr<const Scene> TwoBoxes() {
  auto scene = ReadSceneText(kTwoBoxes, "two.toml");
  EXPECT_TRUE(scene.ok()) << (scene.ok() ? "" : scene.error().Text());
  return *scene;
}

/// The plan's only channel after half a second.
Simulation After(const RunPlan& plan) {
  Simulation sim(plan.scene->ModelFor(plan.configs[0]), plan.configs[0]);
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(Advanced(sim.Step()));
  return sim;
}

TEST(BodyParams, MassChangesMassAndInertia) {
  const auto scene = TwoBoxes();
  const auto plan = MakeRunPlan(scene, "", {"body.left.mass=3 kg"}, {});
  ASSERT_TRUE(plan.ok()) << plan.error().Text();
  const Model& was = *scene->model;
  const Model& is = *scene->ModelFor(plan->configs[0]);
  EXPECT_EQ(is.bodies[0].mass, 3);
  EXPECT_TRUE(is.bodies[0].inertia_B.isApprox(3 * was.bodies[0].inertia_B, 1e-15));
  EXPECT_EQ(is.bodies[1].mass, 1);
  EXPECT_EQ(was.bodies[0].mass, 1) << "the scene's own model stays";
}

TEST(BodyParams, OwnMaterialIsTheBodysAlone) {
  const auto plan = MakeRunPlan(
      TwoBoxes(), "", {"body.left.own_material=on", "material.left:own.friction=0.05"}, {});
  ASSERT_TRUE(plan.ok()) << plan.error().Text();
  ASSERT_EQ(plan->configs[0].materials.size(), 2u);
  EXPECT_EQ(plan->configs[0].materials[1].stiffness, 1e6) << "the others are copies";
  const Simulation sim = After(*plan);
  // tan 0.3 = 0.31 is more than the mean of 0.05 and what the ground has, less than 0.5
  EXPECT_GT(sim.state().X_WB[0].p.x(), 0.1);
  EXPECT_LT(sim.state().X_WB[1].p.x(), 1e-3);
  EXPECT_EQ(PathInScene(plan->configs[0], "material.left:own.friction"), "material.wood.friction");
  EXPECT_EQ(PathInScene(plan->configs[0], "material.wood.friction"), "material.wood.friction");
}

TEST(BodyParams, OffTakesTheCopyAway) {
  Config config = TwoBoxes()->config;
  ASSERT_TRUE(SetParam(&config, "body.right.own_material", 1).ok());
  ASSERT_TRUE(SetParam(&config, "body.left.own_material", 1).ok());
  ASSERT_EQ(config.materials.size(), 3u);
  EXPECT_EQ(config.materials[1].name, "left:own") << "in the order of the bodies";
  ASSERT_TRUE(SetParam(&config, "material.right:own.friction", 0.1).ok());
  ASSERT_TRUE(SetParam(&config, "body.left.own_material", 0).ok());
  ASSERT_EQ(config.materials.size(), 2u);
  EXPECT_EQ(config.materials[1].friction, 0.1) << "that of the other stays as it is";
  ASSERT_TRUE(SetParam(&config, "body.right.own_material", 0).ok());
  EXPECT_EQ(config, TwoBoxes()->config);
}

TEST(BodyParams, AreThoseOfAllChannels) {
  const auto plan = MakeRunPlan(TwoBoxes(), "sap,lagged", {"body.left.mass@sap=2"}, {});
  ASSERT_FALSE(plan.ok());
  EXPECT_NE(plan.error().message.find("same in all channels"), std::string::npos);
  const auto scene = ReadSceneText(std::string(kTwoBoxes) + "body.left.mass = 2\n", "two.toml");
  ASSERT_FALSE(scene.ok());
  EXPECT_NE(scene.error().message.find("same in all channels"), std::string::npos);
  EXPECT_GT(scene.error().line, 0);
}

TEST(BodyParams, NoMaterialOfAFileHasAColon) {
  const auto scene = ReadSceneText(std::string(kTwoBoxes) + "[material.\"left:own\"]\n", "x.toml");
  ASSERT_FALSE(scene.ok());
  EXPECT_NE(scene.error().message.find("letters"), std::string::npos);
}

TEST(Numbers, AreSignalsOfTheInstrument) {
  const std::string text = kTwoBoxes;
  const auto read = [&](const std::string& keys) { return ReadSceneText(keys + text, "x.toml"); };
  const auto good = read("instrument = \"numbers\"\nnumbers = [\"fallen\", \"rise\"]\n");
  ASSERT_TRUE(good.ok()) << good.error().Text();
  EXPECT_EQ((*good)->numbers.size(), 2u);
  EXPECT_FALSE(read("instrument = \"numbers\"\n").ok());
  EXPECT_FALSE(read("numbers = [\"fallen\"]\n").ok());
  EXPECT_FALSE(read("instrument = \"numbers\"\nnumbers = []\n").ok());
  const auto unknown = read("instrument = \"numbers\"\nnumbers = [\"falen\"]\n");
  ASSERT_FALSE(unknown.ok());
  EXPECT_NE(unknown.error().hint.find("fallen"), std::string::npos);
}

TEST(Fallen, CountsBodiesThatLean) {
  const auto scene = FindScene("dominoes");
  ASSERT_TRUE(scene.ok());
  const Config& config = (*scene)->channels[0].config;
  Simulation sim((*scene)->model, config);
  const auto fallen = [&] { return sim.signals()[static_cast<std::size_t>(Signal::kFallen)]; };
  EXPECT_EQ(fallen(), 0);
  double before = 0;
  while (sim.time() < 1.5) {
    ASSERT_TRUE(Advanced(sim.Step()));
    EXPECT_GE(fallen(), before) << "none gets up again";
    before = fallen();
  }
  EXPECT_EQ(fallen(), 20) << "all tiles, and not the ball";
}

TEST(Schema, OfAnotherVersionIsRefused) {
  const std::string text = kTwoBoxes;
  EXPECT_TRUE(ReadSceneText("schema = \"slipscope.scene/1\"\n" + text, "x.toml").ok());
  const auto newer = ReadSceneText("schema = \"slipscope.scene/2\"\n" + text, "x.toml");
  ASSERT_FALSE(newer.ok());
  EXPECT_EQ(newer.error().line, 1);
  EXPECT_NE(newer.error().message.find("slipscope.scene/1"), std::string::npos);
  EXPECT_NE(newer.error().hint.find("newer"), std::string::npos);
  for (const std::string& name : ListScenes()) {
    const auto scene = FindScene(name);
    ASSERT_TRUE(scene.ok());
    EXPECT_NE((*scene)->text.find("schema = \"slipscope.scene/1\""), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace slip
