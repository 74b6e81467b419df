// How far a contact's step is from Coulomb's law of friction with the scene's normal law, both at
// the end of the step, whatever method made it (engine/README.md section 21). Everything is in
// forces, f = gamma/h. Slip u is (v_t1, v_t2, rho w_n): of contacts without torsion the third is 0.
#pragma once

#include <algorithm>
#include <cmath>

#include "engine/contact/contact_value.h"
#include "engine/core/numbers.h"
#include "engine/core/types.h"

namespace slip {

/// What the distance is taken of.
struct MeasuredContact {
  Vec3 u = Vec3::Zero();     ///< slip of B over A [m/s]
  double vn = 0;             ///< normal velocity, > 0 separates [m/s]
  Vec3 f_u = Vec3::Zero();   ///< friction on B along u [N]
  double fn = 0;             ///< normal force [N]
  double mu = 0;             ///< friction coefficient [-]
  double w = 0;              ///< Delassus estimate, as models see it [1/kg]
  double h = 0;              ///< time step [s]
  double v_law = 0;          ///< normal velocity at which the normal law gives fn [m/s]
  double friction_load = 0;  ///< normal force by which its friction is bounded [N]
};

/// NaN where a method has no such thing, or nobody asked.
struct CoulombDistance {
  double distance = kNaN;  ///< |f - P(f - u'/(w h))| [N]
  double offset = kNaN;    ///< h (v_n - v_law): gliding, force across a gap, near-rigid limit [m]
  double lag = kNaN;       ///< friction of another step's normal force [N]
};

/// Friction beyond what Coulomb allows [N].
inline double CalcConeExcess(double mu, double fn, double friction) {
  return std::max(0.0, friction - mu * fn);
}

/// Power that Coulomb's friction would take from this slip and the method's does not [W]; negative:
/// it takes more. `power` is f_u . u of the method.
inline double CalcDissipationDeficit(double mu, double fn, double slip_speed, double power) {
  return mu * fn * slip_speed + power;
}

/// Where a contact is, less where its law says for its force [m]. Without force only a contact that
/// should have some is away from its law.
inline double CalcLawOffset(double h, double vn, double v_law, double fn) {
  const double offset = h * (vn - v_law);
  return fn > 0 ? offset : std::min(0.0, offset);
}

inline double CalcFrictionLag(double mu, double fn, double friction_load) {
  return mu * std::abs(friction_load - fn);
}

/// The nearest point of the friction cone |g_u| <= mu g_n.
struct ConePoint {
  Vec3 u = Vec3::Zero();
  double n = 0;
};
inline ConePoint ProjectOnFrictionCone(double mu, const Vec3& g_u, double g_n) {
  const double s = g_u.norm();
  if (s <= mu * g_n) return {g_u, g_n};
  if (mu * s <= -g_n) return {};
  const double n = (mu * s + g_n) / (1 + mu * mu);
  return {g_u * (s > 0 ? mu * n / s : 0.0), n};
}

/// The natural map of the complementarity  K* > u' _|_ f < K  with u' = (u, v_n - v_law + mu |u|):
/// zero where the law and Coulomb's friction, neither of them smoothed, hold together.
inline CoulombDistance CalcCoulombDistance(const MeasuredContact& c) {
  CoulombDistance out;
  out.offset = CalcLawOffset(c.h, c.vn, c.v_law, c.fn);
  out.lag = CalcFrictionLag(c.mu, c.fn, c.friction_load);
  if (!(c.w > 0)) return out;
  // one that stays open where its law is silent
  if (c.fn == 0 && c.vn >= c.v_law && c.f_u == Vec3::Zero()) {
    out.distance = 0;
    return out;
  }
  const double scale = 1 / (c.w * c.h);
  const ConePoint p = ProjectOnFrictionCone(c.mu, c.f_u - scale * c.u,
                                            c.fn - scale * (c.vn - c.v_law + c.mu * c.u.norm()));
  const double off_n = c.fn - p.n;
  out.distance = std::sqrt((c.f_u - p.u).squaredNorm() + off_n * off_n);
  return out;
}

/// Normal velocity at which the law of model M gives the normal force fn [m/s]: the scene's law,
/// not what the model makes of it. SAP's is without the near-rigid limit; a model that reads no
/// stiffness is rigid.
template <class M, NormalLaw Law>
double CalcLawVelocity(const ContactStart& c, double fn) {
  constexpr bool kOverLaw = requires(const typename M::Frozen& f) { f.law; };
  if constexpr (!kOverLaw && (M::kTraits.knobs & knob::kStiffness) == 0) {
    return -c.phi0 / c.h;
  } else if constexpr (InvertibleLaw<Law>) {
    return Law::Inverse(Law::Freeze(c.law, c.phi0, c.h), c.h * fn).v;
  } else {  // barriers have no dampers
    return (-Law::Rest(c.law, fn) - c.phi0) / c.h;
  }
}

/// The same of a spring and a damper that act where bodies overlap and nowhere else.
inline double CalcTouchVelocity(double stiffness, double damping, double phi0, double h,
                                double fn) {
  const double closed = (-phi0 - fn / stiffness) / (h + damping / stiffness);
  return std::min(closed, -phi0 / h);
}

}  // namespace slip
