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
    double sigma_w;    ///< Rt, kept for the creep prediction [1/kg]
    bool near_rigid;
  };

  static Frozen Make(double Rt, double Rn, double phi0, double lift_time, double mu, bool clamped) {
    return {Rt, Rn, -phi0 / lift_time, mu, Rn + mu * mu * Rt, lift_time, Rt, clamped};
  }

  static ContactValue Evaluate(const Frozen& f, const Vec3& v_c) {
    ContactValue out;
    const Vec2 vt = v_c.head<2>();
    const double s = vt.norm();
    const double closing = f.v_hat - v_c.z();
    const double yn = closing / f.Rn;
    const double yr = s / f.Rt;
    const bool frictionless = f.mu == 0;
    if (!frictionless && yr <= f.mu * yn) {
      // region I, stick
      out.gamma << -vt / f.Rt, yn;
      out.cost = 0.5 * (f.Rt * yr * yr + f.Rn * yn * yn);
      out.hessian.diagonal() << 1 / f.Rt, 1 / f.Rt, 1 / f.Rn;
      return out;
    }
    // region III, no contact: ŷ lies in the polar cone
    if (closing <= -f.mu * s || (frictionless && closing <= 0)) return out;
    // region II, slide: γn = (v̂ − vn + μ|vt|)/Re, γt = −μ γn t
    const double gn = (closing + f.mu * s) / f.Re;
    out.gamma.z() = gn;
    out.cost = 0.5 * f.Re * gn * gn;
    out.hessian(2, 2) = 1 / f.Re;
    if (frictionless || s < 1e-300) return out;
    const Vec2 t = vt / s;
    const Eigen::Matrix2d P = t * t.transpose();
    out.gamma.head<2>() = -f.mu * gn * t;
    out.hessian.topLeftCorner<2, 2>() =
        (f.mu * f.mu / f.Re) * P + (f.mu * gn / s) * (Eigen::Matrix2d::Identity() - P);
    out.hessian.topRightCorner<2, 1>() = -(f.mu / f.Re) * t;
    out.hessian.bottomLeftCorner<1, 2>() = -(f.mu / f.Re) * t.transpose();
    return out;
  }

  static ContactValue EvaluateDual(const Frozen& f, const Vec3& v_c, const Vec2& q) {
    ContactValue out;
    const Vec2 vt = v_c.head<2>();
    const double s = vt.norm();
    const double closing = f.v_hat - v_c.z();
    if (f.mu > 0 && s * f.Rn <= f.mu * closing * f.Rt) {
      const double yn = closing / f.Rn;
      out.gamma << -vt / f.Rt, yn;
      out.cost = 0.5 * (s * s / f.Rt + f.Rn * yn * yn);
      out.hessian.diagonal() << 1 / f.Rt, 1 / f.Rt, 1 / f.Rn;
      return out;
    }
    if (closing <= -f.mu * s) return out;
    const double gn = (closing + f.mu * s) / f.Re;
    out.gamma.z() = gn;
    out.cost = 0.5 * f.Re * gn * gn;
    out.hessian(2, 2) = 1 / f.Re;
    if (f.mu == 0 || s < 1e-300) return out;
    const Vec2 t = vt / s;
    out.gamma.head<2>() = -f.mu * gn * t;
    // the stiff rank-one part keeps the primal direction
    const Vec2 tn = -(f.mu / f.Re) * t;
    out.hessian.topLeftCorner<2, 2>() = (f.mu * gn / s) * CalcDualHessian(q, t);
    out.hessian.topLeftCorner<2, 2>() -= f.mu * tn * t.transpose();
    out.hessian.topRightCorner<2, 1>() = tn;
    out.hessian.bottomLeftCorner<1, 2>() = tn.transpose();
    return out;
  }

  // stick and slide agree on their border: q is continuous where the Hessian is not
  static Vec2 UpdateDual(const Frozen& f, const Vec3& v_c, const Vec3& d, const Vec2& q) {
    const Vec2 vt = v_c.head<2>();
    const double s = vt.norm();
    const double limit = f.mu * (f.v_hat - v_c.z()) / f.Rn * f.Rt;
    if (f.mu > 0 && s <= limit) {
      const Vec2 u = vt + d.head<2>();
      const double divisor = std::max(limit, u.norm());
      return divisor > 0 ? Vec2(u / divisor) : Vec2::Zero();
    }
    if (s < 1e-300) return q;
    return UpdateDualDirection(vt, d.head<2>(), q, vt / s, s);
  }

  static ContactAlong Along(const Frozen& f, const Vec3& v_c, const Vec3& d) {
    const double s = v_c.head<2>().norm();
    const double closing = f.v_hat - v_c.z();
    const double vd = v_c.head<2>().dot(d.head<2>());
    const double d2 = d.head<2>().squaredNorm();
    if (f.mu > 0 && s * f.Rn <= f.mu * closing * f.Rt) {
      return {0.5 * (s * s / f.Rt + closing * closing / f.Rn), vd / f.Rt - closing / f.Rn * d.z(),
              d2 / f.Rt + d.z() * d.z() / f.Rn};
    }
    if (closing <= -f.mu * s) return {};
    const double gn = (closing + f.mu * s) / f.Re;
    const double td = f.mu > 0 && s >= 1e-300 ? vd / s : 0;
    const double dg = d.z() - f.mu * td;  // −Re dγn
    double curvature = dg * dg / f.Re;
    if (f.mu > 0 && s >= 1e-300) curvature += f.mu * gn * std::max(d2 - td * td, 0.0) / s;
    return {0.5 * f.Re * gn * gn, -gn * dg, curvature};
  }

  static ConeForm Cone(const Frozen& f) { return {f.mu, 0, f.Rt, 1 / f.Rn}; }
  static NormalInverse Inverse(const Frozen& f, double gamma_n) {
    return {f.v_hat - f.Rn * gamma_n, f.Rn};
  }

  static double CostOffset(const Frozen&) { return 0; }

  static bool Feasible(const Frozen&, const Vec3&) { return true; }

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
    p.creep_speed = f.sigma_w * start.h * load.ft;
    p.stiffness = 1 / (compliance * (slips ? 1 + mu_t2 : 1));
    p.damping = p.stiffness * (f.lift_time - start.h);
    p.dissipation = std::nan("");
    p.near_rigid = f.near_rigid;
    return p;
  }
};

/// Semi-analytic primal model: R_n = max(beta^2/(4 pi^2) w, 1/(h k (h + tau))), R_t = sigma w.
struct Sap : ConeProjection {
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
  static Frozen Freeze(const ModelParams& m, const ContactStart& c) {
    const double Rn = m.alpha * m.alpha / (4 * std::numbers::pi * std::numbers::pi) * c.w;
    return Make(m.sigma * Rn, Rn, c.phi0, c.h, c.mu, false);
  }
};

/// Anitescu's rigid model (PCF eqs (2), (3)) as the limit R -> 0.
struct Anitescu : ConeProjection {
  /// Relative regularisation of the limit [-]: smaller approaches rigid, and costs conditioning.
  static constexpr double kEpsilon = 1e-6;
  static Frozen Freeze(const ModelParams&, const ContactStart& c) {
    const double R = kEpsilon * c.w;
    return Make(R, R, c.phi0, c.h, c.mu, false);
  }
};

}  // namespace slip
