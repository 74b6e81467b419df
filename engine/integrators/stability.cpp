#include "engine/integrators/stability.h"

#include <algorithm>
#include <cmath>
#include <complex>

#include "engine/core/numbers.h"

namespace slip {
namespace {

// Eigenvalues that are smaller against the largest are round-off.
constexpr double kRoundOff = 1e-12;

double RungeKuttaGrowth(std::complex<double> z) {
  return std::abs(1.0 + z * (1.0 + z * (0.5 + z * (1.0 / 6 + z / 24.0))));
}

}  // namespace

double ExplicitEulerStableStep(double c, double k) {
  if (!(c > 0)) return k > 0 ? 0 : kInfinity;
  return std::min(2 / c, k > 0 ? 2 * c / k : kInfinity);
}

double RungeKuttaStableStep(double c, double k) {
  // the root that ends the stability first: the faster of two real ones, or either of a pair
  const std::complex<double> root = -0.5 * c - std::sqrt(std::complex<double>(0.25 * c * c - k));
  const double rate = std::abs(root);
  if (!(rate > 0)) return kInfinity;
  const std::complex<double> way = root / rate;
  // the region of stability is star-shaped in the left half plane, and within |z| < 4
  double stable = 0, unstable = 4;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (stable + unstable);
    (RungeKuttaGrowth(middle * way) <= 1 ? stable : unstable) = middle;
  }
  return stable / rate;
}

double StabilityProbe::Calc(TreeMotion* motion, std::span<const AnchoredTouch> touches,
                            StableStep stable_step) {
  if (touches.empty() || !motion->positive()) return kInfinity;
  double least_damping = kInfinity, least_ratio = kInfinity, most_ratio = 0;
  for (const AnchoredTouch& at : touches) {
    const BristleParams& params = at.touch.params;
    least_damping = std::min(least_damping, params.damping);
    least_ratio = std::min(least_ratio, params.damping / params.stiffness);
    most_ratio = std::max(most_ratio, params.stiffness / params.damping);
  }
  const bool damped = least_damping > 0;

  // room for the most points there were: a number that changes allocates nothing
  const auto n = static_cast<Eigen::Index>(3 * touches.size()), nv = Eigen::Index{motion->nv()};
  J_.resize(3, nv);
  if (W_.rows() != nv || W_.cols() < n) W_.resize(nv, n);
  auto W = W_.leftCols(n);
  for (std::size_t i = 0; i < touches.size(); ++i) {
    const BristleParams& params = touches[i].touch.params;
    motion->CalcRows(touches[i].touch, J_);
    W.middleCols<3>(static_cast<Eigen::Index>(3 * i)) =
        std::sqrt(damped ? params.damping : params.stiffness) * J_.transpose();
  }
  factor_.compute(motion->CalcMassMatrix());
  factor_.matrixL().solveInPlace(W);
  weighted_.noalias() = W * W.transpose();
  eigen_.compute(weighted_, Eigen::EigenvaluesOnly);
  if (eigen_.info() != Eigen::Success) return kInfinity;
  const VectorX& values = eigen_.eigenvalues();
  const double floor = kRoundOff * values.maxCoeff();
  double limit = kInfinity;
  for (const double value : values) {
    if (!(value > floor)) continue;
    limit = std::min(limit, damped ? stable_step(value, value * most_ratio)
                                   : stable_step(value * least_ratio, value));
  }
  return limit;
}

}  // namespace slip
