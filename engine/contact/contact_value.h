// The contract of a contact model: a convex potential per contact, on the contact velocity
// v_c = (v_t1, v_t2, v_n) of body B relative to A in the contact frame; v_n > 0 separates.
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
  LawParams law;
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

struct ContactValue {
  double cost = 0;              ///< l [J]
  Vec3 gamma = Vec3::Zero();    ///< impulse on B: -grad l [N s]
  Mat3 hessian = Mat3::Zero();  ///< hess l [kg]
};

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

/// What the model predicts of itself, for gauges and tables (engine/README.md section 6).
struct ContactPrediction {
  double rest_distance = 0;       ///< phi at which the normal law alone carries the load [m]
  double gliding_offset = 0;      ///< steady phi - rest_distance at this slip speed [m]
  double creep_speed = 0;         ///< slip speed in stiction under this tangential load [m/s]
  double stiction_tolerance = 0;  ///< slip speed of the stick-slip transition [m/s]
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
  bool cost_ends_at_zero = false;  ///< Evaluate's cost has no constant: CostOffset is 0
  KnobMask knobs = 0;              ///< parameters that it reads, but for those of a normal law
};

/// The load under which a prediction is asked.
struct ContactLoad {
  double fn = 0, ft = 0;  ///< [N]
  double slip_speed = 0;  ///< [m/s]
};

/// A contact model over a normal law. ElasticEnergy is what it stores at signed distance phi [J],
/// DampingForce the part of the normal force that its damper carries there at normal velocity vn
/// [N]. Freeze runs once per step, Evaluate once per iteration.
/// EvaluateDual is Evaluate with a dual slip direction q, |q| <= 1, in the Hessian: gamma is the
/// same, cost is the same less the constant CostOffset, and so is the Hessian at q = the primal
/// direction; it stays positive semi-definite for every q. UpdateDual is the q after the full step
/// d (Chan, Golub, Mulet 1999). Along has the cost of EvaluateDual.
template <class M>
concept ContactModel = std::is_trivially_copyable_v<typename M::Frozen> &&
    requires(const ModelParams& params, const ContactStart& start, const typename M::Frozen& frozen,
             const Vec3& v_c, const Vec2& q, const ContactLoad& load) {
  { M::Freeze(params, start) } -> std::same_as<typename M::Frozen>;
  { M::Evaluate(frozen, v_c) } -> std::same_as<ContactValue>;
  { M::EvaluateDual(frozen, v_c, q) } -> std::same_as<ContactValue>;
  { M::UpdateDual(frozen, v_c, v_c, q) } -> std::same_as<Vec2>;
  { M::Along(frozen, v_c, v_c) } -> std::same_as<ContactAlong>;
  { M::CostOffset(frozen) } -> std::same_as<double>;
  { M::Feasible(frozen, v_c) } -> std::same_as<bool>;
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
  static ContactValue EvaluateDual(const auto& frozen, const Vec3& v_c, const Vec2&) {
    return M::Evaluate(frozen, v_c);
  }
  static Vec2 UpdateDual(const auto&, const Vec3&, const Vec3&, const Vec2&) {
    return Vec2::Zero();
  }
  static ContactAlong Along(const auto& frozen, const Vec3& v_c, const Vec3& d) {
    const ContactValue value = M::Evaluate(frozen, v_c);
    return {value.cost, -d.dot(value.gamma), d.dot(value.hessian * d)};
  }
  static double CostOffset(const auto&) { return 0; }
};

/// Models that are also complementarities of second-order cones Q = { x0 >= |(x1, ..)| }:
///   g = (mu gamma_n, gamma_t, .) in Q,  y = ((v_n - v(gamma_n))/mu + eps, v_t + R_t gamma_t, eps)
///   in Q, g . y = 0,  with v(gamma_n) = Inverse. The interior point method needs no more. With a
///   bound of its own, friction parts from the normal law: convex/cone.h.
template <class M>
concept ConicModel = ContactModel<M> && requires(const typename M::Frozen& frozen, double s) {
  { M::Cone(frozen) } -> std::same_as<ConeForm>;
  { M::Inverse(frozen, s) } -> std::same_as<NormalInverse>;
};

}  // namespace slip
