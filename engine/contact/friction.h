// The soft norm |v|_s = sqrt(|v|^2 + eps^2) - eps with its derivatives (ICF eq (45)), and the
// primal-dual linearisation of a norm (Chan, Golub, Mulet 1999).
#pragma once

#include <algorithm>
#include <cmath>

#include "engine/contact/contact_value.h"
#include "engine/core/numbers.h"

namespace slip {

template <int kSlip>
struct SoftNormOf {
  double value;                ///< |v|_s [m/s]
  SlipVector<kSlip> gradient;  ///< t_s, |t_s| < 1
  SlipMatrix<kSlip> hessian;   ///< (I - t_s t_s^T) / r
};
using SoftNorm = SoftNormOf<2>;

/// |v|_s = |v|²/(r + ε) with r = √(|v|² + ε²): no cancellation near zero. Needs eps > 0.
template <int kSlip = 2>
SoftNormOf<kSlip> CalcSoftNorm(const SlipVector<kSlip>& v, double eps) {
  const double v2 = v.squaredNorm();
  const double r = std::sqrt(v2 + eps * eps);
  SoftNormOf<kSlip> s;
  s.value = v2 / (r + eps);
  s.gradient = v / r;
  s.hessian = (SlipMatrix<kSlip>::Identity() - s.gradient * s.gradient.transpose()) / r;
  return s;
}

/// Linearising r q = v instead of q = v/r changes the norm's Hessian from (I - t t^T)/r to S/r,
/// S(q, t) = I - (q t^T + t q^T)/2: it no longer says "no resistance along the slip" before the
/// direction has settled. 0 <= S <= 2 for |q|, |t| <= 1.
template <int kSlip = 2>
SlipMatrix<kSlip> CalcDualHessian(const SlipVector<kSlip>& q, const SlipVector<kSlip>& t) {
  SlipMatrix<kSlip> S = -0.5 * (q * t.transpose() + t * q.transpose());
  S.diagonal().array() += 1;
  return S;
}

/// The dual direction after a full step d: (v + d - q (t.d))/r, pulled back to |q| <= 1.
template <int kSlip = 2>
SlipVector<kSlip> UpdateDualDirection(const SlipVector<kSlip>& v, const SlipVector<kSlip>& d,
                                      const SlipVector<kSlip>& q, const SlipVector<kSlip>& t,
                                      double r) {
  using Slip = SlipVector<kSlip>;
  const Slip u = v + d - q * t.dot(d);
  const double length = u.norm();
  const double divisor = std::max(r, length);
  return divisor > 0 ? Slip(u / divisor) : Slip::Zero();
}

/// Slip speed in stiction at which regularised friction carries ft: v = eps r / sqrt(1 - r^2),
/// r = ft / (mu fn). Infinite at and above the Coulomb limit.
inline double CalcCreepSpeed(double eps, double mu, const double fn, double ft) {
  const double limit = mu * fn;
  if (!(limit > 0) || ft >= limit) return ft > 0 ? kInfinity : 0;
  const double r = ft / limit;
  return eps * r / std::sqrt((1 - r) * (1 + r));
}

/// Slip speed at which regularised friction, μ fn v/√(v² + eps²), is kSlipShare of its limit.
inline double CalcSlipOnset(double eps) {
  return eps * kSlipShare / std::sqrt((1 - kSlipShare) * (1 + kSlipShare));
}

}  // namespace slip
