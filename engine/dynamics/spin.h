// Euler's equation of a free rigid body over one step, at the mean of the two angular velocities.
#pragma once

#include "engine/core/types.h"

namespace slip {

/// What w × I w is in the body's own axes, where I is diagonal.
inline Vec3 CalcGyroscopicMoment(const Vec3& inertia_B, const Vec3& w_B) {
  return w_B.cross(Vec3(inertia_B.cwiseProduct(w_B)));
}

/// w1 of I (w1 - kicked) + h (u × I u - moment) = 0 with u = (w0 + w1)/2, all in the body's axes at
/// the start of the step: `kicked` is what impulses make of w0, if they left the body where it is,
/// and `moment` the gyroscopic one that is in it already. Without both, kicked = w0 and moment = 0,
/// the free motion: |I w| and the energy stay to the last bits. False where Newton's method finds
/// none in a few iterations.
bool SolveSpin(const Vec3& inertia_B, double h, const Vec3& w0_B, const Vec3& kicked_B,
               const Vec3& moment_B, Vec3* w1_B);

}  // namespace slip
