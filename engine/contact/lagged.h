// Lagged: friction bounded by the previous step's normal impulse n0 (ICF eqs (29)-(33));
// its regularised variant widens the stiction tolerance during impacts (eq (44)).
#pragma once

#include <algorithm>

#include "engine/contact/contact_value.h"
#include "engine/contact/friction.h"
#include "engine/core/numbers.h"

namespace slip {

template <NormalLaw Law, bool kRegularized>
struct LaggedModel : LawForces<Law> {
  static constexpr ContactModelTraits kTraits =
      kRegularized
          ? ContactModelTraits{.id = "lagged-regularized",
                               .label = "Regularised Lagged",
                               .doc =
                                   "Lagged with a stiction tolerance that grows with the impulse, "
                                   "to soften impacts.",
                               .gap_formula = "φ = 0",
                               .source = "Irrotational Contact Fields, eq. (44)",
                               .lags = true,
                               .knobs = knob::kStictionTolerance | knob::kFrictionRegularization |
                                        knob::kTorsion}
          : ContactModelTraits{.id = "lagged",
                               .label = "Lagged",
                               .doc =
                                   "Friction uses the normal impulse of the previous step; "
                                   "consistent, does not glide.",
                               .gap_formula = "φ = 0",
                               .source = "Irrotational Contact Fields, eq. (29)-(33)",
                               .lags = true,
                               .knobs = knob::kStictionTolerance | knob::kTorsion};

  /// A deep overlap at a large step freezes an n0 orders above any momentum. Stiction stiffer than
  /// 1/(sigma w) is then below the round-off of a velocity, and no step would converge [-].
  static constexpr double kSmallestSigma = 1e-10;

  struct Frozen {
    typename Law::Frozen law;
    double mu, n0, eps;
  };

  static Frozen Freeze(const ModelParams& m, const ContactStart& c) {
    const double n0 = c.h * Law::Force(c.law, -c.phi0, -c.vn0);
    const double sigma = kRegularized ? m.sigma : kSmallestSigma;
    const double eps = std::max(m.stiction_tolerance, c.mu * sigma * c.w * n0);
    return {Law::Freeze(c.law, c.phi0, c.h), c.mu, n0, eps};
  }

  // ℓ = −N(vn) + μ n0 |u|s
  template <int kSlip = 2>
  static ContactValueOf<kSlip> Evaluate(const Frozen& f, const ContactVector<kSlip>& v_c) {
    const LawValue law = Law::Evaluate(f.law, v_c[kSlip]);
    const SoftNormOf<kSlip> s = CalcSoftNorm<kSlip>(v_c.template head<kSlip>(), f.eps);
    const double load = f.mu * f.n0;
    ContactValueOf<kSlip> out;
    out.cost = -law.N + load * s.value;
    out.gamma.template head<kSlip>() = -load * s.gradient;
    out.gamma[kSlip] = law.n;
    out.hessian.template topLeftCorner<kSlip, kSlip>() = load * s.hessian;
    out.hessian(kSlip, kSlip) = -law.dn;
    return out;
  }

  template <int kSlip = 2>
  static ContactValueOf<kSlip> EvaluateDual(const Frozen& f, const ContactVector<kSlip>& v_c,
                                            const SlipVector<kSlip>& q) {
    ContactValueOf<kSlip> out;
    const LawValue law = EvaluateFromGap<Law>(f.law, v_c[kSlip]);
    const double u2 = v_c.template head<kSlip>().squaredNorm();
    const double r = std::sqrt(u2 + f.eps * f.eps);
    const SlipVector<kSlip> t = v_c.template head<kSlip>() / r;
    const double load = f.mu * f.n0;
    out.cost = -law.N + load * u2 / (r + f.eps);
    out.gamma.template head<kSlip>() = -load * t;
    out.gamma[kSlip] = law.n;
    out.hessian.template topLeftCorner<kSlip, kSlip>() = (load / r) * CalcDualHessian<kSlip>(q, t);
    out.hessian(kSlip, kSlip) = -law.dn;
    return out;
  }

  template <int kSlip = 2>
  static SlipVector<kSlip> UpdateDual(const Frozen& f, const ContactVector<kSlip>& v_c,
                                      const ContactVector<kSlip>& d, const SlipVector<kSlip>& q) {
    const SlipVector<kSlip> u = v_c.template head<kSlip>();
    const double r = std::sqrt(u.squaredNorm() + f.eps * f.eps);
    return UpdateDualDirection<kSlip>(u, d.template head<kSlip>(), q, u / r, r);
  }

  template <int kSlip = 2>
  static ContactAlong Along(const Frozen& f, const ContactVector<kSlip>& v_c,
                            const ContactVector<kSlip>& d) {
    const auto u = v_c.template head<kSlip>(), du = d.template head<kSlip>();
    const double dn = d[kSlip];
    const LawValue law = EvaluateFromGap<Law>(f.law, v_c[kSlip]);
    const double u2 = u.squaredNorm();
    const double r = std::sqrt(u2 + f.eps * f.eps);
    const double load = f.mu * f.n0;
    const double td = u.dot(du) / r;
    const double d2 = du.squaredNorm();
    return {-law.N + load * u2 / (r + f.eps), load * td - law.n * dn,
            load * std::max(d2 - td * td, 0.0) / r - law.dn * dn * dn};
  }

  static ConeForm Cone(const Frozen& f) requires InvertibleLaw<Law> {
    return {f.mu, f.eps, 0, Law::ContactSlope(f.law), f.mu * f.n0};
  }
  static NormalInverse Inverse(const Frozen& f, double gamma_n) requires InvertibleLaw<Law> {
    const LawInverse inverse = Law::Inverse(f.law, gamma_n);
    return {inverse.v, inverse.compliance};
  }

  static double CostOffset(const Frozen& f) { return -CalcGapPotential<Law>(f.law); }

  template <int kSlip = 2>
  static bool Feasible(const Frozen& f, const ContactVector<kSlip>& v_c) {
    return Law::Feasible(f.law, v_c[kSlip]);
  }

  static ContactPrediction Predict(const Frozen& f, const ContactStart& c,
                                   const ContactLoad& load) {
    constexpr bool kLinearDamper = std::is_same_v<Law, KelvinVoigt>;
    ContactPrediction p;
    p.rest_distance = -Law::Rest(c.law, load.fn);
    p.gliding_offset = 0;
    p.creep_speed = CalcCreepSpeed(f.eps, f.mu, load.fn, load.ft);
    p.stiction_tolerance = f.eps;
    p.slip_onset = CalcSlipOnset(f.eps);
    p.friction_off = f.mu > 0 && load.fn > 0 && !(f.n0 > 0);
    p.stiffness = Law::Stiffness(c.law, load.fn);
    p.dissipation = kLinearDamper ? kNaN : c.law.d;
    p.damping = kLinearDamper ? c.law.k * c.law.tau : kNaN;
    return p;
  }
};

template <NormalLaw Law>
using Lagged = LaggedModel<Law, false>;
template <NormalLaw Law>
using LaggedRegularized = LaggedModel<Law, true>;

}  // namespace slip
