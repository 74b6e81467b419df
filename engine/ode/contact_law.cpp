#include "engine/ode/contact_law.h"

#include <algorithm>

namespace slip {

ContactPrediction OdeLaw::Predict(double fn, double ft) const {
  ContactPrediction out;
  out.dissipation = kNaN;
  out.stiffness = soft ? stiffness : kNaN;
  out.damping = soft ? damping : kNaN;
  out.rest_distance = -Depth(fn);
  out.gliding_offset = 0;  // normal and friction do not meet in one potential
  const double limit = friction * std::max(fn, 0.0);
  out.stiction_tolerance = slip * limit;
  out.slip_onset = kSlipShare * out.stiction_tolerance;
  out.creep_speed = slip * std::min(ft, limit);
  return out;
}

}  // namespace slip
