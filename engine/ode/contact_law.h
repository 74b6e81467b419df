// The law of one contact in ODE, for gauges and energies:
//   v_n = erp x/h - cfm f_n,   slip = slip1 f_t   while |f_t1|, |f_t2| <= mu f_n.
// Of materials it is a spring and a damper, which act in touch only; else it is rigid, and what
// overlaps is thrown out at erp x/h.
#pragma once

#include "engine/contact/contact_value.h"

namespace slip {

struct OdeLaw {
  bool soft = false;
  double stiffness = 0, damping = 0;  ///< of a soft one [N/m], [N s/m]
  double erp = 0, cfm = 0;
  double friction = 0;
  double slip = 0;  ///< along the surface, however it comes about [m/(N s)]

  /// Force of the spring at the depth x [N].
  double Force(double x) const { return soft && x > 0 ? stiffness * x : 0; }
  /// What it stores [J].
  double Energy(double x) const { return 0.5 * Force(x) * x; }
  /// Depth under a load [m].
  double Depth(double load) const { return soft && load > 0 ? load / stiffness : 0; }

  ContactPrediction Predict(double fn, double ft) const;
};

}  // namespace slip
