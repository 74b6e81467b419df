// Similar: the normal law evaluated at z = v_n - mu |v_t|_s, so that friction and normal impulse
// stay coupled and the field irrotational (ICF eqs (34)-(40)).
#pragma once

#include "engine/contact/contact_value.h"
#include "engine/contact/friction.h"

namespace slip {

template <NormalLaw Law>
struct Similar : LawForces<Law> {
  static constexpr ContactModelTraits kTraits = {
      .id = "similar",
      .label = "Similar",
      .doc =
          "Friction and normal impulse share one similarity variable; strongly coupled, glides by "
          "μ δt|v_t|.",
      .gap_formula = "φ = μ δt |v_t|",
      .source = "Irrotational Contact Fields, eq. (34)-(40)",
      .glides = true,
      .needs_cones = true,
      .knobs = knob::kStictionTolerance};

  struct Frozen {
    typename Law::Frozen law;
    double mu, eps;
  };

  static Frozen Freeze(const ModelParams& m, const ContactStart& c) {
    return {Law::Freeze(c.law, c.phi0, c.h), c.mu, m.stiction_tolerance};
  }

  // ℓ = −N(z)
  static ContactValue Evaluate(const Frozen& f, const Vec3& v_c) {
    const SoftNorm s = CalcSoftNorm(v_c.head<2>(), f.eps);
    const LawValue law = Law::Evaluate(f.law, v_c.z() - f.mu * s.value);
    ContactValue out;
    out.cost = -law.N;
    out.gamma << -f.mu * law.n * s.gradient, law.n;
    out.hessian.topLeftCorner<2, 2>() =
        -f.mu * f.mu * law.dn * s.gradient * s.gradient.transpose() + f.mu * law.n * s.hessian;
    out.hessian.topRightCorner<2, 1>() = f.mu * law.dn * s.gradient;
    out.hessian.bottomLeftCorner<1, 2>() = f.mu * law.dn * s.gradient.transpose();
    out.hessian(2, 2) = -law.dn;
    return out;
  }

  static ContactValue EvaluateDual(const Frozen& f, const Vec3& v_c, const Vec2& q) {
    ContactValue out;
    const double v2 = v_c.head<2>().squaredNorm();
    const double r = std::sqrt(v2 + f.eps * f.eps);
    const Vec2 t = v_c.head<2>() / r;
    const LawValue law = EvaluateFromGap<Law>(f.law, v_c.z() - f.mu * v2 / (r + f.eps));
    out.cost = -law.N;
    out.gamma << -f.mu * law.n * t, law.n;
    // the stiff rank-one part keeps the primal direction
    out.hessian.topLeftCorner<2, 2>() = (f.mu * law.n / r) * CalcDualHessian(q, t);
    const Vec2 tn = (f.mu * law.dn) * t;
    out.hessian.topLeftCorner<2, 2>() -= f.mu * tn * t.transpose();
    out.hessian.topRightCorner<2, 1>() = tn;
    out.hessian.bottomLeftCorner<1, 2>() = tn.transpose();
    out.hessian(2, 2) = -law.dn;
    return out;
  }

  static Vec2 UpdateDual(const Frozen& f, const Vec3& v_c, const Vec3& d, const Vec2& q) {
    const Vec2 v = v_c.head<2>();
    const double r = std::sqrt(v.squaredNorm() + f.eps * f.eps);
    return UpdateDualDirection(v, d.head<2>(), q, v / r, r);
  }

  // z' = dn − μ t·d,  z'' = −μ (|d|² − (t·d)²)/r
  static ContactAlong Along(const Frozen& f, const Vec3& v_c, const Vec3& d) {
    const double v2 = v_c.head<2>().squaredNorm();
    const double r = std::sqrt(v2 + f.eps * f.eps);
    const LawValue law = EvaluateFromGap<Law>(f.law, v_c.z() - f.mu * v2 / (r + f.eps));
    const double td = v_c.head<2>().dot(d.head<2>()) / r;
    const double d2 = d.head<2>().squaredNorm();
    const double dz = d.z() - f.mu * td;
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

  static bool Feasible(const Frozen& f, const Vec3& v_c) {
    return Law::Feasible(f.law, v_c.z() - f.mu * CalcSoftNorm(v_c.head<2>(), f.eps).value);
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
    p.stiffness = Law::Stiffness(c.law, load.fn / gain) * gain;
    p.dissipation = kLinearDamper ? std::nan("") : c.law.d / gain;
    p.damping = kLinearDamper ? c.law.k * c.law.tau : std::nan("");
    return p;
  }
};

}  // namespace slip
