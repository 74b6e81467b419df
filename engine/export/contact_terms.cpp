#include "engine/export/contact_terms.h"

#include "engine/sim/method_list.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/contact/equivalent.h"
#include "engine/contact/normal_law.h"
#include "engine/method/methods.h"

namespace slip {
namespace {

// Four corners of a box together take out what one takes four times.
constexpr double kMostDamping = 0.25;
// However many contacts a body has, the solver is stable from a half on.
constexpr double kLeastStiff = 0.5, kMostStiff = 0.99;

}  // namespace

KnobMask KnobsOf(const Config& config) {
  const MethodInfo& method = Info(config.method());
  return method.knobs |
         (method.takes_law ? Info(config.step.part<ConvexParams>().law()).knobs : KnobMask{0});
}

ContactTerms CalcContactTerms(const Config& config, const Material& material, double inverse_mass,
                              double load) {
  const KnobMask knobs = KnobsOf(config);
  ContactTerms terms;
  terms.friction = material.friction;
  if ((knobs & knob::kTorsion) != 0) terms.torsion = material.torsional_friction;
  if ((knobs & knob::kStiffness) != 0) {
    terms.k = material.stiffness;
  } else if ((knobs & knob::kHertzStiffness) != 0 && load > 0) {
    terms.k = Hertz::Stiffness({.k_hertz = material.hertz_stiffness}, load);
  }
  if (!terms.k || !(inverse_mass > 0)) return terms;
  const double k = *terms.k;
  if ((knobs & knob::kDamping) != 0) {
    terms.c = material.damping;
  } else if ((knobs & knob::kRelaxationTime) != 0) {
    terms.c = k * material.relaxation_time;
  } else if ((knobs & knob::kDissipation) != 0 && material.dissipation > 0) {
    const double e = CalcHuntCrossleyRestitution(material.dissipation, kImpactSpeed);
    terms.c = k * CalcTouchDampingRelaxation(e, k, 1 / inverse_mass);
    terms.damped_by_impact = true;
  }
  return terms;
}

std::optional<double> CalcCreepDamping(const Config& config, const Material& material,
                                       const ExportLoad& load) {
  const KnobMask knobs = KnobsOf(config);
  const StepParams& step = config.step;
  // slip speed per friction force, of small loads
  const double mobility =
      step.part<ConvexParams>().friction_regularization * load.w * step.time_step;
  const double limit = material.friction * load.normal_force;
  if ((knobs & knob::kStictionTolerance) != 0) {
    const double tolerance =
        std::max(step.part<ConvexParams>().stiction_tolerance,
                 (knobs & knob::kFrictionRegularization) != 0 ? mobility * limit : 0.0);
    if (tolerance > 0) return limit / tolerance;
  } else if ((knobs & knob::kFrictionRegularization) != 0 && mobility > 0) {
    return 1 / mobility;
  }
  return std::nullopt;
}

MujocoContact CalcMujocoContact(const ContactTerms& terms, double inverse_mass, double time_step) {
  MujocoContact out;
  out.friction = terms.friction;
  out.torsion = terms.torsion;
  out.condim = !(terms.friction > 0) ? 1 : terms.torsion > 0 ? 4 : 3;
  const double A = inverse_mass, h = time_step;
  const double k = terms.k.value_or(std::numeric_limits<double>::infinity());
  const double K = k * (1 - kImpedance) * A, B = terms.c * (1 - kImpedance) * A;
  if (4 * h * h * K <= 1 && B * h <= kMostDamping) {
    out.solref = {-K, -B};
    out.stiffness = k;
    return out;
  }
  // as stiff as it is, if some impedance gives that within the shortest time
  out.impedance = std::clamp(1 - 1 / (4 * h * h * A * k), kLeastStiff, kMostStiff);
  const double slack = (1 - out.impedance) * A;
  const double time = std::max(2 * h, 1 / std::sqrt(k * slack));
  out.solref = {time, 1};
  out.stiffness = 1 / (time * time * slack);
  out.held_back = true;
  return out;
}

}  // namespace slip
