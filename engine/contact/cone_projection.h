// Regularised cone projection: SAP, and Todorov's and Anitescu's models as other choices of R.
// gamma = argmin over the friction cone of 1/2 (g - y)^T R (g - y), y = R^-1 (v_hat - v_c)
// (ICF section IV, PCF eqs (8), (10), (25)-(27); engine/README.md section 2).
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/contact/contact_value.h"
#include "engine/contact/friction.h"
#include "engine/core/numbers.h"

namespace slip {

struct ConeProjection {
  struct Frozen {
    double Rt, Rn;  ///< regularisation [1/kg]
    double v_hat;   ///< normal velocity of zero impulse [m/s]
    double mu;
    double Re;         ///< Rn + mu^2 Rt
    double lift_time;  ///< h + tau_d: steady gliding offset is mu lift_time |u| [s]
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

  template <int kSlip = 2>
  static ContactValueOf<kSlip> Evaluate(const Frozen& f, const ContactVector<kSlip>& v_c) {
    // the exact Hessian is the dual one in the primal direction
    return EvaluateWith<kSlip>(f, v_c, [](const SlipVector<kSlip>& t) { return t; });
  }

  template <int kSlip = 2>
  static ContactValueOf<kSlip> EvaluateDual(const Frozen& f, const ContactVector<kSlip>& v_c,
                                            const SlipVector<kSlip>& q) {
    return EvaluateWith<kSlip>(f, v_c, [&q](const SlipVector<kSlip>&) { return q; });
  }

  // a . b of the slips, number by number: they are too short to be worth more
  template <int kSlip>
  static double Dot(const ContactVector<kSlip>& a, const ContactVector<kSlip>& b) {
    double sum = a[0] * b[0];
    for (int i = 1; i < kSlip; ++i) sum += a[i] * b[i];
    return sum;
  }

  template <int kSlip, class Direction>
  static ContactValueOf<kSlip> EvaluateWith(const Frozen& f, const ContactVector<kSlip>& v_c,
                                            Direction&& direction) {
    ContactValueOf<kSlip> out;
    const double s2 = Dot<kSlip>(v_c, v_c);
    const double closing = f.v_hat - v_c[kSlip];
    double s = 0;
    const Region region = FindRegion(f, closing, s2, &s);
    if (region == Region::kNone) return out;
    ContactMatrix<kSlip>& G = out.hessian;
    if (region == Region::kStick) {
      const double gn = closing * f.inverse_Rn;
      for (int i = 0; i < kSlip; ++i) {
        out.gamma[i] = -v_c[i] * f.inverse_Rt;
        G(i, i) = f.inverse_Rt;
      }
      out.gamma[kSlip] = gn;
      out.cost = 0.5 * (s2 * f.inverse_Rt + closing * gn);
      G(kSlip, kSlip) = f.inverse_Rn;
      return out;
    }
    // slide: γn = (v̂ − vn + μ|u|)/Re, γu = −μ γn t
    const double gn = (closing + f.mu * s) * f.inverse_Re;
    out.gamma[kSlip] = gn;
    out.cost = 0.5 * f.Re * gn * gn;
    G(kSlip, kSlip) = f.inverse_Re;
    if (f.mu == 0 || s < 1e-300) return out;
    const double inverse_s = 1 / s;
    SlipVector<kSlip> t;
    for (int i = 0; i < kSlip; ++i) t[i] = v_c[i] * inverse_s;
    const SlipVector<kSlip> q = direction(t);
    const double gt = f.mu * gn, across = gt * inverse_s;
    // the stiff rank-one part keeps the primal direction
    const double tn = -f.mu * f.inverse_Re, tt = -f.mu * tn;
    for (int i = 0; i < kSlip; ++i) {
      out.gamma[i] = -gt * t[i];
      G(i, i) = across * (1 - q[i] * t[i]) + tt * t[i] * t[i];
      for (int k = 0; k < i; ++k)
        G(k, i) = G(i, k) = -0.5 * across * (q[k] * t[i] + q[i] * t[k]) + tt * t[k] * t[i];
      G(i, kSlip) = G(kSlip, i) = tn * t[i];
    }
    return out;
  }

  // stick and slide agree on their border: q is continuous where the Hessian is not
  template <int kSlip = 2>
  static SlipVector<kSlip> UpdateDual(const Frozen& f, const ContactVector<kSlip>& v_c,
                                      const ContactVector<kSlip>& d, const SlipVector<kSlip>& q) {
    using Slip = SlipVector<kSlip>;
    const Slip u = v_c.template head<kSlip>();
    const double s = u.norm();
    const double limit = f.mu * (f.v_hat - v_c[kSlip]) * f.Rt * f.inverse_Rn;
    if (f.mu > 0 && s <= limit) {
      const Slip next = u + d.template head<kSlip>();
      const double divisor = std::max(limit, next.norm());
      return divisor > 0 ? Slip(next / divisor) : Slip::Zero();
    }
    if (s < 1e-300) return q;
    return UpdateDualDirection<kSlip>(u, d.template head<kSlip>(), q, u / s, s);
  }

  template <int kSlip = 2>
  static ContactAlong Along(const Frozen& f, const ContactVector<kSlip>& v_c,
                            const ContactVector<kSlip>& d) {
    const double s2 = Dot<kSlip>(v_c, v_c);
    const double closing = f.v_hat - v_c[kSlip];
    const double vd = Dot<kSlip>(v_c, d);
    const double d2 = Dot<kSlip>(d, d);
    const double dn = d[kSlip];
    double s = 0;
    const Region region = FindRegion(f, closing, s2, &s);
    if (region == Region::kNone) return {};
    if (region == Region::kStick) {
      const double gn = closing * f.inverse_Rn;
      return {0.5 * (s2 * f.inverse_Rt + closing * gn), vd * f.inverse_Rt - gn * dn,
              d2 * f.inverse_Rt + dn * dn * f.inverse_Rn};
    }
    const double gn = (closing + f.mu * s) * f.inverse_Re;
    const bool slips = f.mu > 0 && s >= 1e-300;
    const double inverse_s = slips ? 1 / s : 0;
    const double td = vd * inverse_s;
    const double dg = dn - f.mu * td;  // −Re dγn
    const double curvature =
        dg * dg * f.inverse_Re + f.mu * gn * std::max(d2 - td * td, 0.0) * inverse_s;
    return {0.5 * f.Re * gn * gn, -gn * dg, curvature};
  }

  static ConeForm Cone(const Frozen& f) { return {f.mu, 0, f.Rt, 1 / f.Rn}; }
  static NormalInverse Inverse(const Frozen& f, double gamma_n) {
    return {f.v_hat - f.Rn * gamma_n, f.Rn};
  }

  static double CostOffset(const Frozen&) { return 0; }

  template <int kSlip = 2>
  static bool Feasible(const Frozen&, const ContactVector<kSlip>&) {
    return true;
  }

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

  // φ = μ (h+τ)|u| − (1+μt²) fn h (h+τ) Rn, the last term split into rest distance and offset
  static ContactPrediction Predict(const Frozen& f, const ContactStart& start,
                                   const ContactLoad& load) {
    ContactPrediction p;
    const double mu_t2 = f.mu * f.mu * f.Rt / f.Rn;
    const double compliance = start.h * f.lift_time * f.Rn;
    p.rest_distance = -load.fn * compliance;
    p.stiction_tolerance = f.mu * f.Rt * load.fn * start.h;
    p.slip_onset = kSlipShare * p.stiction_tolerance;
    const bool slips = load.slip_speed > p.stiction_tolerance;
    p.gliding_offset =
        slips ? f.mu * f.lift_time * load.slip_speed - mu_t2 * load.fn * compliance : 0;
    p.creep_speed = f.Rt * start.h * load.ft;
    p.stiffness = 1 / (compliance * (slips ? 1 + mu_t2 : 1));
    p.damping = p.stiffness * (f.lift_time - start.h);
    p.dissipation = kNaN;
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
               knob::kFrictionRegularization | knob::kTorsion};
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
      .knobs = knob::kTodorovAlpha | knob::kFrictionRegularization | knob::kTorsion};
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
      .cost_ends_at_zero = true,
      .knobs = knob::kTorsion};
  /// Relative regularisation of the limit [-]: smaller approaches rigid, and costs conditioning.
  static constexpr double kEpsilon = 1e-6;
  static Frozen Freeze(const ModelParams&, const ContactStart& c) {
    const double R = kEpsilon * c.w;
    return Make(R, R, c.phi0, c.h, c.mu, false);
  }
};

}  // namespace slip
