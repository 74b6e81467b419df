// Coulomb: friction bound to the normal impulse of the same step, gamma_t = -mu n(v_n) t_s. That
// field has no potential (engine/README.md section 20). What the contract of a contact model asks
// for is the convex member of the family: Lagged at a bound s, whose solution is that of the
// coupled law where s = n(v_n).
#pragma once

#include "engine/contact/lagged.h"

namespace slip {

/// What the coupled law adds to the symmetric block of Lagged at n0 = n(v_n): one column.
struct Coupling {
  double n = 0, slope = 0;        ///< of the normal law: impulse [N s], slope <= 0 [kg]
  Vec3 friction = Vec3::Zero();   ///< mu t_s: two directions, then that of the spin [-]
  double bound = 0, changed = 0;  ///< of friction [N s]; its slope in v_n over `slope` [-]

  /// d gamma_t / d v_n is not zero there.
  bool acts() const { return slope != 0 && changed != 0 && friction != Vec3::Zero(); }
};

template <int kSlip>
struct CoupledValueOf {
  ContactValueOf<kSlip> value;  ///< its Hessian is the symmetric part: Lagged's at the bound
  Coupling coupling;
};

template <NormalLaw Law>
struct Coulomb : LaggedModel<Law, false> {
  using Base = LaggedModel<Law, false>;
  using Frozen = typename Base::Frozen;
  static constexpr ContactModelTraits kTraits = {
      .id = "coulomb",
      .label = "Coulomb",
      .doc = "Friction bound to the normal impulse of the same step: exact, with a certificate.",
      .gap_formula = "φ = 0",
      .source = "engine notes, section 20",
      .coupled = true,
      .knobs = knob::kStictionTolerance | knob::kTorsion};

  static Frozen Freeze(const ModelParams& m, const ContactStart& c) {
    Frozen f = Base::Freeze(m, c);
    f.eps = m.stiction_tolerance;
    return f;
  }

  /// The law with friction bounded by (1 - share) s + share n(v_n): Coulomb's at share = 1, the
  /// convex member at 0. `q` is the slip direction of the symmetric block (Chan, Golub, Mulet),
  /// null = the exact one.
  template <int kSlip = 2>
  static CoupledValueOf<kSlip> EvaluateCoupled(const Frozen& f, const ContactVector<kSlip>& v_c,
                                               const SlipVector<kSlip>* q, double share, double s) {
    const LawValue law = EvaluateFromGap<Law>(f.law, v_c[kSlip]);
    const double u2 = v_c.template head<kSlip>().squaredNorm();
    const double r = std::sqrt(u2 + f.eps * f.eps);
    const SlipVector<kSlip> t = v_c.template head<kSlip>() / r;
    CoupledValueOf<kSlip> out;
    Coupling& c = out.coupling;
    c.n = law.n;
    c.slope = law.dn;
    c.friction.template head<kSlip>() = f.mu * t;
    c.bound = share == 1 ? law.n : (1 - share) * s + share * law.n;
    c.changed = share;
    const double load = f.mu * c.bound;
    out.value.cost = -law.N + load * u2 / (r + f.eps);
    out.value.gamma.template head<kSlip>() = -load * t;
    out.value.gamma[kSlip] = law.n;
    out.value.hessian.template topLeftCorner<kSlip, kSlip>() =
        (load / r) * CalcDualHessian<kSlip>(q != nullptr ? *q : t, t);
    out.value.hessian(kSlip, kSlip) = -law.dn;
    return out;
  }

  /// -d gamma/d v_c, all of it: the symmetric block and the column mu n' t_s.
  template <int kSlip = 2>
  static ContactMatrix<kSlip> CalcJacobian(const CoupledValueOf<kSlip>& at) {
    ContactMatrix<kSlip> G = at.value.hessian;
    G.template topRightCorner<kSlip, 1>() +=
        at.coupling.changed * at.coupling.slope * at.coupling.friction.template head<kSlip>();
    return G;
  }

  /// -gamma_C(v_c) . d: the contact's part of F . d.
  template <int kSlip = 2>
  static double CalcWork(const Frozen& f, const ContactVector<kSlip>& v_c,
                         const ContactVector<kSlip>& d) {
    const auto u = v_c.template head<kSlip>();
    const double n = EvaluateFromGap<Law>(f.law, v_c[kSlip]).n;
    const double r = std::sqrt(u.squaredNorm() + f.eps * f.eps);
    return f.mu * n * (u.dot(d.template head<kSlip>()) / r) - n * d[kSlip];
  }

  static ContactPrediction Predict(const Frozen& f, const ContactStart& c,
                                   const ContactLoad& load) {
    ContactPrediction p = Base::Predict(f, c, load);
    p.friction_off = false;  // its bound is that of the step
    return p;
  }
};

}  // namespace slip
