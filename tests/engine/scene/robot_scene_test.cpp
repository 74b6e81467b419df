// A robot's file alone: the scene that is made for it, and what a broken file says.
#include "engine/scene/robot_scene.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "engine/dynamics/kinematics.h"
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

// A box as base, with `joints` hung on it; links are called as in the joints.
std::string ToyRobot(const std::string& joints, const std::string& links,
                     const std::string& name = "toy") {
  return "<robot name=\"" + name + "\"><link name=\"base\">" + test::kBody +
         "<collision><geometry><box size=\"0.4 0.4 0.2\"/></geometry></collision></link>" + links +
         joints + "</robot>";
}
std::string OnBase(const std::string& type, const std::string& child, const std::string& limit) {
  return test::JointText("j_" + child, type, "base", child, limit);
}

class StandsOnAFloor : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Robots, StandsOnAFloor, testing::Values("quadruped", "biped", "arm"));

TEST_P(StandsOnAFloor, AndItsMotorsHoldIt) {
  const auto scene = ReadRobotScene(kOwnRobots + GetParam() + ".urdf");
  ASSERT_NE(scene, nullptr);
  const bool arm = GetParam() == std::string("arm");
  EXPECT_EQ(scene->model->bodies[0].Moves(), !arm) << "an arm stands on a fixed base";
  Simulation sim(scene->model, scene->config);
  EXPECT_NEAR(LowestOfParts(sim), 0, 1e-9);
  const Pose start = sim.state().X_WB[0];
  while (sim.time() < 2) ASSERT_TRUE(Advanced(sim.Step())) << sim.failure();
  EXPECT_LT((sim.state().X_WB[0].p - start.p).norm(), 0.02);
  EXPECT_LT(sim.state().X_WB[0].q.angularDistance(start.q), 0.05);
  std::vector<JointFrame> joints;
  sim.GetJoints(&joints);
  for (const JointFrame& joint : joints) EXPECT_NEAR(joint.position, joint.target, 0.1);
}

TEST(RobotScene, ATargetMovesTheJoint) {
  const auto scene = ReadRobotScene(kOwnRobots + "quadruped.urdf");
  ASSERT_NE(scene, nullptr);
  Config config = scene->config;
  ASSERT_TRUE(SetParam(&config, "joint.solo/FL_HAA.joint_target", 0.2).ok());
  Simulation sim(scene->model, config);
  while (sim.time() < 2) ASSERT_TRUE(Advanced(sim.Step())) << sim.failure();
  std::vector<JointFrame> joints;
  sim.GetJoints(&joints);
  EXPECT_NEAR(joints[0].position, 0.2, 0.05);
}

TEST(RobotScene, JointsBeginAtZeroOrInTheMiddleOfTheirRange) {
  const std::string path = WriteUrdf(
      "limits",
      ToyRobot(
          OnBase("revolute", "a",
                 "<limit lower=\"0.5\" upper=\"1.5\" effort=\"9\" velocity=\"1\"/>") +
              OnBase("revolute", "b",
                     "<limit lower=\"-1\" upper=\"3\" effort=\"9\" velocity=\"1\"/>") +
              OnBase("prismatic", "c",
                     "<limit lower=\"0.1\" upper=\"0.3\" effort=\"9\" velocity=\"1\"/>") +
              OnBase("continuous", "d", ""),
          test::LinkText("a") + test::LinkText("b") + test::LinkText("c") + test::LinkText("d")));
  const auto scene = ReadRobotScene(path);
  ASSERT_NE(scene, nullptr);
  const std::vector<JointDrive>& motors = scene->channels[0].config.joints;
  ASSERT_EQ(motors.size(), 4u);
  const double expected[] = {1, 0, 0.2, 0};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(motors[i].target, expected[i], 1e-12) << motors[i].name;
    EXPECT_GT(motors[i].stiffness, 0) << motors[i].name;
    EXPECT_GT(motors[i].damping, 0) << motors[i].name;
  }
  // one that slides is at its limit of 9 N, less than its weight, at a centimetre
  EXPECT_EQ(motors[2].stiffness, 900);
  EXPECT_FALSE(scene->model->bodies[0].Moves()) << "nothing that moves is on the floor";
}

TEST(RobotScene, ABaseWithoutMassOrTouchIsFixed) {
  const std::string one = ToyRobot(OnBase("continuous", "a", ""), test::LinkText("a"));
  EXPECT_FALSE(ReadRobotScene(WriteUrdf("one", one))->model->bodies[0].Moves());
  std::string bare = ToyRobot(OnBase("continuous", "a", "") + OnBase("continuous", "b", ""),
                              test::LinkText("a") + test::LinkText("b"));
  const std::size_t at = bare.find("<collision>");
  bare.erase(at, bare.find("</collision>") + 12 - at);
  EXPECT_FALSE(ReadRobotScene(WriteUrdf("bare", bare))->model->bodies[0].Moves())
      << "it would fall for ever";
  std::string light = ToyRobot(OnBase("continuous", "a", "") + OnBase("continuous", "b", ""),
                               test::LinkText("a") + test::LinkText("b"));
  light.erase(light.find(test::kBody), std::string(test::kBody).size());
  EXPECT_FALSE(ReadRobotScene(WriteUrdf("light", light))->model->bodies[0].Moves());
}

TEST(RobotScene, AnyNameThatAFileMayHave) {
  std::string text =
      ToyRobot(OnBase("continuous", "a", "") + OnBase("prismatic", "b",
                                                      "<limit lower=\"0.1\" upper=\"0.2\" "
                                                      "effort=\"1\" velocity=\"1\"/>"),
               test::LinkText("a") + test::LinkText("b"), "My 'robot' №1 \\ of &quot;many&quot;");
  const auto scene = ReadRobotScene(WriteUrdf("odd \"name", text));
  ASSERT_NE(scene, nullptr);
  EXPECT_EQ(scene->title, "My 'robot' №1 \\ of \"many\"");
  EXPECT_NEAR(scene->channels[0].config.joints[1].target, 0.15, 1e-12);
}

TEST(RobotScene, ABrokenFileSaysWhere) {
  const std::string path =
      WriteUrdf("broken",
                "<robot name=\"r\">\n<link name=\"a\"/>\n<joint name=\"k\" "
                "type=\"fixed\"><parent link=\"a\"/><child link=\"c\"/></joint>\n"
                "</robot>");
  const auto scene = FindScene(path);
  ASSERT_FALSE(scene.ok());
  EXPECT_EQ(scene.error().file, path);
  EXPECT_EQ(scene.error().line, 3);
  EXPECT_NE(scene.error().message.find("'c'"), std::string::npos) << scene.error().Text();
  const auto missing = FindScene("no-such-robot.urdf");
  ASSERT_FALSE(missing.ok());
  EXPECT_NE(missing.error().Text().find("no-such-robot.urdf"), std::string::npos);
}

TEST(RobotScene, WhereNothingMovesAStepIsMade) {
  const auto scene =
      ReadRobotScene(WriteUrdf("still", "<robot name=\"still\"><link name=\"a\"/></robot>"));
  ASSERT_NE(scene, nullptr);
  for (const MethodId method : {method_id::kSap, method_id::kLagged}) {
    Config config = scene->config;
    config.step.method = static_cast<int>(method);
    Simulation sim(scene->model, config);
    EXPECT_EQ(sim.Step(), StepStatus::kConverged) << sim.failure();
    ChannelFrame frame;
    sim.Fill(&frame);
    EXPECT_EQ(frame.solve.condition_number, 1);
  }
}

TEST(RobotScene, OurOwnAreFoundByName) {
  const auto scene = ReadRobotScene("arm.urdf");
  ASSERT_NE(scene, nullptr);
  EXPECT_EQ(scene->model->robots[0].name, "arm");
}

// A file that says where in the world its robot is: it stays there, on a floor that is not above
// it.
TEST(RobotScene, WhatIsFixedToTheWorldIsWhereItsFilePutsIt) {
  const auto robot = [](const std::string& root, const std::string& height) {
    return "<robot name=\"r\">" + test::LinkText(root, "") +
           test::LinkText("rail", std::string(test::kBody) +
                                      "<collision><geometry><box size=\"0.1 0.1 0.2\"/></geometry>"
                                      "</collision>") +
           test::JointText("bolts", "fixed", root, "rail", "<origin xyz=\"0 0 " + height + "\"/>") +
           "</robot>";
  };
  for (const auto& [height, floor] : {std::pair("2", 0.0), std::pair("-1", -1.1)}) {
    const auto scene = ReadRobotScene(WriteUrdf("rail", robot("world", height)));
    ASSERT_NE(scene, nullptr);
    const Model& model = *scene->model;
    State state;
    SetStart(model, &state);
    EXPECT_NEAR(state.X_WB[0].p.z(), std::stod(height), 1e-12);
    EXPECT_NEAR(model.surfaces[0].point.z(), floor, 1e-12);
  }
  // another root says nothing of the world: its robot stands on the floor
  const auto stands = ReadRobotScene(WriteUrdf("rail", robot("base", "2")));
  ASSERT_NE(stands, nullptr);
  EXPECT_NEAR(stands->model->bodies[0].X_WB.p.z(), 0.1, 1e-12);
}

// Two arms on a post that is fixed to the world: many joints leave it, and it stands all the same.
TEST(RobotScene, WhatIsFixedToTheWorldStays) {
  const auto arm = [](const std::string& name, const std::string& y) {
    return test::LinkText(name, std::string(test::kBody) +
                                    "<collision><geometry><box size=\"0.1 0.4 0.1\"/></geometry>"
                                    "</collision>") +
           test::JointText("j_" + name, "revolute", "post", name,
                           "<origin xyz=\"0.5 " + y +
                               " 0\"/><axis xyz=\"1 0 0\"/><limit lower=\"-1\" upper=\"1\" "
                               "effort=\"0\" velocity=\"0\"/>");
  };
  const auto robot = [&](const std::string& root) {
    return "<robot name=\"r\">" + test::LinkText(root, "") +
           test::LinkText("post", std::string(test::kBody) +
                                      "<collision><geometry><box size=\"0.1 0.1 0.6\"/></geometry>"
                                      "</collision>") +
           test::JointText("bolts", "fixed", root, "post") + arm("left", "0.3") +
           arm("right", "-0.3") + "</robot>";
  };
  const auto scene = ReadRobotScene(WriteUrdf("on_world", robot("world")));
  ASSERT_NE(scene, nullptr);
  EXPECT_EQ(scene->model->bodies[0].joint.kind, JointKind::kFixed);
  Simulation sim(scene->model, scene->channels.front().config);
  const Pose before = sim.state().X_WB[0];
  for (int i = 0; i < 500; ++i) ASSERT_TRUE(Advanced(sim.Step())) << sim.failure();
  EXPECT_EQ(sim.state().X_WB[0].p, before.p);
  // its motors are as strong as it takes: no joint sags by more than its gains say
  EXPECT_LT(sim.state().q.cwiseAbs().maxCoeff(), 0.05);
  const auto stands = ReadRobotScene(WriteUrdf("on_post", robot("pedestal")));
  ASSERT_NE(stands, nullptr);
  EXPECT_EQ(stands->model->bodies[0].joint.kind, JointKind::kFixed);
  EXPECT_EQ(stands->made.front(),
            "its base is fixed: it stands on that alone, no foot or wheel is on the floor");
  EXPECT_EQ(scene->made.front(), "its base is fixed: the file hangs it on the world");
  // a scene of one's own, too, unless it says that the base is free
  const std::string file = WriteUrdf("on_world", robot("world"));
  const auto own = [&](const std::string& base) {
    const auto read = ReadSceneText(
        "title = 't'\n[material.m]\n[robot.r]\nfile = '" + file + "'\n" + base, "own.toml");
    EXPECT_TRUE(read.ok()) << read.error().Text();
    return (*read)->model->bodies[0].joint.kind;
  };
  EXPECT_EQ(own(""), JointKind::kFixed);
  EXPECT_EQ(own("base = 'free'\n"), JointKind::kFree);
}

// Two figures, and rounding adds nothing to what a motor gives way by.
TEST(RobotScene, GainsAreNotRoundedDown) {
  const auto scene = ReadRobotScene(WriteUrdf(
      "weight", "<robot name=\"w\"><link name=\"base\"/>" +
                    test::LinkText("a",
                                   "<inertial><origin xyz=\"0.1 0 0\"/><mass value=\"2\"/><inertia "
                                   "ixx=\"0.01\" ixy=\"0\" ixz=\"0\" iyy=\"0.01\" iyz=\"0\" "
                                   "izz=\"0.01\"/></inertial>") +
                    test::JointText("j", "continuous", "base", "a", "<axis xyz=\"0 1 0\"/>") +
                    "</robot>"));
  ASSERT_NE(scene, nullptr);
  // 9.81 m/s^2 times the root of 2 kg x 0.03 kg m^2, over 0.02 rad, is 120.1 N m/rad; its damping
  // for 0.03 kg m^2 is 3.797 N m s/rad
  EXPECT_EQ(scene->config.joints.at(0).stiffness, 130);
  EXPECT_EQ(scene->config.joints.at(0).damping, 3.8);
}

}  // namespace
}  // namespace slip
