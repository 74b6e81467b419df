// A convex potential of one velocity coordinate: what limits, dry friction and motors of limited
// torque add to a step.
#pragma once

#include <algorithm>

namespace slip {

/// Impulse clamp(gain (rest_velocity - v), low, high), which is minus the gradient of the
/// potential.
struct CoordinatePotential {
  enum class Source : int { kLimit, kFriction, kMotor };
  int tree = 0, coordinate = 0;  ///< counted within the tree
  double rest_velocity = 0;      ///< without impulse [rad/s] or [m/s]
  double gain = 0;               ///< >= 0 [kg m^2] or [kg]
  double low = 0, high = 0;      ///< bounds of the impulse, infinite where there are none
  Source source = Source::kLimit;

  double Impulse(double v) const { return std::clamp(gain * (rest_velocity - v), low, high); }
  /// Zero at rest_velocity if the bounds hold zero [J].
  double Cost(double v) const {
    // gain/2 (v - rest_velocity)² until the impulse meets its bound, a straight line beyond
    const double error = v - rest_velocity, impulse = Impulse(v), free = -gain * error;
    if (impulse == free) return 0.5 * gain * error * error;
    const double at_bound = -impulse / gain;  // error there
    return 0.5 * gain * at_bound * at_bound - impulse * (error - at_bound);
  }
  double Hessian(double v) const {
    const double free = gain * (rest_velocity - v);
    return free > low && free < high ? gain : 0;
  }
};

}  // namespace slip
