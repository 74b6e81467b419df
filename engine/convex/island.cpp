#include "engine/convex/island.h"

#include <cmath>

namespace slip {

void IslandSystem::Load(const ContactTask& task, const ContactPasses& passes) {
  const IslandOrder::Change change = order_.Follow(task);
  hessian_.Fit(change, task.branched);
  if (change == IslandOrder::Change::kBlocks) {
    for (VectorX* x : {&v_, &dv_, &delta_, &A_delta_, &JTg_, &grad_, &A_dv_})
      x->setZero(order_.rows());
  }
  numbers_.Load(task, passes, change);
}

void IslandSystem::CalcMomentumChange(const Island& island) {
  RowsOf(island, delta_) = RowsOf(island, v_) - RowsOf(island, numbers_.v_star());
  numbers_.ApplyA(island, delta_, &A_delta_);
}

MomentumBalance IslandSystem::CalcBalance(const Island& island) {
  CalcMomentumChange(island);
  const VectorX &scale = numbers_.D(), &Av_star = numbers_.Av_star();
  double residual = 0, impulse = 0, momentum = 0, cost_A = 0;
  for (Eigen::Index i = island.row_begin; i < island.row_end; ++i) {
    const double A_delta = A_delta_[i], JTg = JTg_[i], D = scale[i];
    grad_[i] = A_delta - JTg;
    cost_A += delta_[i] * A_delta;
    const double r = grad_[i] * D, g = JTg * D, p = (A_delta + Av_star[i]) * D;
    residual += r * r;
    impulse += g * g;
    momentum += p * p;
  }
  return {0.5 * cost_A, std::sqrt(residual), std::sqrt(impulse), std::sqrt(momentum)};
}

LinePoint IslandSystem::CalcInertiaLine(const Island& island, double cost_A) {
  numbers_.ApplyA(island, dv_, &A_dv_);
  const auto dv = RowsOf(island, dv_), A_dv = RowsOf(island, A_dv_);
  return {cost_A, A_dv.dot(RowsOf(island, delta_)), dv.dot(A_dv)};
}

}  // namespace slip
