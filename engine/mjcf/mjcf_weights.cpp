// Where links stand, and how heavy a contact or a limit finds them: the description as a model of
// bodies, one a link.
#include <array>

#include "engine/dynamics/inverse_masses.h"
#include "engine/dynamics/kinematics.h"
#include "engine/mjcf/link_body.h"
#include "engine/mjcf/mjcf_model.h"

namespace slip {
namespace {

// A larger tree's contacts and limits are not translated: its mass matrix would fill the memory.
constexpr int kMostCoordinates = 2000;

/// At the first start, or in the reference pose.
Model MakeModel(const MjcfModel& from, bool at_start) {
  const RobotDescription& robot = from.robot;
  std::vector<double> reference(robot.joints.size(), 0);
  for (const MjcfJoint& own : from.joints) At(reference, own.joint) = own.ref;
  Model model;
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    Body& body = model.bodies.emplace_back();
    body.collides = false;
    const Pose X_LB = SetMass(robot.links[i], &body);
    if (i == 0) {
      body.SetJoint(JointKind::kFixed);
      body.X_WB = X_LB;
      continue;
    }
    const RobotJoint& joint = robot.joints[i - 1];
    body.joint.parent = joint.parent;
    SetJoint(joint, model.body(joint.parent), &body);
    if (body.nv == 1) body.q0[0] = reference[i - 1];
    if (!at_start || joint.starts.empty()) continue;
    if (body.nv == 1) body.q0[0] = joint.starts.front().q[0];
    SetStartTurn(joint, joint.starts.front(), &body);
  }
  model.Finish();
  return model;
}

}  // namespace

std::vector<Pose> PlaceMjcfLinks(const MjcfModel& model, bool at_start) {
  const Model links = MakeModel(model, at_start);
  State state;
  SetStart(links, &state);
  std::vector<Pose> poses;
  for (std::size_t i = 0; i < links.bodies.size(); ++i)
    poses.push_back(state.X_WB[i] * links.bodies[i].X_BL);
  return poses;
}

MjcfWeights CalcMjcfWeights(const MjcfModel& model) {
  const Model links = MakeModel(model, false);
  State state;
  SetStart(links, &state);
  const InverseMasses masses = CalcInverseMasses(links, state, kMostCoordinates);
  MjcfWeights weights;
  weights.link = masses.body;
  for (std::size_t i = 1; i < links.bodies.size(); ++i) {
    const Body& body = links.bodies[i];
    weights.joint.push_back(body.nv > 0 ? At(masses.coordinate, body.v_start) : 0);
    weights.inertia.push_back(body.nv > 0 ? At(masses.inertia, body.v_start) : 0);
  }
  return weights;
}

}  // namespace slip
