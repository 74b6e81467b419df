// Gains of motors that hold a robot where it begins.
#pragma once

#include <vector>

#include "engine/dynamics/model.h"
#include "engine/dynamics/state.h"

namespace slip {

struct HoldingGains {
  double stiffness = 0;  ///< [N m/rad] or [N/m]
  double damping = 0;    ///< [N m s/rad] or [N s/m]
  bool weak = false;     ///< as soft as the limit of the motor asks
};

/// What a motor gives way by under the weight of what it moves: at its radius of gyration about the
/// joint [rad], and of a sliding one [m]. A degree is what nobody sees.
inline constexpr double kHoldingAngle = 0.02, kHoldingLength = 0.01;

/// Of every motor of the model's robots, by its place in Config::joints, for the pose of the state.
///
/// A joint moves what hangs on it. Where a part of that stands on the floor under a free base, it
/// moves the rest of the robot instead, together with the other joints that stand: the larger of
/// the two counts. With the inertia I and the mass m of it the stiffness is g √(I m) over the angle
/// above, hence the frequency √(stiffness/I) falls with the root of the size; the damping ratio is
/// 1. The motor reaches its limit no earlier than at that angle, and the step resolves its period.
std::vector<HoldingGains> CalcHoldingGains(const Model& model, const State& state, double gravity,
                                           double time_step);

}  // namespace slip
