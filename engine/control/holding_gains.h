// Gains of motors that hold a robot where it is.
#pragma once

namespace slip {

struct HoldingGains {
  double stiffness = 0;  ///< [N m/rad] or [N/m]
  double damping = 0;    ///< [N m s/rad] or [N s/m]
};

/// Of a joint: the robot's weight [N] at its reach [m] turns it by 0.05 rad, or moves it by 1 cm
/// where it slides.
HoldingGains CalcHoldingGains(double weight, double reach, bool slides);

}  // namespace slip
