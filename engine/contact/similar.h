// Similar: the normal law evaluated at z = v_n - mu |v_t|_s, so that friction and normal impulse
// stay coupled and the field irrotational (ICF eqs (34)-(40)).
#pragma once

#include "engine/contact/contact_value.h"
#include "engine/contact/friction.h"

namespace slip {

template <NormalLaw Law>
struct Similar {
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
