#include "engine/contact/material.h"

#include "engine/core/param_text.h"

namespace slip {

namespace {

double HarmonicMean(double a, double b) { return a + b > 0 ? 2 * a * b / (a + b) : 0; }

}  // namespace

Status CheckFriction(std::span<const Material> materials) {
  for (const Material& m : materials) {
    if (!(m.torsional_friction > 0) || m.friction > 0) continue;
    return Error{.message = "material '" + m.name +
                            "': friction must be > 0 where "
                            "torsional_friction is (found " +
                            FormatNumber(m.friction) + " and " +
                            FormatNumber(m.torsional_friction) + " m)",
                 .hint = "set torsional friction to 0 first: it is part of friction's cone"};
  }
  return Ok{};
}

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
  m.friction = HarmonicMean(a.friction, b.friction);
  m.torsional_friction = HarmonicMean(a.torsional_friction, b.torsional_friction);
  return m;
}

}  // namespace slip
