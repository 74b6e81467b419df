// URDF texts for tests, and what every description that was read must hold to.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <string>

#include "engine/urdf/robot_description.h"

namespace slip::test {

/// A crane of four links, with something of everything that is read.
inline constexpr const char* kCrane = R"(<?xml version="1.0"?>
<robot name="crane" xmlns:any="x">
  <material name="red"><color rgba="1 0 0 0.5"/></material>
  <!-- the first link -->
  <link name="base">
    <visual name="box">
      <origin xyz="1 2	3" rpy="0 0 1.5707963267948966"/>
      <geometry><box size="0.1 0.2 0.3"/></geometry>
      <material name="red"/>
    </visual>
    <visual>
      <geometry><sphere radius="+5e-1"/></geometry>
      <material name="own"><color rgba="0 1 0 1"/></material>
    </visual>
    <collision name="post">
      <origin xyz="0 0 1"/>
      <geometry><cylinder radius="0.1" length="2"/></geometry>
    </collision>
  </link>
  <link name="arm">
    <inertial>
      <origin xyz="0.1 0 0" rpy="1.5707963267948966 0 0"/>
      <mass value="2"/>
      <inertia ixx="1" ixy="0" ixz="0" iyy="2" iyz="0" izz="2.5"/>
    </inertial>
  </link>
  <link name="hand">
    <inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
    <visual><geometry><sphere radius="0.1"/></geometry><material name="own"/></visual>
  </link>
  <link name="tip"/>
  <joint name="lift" type="prismatic">
    <origin xyz="0 0 1"/><parent link="arm"/><child link="hand"/><axis xyz="0 0 2"/>
    <limit lower="-1" upper="2" effort="3" velocity="4"/>
    <mimic joint="turn" multiplier="0.5" offset="0.25"/>
  </joint>
  <joint name="turn" type="continuous">
    <origin rpy="0 0 3.141592653589793"/><parent link="base"/><child link="arm"/><axis xyz="0 -1 0"/>
    <dynamics damping="0.5" friction="0.25"/>
  </joint>
  <joint name="end" type="fixed"><parent link="hand"/><child link="tip"/></joint>
  <transmission name="t"/>
</robot>
)";

/// <inertial> of a body that may move.
inline constexpr const char* kBody =
    R"(<inertial><mass value="1"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial>)";

/// "base" with a body, and whatever follows.
inline std::string RobotText(const std::string& rest) {
  return std::string("<robot name=\"r\">\n<link name=\"base\">") + kBody + "</link>\n" + rest +
         "</robot>\n";
}

inline std::string LinkText(const std::string& name, const std::string& content = kBody) {
  return "<link name=\"" + name + "\">" + content + "</link>\n";
}

inline std::string JointText(const std::string& name, const std::string& type,
                             const std::string& parent, const std::string& child,
                             const std::string& more = {}) {
  return "<joint name=\"" + name + "\" type=\"" + type + "\"><parent link=\"" + parent +
         "\"/><child link=\"" + child + "\"/>" + more + "</joint>\n";
}

inline Result<RobotDescription> ReadText(const std::string& text) {
  return ReadUrdfText(text, "test.urdf", testing::TempDir());
}

inline std::string ErrorsOf(const Result<RobotDescription>& robot) {
  std::string text;
  for (const Error& error : robot.errors()) text += error.Text() + "\n";
  return text;
}

inline bool IsPose(const Pose& pose) {
  return pose.p.allFinite() && std::abs(pose.q.norm() - 1) < 1e-9;
}

/// Empty where the description is one that a simulation can be made of; else what is not.
inline std::string Flaw(const RobotDescription& robot) {
  if (robot.links.empty() || robot.joints.size() + 1 != robot.links.size()) return "no tree";
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    const RobotLink& link = robot.links[i];
    if (link.name.empty()) return "a link without a name";
    if (link.parent_joint != static_cast<int>(i) - 1) return link.name + ": order";
    if (!(link.mass >= 0) || link.mass > 1e9 || !link.p_LC.allFinite() || !link.I_LC.allFinite())
      return link.name + ": mass";
    for (const auto* shapes : {&link.visuals, &link.collisions}) {
      for (const RobotShape& shape : *shapes) {
        if (!IsPose(shape.X_LS)) return link.name + ": pose of a shape";
        if (!(shape.shape.radius > 0) || !(shape.shape.size.minCoeff() > 0))
          return link.name + ": size of a shape";
      }
    }
  }
  // what moves is the sum of what is fixed together
  for (const RobotLink& link : MergeFixedLinks(robot).links) {
    if (link.mass <= 0) continue;
    const Vec3 moments = Eigen::SelfAdjointEigenSolver<Mat3>(link.I_LC).eigenvalues();
    if (moments[0] < -1e-12 * moments[2]) return link.name + ": inertia";
  }
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    const RobotJoint& joint = robot.joints[i];
    if (joint.child != static_cast<int>(i) + 1 || joint.parent < 0 || joint.parent >= joint.child)
      return joint.name + ": order";
    if (!IsPose(joint.X_PJ)) return joint.name + ": pose";
    if (std::abs(joint.axis.norm() - 1) > 1e-9) return joint.name + ": axis";
    if (!(joint.lower <= joint.upper) || !(joint.effort >= 0) || !(joint.velocity >= 0) ||
        !(joint.damping >= 0) || !(joint.friction >= 0))
      return joint.name + ": limits";
    if (joint.mimic && (joint.mimic->joint < 0 || joint.mimic->joint == static_cast<int>(i) ||
                        joint.mimic->joint >= static_cast<int>(robot.joints.size())))
      return joint.name + ": mimic";
  }
  for (const RobotFrame& frame : robot.frames)
    if (!IsPose(frame.X_LF) || frame.link < 0 || frame.link >= static_cast<int>(robot.links.size()))
      return frame.name + ": frame";
  return {};
}

}  // namespace slip::test
