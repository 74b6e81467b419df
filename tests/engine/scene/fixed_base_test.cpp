// Robots on a fixed base: joints that follow each other across it, links that stay bodies of their
// own, and which of their shapes are drawn.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

#include "engine/scene/scene.h"
#include "engine/sim/simulation.h"
#include "tests/support/urdf.h"

namespace slip {
namespace {

using Read = Result<std::shared_ptr<const Scene>>;

Read ReadRobotWith(const std::string& name, const std::string& urdf, const std::string& keys) {
  const std::string file = testing::TempDir() + "slipscope_fixed_" + name + ".urdf";
  std::ofstream(file) << urdf;
  return ReadSceneText(
      "title = 't'\n[material.m]\n[robot.r]\nbase = 'fixed'\nfile = '" + file + "'\n" + keys,
      "robot.toml");
}

std::string Finger(const std::string& name, const std::string& more = {},
                   const std::string& content = {}) {
  return test::LinkText(name, test::kBody + content) +
         test::JointText("j_" + name, "prismatic", "base", name,
                         "<axis xyz=\"0 1 0\"/><limit lower=\"-1\" upper=\"1\" effort=\"500\" "
                         "velocity=\"9\"/>" +
                             more);
}

std::string Follows(const std::string& joint, double multiplier, double offset) {
  return fmt::format("<mimic joint=\"{}\" multiplier=\"{}\" offset=\"{}\"/>", joint, multiplier,
                     offset);
}

double PositionOf(const Simulation& sim, const std::string& link) {
  const Model& model = sim.model();
  for (const Body& body : model.bodies)
    if (body.name == "r/" + link && body.shape_of_link < 0) return sim.state().q[body.q_start];
  ADD_FAILURE() << link;
  return 0;
}

TEST(FixedBase, JointsFollowEachOtherAcrossIt) {
  // c follows b, which follows a; x stands between them and is alone
  const auto read =
      ReadRobotWith("chain",
                    test::RobotText(Finger("c", Follows("j_b", -1, 0.1)) + Finger("x") +
                                    Finger("a") + Finger("b", Follows("j_a", 0.5, 0.05))),
                    "joint_stiffness = 3000\njoint_damping = 100\n");
  ASSERT_TRUE(read.ok()) << read.error().Text();
  const Model& model = *(*read)->model;
  ASSERT_EQ(model.trees.size(), 2u);
  EXPECT_EQ(model.trees[0].links, 3);
  EXPECT_TRUE(model.trees[0].coupled);
  EXPECT_FALSE(model.trees[1].coupled);
  ASSERT_EQ((*read)->config.joints.size(), 2u) << "followers have no motors";
  for (const std::string_view id : {"sap", "lagged", "similar"}) {
    Config config = (*read)->config;
    config.step.gravity = 0;
    config.step.method = static_cast<int>(*FindMethod(id));
    for (JointDrive& joint : config.joints) joint.target = joint.name == "r/j_a" ? 0.2 : -0.1;
    Simulation sim((*read)->model, config);
    for (int i = 0; i < 300; ++i) ASSERT_TRUE(Advanced(sim.Step())) << sim.failure();
    EXPECT_NEAR(PositionOf(sim, "a"), 0.2, 1e-6) << id;
    EXPECT_NEAR(PositionOf(sim, "b"), 0.5 * 0.2 + 0.05, 1e-6) << id;
    EXPECT_NEAR(PositionOf(sim, "c"), 0.1 - (0.5 * 0.2 + 0.05), 1e-6) << id;
    EXPECT_NEAR(PositionOf(sim, "x"), -0.1, 1e-6) << id;
  }
}

// A force on the leader moves leader and follower as one: F = (m_a + r² m_b) a.
TEST(FixedBase, AFollowerAddsItsMass) {
  const auto read =
      ReadRobotWith("mass", test::RobotText(Finger("a") + Finger("b", Follows("j_a", -2, 0))), "");
  ASSERT_TRUE(read.ok()) << read.error().Text();
  Config config = (*read)->config;
  config.step.gravity = 0;
  config.step.time_step = 1e-4;
  // 1 kg and 4 times 1 kg on a spring of 5 N/m: 1 rad/s
  config.joints.at(0) = {.name = "r/j_a", .target = 0.1, .stiffness = 5, .damping = 0};
  Simulation sim((*read)->model, config);
  for (int i = 0; i < 5000; ++i) ASSERT_TRUE(Advanced(sim.Step()));
  EXPECT_NEAR(PositionOf(sim, "a"), 0.1 * (1 - std::cos(0.5)), 5e-6);
  EXPECT_NEAR(PositionOf(sim, "b"), -2 * PositionOf(sim, "a"), 1e-6);
}

TEST(FixedBase, LinksOnItMayStayBodiesOfTheirOwn) {
  const std::string shape =
      "<collision><geometry><box size=\"0.1 0.1 0.1\"/></geometry></collision>";
  const std::string text = test::RobotText(
      test::LinkText("palm", test::kBody + shape) + test::JointText("p", "fixed", "base", "palm") +
      test::LinkText("a", test::kBody + shape) + test::LinkText("b", test::kBody + shape) +
      test::JointText("j_a", "continuous", "palm", "a", "<origin xyz=\"0 1 0\"/>") +
      test::JointText("j_b", "continuous", "palm", "b",
                      "<origin xyz=\"0 -1 0\"/><mimic joint=\"j_a\"/>"));
  for (const bool merge : {true, false}) {
    const auto read = ReadRobotWith(
        "palm", text,
        fmt::format("merge_fixed = {}\njoint_stiffness = 100\njoint_damping = 10\n", merge));
    ASSERT_TRUE(read.ok()) << read.error().Text();
    const Model& model = *(*read)->model;
    ASSERT_EQ(model.trees.size(), 1u) << merge;
    const Tree& tree = model.trees[0];
    EXPECT_EQ(tree.links, 2);
    EXPECT_EQ(tree.bodies, 4) << "two links, each with a shape";
    for (int b = tree.first_body; b < tree.first_body + tree.bodies; ++b)
      EXPECT_EQ(model.bodies[static_cast<std::size_t>(b)].tree, 0);
    Config config = (*read)->config;
    config.step.gravity = 0;
    config.joints.at(0).target = 0.3;
    Simulation sim((*read)->model, config);
    for (int i = 0; i < 500; ++i) ASSERT_TRUE(Advanced(sim.Step())) << sim.failure();
    EXPECT_NEAR(PositionOf(sim, "b"), PositionOf(sim, "a"), 1e-6);
  }
}

// What is merged is drawn frame by frame: a visual of one does not stand for the shapes of another.
TEST(FixedBase, EveryFrameIsDrawn) {
  const auto geometry = [](const std::string& kind, const std::string& shape) {
    return "<" + kind + "><geometry>" + shape + "</geometry></" + kind + ">";
  };
  const std::string box = "<box size=\"0.3 0.2 0.1\"/>", tiny = "<box size=\"1e-3 1e-3 1e-3\"/>",
                    ball = "<sphere radius=\"0.1\"/>", unread = "<mesh filename=\"a.dae\"/>";
  const auto read = ReadRobotWith(
      "drawn",
      "<robot name=\"r\">" + test::LinkText("base", geometry("visual", tiny)) +
          test::LinkText("trunk",
                         test::kBody + geometry("visual", unread) + geometry("collision", box)) +
          test::LinkText("foot", geometry("visual", ball) + geometry("collision", ball)) +
          test::JointText("j", "fixed", "base", "trunk") +
          test::JointText("k", "fixed", "trunk", "foot") + "</robot>",
      "");
  ASSERT_TRUE(read.ok()) << read.error().Text();
  std::vector<ShapeKind> drawn;
  double largest = 0;
  for (const Body& visual : (*read)->model->visuals) {
    drawn.push_back(visual.shape.kind);
    if (visual.shape.kind == ShapeKind::kBox)
      largest = std::max(largest, visual.shape.size.maxCoeff());
  }
  EXPECT_EQ(drawn.size(), 3u) << "the box of the base, that of the trunk, the ball once";
  EXPECT_EQ(largest, 0.3);
  EXPECT_EQ(std::count(drawn.begin(), drawn.end(), ShapeKind::kSphere), 1);
}

}  // namespace
}  // namespace slip
