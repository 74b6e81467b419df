// Fixed links become part of the link that carries them. With masses a, b and their centres,
//   m = m_a + m_b,  c = (m_a c_a + m_b c_b)/m,
//   I = Σ (R I_i Rᵀ + m_i (|d_i|² 1 - d_i d_iᵀ)),  d_i = c_i - c      (parallel axes)
#include <fmt/format.h>

#include "engine/core/pose.h"
#include "engine/urdf/robot_description.h"

namespace slip {
namespace {

/// Inertia of a point mass at d.
Mat3 PointInertia(double mass, const Vec3& d) {
  return mass * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
}

void AddShapes(const RobotLink& child, const Pose& X_LC, RobotLink* link) {
  for (auto list : {&RobotLink::visuals, &RobotLink::collisions}) {
    for (RobotShape shape : child.*list) {
      shape.X_LS = ComposeUnit(X_LC, shape.X_LS);
      (link->*list).push_back(std::move(shape));
    }
  }
}

}  // namespace

void AddMass(const RobotLink& child, const Pose& X_LC, RobotLink* link) {
  if (child.mass <= 0) return;
  const Mat3 R = X_LC.q.toRotationMatrix();
  const Vec3 c = X_LC * child.p_LC;
  const Mat3 I = R * child.I_LC * R.transpose();
  const double mass = link->mass + child.mass;
  const Vec3 both = (link->mass * link->p_LC + child.mass * c) / mass;
  const Mat3 sum = link->I_LC + PointInertia(link->mass, link->p_LC - both) + I +
                   PointInertia(child.mass, c - both);
  link->I_LC = 0.5 * (sum + sum.transpose());
  link->p_LC = both;
  link->mass = mass;
}

RobotDescription MergeFixedLinks(const RobotDescription& robot) {
  RobotDescription merged;
  merged.name = robot.name;
  merged.notes = robot.notes;
  merged.on_world = robot.on_world;
  merged.world = robot.world;
  merged.starts = robot.starts;
  merged.apart = robot.apart;
  merged.together = robot.together;
  merged.pairs = robot.pairs;
  // where each old link and joint has gone
  std::vector<int> link_of(robot.links.size(), -1), joint_of(robot.joints.size(), -1);
  std::vector<Pose> X_NL(robot.links.size());  // the old link's frame in the new link's
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    const RobotLink& link = robot.links[i];
    const RobotJoint* joint = link.parent_joint < 0 ? nullptr : &robot.joints[link.parent_joint];
    if (joint != nullptr && joint->kind == RobotJointKind::kFixed) {
      const int into = link_of[joint->parent];
      link_of[i] = into;
      X_NL[i] = ComposeUnit(X_NL[joint->parent], joint->X_PJ);
      AddShapes(link, X_NL[i], &merged.links[into]);
      AddMass(link, X_NL[i], &merged.links[into]);
      merged.frames.push_back({.name = link.name, .link = into, .X_LF = X_NL[i]});
      merged.notes.push_back(fmt::format("link '{}' is part of '{}': joint '{}' is fixed",
                                         link.name, merged.links[into].name, joint->name));
      continue;
    }
    link_of[i] = static_cast<int>(merged.links.size());
    merged.links.push_back(link);
    if (joint == nullptr) continue;
    joint_of[link.parent_joint] = static_cast<int>(merged.joints.size());
    merged.links.back().parent_joint = static_cast<int>(merged.joints.size());
    merged.joints.push_back(*joint);
    RobotJoint& moved = merged.joints.back();
    moved.child = link_of[i];
    moved.parent = link_of[joint->parent];
    moved.X_PJ = ComposeUnit(X_NL[joint->parent], joint->X_PJ);
  }
  for (RobotFrame frame : robot.frames) {
    frame.X_LF = ComposeUnit(X_NL[frame.link], frame.X_LF);
    frame.link = link_of[frame.link];
    merged.frames.push_back(std::move(frame));
  }
  for (RobotJoint& joint : merged.joints)
    if (joint.mimic) joint.mimic->joint = joint_of[joint.mimic->joint];
  return merged;
}

}  // namespace slip
