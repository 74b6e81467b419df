#include "engine/integrators/stability.h"

#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"
#include "engine/integrators/stable_step.h"

namespace slip {
namespace {

// Eigenvalues that are smaller against the largest are round-off.
constexpr double kRoundOff = 1e-12;

}  // namespace

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
  const auto limit_of = [&](double value) {
    return damped ? stable_step(value, value * most_ratio)
                  : stable_step(value * least_ratio, value);
  };
  // explicit Euler's limit never grows with the eigenvalue: the largest one has the shortest
  if (stable_step == ExplicitEulerStableStep) {
    if (!weighted_.allFinite()) return kInfinity;
    range_.Compute(weighted_);
    return range_.largest() > 0 ? limit_of(range_.largest()) : kInfinity;
  }
  eigen_.compute(weighted_, Eigen::EigenvaluesOnly);
  if (eigen_.info() != Eigen::Success) return kInfinity;
  const VectorX& values = eigen_.eigenvalues();
  const double floor = kRoundOff * values.maxCoeff();
  double limit = kInfinity;
  for (const double value : values) {
    if (!(value > floor)) continue;
    limit = std::min(limit, limit_of(value));
  }
  return limit;
}

}  // namespace slip
