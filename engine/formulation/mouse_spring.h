// Stiffness, damping and limit of the mouse spring for a body: brisk, without ringing, and too weak
// to tear a scene apart.
#pragma once

#include <numbers>

#include "engine/formulation/config.h"

namespace slip {

/// Critically damped (zeta = 1) at 4 Hz for the body's mass; the force stays below ten times the
/// body's weight, or that of standard gravity where a scene has none.
inline Grab MouseSpring(double mass, double gravity) {
  constexpr double kFrequency = 4;  // [Hz]
  constexpr double kWeights = 10;   // limit over weight
  const double omega = 2 * std::numbers::pi * kFrequency;
  Grab grab;
  grab.stiffness = mass * omega * omega;
  grab.damping = 2 * mass * omega;
  grab.force_limit = kWeights * mass * (gravity > 0.1 ? gravity : 9.81);
  return grab;
}

}  // namespace slip
