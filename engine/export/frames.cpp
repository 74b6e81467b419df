#include "engine/export/frames.h"

#include "engine/dynamics/kinematics.h"
#include "engine/scene/robot_sketch.h"

namespace slip {
namespace {

constexpr double kWayRoundOff = 1e-15;

}  // namespace

LinkFrames::LinkFrames(const Model& model, const State& start, bool at_joints)
    : model_(model), start_(start) {
  const std::size_t count = model.bodies.size();
  children_.resize(count + 1);
  parts_.resize(count);
  visuals_.resize(count);
  for (std::size_t b = 0; b < count; ++b) {
    const Body& body = model.bodies[b];
    X_LB_.push_back(InverseKept(body.X_BL));
    if (body.shape_of_link >= 0) {
      parts_[ToIndex(body.shape_of_link)].push_back(static_cast<int>(b));
    } else {
      children_[ToIndex(body.joint.parent + 1)].push_back(static_cast<int>(b));
    }
  }
  for (std::size_t b = 0; at_joints && b < count; ++b) {
    const int link = static_cast<int>(b);
    if (model.bodies[b].shape_of_link < 0 && !KeepsPose(link)) X_LB_[b].p -= X_LM(link).p;
  }
  for (std::size_t v = 0; v < model.visuals.size(); ++v)
    if (!IsSketched(model.visuals[v]))
      visuals_[ToIndex(model.visuals[v].joint.parent)].push_back(static_cast<int>(v));
}

Pose LinkFrames::X_LF(int link) const {
  const Joint& joint = body(link).joint;
  return joint.parent < 0 ? joint.X_PF : ComposeKept(X_LB(joint.parent), joint.X_PF);
}

Pose LinkFrames::X_LM(int link) const {
  Pose X = ComposeKept(X_LB(link), body(link).joint.X_BM);
  // what the way to the centre of mass and back leaves
  if (X.p.norm() <= kWayRoundOff * X_LB(link).p.norm()) X.p.setZero();
  return X;
}

bool LinkFrames::KeepsPose(int link) const {
  return body(link).joint.parent < 0 && slip::KeepsPose(body(link).joint.kind);
}

Pose LinkFrames::StartInWorld(int link) const {
  return ComposeKept(start_.X_WB[ToIndex(link)], InverseKept(X_LB(link)));
}

Pose LinkFrames::RestPose(int link) const {
  return KeepsPose(link) ? StartInWorld(link) : ComposeKept(X_LF(link), InverseKept(X_LM(link)));
}

State MakeRestState(const Model& model, const State& start) {
  State rest = start;
  for (const Body& body : model.bodies)
    if (body.nq > 0) SetNeutral(body.joint, rest.q.data() + body.q_start);
  rest.v.setZero();
  UpdatePoses(model, &rest);
  return rest;
}

std::string LocalName(const std::string& name) { return name.substr(name.find('/') + 1); }

}  // namespace slip
