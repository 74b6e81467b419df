// The motor of a joint with one coordinate.
#pragma once

#include <algorithm>

#include "engine/core/numbers.h"
#include "engine/dynamics/model.h"
#include "engine/dynamics/state.h"
#include "engine/method/config.h"

namespace slip {

struct Motor {
  double target = 0;     ///< [rad] or [m]
  double stiffness = 0;  ///< [N m/rad] or [N/m]
  double damping = 0;    ///< [N m s/rad] or [N s/m]
};

/// The joint's motor; one without gains where it has none.
inline Motor MotorOf(const Body& body, const Config& config) {
  if (body.drive < 0) return {};
  const JointDrive& drive = At(config.joints, body.drive);
  return {drive.target, drive.stiffness, drive.damping};
}

/// What the motor would give if it could [N] or [N m], arguments as below.
inline double CalcUnlimitedForce(const Body& body, const Config& config, const State& state,
                                 double held, double ahead = 0) {
  const Motor motor = MotorOf(body, config);
  const double v = state.v[body.v_start];
  return motor.stiffness * (motor.target - state.q[body.q_start] - ahead * v) - motor.damping * v +
         held;
}

/// Force at the end of the step that led to `state` [N] or [N m]; `held` is what a controller asked
/// for, constant within the step. With `ahead` [s] the joint is where its velocity takes it by
/// then.
inline double CalcMotorForce(const Body& body, const Config& config, const State& state,
                             double held, double ahead = 0) {
  const double force = CalcUnlimitedForce(body, config, state, held, ahead);
  return std::clamp(force, -body.joint.effort, body.joint.effort);
}

}  // namespace slip
