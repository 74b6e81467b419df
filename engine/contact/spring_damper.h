// The motion of a mass on a spring and a damper in closed form: what a contact with an anchor does
// as long as it neither pulls nor slips.
#pragma once

namespace slip {

/// m ẍ = F − k x − c ẋ
struct SpringDamper {
  double mass = 1;       ///< m [kg]
  double stiffness = 0;  ///< k > 0 [N/m]
  double damping = 0;    ///< c [N s/m]
  double force = 0;      ///< F, constant [N]
};

struct SpringDamperMotion {
  double x = 0;       ///< [m]
  double v = 0;       ///< [m/s]
  double x_int = 0;   ///< ∫ x [m s]
  double x_int2 = 0;  ///< ∫ ∫ x [m s^2]
};

/// A time t >= 0 [s] after x0 [m] and v0 [m/s].
SpringDamperMotion CalcMotion(const SpringDamper& of, double x0, double v0, double t);

}  // namespace slip
