// The mouse spring within a step, the same for every formulation: its force at a state, the row of
// its point, and what it came to.
#pragma once

#include "engine/dynamics/motion.h"
#include "engine/method/step_io.h"

namespace slip {

/// What the spring does at a state.
struct Pull {
  int body = -1;              ///< -1 = nothing that moves is pulled
  bool twist = false;         ///< a torque, on rotations; else a force, on the point p_W
  Vec3 p_W = Vec3::Zero();    ///< grabbed point [m]
  Vec3 force = Vec3::Zero();  ///< of the spring alone, without its damper [N] or [N m]
  double stiffness = 0;       ///< 0 where the force is capped: it is then constant
  double damping = 0;
  bool capped = false;

  bool pulls() const { return body >= 0; }
  /// Of the point, or of the rotation, of a body with this velocity [m/s] or [rad/s].
  Vec3 CalcVelocity(const Pose& X_WB, const Vec6& V_WB) const {
    if (twist) return V_WB.head<3>();
    return V_WB.tail<3>() + V_WB.head<3>().cross(p_W - X_WB.p);
  }
};

Pull CalcPull(const Model& model, const Grab& grab, const State& state);

/// Row of CalcVelocity along a world axis; the motion is that of the body's tree.
void CalcPullRow(const Motion& motion, const Pull& pull, int axis, double* row);

/// What came of a spring that is implicit in the velocity of the step's end:
/// f = k (anchor - p) - (h k + c) v.
PullOutcome CalcImplicitPull(const StepInput& input, const State& end);

}  // namespace slip
