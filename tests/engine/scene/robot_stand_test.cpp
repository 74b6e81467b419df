// How a robot stands whose file is opened alone: what its base does, how large it may be, and what
// is said of it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <tuple>

#include "engine/scene/scene.h"
#include "engine/sim/simulation.h"
#include "tests/support/folders.h"
#include "tests/support/methods.h"
#include "tests/support/robot_scenes.h"
#include "tests/support/urdf.h"

namespace slip {
namespace {

using test::kOwnRobots;
using test::LowestOfParts;
using test::ReadRobotScene;
using test::WriteUrdf;

// A trolley: a box on wheels that end lower than it does, or not.
std::string Trolley(double wheel_height, double size = 1, bool rear = true) {
  const auto number = [&](double x) { return std::to_string(size * x); };
  const auto inertial = [&](double mass, double moment) {
    const std::string m = fmt::format("{}", moment * std::pow(size, 5));
    return "<inertial><mass value=\"" + fmt::format("{}", mass * std::pow(size, 3)) +
           "\"/><inertia ixx=\"" + m + "\" iyy=\"" + m + "\" izz=\"" + m +
           "\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>";
  };
  std::string text = "<robot name=\"trolley\"><link name=\"base\">" + inertial(30, 2) +
                     "<collision><geometry><box size=\"" + number(0.8) + " " + number(0.4) + " " +
                     number(0.4) + "\"/></geometry></collision></link>";
  for (const auto& [name, x, y] : {std::tuple("front_left", 0.3, 0.25),
                                   {"front_right", 0.3, -0.25},
                                   {"rear_left", -0.3, 0.25},
                                   {"rear_right", -0.3, -0.25}}) {
    if (x < 0 && !rear) continue;
    text += test::LinkText(
        name,
        inertial(2, 0.01) +
            "<collision><origin rpy=\"1.5707963267948966 0 0\"/><geometry><cylinder radius=\"" +
            number(0.1) + "\" length=\"" + number(0.05) + "\"/></geometry></collision>");
    text += test::JointText(std::string(name) + "_wheel", "continuous", "base", name,
                            "<origin xyz=\"" + number(x) + " " + number(y) + " " +
                                number(wheel_height) + "\"/><axis xyz=\"0 1 0\"/>");
  }
  return text + "</robot>";
}

bool Says(const Scene& scene, const std::string& what) {
  return std::any_of(scene.made.begin(), scene.made.end(), [&](const std::string& remark) {
    return remark.find(what) != std::string::npos;
  });
}

std::string AllOf(const std::vector<std::string>& remarks) {
  std::string text;
  for (const std::string& remark : remarks) text += remark + "\n";
  return text;
}

TEST(RobotStand, WhatRollsIsFreeAndWhatStandsOnItsBaseIsNot) {
  const auto rolls = ReadRobotScene(WriteUrdf("rolls", Trolley(-0.2)));
  ASSERT_NE(rolls, nullptr);
  EXPECT_TRUE(rolls->model->bodies[0].Moves());
  EXPECT_TRUE(Says(*rolls, "its base is free, 0.3 m above the floor: it stands on front_left"))
      << AllOf(rolls->made);
  EXPECT_FALSE(Says(*rolls, "tips over")) << AllOf(rolls->made);
  Simulation sim(rolls->model, rolls->config);
  EXPECT_NEAR(LowestOfParts(sim), 0, 1e-9);
  while (sim.time() < 1) ASSERT_TRUE(Advanced(sim.Step())) << sim.failure();
  EXPECT_LT((sim.state().X_WB[0].p - rolls->model->bodies[0].X_WB.p).norm(), 2e-3);

  const auto stands = ReadRobotScene(WriteUrdf("stands", Trolley(0.1)));
  ASSERT_NE(stands, nullptr);
  EXPECT_FALSE(stands->model->bodies[0].Moves());
  EXPECT_TRUE(Says(*stands, "no foot or wheel is on the floor")) << AllOf(stands->made);
}

TEST(RobotStand, OneThatWillTipOverIsSaidTo) {
  // without its rear wheels the box hangs over
  const auto scene = ReadRobotScene(WriteUrdf("tips", Trolley(-0.2, 1, false)));
  ASSERT_NE(scene, nullptr);
  EXPECT_TRUE(Says(*scene, "tips over while its joints stay")) << AllOf(scene->made);
  Simulation sim(scene->model, scene->config);
  while (sim.time() < 1) ASSERT_TRUE(Advanced(sim.Step())) << sim.failure();
  EXPECT_GT(sim.state().X_WB[0].q.angularDistance(Quat::Identity()), 0.1) << "and it does";
}

TEST(RobotStand, StretchedArmsAreHeldWithinADegree) {
  const auto arm = [](const char* side, const char* sign) {
    const std::string name = side;
    return test::LinkText(name, "<inertial><origin xyz=\"0 " + std::string(sign) +
                                    "0.2 0\"/><mass value=\"1\"/><inertia ixx=\"0.02\" "
                                    "iyy=\"0.002\" izz=\"0.02\"/></inertial>") +
           test::JointText(name + "_shoulder", "revolute", "world", name,
                           "<origin xyz=\"0 0 0.5\"/><axis xyz=\"1 0 0\"/><limit lower=\"-3\" "
                           "upper=\"3\" effort=\"100\" velocity=\"3\"/>");
  };
  const auto scene =
      ReadRobotScene(WriteUrdf("arms", "<robot name=\"arms\"><link name=\"world\"/>" +
                                           arm("left", "") + arm("right", "-") + "</robot>"));
  ASSERT_NE(scene, nullptr);
  Simulation sim(scene->model, scene->config);
  const auto start = sim.state().X_WB;
  while (sim.time() < 2) {
    ASSERT_TRUE(Advanced(sim.Step())) << sim.failure();
    for (std::size_t b = 0; b < start.size(); ++b)
      EXPECT_LT(sim.state().X_WB[b].q.angularDistance(start[b].q), test::kPi / 180) << b;
  }
}

TEST(RobotStand, WhatHangsOnASphericalJointSwingsBothWays) {
  const std::string bob =
      "<inertial><origin xyz=\"0.1 0.1 -0.3\"/><mass value=\"2\"/><inertia ixx=\"0.02\" "
      "iyy=\"0.02\" izz=\"0.02\"/></inertial>";
  const auto scene = ReadRobotScene(WriteUrdf(
      "hangs", "<robot name=\"hangs\"><link name=\"world\"/>" + test::LinkText("bob", bob) +
                   test::JointText("j", "spherical", "world", "bob", "<origin xyz=\"0 0 1\"/>") +
                   "</robot>"));
  ASSERT_NE(scene, nullptr);
  Simulation sim(scene->model, scene->config);
  const std::size_t b = scene->model->bodies.size() - 1;
  const Vec3 start = sim.state().X_WB[b].p;
  double least = 1;
  while (sim.time() < 0.6) {
    ASSERT_TRUE(Advanced(sim.Step())) << sim.failure();
    const Vec3 now = sim.state().X_WB[b].p;
    EXPECT_NEAR(now.x() - start.x(), now.y() - start.y(), 1e-9);
    least = std::min(least, now.x() - start.x());
  }
  EXPECT_LT(least, -0.15) << "past the lowest point";
}

// From a toy to a crane: it is in the picture, and it does not sink into the floor.
TEST(RobotStand, FitsARobotOfAnySize) {
  for (const double size : {0.05, 1.0, 30.0}) {
    const auto scene = ReadRobotScene(WriteUrdf("size", Trolley(-0.2, size)));
    ASSERT_NE(scene, nullptr);
    const double reach = size * std::sqrt(0.8 * 0.8 + 0.55 * 0.55 + 0.5 * 0.5);
    EXPECT_GT(scene->camera.distance, 1.5 * reach) << size;
    EXPECT_LT(scene->camera.distance, 4 * reach) << size;
    EXPECT_NEAR(scene->camera.target.z(), 0.25 * size, 0.05 * size);
    Simulation sim(scene->model, scene->config);
    while (sim.time() < 1) ASSERT_TRUE(Advanced(sim.Step())) << sim.failure();
    EXPECT_GT(LowestOfParts(sim), -2e-3 * 0.5 * size) << size;
  }
}

TEST(RobotStand, GainsAreSaid) {
  const auto scene = ReadRobotScene(kOwnRobots + "quadruped.urdf");
  ASSERT_NE(scene, nullptr);
  EXPECT_TRUE(Says(*scene, "motors hold its joints with gains from its masses: "))
      << AllOf(scene->made);
  EXPECT_TRUE(Says(*scene, " N m/rad and ")) << AllOf(scene->made);
  EXPECT_TRUE(Says(*scene, "it stands on FL_LOWER_LEG, FR_LOWER_LEG, HL_LOWER_LEG, HR_LOWER_LEG"))
      << AllOf(scene->made);
}

/// Without the "#" of lines that have a key behind it.
std::string Uncommented(const std::string& text) {
  std::string out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const bool key = line.size() > 1 && line[0] == '#' && line[1] != ' ';
    out += (key ? line.substr(1) : line) + "\n";
  }
  return out;
}

class GoesOn : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Robots, GoesOn, testing::Values("quadruped", "biped", "arm", "gripper"));

// What the comments of the scene show is right as it stands.
TEST_P(GoesOn, WhereItsCommentsShow) {
  const auto scene = ReadRobotScene(kOwnRobots + GetParam() + ".urdf");
  ASSERT_NE(scene, nullptr);
  const std::string text = Uncommented(scene->text);
  ASSERT_NE(text, scene->text);
  const auto more = ReadSceneText(text, scene->file);
  ASSERT_TRUE(more.ok()) << more.error().Text() << "\n" << text;
  const auto& bodies = (*more)->model->bodies;
  EXPECT_TRUE(std::any_of(bodies.begin(), bodies.end(),
                          [](const Body& body) { return body.name == "box"; }));
  EXPECT_EQ((*more)->channels.size(), 2u);
  EXPECT_TRUE((*more)->model->paths) << "a motor has a path";
}

}  // namespace
}  // namespace slip
