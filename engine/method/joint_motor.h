// The motor of a joint with one coordinate.
#pragma once

#include <algorithm>

#include "engine/dynamics/model.h"
#include "engine/dynamics/state.h"
#include "engine/method/config.h"

namespace slip {

/// The joint's motor; one without gains where it has none.
inline const JointDrive& DriveOf(const Body& body, const Config& config) {
  static const JointDrive kNone;
  return body.drive >= 0 ? config.joints[static_cast<std::size_t>(body.drive)] : kNone;
}

/// Force at the end of the step that led to `state` [N] or [N m]; `held` is what a controller asked
/// for, constant within the step.
inline double CalcMotorForce(const Body& body, const Config& config, const State& state,
                             double held) {
  const JointDrive& drive = DriveOf(body, config);
  const double force = drive.stiffness * (drive.target - state.q[body.q_start]) -
                       drive.damping * state.v[body.v_start] + held;
  return std::clamp(force, -body.joint.effort, body.joint.effort);
}

}  // namespace slip
