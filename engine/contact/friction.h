// The soft norm |v|_s = sqrt(|v|^2 + eps^2) - eps with its derivatives (ICF eq (45)), and the
// primal-dual linearisation of a norm (Chan, Golub, Mulet 1999).
#pragma once

#include <algorithm>
#include <cmath>

#include "engine/core/types.h"

namespace slip {

struct SoftNorm {
  double value;             ///< |v|_s [m/s]
  Vec2 gradient;            ///< t_s, |t_s| < 1
  Eigen::Matrix2d hessian;  ///< (I - t_s t_s^T) / r
};

/// |v|_s = |v|²/(r + ε) with r = √(|v|² + ε²): no cancellation near zero. Needs eps > 0.
inline SoftNorm CalcSoftNorm(const Vec2& v, double eps) {
  const double v2 = v.squaredNorm();
  const double r = std::sqrt(v2 + eps * eps);
  SoftNorm s;
  s.value = v2 / (r + eps);
  s.gradient = v / r;
  s.hessian = (Eigen::Matrix2d::Identity() - s.gradient * s.gradient.transpose()) / r;
  return s;
}

/// Linearising r q = v instead of q = v/r changes the norm's Hessian from (I - t t^T)/r to S/r,
/// S(q, t) = I - (q t^T + t q^T)/2: it no longer says "no resistance along the slip" before the
/// direction has settled. 0 <= S <= 2 for |q|, |t| <= 1.
inline Eigen::Matrix2d CalcDualHessian(const Vec2& q, const Vec2& t) {
  const double off = -0.5 * (q.x() * t.y() + q.y() * t.x());
  Eigen::Matrix2d S;
  S << 1 - q.x() * t.x(), off, off, 1 - q.y() * t.y();
  return S;
}

/// The dual direction after a full step d: (v + d - q (t.d))/r, pulled back to |q| <= 1.
inline Vec2 UpdateDualDirection(const Vec2& v, const Vec2& d, const Vec2& q, const Vec2& t,
                                double r) {
  const Vec2 u = v + d - q * t.dot(d);
  const double length = u.norm();
  const double divisor = std::max(r, length);
  return divisor > 0 ? Vec2(u / divisor) : Vec2::Zero();
}

/// Slip speed in stiction at which regularised friction carries ft: v = eps r / sqrt(1 - r^2),
/// r = ft / (mu fn). Infinite at and above the Coulomb limit.
inline double CalcCreepSpeed(double eps, double mu, const double fn, double ft) {
  const double limit = mu * fn;
  if (!(limit > 0) || ft >= limit) return ft > 0 ? HUGE_VAL : 0;
  const double r = ft / limit;
  return eps * r / std::sqrt((1 - r) * (1 + r));
}

}  // namespace slip
