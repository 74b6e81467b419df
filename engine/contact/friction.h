// The soft norm |v|_s = sqrt(|v|^2 + eps^2) - eps with its derivatives (ICF eq (45)).
#pragma once

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

/// Slip speed in stiction at which regularised friction carries ft: v = eps r / sqrt(1 - r^2),
/// r = ft / (mu fn). Infinite at and above the Coulomb limit.
inline double CalcCreepSpeed(double eps, double mu, const double fn, double ft) {
  const double limit = mu * fn;
  if (!(limit > 0) || ft >= limit) return ft > 0 ? HUGE_VAL : 0;
  const double r = ft / limit;
  return eps * r / std::sqrt((1 - r) * (1 + r));
}

}  // namespace slip
