// Regularised cone projection: SAP, and Todorov's and Anitescu's models as other choices of R.
// gamma = argmin over the friction cone of 1/2 (g - y)^T R (g - y), y = R^-1 (v_hat - v_c)
// (ICF section IV, PCF eqs (8), (10), (25)-(27); engine/README.md section 2).
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/contact/contact_value.h"
#include "engine/contact/friction.h"

namespace slip {

struct ConeProjection {
  struct Frozen {
    double Rt, Rn;  ///< regularisation [1/kg]
    double v_hat;   ///< normal velocity of zero impulse [m/s]
    double mu;
    double Re;         ///< Rn + mu^2 Rt
    double lift_time;  ///< h + tau_d: steady gliding offset is mu lift_time |v_t| [s]
    double inverse_Rt, inverse_Rn, inverse_Re;
    bool near_rigid;
  };

  static Frozen Make(double Rt, double Rn, double phi0, double lift_time, double mu, bool clamped) {
    const double Re = Rn + mu * mu * Rt;
    return {Rt, Rn, -phi0 / lift_time, mu, Re, lift_time, 1 / Rt, 1 / Rn, 1 / Re, clamped};
  }

  /// 0 none, 1 stick, 2 slide; without the root of the slip speed's square s2 where it sticks.
  enum class Region { kNone, kStick, kSlide };
  static Region FindRegion(const Frozen& f, double closing, double s2, double* s) {
    *s = 0;
    // yr <= μ yn
    const double limit = f.mu * closing * f.Rt * f.inverse_Rn;
    if (f.mu > 0 && closing >= 0 && s2 <= limit * limit) return Region::kStick;
    *s = std::sqrt(s2);
    // ŷ in the polar cone
    return closing <= -f.mu * *s ? Region::kNone : Region::kSlide;
  }

  static ContactValue Evaluate(const Frozen& f, const Vec3& v_c) {
    // the exact Hessian is the dual one in the primal direction
    return EvaluateWith(f, v_c, [](const Vec2& t) { return t; });
  }

  static ContactValue EvaluateDual(const Frozen& f, const Vec3& v_c, const Vec2& q) {
    return EvaluateWith(f, v_c, [&q](const Vec2&) { return q; });
  }

  template <class Direction>
  static ContactValue EvaluateWith(const Frozen& f, const Vec3& v_c, Direction&& direction) {
    ContactValue out;
    const double x = v_c.x(), y = v_c.y(), s2 = x * x + y * y;
    const double closing = f.v_hat - v_c.z();
    double s = 0;
    const Region region = FindRegion(f, closing, s2, &s);
    if (region == Region::kNone) return out;
    Mat3& G = out.hessian;
    if (region == Region::kStick) {
      const double gn = closing * f.inverse_Rn;
      out.gamma = Vec3(-x * f.inverse_Rt, -y * f.inverse_Rt, gn);
      out.cost = 0.5 * (s2 * f.inverse_Rt + closing * gn);
      G(0, 0) = G(1, 1) = f.inverse_Rt;
      G(2, 2) = f.inverse_Rn;
      return out;
    }
    // slide: γn = (v̂ − vn + μ|vt|)/Re, γt = −μ γn t
    const double gn = (closing + f.mu * s) * f.inverse_Re;
    out.gamma.z() = gn;
    out.cost = 0.5 * f.Re * gn * gn;
    G(2, 2) = f.inverse_Re;
    if (f.mu == 0 || s < 1e-300) return out;
    const double inverse_s = 1 / s;
    const Vec2 t(x * inverse_s, y * inverse_s);
    const Vec2 q = direction(t);
    const double gt = f.mu * gn, across = gt * inverse_s;
    out.gamma.x() = -gt * t.x();
    out.gamma.y() = -gt * t.y();
    // the stiff rank-one part keeps the primal direction
    const double tn = -f.mu * f.inverse_Re, tt = -f.mu * tn;
    G(0, 0) = across * (1 - q.x() * t.x()) + tt * t.x() * t.x();
    G(1, 1) = across * (1 - q.y() * t.y()) + tt * t.y() * t.y();
    G(0, 1) = G(1, 0) = -0.5 * across * (q.x() * t.y() + q.y() * t.x()) + tt * t.x() * t.y();
    G(0, 2) = G(2, 0) = tn * t.x();
    G(1, 2) = G(2, 1) = tn * t.y();
    return out;
  }

  // stick and slide agree on their border: q is continuous where the Hessian is not
  static Vec2 UpdateDual(const Frozen& f, const Vec3& v_c, const Vec3& d, const Vec2& q) {
    const Vec2 vt = v_c.head<2>();
    const double s = vt.norm();
    const double limit = f.mu * (f.v_hat - v_c.z()) * f.Rt * f.inverse_Rn;
    if (f.mu > 0 && s <= limit) {
      const Vec2 u = vt + d.head<2>();
      const double divisor = std::max(limit, u.norm());
      return divisor > 0 ? Vec2(u / divisor) : Vec2::Zero();
    }
    if (s < 1e-300) return q;
    return UpdateDualDirection(vt, d.head<2>(), q, vt / s, s);
  }

  static ContactAlong Along(const Frozen& f, const Vec3& v_c, const Vec3& d) {
    const double s2 = v_c.x() * v_c.x() + v_c.y() * v_c.y();
    const double closing = f.v_hat - v_c.z();
    const double vd = v_c.x() * d.x() + v_c.y() * d.y();
    const double d2 = d.x() * d.x() + d.y() * d.y();
    double s = 0;
    const Region region = FindRegion(f, closing, s2, &s);
    if (region == Region::kNone) return {};
    if (region == Region::kStick) {
      const double gn = closing * f.inverse_Rn;
      return {0.5 * (s2 * f.inverse_Rt + closing * gn), vd * f.inverse_Rt - gn * d.z(),
              d2 * f.inverse_Rt + d.z() * d.z() * f.inverse_Rn};
    }
    const double gn = (closing + f.mu * s) * f.inverse_Re;
    const bool slips = f.mu > 0 && s >= 1e-300;
    const double inverse_s = slips ? 1 / s : 0;
    const double td = vd * inverse_s;
    const double dg = d.z() - f.mu * td;  // −Re dγn
    const double curvature =
        dg * dg * f.inverse_Re + f.mu * gn * std::max(d2 - td * td, 0.0) * inverse_s;
    return {0.5 * f.Re * gn * gn, -gn * dg, curvature};
  }

  static ConeForm Cone(const Frozen& f) { return {f.mu, 0, f.Rt, 1 / f.Rn}; }
  static NormalInverse Inverse(const Frozen& f, double gamma_n) {
    return {f.v_hat - f.Rn * gamma_n, f.Rn};
  }

  static double CostOffset(const Frozen&) { return 0; }

  static bool Feasible(const Frozen&, const Vec3&) { return true; }

  // the stiffness that the clamp leaves [N/m]
  static double CalcStiffness(const Frozen& f, const ContactStart& start) {
    return 1 / (start.h * f.lift_time * f.Rn);
  }
  static double ElasticEnergy(const Frozen& f, const ContactStart& start, double phi) {
    const double x = Positive(-phi);
    return 0.5 * CalcStiffness(f, start) * x * x;
  }
  // across a gap the linear law pulls while its damper pushes: only their sum acts
  static double DampingForce(const Frozen& f, const ContactStart& start, double phi, double vn) {
    const double k = CalcStiffness(f, start), x = Positive(-phi);
    return Positive(k * (-phi - (f.lift_time - start.h) * vn)) - k * x;
  }

  // φ = μ (h+τ)|vt| − (1+μt²) fn h (h+τ) Rn, the last term split into rest distance and offset
  static ContactPrediction Predict(const Frozen& f, const ContactStart& start,
                                   const ContactLoad& load) {
    ContactPrediction p;
    const double mu_t2 = f.mu * f.mu * f.Rt / f.Rn;
    const double compliance = start.h * f.lift_time * f.Rn;
    p.rest_distance = -load.fn * compliance;
    p.stiction_tolerance = f.mu * f.Rt * load.fn * start.h;
    const bool slips = load.slip_speed > p.stiction_tolerance;
    p.gliding_offset =
        slips ? f.mu * f.lift_time * load.slip_speed - mu_t2 * load.fn * compliance : 0;
    p.creep_speed = f.Rt * start.h * load.ft;
    p.stiffness = 1 / (compliance * (slips ? 1 + mu_t2 : 1));
    p.damping = p.stiffness * (f.lift_time - start.h);
    p.dissipation = std::nan("");
    p.near_rigid = f.near_rigid;
    return p;
  }
};

/// Semi-analytic primal model: R_n = max(beta^2/(4 pi^2) w, 1/(h k (h + tau))), R_t = sigma w.
struct Sap : ConeProjection {
  static constexpr ContactModelTraits kTraits = {
      .id = "sap",
      .label = "SAP",
      .doc = "Compliant contact projected onto the friction cone; glides by μ (δt + τ_d)|v_t|.",
      .gap_formula = "φ = μ (δt + τ_d) |v_t|",
      .source = "Irrotational Contact Fields, section V",
      .glides = true,
      .cost_ends_at_zero = true,
      .knobs = knob::kStiffness | knob::kRelaxationTime | knob::kNearRigid |
               knob::kFrictionRegularization};
  static Frozen Freeze(const ModelParams& m, const ContactStart& c) {
    const double lift = c.h + c.law.tau;
    const double clamp = m.beta * m.beta / (4 * std::numbers::pi * std::numbers::pi) * c.w;
    const double soft = 1 / (c.h * c.law.k * lift);
    return Make(m.sigma * c.w, std::max(clamp, soft), c.phi0, lift, c.mu, clamp > soft);
  }
};

/// Todorov's regularised model as in PCF eqs (4), (12): R_n = alpha^2/(4 pi^2) w, R_t = sigma
/// R_n.
struct Todorov : ConeProjection {
  static constexpr ContactModelTraits kTraits = {
      .id = "todorov",
      .label = "Todorov",
      .doc = "Projection onto the friction cone with a regularisation fixed by the time step.",
      .gap_formula = "φ = μ δt |v_t|",
      .source = "Practical Convex Formulation, eq. (4) and (12)",
      .glides = true,
      .cost_ends_at_zero = true,
      .knobs = knob::kTodorovAlpha | knob::kFrictionRegularization};
  static Frozen Freeze(const ModelParams& m, const ContactStart& c) {
    const double Rn = m.alpha * m.alpha / (4 * std::numbers::pi * std::numbers::pi) * c.w;
    return Make(m.sigma * Rn, Rn, c.phi0, c.h, c.mu, false);
  }
};

/// Anitescu's rigid model (PCF eqs (2), (3)) as the limit R -> 0.
struct Anitescu : ConeProjection {
  static constexpr ContactModelTraits kTraits = {
      .id = "anitescu",
      .label = "Anitescu",
      .doc = "Rigid limit of the projection onto the friction cone; glides by μ δt|v_t|.",
      .gap_formula = "φ = μ δt |v_t|",
      .source = "Practical Convex Formulation, eq. (2)-(3)",
      .glides = true,
      .needs_cones = true,
      .cost_ends_at_zero = true};
  /// Relative regularisation of the limit [-]: smaller approaches rigid, and costs conditioning.
  static constexpr double kEpsilon = 1e-6;
  static Frozen Freeze(const ModelParams&, const ContactStart& c) {
    const double R = kEpsilon * c.w;
    return Make(R, R, c.phi0, c.h, c.mu, false);
  }
};

}  // namespace slip
