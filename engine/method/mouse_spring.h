// Stiffness, damping and limit of the mouse spring for a body: brisk, without ringing, and too weak
// to tear a scene apart.
#pragma once

#include <cmath>
#include <numbers>

#include "engine/dynamics/joint.h"
#include "engine/method/config.h"

namespace slip {

/// Critically damped (zeta = 1) at `frequency` [Hz] for the body's mass [kg]; the force stays below
/// `weights` times the body's weight, or that of standard gravity where a scene has none.
inline Grab MouseSpring(double mass, double gravity, double frequency = 4, double weights = 10) {
  const double omega = 2 * std::numbers::pi * frequency;
  Grab grab;
  grab.stiffness = mass * omega * omega;
  grab.damping = 2 * mass * omega;
  grab.force_limit = weights * mass * (gravity > 0.1 ? gravity : 9.81);
  return grab;
}

/// The same as `pull`, for turning a body of this mass and mean moment of inertia [kg m^2]: the
/// torque stays below the pull's limit at the arm `radius` [m].
inline Grab TwistSpring(const Grab& pull, double mass, double inertia, double radius) {
  Grab grab;
  grab.twist = true;
  grab.stiffness = pull.stiffness * inertia / mass;
  grab.damping = pull.damping * inertia / mass;
  grab.force_limit = pull.force_limit * radius;
  return grab;
}

/// What the spring would close: from the grabbed point to the anchor [m], or the rotation from the
/// body's orientation to the one asked for, as axis times angle up to half a turn [rad].
inline Vec3 CalcGrabStretch(const Grab& grab, const Pose& X_WB) {
  if (!grab.twist) return grab.p_WA - X_WB * grab.p_BP;
  const Quat q = grab.q_WA * X_WB.q.conjugate();
  return CalcRotationVector(q);
}

}  // namespace slip
