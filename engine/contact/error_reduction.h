// A spring and a damper as ODE's two numbers of a constraint, which hold at one time step: it
// reduces the share `erp` of an error within the step and is soft by `cfm`,
//   v = erp x/h - cfm f,   f = k x - (h k + c) v.
#pragma once

namespace slip {

struct ErrorReduction {
  double erp = 0;  ///< error reduction parameter [-]
  double cfm = 0;  ///< constraint force mixing [m/(N s)]
};

inline ErrorReduction CalcErrorReduction(double stiffness, double damping, double time_step) {
  const double hk = time_step * stiffness;
  return {hk / (hk + damping), 1 / (hk + damping)};
}

}  // namespace slip
