// [robot.NAME] of a scene: from a URDF file to links, joints and motors.
#include "engine/scene/robot_reader.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "engine/dynamics/kinematics.h"
#include "engine/dynamics/tree_dynamics.h"
#include "engine/scene/scene.h"
#include "engine/sim/simulation.h"
#include "tests/support/dense_algebra.h"

namespace slip {
namespace {

constexpr const char* kHead =
    "title = 'robot'\n[material.rubber]\nstiffness = 1e5\n[surface.floor]\n";

Result<std::shared_ptr<const Scene>> ReadWith(const std::string& table) {
  return ReadSceneText(kHead + table, "robot.toml");
}

std::string AllErrors(const Result<std::shared_ptr<const Scene>>& read) {
  std::string text;
  for (const Error& error : read.errors()) text += error.Text() + "\n";
  return text;
}

TEST(RobotReader, AQuadrupedIsOneTreeWithTwelveMotors) {
  const auto read = ReadWith(
      "[robot.solo]\nfile = 'quadruped.urdf'\nposition = [0.1, 0, 0.5]\n"
      "joints = { FL_HFE = -0.8, FL_KFE = 1.6 }\nvelocity = [1, 0, 0]\n"
      "joint_stiffness = 30\ncontact_points = { FL_FOOT = [[0, 0, 0]] }\n");
  ASSERT_TRUE(read.ok()) << AllErrors(read);
  const Scene& scene = **read;
  const Model& model = *scene.model;
  ASSERT_EQ(model.trees.size(), 1u);
  EXPECT_EQ(model.trees[0].links, 13);
  EXPECT_EQ(model.nv, 18);
  EXPECT_EQ(model.nq, 12);
  EXPECT_EQ(model.bodies[0].name, "solo/base");
  double mass = 0;
  for (const Body& body : model.bodies) mass += body.mass;
  EXPECT_NEAR(mass, 2.50000279, 1e-8);
  ASSERT_EQ(scene.config.joints.size(), 12u);
  EXPECT_EQ(scene.config.joints[0].name, "solo/FL_HAA");
  EXPECT_EQ(scene.config.joints[1].target, -0.8);
  EXPECT_EQ(scene.config.joints[1].stiffness, 30);
  EXPECT_EQ(GetParam(scene.config, "joint.solo/FL_KFE.joint_target"), 1.6);

  const Simulation sim(scene.model, scene.config);
  const Robot::Frame* foot = model.robots.at(0).FindFrame("FL_FOOT");
  ASSERT_NE(foot, nullptr);
  const Body& leg = model.bodies[static_cast<std::size_t>(foot->body)];
  EXPECT_EQ(leg.name, "solo/FL_LOWER_LEG");
  ASSERT_EQ(leg.points_B.size(), 1u);
  ASSERT_EQ(model.robots[0].feet.size(), 1u);
  EXPECT_EQ(model.robots[0].feet[0].name, "FL_FOOT");
  EXPECT_EQ(model.robots[0].feet[0].body, foot->body);
  EXPECT_EQ(model.robots[0].feet[0].points, 1);
  EXPECT_TRUE(model.robots[0].feet[0].X_BF.p.isApprox(leg.points_B[0], 1e-15));
  // below the shoulder by the leg's length: two links of 0.16 m at 0.8 rad
  const Vec3 p = sim.state().X_WB[static_cast<std::size_t>(foot->body)] * leg.points_B[0];
  EXPECT_NEAR(p.x(), 0.1 + 0.1946, 1e-12);
  EXPECT_NEAR(p.y(), 0.0875 + 0.05945, 1e-12);
  EXPECT_NEAR(p.z(), 0.5 - 0.32 * std::cos(0.8), 1e-12);
}

TEST(RobotReader, AMissingFileIsToldOnceAndNotOfEverySignal) {
  const std::string plots = "plots = ['torque:solo/FL_KFE', 'normal_force']\n",
                    lesson =
                        "[lesson]\ntitle = 'l'\n[[lesson.card]]\nkind = 'try'\ntitle = 't'\n"
                        "text = 't'\ndone_when = 'max(force:solo/FL_FOOT) > 1'\n";
  const auto read = [&](const std::string& robot) {
    return ReadSceneText(plots + kHead + "[robot.solo]\n" + robot + lesson, "robot.toml");
  };
  const auto missing = read("file = 'no.urdf'\n");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.errors().size(), 1u) << AllErrors(missing);
  // a robot without feet has none to be named
  const auto footless = read("file = 'quadruped.urdf'\n");
  ASSERT_FALSE(footless.ok());
  EXPECT_EQ(footless.errors().size(), 1u) << AllErrors(footless);
  EXPECT_NE(AllErrors(footless).find("the scene has no feet of robots"), std::string::npos)
      << AllErrors(footless);
  const auto good = read("file = 'quadruped.urdf'\ncontact_points = { FL_FOOT = [[0, 0, 0]] }\n");
  EXPECT_TRUE(good.ok()) << AllErrors(good);
}

TEST(RobotReader, TheQuadrupedHasTheMassMatrixOfTheSpec) {
  const auto read = ReadWith("[robot.solo]\nfile = 'quadruped.urdf'\n");
  ASSERT_TRUE(read.ok()) << AllErrors(read);
  const Model& model = *(*read)->model;
  State state;
  SetStart(model, &state);
  state.X_WB[0].p = Vec3(0.1, -0.2, 0.32 * std::cos(0.8));
  state.X_WB[0].q = CalcRotation(Vec3(0.1, -0.2, 0.3)) * model.bodies[0].X_BL.q.conjugate();
  const double standing[] = {0, -0.8, 1.6};
  for (int i = 0; i < 12; ++i) state.q[i] = standing[i % 3] + 0.05 * std::cos(i);
  UpdatePoses(model, &state);
  TreeDynamics links;
  links.Update(model, model.trees[0], state);
  MatrixX M(18, 18);
  links.CalcMassMatrix(M.data());
  EXPECT_NEAR(M.trace(), 7.707185973879, 1e-9 * 7.7);
  EXPECT_NEAR(test::LogDeterminant(M), -87.02707373895, 1e-9 * 87);
}

TEST(RobotReader, AnArmStandsOnTheWorld) {
  const auto read = ReadWith(
      "[robot.arm]\nfile = 'arm.urdf'\nbase = 'fixed'\nposition = [1, 2, 0.5]\n"
      "joints = { J2 = 0.5 }\n");
  ASSERT_TRUE(read.ok()) << AllErrors(read);
  const Model& model = *(*read)->model;
  EXPECT_FALSE(model.bodies[0].Moves());
  EXPECT_EQ(model.nv, 7);
  EXPECT_EQ(model.trees.size(), 1u);
  Simulation sim((*read)->model, (*read)->config);
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(Advanced(sim.Step()));
  // without motors it falls, on a base that does not
  EXPECT_GT(sim.state().v.norm(), 0.1);
  EXPECT_EQ(sim.state().X_WB[0].p.x(), 1);
}

// A hand that floats: its fingers are links of one tree and press on each other.
TEST(RobotReader, LinksOfOneRobotCollideWhereTheSceneSaysSo) {
  const std::string file = testing::TempDir() + "slipscope_hand.urdf";
  const auto finger = [](const std::string& name, const std::string& x, const std::string& axis) {
    return "<link name='" + name +
           "'><inertial><mass value='0.2'/><inertia ixx='1e-3' iyy='1e-3' izz='1e-3' ixy='0' "
           "ixz='0' iyz='0'/></inertial><collision><geometry><box size='0.1 0.1 0.1'/></geometry>"
           "</collision></link><joint name='j_" +
           name + "' type='prismatic'><origin xyz='" + x +
           " 0 0'/><parent link='palm'/><child link='" + name + "'/><axis xyz='" + axis +
           " 0 0'/><limit lower='0' upper='0.2' effort='1000' " + "velocity='10'/></joint>";
  };
  std::ofstream(file) << "<robot name='hand'><link name='palm'><inertial><mass value='1'/><inertia "
                         "ixx='0.1' iyy='0.1' izz='0.1' ixy='0' ixz='0' iyz='0'/></inertial></link>"
                      << finger("left", "-0.1", "1") << finger("right", "0.1", "-1") << "</robot>";
  constexpr double kMotor = 200, kTarget = 0.08;  // the faces meet at 0.05
  for (const bool collide : {true, false}) {
    const auto read =
        ReadWith(fmt::format("[material.skin]\nstiffness = 1e6\nfriction = "
                             "0.5\n[robot.hand]\nmaterial = 'skin'\nfile = '{}'\n"
                             "joint_stiffness = {}\njoint_damping = 20\nself_collision = {}\n"
                             "position = [0, 0, 3]\n",
                             file, kMotor, collide));
    ASSERT_TRUE(read.ok()) << AllErrors(read);
    Config config = (*read)->config;
    config.step.gravity = 0;
    for (JointDrive& joint : config.joints) joint.target = kTarget;
    Simulation sim((*read)->model, config);
    for (int i = 0; i < 2000; ++i) ASSERT_TRUE(Advanced(sim.Step()));
    double force = 0;
    for (const ContactFrame& contact : sim.contacts()) force += contact.fn;
    const double q = sim.state().q[0];
    EXPECT_LT(sim.state().v.norm(), 1e-9);
    EXPECT_NEAR(sim.state().X_WB[0].p.z(), 3, 1e-9);
    if (collide) {
      ASSERT_FALSE(sim.contacts().empty());
      EXPECT_NEAR(force, kMotor * (kTarget - q), 1e-9 * force);
      EXPECT_GT(q, 0.05);
      EXPECT_LT(q, 0.0501);
    } else {
      EXPECT_TRUE(sim.contacts().empty());
      EXPECT_NEAR(q, kTarget, 1e-9);
    }
  }
}

TEST(RobotReader, EveryMistakeIsNamed) {
  const auto read = ReadWith(
      "[robot.solo]\nfile = 'quadruped.urdf'\njoints = { FL_HFF = 0.1, FL_KFE = 100 }\n"
      "contact_points = { FL_FOTO = [[0, 0, 0]], FR_FOOT = 3 }\nbase = 'loose'\ncolour = 1\n");
  ASSERT_FALSE(read.ok());
  const std::string text = AllErrors(read);
  for (const char* expected :
       {"no joint 'FL_HFF'", "FL_HFE", "FL_KFE must be", "no link 'FL_FOTO'", "FL_FOOT",
        "FR_FOOT must hold", "free, fixed", "unknown key 'colour'"}) {
    EXPECT_NE(text.find(expected), std::string::npos) << expected << " in\n" << text;
  }
  const auto missing = ReadWith("[robot.solo]\nfile = 'no.urdf'\njoints = { A = 1 }\n");
  ASSERT_FALSE(missing.ok());
  EXPECT_NE(AllErrors(missing).find("no.urdf"), std::string::npos);
  EXPECT_EQ(missing.errors().size(), 1u) << AllErrors(missing);
}

}  // namespace
}  // namespace slip
