// Motors that hold a robot give way by as much as they promise, and swing no longer than they must.
#include "engine/control/holding_gains.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/dynamics/kinematics.h"
#include "engine/dynamics/tree_dynamics.h"
#include "engine/scene/robot_builder.h"
#include "tests/support/folders.h"
#include "tests/support/urdf.h"

namespace slip {
namespace {

constexpr double kGravity = 9.81, kStep = 2e-3;

struct Held {
  Model model;
  Config config;
  State state;
  std::vector<HoldingGains> gains;

  Held(const RobotDescription& robot, bool fixed, double time_step = kStep) {
    RobotPlacement place;
    place.name = "r";
    place.fixed_base = fixed;
    place.positions.assign(robot.joints.size(), 0);
    place.rates.assign(robot.joints.size(), 0);
    AppendRobot(robot, place, &model, &config);
    model.Finish();
    SetStart(model, &state);
    gains = CalcHoldingGains(model, state, kGravity, time_step);
  }

  const Body& Driven(std::size_t drive) const {
    for (const Body& body : model.bodies)
      if (body.drive == static_cast<int>(drive)) return body;
    return model.bodies.front();
  }

  /// Inertia that a motor with these gains and damping ratio 1 has.
  double InertiaOf(std::size_t drive) const {
    return gains[drive].damping * gains[drive].damping / (4 * gains[drive].stiffness);
  }

  /// Diagonal of the mass matrix.
  double InertiaByDynamics(const Body& body) const {
    const Tree& tree = model.TreeOf(body);
    TreeDynamics links;
    links.Update(model, tree, state);
    MatrixX M(tree.nv, tree.nv);
    links.CalcMassMatrix(M.data());
    const int i = body.v_start - tree.v_start;
    return M(i, i);
  }
};

RobotDescription Read(const std::string& name) {
  const auto robot = ReadUrdf(SourceFolder() + "/assets/robots/" + name + ".urdf");
  EXPECT_TRUE(robot.ok());
  return MergeFixedLinks(*robot);
}

// 2 kg at 0.1 m from the axis, 0.01 kg m^2 about themselves.
std::string Pendulum(const std::string& limit) {
  return "<robot name=\"w\"><link name=\"base\"/>" +
         test::LinkText("a",
                        "<inertial><origin xyz=\"0.1 0 0\"/><mass value=\"2\"/><inertia "
                        "ixx=\"0.01\" ixy=\"0\" ixz=\"0\" iyy=\"0.01\" iyz=\"0\" "
                        "izz=\"0.01\"/></inertial>") +
         test::JointText("j", "revolute", "base", "a", "<axis xyz=\"0 1 0\"/>" + limit) +
         "</robot>";
}

std::string Limit(double effort) {
  return "<limit lower=\"-1\" upper=\"1\" velocity=\"1\" effort=\"" + std::to_string(effort) +
         "\"/>";
}

TEST(HoldingGains, TheWeightAtItsRadiusOfGyrationTurnsAJointByTheAngle) {
  const Held held(*test::ReadText(Pendulum(Limit(1000))), true);
  const double inertia = 0.01 + 2 * 0.1 * 0.1, radius = std::sqrt(inertia / 2);
  ASSERT_EQ(held.gains.size(), 1u);
  EXPECT_NEAR(held.gains[0].stiffness, 2 * kGravity * radius / kHoldingAngle, 1e-9);
  EXPECT_NEAR(held.gains[0].damping, 2 * std::sqrt(held.gains[0].stiffness * inertia), 1e-9);
  EXPECT_FALSE(held.gains[0].weak);
}

TEST(HoldingGains, WhatAMotorCannotBearMakesItSofter) {
  const Held held(*test::ReadText(Pendulum(Limit(1))), true);
  EXPECT_NEAR(held.gains[0].stiffness, 1 / kHoldingAngle, 1e-9) << "it has its limit there";
  EXPECT_TRUE(held.gains[0].weak);
}

TEST(HoldingGains, TheStepResolvesTheirPeriod) {
  for (const double step : {1e-3, 0.1}) {
    const Held held(*test::ReadText(Pendulum(Limit(1000))), true, step);
    const double frequency = std::sqrt(held.gains[0].stiffness / held.InertiaOf(0));
    EXPECT_LE(frequency * step, 0.5 * (1 + 1e-12)) << step;
  }
}

// The mass matrix is another way to the inertia that hangs on a joint.
TEST(HoldingGains, TheDampingRatioIsOneForWhatHangsOnAJoint) {
  for (const char* name : {"arm", "quadruped", "biped"}) {
    const Held held(Read(name), true);
    ASSERT_FALSE(held.gains.empty()) << name;
    for (std::size_t i = 0; i < held.gains.size(); ++i) {
      const double inertia = held.InertiaByDynamics(held.Driven(i));
      EXPECT_NEAR(held.InertiaOf(i), inertia, 1e-9 * inertia) << name << " " << i;
    }
  }
}

// A leg that stands moves the robot: its motors are as strong as that takes.
TEST(HoldingGains, LegsOnTheFloorBearTheRobot) {
  const RobotDescription quadruped = Read("quadruped");
  const Held hangs(quadruped, true), stands(quadruped, false);
  ASSERT_EQ(stands.gains.size(), 12u);
  double mass = 0;
  for (const Body& body : stands.model.bodies) mass += body.mass;
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_GT(stands.gains[i].stiffness, hangs.gains[i].stiffness) << i;
    // alike on all four legs, and no more than the whole robot needs
    EXPECT_NEAR(stands.gains[i].stiffness, stands.gains[i % 3].stiffness,
                0.2 * stands.gains[i].stiffness);
    EXPECT_LT(stands.gains[i].stiffness, mass * kGravity * 0.5 / kHoldingAngle);
  }
  // a knee bears a quarter of the weight, with a lever of the robot's size
  EXPECT_GT(stands.gains[2].stiffness, 0.25 * 0.5 * mass * kGravity * 0.1 / kHoldingAngle);
}

// Fingers that follow one another: the leader's motor moves them all.
TEST(HoldingGains, FollowersWeighOnTheirLeader) {
  const std::string slide = "<axis xyz=\"1 0 0\"/>" + Limit(1e6);
  const std::string text =
      test::RobotText(test::LinkText("a") + test::LinkText("b") +
                      test::JointText("lead", "prismatic", "base", "a", slide) +
                      test::JointText("follow", "prismatic", "base", "b",
                                      slide + "<mimic joint=\"lead\" multiplier=\"-2\"/>"));
  const Held held(*test::ReadText(text), true);
  ASSERT_EQ(held.gains.size(), 1u);
  // 1 kg and another one at twice the speed; both are borne
  EXPECT_NEAR(held.InertiaOf(0), 1 + 2 * 2, 1e-9);
  EXPECT_NEAR(held.gains[0].stiffness, 2 * kGravity / kHoldingLength, 1e-9);
}

}  // namespace
}  // namespace slip
