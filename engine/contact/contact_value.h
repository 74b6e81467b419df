// The contract of a contact model: a convex potential per contact, on the contact velocity
// v_c = (u, v_n) of body B relative to A in the contact frame; v_n > 0 separates. The slip u is
// (v_t1, v_t2) or, where a contact resists spin, (v_t1, v_t2, rho w_n): rho = mu_w/mu times the
// spin w_n about the normal. Friction is isotropic in u: one formula serves both.
#pragma once

#include <concepts>
#include <string_view>
#include <type_traits>

#include "engine/contact/normal_law.h"
#include "engine/core/types.h"

namespace slip {

/// What a model sees of one contact at the start of a step.
struct ContactStart {
  double phi0 = 0;  ///< signed distance [m]
  double vn0 = 0;   ///< normal velocity at the previous step [m/s]
  double w = 1;     ///< Delassus estimate: RMS of the contact's inverse mass [1/kg]
  double h = 1e-3;  ///< time step [s]
  double mu = 0;    ///< friction coefficient [-]
  double mu_w = 0;  ///< torsional friction: largest torque over normal force [m]; needs mu > 0
  LawParams law;

  double rho() const { return mu_w / mu; }  ///< slip over spin, where mu_w > 0 [m]
};

/// Parameters of the models that belong to no contact.
struct ModelParams {
  double stiction_tolerance = 1e-4;  ///< v_s [m/s]
  double sigma = 1e-3;               ///< friction regularisation [-]
  double beta = 1;                   ///< near-rigid threshold [-]
  double alpha = 1;                  ///< Todorov's period parameter [-]
};

/// A contact model over a normal law, and what belongs to no contact of theirs.
struct ModelChoice {
  int contact_model = 0;  ///< place in ContactModelList
  int normal_law = 0;     ///< NormalLawId
  ModelParams params;
};

/// Slip u of two or three directions, and a matrix on it. Nothing is deduced from them: two
/// directions are meant where nothing is said.
template <int kSlip>
using SlipVector = std::type_identity_t<Eigen::Matrix<double, kSlip, 1>>;
template <int kSlip>
using SlipMatrix = std::type_identity_t<Eigen::Matrix<double, kSlip, kSlip>>;
/// Slip, then normal: of two directions a Vec3.
template <int kSlip>
using ContactVector = std::type_identity_t<Eigen::Matrix<double, kSlip + 1, 1>>;
template <int kSlip>
using ContactMatrix = std::type_identity_t<Eigen::Matrix<double, kSlip + 1, kSlip + 1>>;

template <int kSlip>
struct ContactValueOf {
  double cost = 0;                                              ///< l [J]
  ContactVector<kSlip> gamma = ContactVector<kSlip>::Zero();    ///< impulse on B: -grad l [N s]
  ContactMatrix<kSlip> hessian = ContactMatrix<kSlip>::Zero();  ///< hess l [kg]
};
using ContactValue = ContactValueOf<2>;

/// A contact's potential along a line v_c + a d: value and derivatives in a.
struct ContactAlong {
  double cost = 0, slope = 0, curvature = 0;
};

/// Velocity v at which a model gives the normal impulse gamma_n without slip, and -dv/dgamma_n >=
/// 0.
struct NormalInverse {
  double v = 0, compliance = 0;
};

/// Constants of a contact as a complementarity of cones (ConicModel).
struct ConeForm {
  double mu = 0;
  double eps = 0;        ///< constant component of the slip: the soft norm's; 0 = hard norm [m/s]
  double Rt = 0;         ///< tangential compliance [1/kg]
  double stiffness = 0;  ///< order of -dn/dv in contact [kg]
  double bound = -1;     ///< of friction where it is known beforehand [N s]; negative: mu gamma_n
};

/// A contact slips where its slip speed is that at which the model's friction, as the speed grows,
/// has reached this share of its limit. One criterion for all models: shares of the force that
/// friction has would tell models apart that bound it by other normal forces.
inline constexpr double kSlipShare = 0.95;

/// What the model predicts of itself, for gauges and tables (engine/README.md section 6).
struct ContactPrediction {
  double rest_distance = 0;       ///< phi at which the normal law alone carries the load [m]
  double gliding_offset = 0;      ///< steady phi - rest_distance at this slip speed [m]
  double creep_speed = 0;         ///< slip speed in stiction under this tangential load [m/s]
  double stiction_tolerance = 0;  ///< slip speed of the stick-slip transition [m/s]
  double slip_onset = 0;          ///< slip speed at which friction is kSlipShare of its limit [m/s]
  bool friction_off = false;      ///< its bound is a normal impulse of the past, and that was zero
  double stiffness = 0;           ///< effective normal stiffness [N/m]
  double dissipation = 0;         ///< effective Hunt & Crossley d [s/m]; NaN if the law has none
  double damping = 0;             ///< effective linear damping [N s/m]; NaN if the law has none
  bool near_rigid = false;        ///< stiffness is capped by the near-rigid limit
};

/// What a person sees of a contact model, and what the rest of the engine must know of it.
struct ContactModelTraits {
  std::string_view id;           ///< of -m, "lagged-regularized"
  std::string_view label;        ///< "Regularised Lagged"
  std::string_view doc;          ///< one sentence
  std::string_view gap_formula;  ///< gap while sliding, rich text: "φ = μ δt |v_t|"
  std::string_view source;
  bool glides = false;             ///< has a gliding offset while sliding
  bool needs_cones = false;        ///< too sharp for Newton: the interior point goes first
  bool coupled = false;            ///< its field has no potential: contact/coulomb.h
  bool cost_ends_at_zero = false;  ///< Evaluate's cost has no constant: CostOffset is 0
  bool lags = false;               ///< friction is bounded by Frozen::n0, not by its own impulse
  KnobMask knobs = 0;              ///< parameters that it reads, but for those of a normal law
};

/// The load under which a prediction is asked. With torsion both norms are of three components: ft
/// is |(f_t1, f_t2, T/rho)|.
struct ContactLoad {
  double fn = 0, ft = 0;  ///< [N]
  double slip_speed = 0;  ///< |u| [m/s]
};

/// The functions of a contact model that see slip, for a number of its directions.
template <class M, int kSlip>
concept TakesSlip = requires(const typename M::Frozen& frozen, const ContactVector<kSlip>& v_c,
                             const SlipVector<kSlip>& q) {
  { M::template Evaluate<kSlip>(frozen, v_c) } -> std::same_as<ContactValueOf<kSlip>>;
  { M::template EvaluateDual<kSlip>(frozen, v_c, q) } -> std::same_as<ContactValueOf<kSlip>>;
  { M::template UpdateDual<kSlip>(frozen, v_c, v_c, q) } -> std::same_as<SlipVector<kSlip>>;
  { M::template Along<kSlip>(frozen, v_c, v_c) } -> std::same_as<ContactAlong>;
  { M::template Feasible<kSlip>(frozen, v_c) } -> std::same_as<bool>;
};

/// A contact model over a normal law. ElasticEnergy is what it stores at signed distance phi [J],
/// DampingForce the part of the normal force that its damper carries there at normal velocity vn
/// [N]. Freeze runs once per step, Evaluate once per iteration.
/// EvaluateDual is Evaluate with a dual slip direction q, |q| <= 1, in the Hessian: gamma is the
/// same, cost is the same less the constant CostOffset, and so is the Hessian at q = the primal
/// direction; it stays positive semi-definite for every q. UpdateDual is the q after the full step
/// d (Chan, Golub, Mulet 1999). Along has the cost of EvaluateDual.
template <class M>
concept ContactModel = std::is_trivially_copyable_v<typename M::Frozen> && TakesSlip<M, 2> &&
    TakesSlip<M, 3> && requires(const ModelParams& params, const ContactStart& start,
                                const typename M::Frozen& frozen, const ContactLoad& load) {
  { M::Freeze(params, start) } -> std::same_as<typename M::Frozen>;
  { M::CostOffset(frozen) } -> std::same_as<double>;
  { M::Predict(frozen, start, load) } -> std::same_as<ContactPrediction>;
  { M::ElasticEnergy(frozen, start, 0.0) } -> std::same_as<double>;
  { M::DampingForce(frozen, start, 0.0, 0.0) } -> std::same_as<double>;
  { M::kTraits } -> std::convertible_to<ContactModelTraits>;
};

/// Base of a model whose normal force is that of a law.
template <class Law>
struct LawForces {
  static double ElasticEnergy(const auto&, const ContactStart& start, double phi) {
    return Law::Energy(start.law, -phi);
  }
  static double DampingForce(const auto&, const ContactStart& start, double phi, double vn) {
    return Law::Force(start.law, -phi, -vn) - Law::Force(start.law, -phi, 0.0);
  }
};

/// Base of a model M without a dual form: Newton with its exact Hessian.
template <class M>
struct ExactNewton {
  template <int kSlip = 2>
  static ContactValueOf<kSlip> EvaluateDual(const auto& frozen, const ContactVector<kSlip>& v_c,
                                            const SlipVector<kSlip>&) {
    return M::template Evaluate<kSlip>(frozen, v_c);
  }
  template <int kSlip = 2>
  static SlipVector<kSlip> UpdateDual(const auto&, const ContactVector<kSlip>&,
                                      const ContactVector<kSlip>&, const SlipVector<kSlip>&) {
    return SlipVector<kSlip>::Zero();
  }
  template <int kSlip = 2>
  static ContactAlong Along(const auto& frozen, const ContactVector<kSlip>& v_c,
                            const ContactVector<kSlip>& d) {
    const ContactValueOf<kSlip> value = M::template Evaluate<kSlip>(frozen, v_c);
    return {value.cost, -d.dot(value.gamma), d.dot(value.hessian * d)};
  }
  static double CostOffset(const auto&) { return 0; }
};

/// Models that are also complementarities of second-order cones Q = { x0 >= |(x1, ..)| }:
///   g = (mu gamma_n, gamma_u, .) in Q,  y = ((v_n - v(gamma_n))/mu + eps, u + R_t gamma_u, eps)
///   in Q, g . y = 0,  with v(gamma_n) = Inverse. The interior point method needs no more. With a
///   bound of its own, friction parts from the normal law: convex/cone.h.
template <class M>
concept ConicModel = ContactModel<M> && requires(const typename M::Frozen& frozen, double s) {
  { M::Cone(frozen) } -> std::same_as<ConeForm>;
  { M::Inverse(frozen, s) } -> std::same_as<NormalInverse>;
};

}  // namespace slip
