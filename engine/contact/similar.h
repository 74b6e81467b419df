// Similar: the normal law evaluated at z = v_n - mu |u|_s, so that friction and normal impulse
// stay coupled and the field irrotational (ICF eqs (34)-(40)).
#pragma once

#include "engine/contact/contact_value.h"
#include "engine/contact/friction.h"
#include "engine/core/numbers.h"

namespace slip {

template <NormalLaw Law>
struct Similar : LawForces<Law> {
  static constexpr ContactModelTraits kTraits = {
      .id = "similar",
      .label = "Similar",
      .doc =
          "Friction and normal impulse share one similarity variable; strongly coupled, glides by "
          "μ δt|v_t|.",
      .gap_formula = "φ = μ δt |v_t| + compression saved",
      .source = "Irrotational Contact Fields, eq. (34)-(40)",
      .glides = true,
      .needs_cones = true,
      .knobs = knob::kStictionTolerance | knob::kTorsion};

  struct Frozen {
    typename Law::Frozen law;
    double mu, eps;
  };

  static Frozen Freeze(const ModelParams& m, const ContactStart& c) {
    return {Law::Freeze(c.law, c.phi0, c.h), c.mu, m.stiction_tolerance};
  }

  // ℓ = −N(z)
  template <int kSlip = 2>
  static ContactValueOf<kSlip> Evaluate(const Frozen& f, const ContactVector<kSlip>& v_c) {
    const SoftNormOf<kSlip> s = CalcSoftNorm<kSlip>(v_c.template head<kSlip>(), f.eps);
    const LawValue law = Law::Evaluate(f.law, v_c[kSlip] - f.mu * s.value);
    ContactValueOf<kSlip> out;
    out.cost = -law.N;
    out.gamma.template head<kSlip>() = -f.mu * law.n * s.gradient;
    out.gamma[kSlip] = law.n;
    out.hessian.template topLeftCorner<kSlip, kSlip>() =
        -f.mu * f.mu * law.dn * s.gradient * s.gradient.transpose() + f.mu * law.n * s.hessian;
    out.hessian.template topRightCorner<kSlip, 1>() = f.mu * law.dn * s.gradient;
    out.hessian.template bottomLeftCorner<1, kSlip>() = f.mu * law.dn * s.gradient.transpose();
    out.hessian(kSlip, kSlip) = -law.dn;
    return out;
  }

  template <int kSlip = 2>
  static ContactValueOf<kSlip> EvaluateDual(const Frozen& f, const ContactVector<kSlip>& v_c,
                                            const SlipVector<kSlip>& q) {
    ContactValueOf<kSlip> out;
    const double u2 = v_c.template head<kSlip>().squaredNorm();
    const double r = std::sqrt(u2 + f.eps * f.eps);
    const SlipVector<kSlip> t = v_c.template head<kSlip>() / r;
    const LawValue law = EvaluateFromGap<Law>(f.law, v_c[kSlip] - f.mu * u2 / (r + f.eps));
    out.cost = -law.N;
    out.gamma.template head<kSlip>() = -f.mu * law.n * t;
    out.gamma[kSlip] = law.n;
    // the stiff rank-one part keeps the primal direction
    out.hessian.template topLeftCorner<kSlip, kSlip>() =
        (f.mu * law.n / r) * CalcDualHessian<kSlip>(q, t);
    const SlipVector<kSlip> tn = (f.mu * law.dn) * t;
    out.hessian.template topLeftCorner<kSlip, kSlip>() -= f.mu * tn * t.transpose();
    out.hessian.template topRightCorner<kSlip, 1>() = tn;
    out.hessian.template bottomLeftCorner<1, kSlip>() = tn.transpose();
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

  // z' = dn − μ t·d,  z'' = −μ (|d|² − (t·d)²)/r
  template <int kSlip = 2>
  static ContactAlong Along(const Frozen& f, const ContactVector<kSlip>& v_c,
                            const ContactVector<kSlip>& d) {
    const auto u = v_c.template head<kSlip>(), du = d.template head<kSlip>();
    const double u2 = u.squaredNorm();
    const double r = std::sqrt(u2 + f.eps * f.eps);
    const LawValue law = EvaluateFromGap<Law>(f.law, v_c[kSlip] - f.mu * u2 / (r + f.eps));
    const double td = u.dot(du) / r;
    const double d2 = du.squaredNorm();
    const double dz = d[kSlip] - f.mu * td;
    return {-law.N, -law.n * dz,
            -law.dn * dz * dz + f.mu * law.n * std::max(d2 - td * td, 0.0) / r};
  }

  static ConeForm Cone(const Frozen& f) requires InvertibleLaw<Law> {
    return {f.mu, f.eps, 0, Law::ContactSlope(f.law)};
  }
  static NormalInverse Inverse(const Frozen& f, double gamma_n) requires InvertibleLaw<Law> {
    const LawInverse inverse = Law::Inverse(f.law, gamma_n);
    return {inverse.v, inverse.compliance};
  }

  static double CostOffset(const Frozen& f) { return -CalcGapPotential<Law>(f.law); }

  template <int kSlip = 2>
  static bool Feasible(const Frozen& f, const ContactVector<kSlip>& v_c) {
    const SoftNormOf<kSlip> s = CalcSoftNorm<kSlip>(v_c.template head<kSlip>(), f.eps);
    return Law::Feasible(f.law, v_c[kSlip] - f.mu * s.value);
  }

  // steady sliding: n(z) = h fn at z = −μ|vt|s, i.e. f(x + h μ|vt|s, μ|vt|s) = fn
  static ContactPrediction Predict(const Frozen& f, const ContactStart& c,
                                   const ContactLoad& load) {
    constexpr bool kLinearDamper = std::is_same_v<Law, KelvinVoigt>;
    constexpr bool kHuntCrossley = std::is_same_v<Law, HuntCrossley> || std::is_same_v<Law, Hertz>;
    ContactPrediction p;
    const double s = CalcSoftNorm(Vec2(load.slip_speed, 0), f.eps).value;
    const double gain = kHuntCrossley ? 1 + f.mu * c.law.d * s : 1;
    p.rest_distance = -Law::Rest(c.law, load.fn);
    p.gliding_offset = f.mu * c.h * s - Law::Rest(c.law, load.fn / gain) - p.rest_distance;
    if constexpr (kLinearDamper) p.gliding_offset += f.mu * c.law.tau * s;
    p.creep_speed = CalcCreepSpeed(f.eps, f.mu, load.fn, load.ft);
    p.stiction_tolerance = f.eps;
    p.slip_onset = CalcSlipOnset(f.eps);
    p.stiffness = Law::Stiffness(c.law, load.fn / gain) * gain;
    p.dissipation = kLinearDamper ? kNaN : c.law.d / gain;
    p.damping = kLinearDamper ? c.law.k * c.law.tau : kNaN;
    return p;
  }
};

}  // namespace slip
