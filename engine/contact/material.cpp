#include "engine/contact/material.h"

namespace slip {

Material CombineMaterials(const Material& a, const Material& b) {
  Material m;
  const double sum = a.stiffness + b.stiffness;
  m.stiffness = sum > 0 ? a.stiffness * b.stiffness / sum : 0;
  const double hertz = a.hertz_stiffness + b.hertz_stiffness;
  m.hertz_stiffness = hertz > 0 ? a.hertz_stiffness * b.hertz_stiffness / hertz : 0;
  m.dissipation =
      sum > 0 ? b.stiffness / sum * a.dissipation + a.stiffness / sum * b.dissipation : 0;
  m.relaxation_time = a.relaxation_time + b.relaxation_time;
  const double damping = a.damping + b.damping;
  m.damping = damping > 0 ? a.damping * b.damping / damping : 0;
  const double mu = a.friction + b.friction;
  m.friction = mu > 0 ? 2 * a.friction * b.friction / mu : 0;
  return m;
}

}  // namespace slip
