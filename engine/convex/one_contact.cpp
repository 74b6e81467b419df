#include "engine/convex/one_contact.h"

#include <algorithm>
#include <cmath>

namespace slip {
namespace {

constexpr int kMostDoublings = 400, kMostHalvings = 200;

}  // namespace

Eigen::Vector4d OneContact::ImpulseOf(const Vector& gamma) const {
  return {gamma[0], gamma[1], gamma[slip_], slip_ == 3 ? gamma[2] : 0};
}

bool OneContact::Take(CoupledSystem* coupled) {
  coupled_ = coupled;
  IslandSystem& s = coupled->system();
  const Island& island = coupled->island();
  ContactWork& work = *s.work(island);
  slip_ = work.spin != nullptr ? 3 : 2;
  s.passes().read_friction(s.frozen(island), &friction_, &eps_);
  const auto step = [&] {
    s.CalcContactSteps(island);
    Vector out(slip_ + 1);
    out.head<2>() = work.dv_c.head<2>();
    if (slip_ == 3) out[2] = work.spin->du;
    out[slip_] = work.dv_c.z();
    return out;
  };
  RowsOf(island, s.dv()) = RowsOf(island, s.numbers().v_star());
  free_ = step();
  free_[0] += work.bias.x(), free_[1] += work.bias.y(), free_[slip_] += work.bias.z();
  work.value.hessian.setZero();
  if (work.spin != nullptr) work.spin->G.setZero(), work.spin->G_uu = 0;
  s.Assemble(island, true);
  bool helped = false;
  ++coupled->factorizations;
  if (!s.hessian().FactorizeShifted(island, &helped)) return false;
  W_.resize(slip_ + 1, slip_ + 1);
  for (int k = 0; k <= slip_; ++k) {
    const Vector unit = Vector::Unit(slip_ + 1, k);
    coupled->SpreadImpulses([&](int) { return ImpulseOf(unit); }, &s.dv());
    s.hessian().Solve(island, s.dv().data());
    W_.col(k) = step();
  }
  const Matrix block = W_.topLeftCorner(slip_, slip_);
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(block);
  values_ = eigen.eigenvalues().cwiseMax(0);
  axes_ = eigen.eigenvectors();
  return W_.allFinite();
}

// y + l W y = c with l = mu g / r(y): l r grows with l, so there is one.
void OneContact::Reach(double g) {
  const Vector c = axes_.transpose() * (free_.head(slip_) + g * W_.topRightCorner(slip_, 1));
  const double load = friction_ * std::max(g, 0.0);
  const auto slip_at = [&](double l) { return Vector(c.array() / (1 + l * values_.array())); };
  const auto excess = [&](double l) {
    return l * std::sqrt(slip_at(l).squaredNorm() + eps_ * eps_) - load;
  };
  double low = 0, high = load / eps_;  // r is eps at least
  for (int i = 0; i < kMostHalvings && high - low > 1e-16 * high; ++i) {
    // most roots are orders below the end
    const double middle = low > 0 ? std::sqrt(low) * std::sqrt(high) : 1e-3 * high;
    const double next = middle > low && middle < high ? middle : 0.5 * (low + high);
    if (!(next > low && next < high)) break;
    (excess(next) < 0 ? low : high) = next;
  }
  const Vector y = axes_ * slip_at(high);
  gamma_.resize(slip_ + 1);
  gamma_.head(slip_) = -high * y;
  gamma_[slip_] = g;
  velocity_ = free_ + W_ * gamma_;
}

double OneContact::Excess(double g) {
  Reach(g);
  IslandSystem& s = coupled_->system();
  const Island& island = coupled_->island();
  ContactWork& work = *s.work(island);
  work.ClearStep();
  work.v_c = Vec3(velocity_[0], velocity_[1], velocity_[slip_]);
  if (work.spin != nullptr) work.spin->u = velocity_[2];
  if (s.passes().find_infeasible(s.frozen(island), &work, 1, 0) >= 0) return kInfinity;
  Coupling coupling;
  s.passes().evaluate_coupled(s.frozen(island), &work, 1, {}, &coupling);
  return coupling.n - g;
}

double OneContact::FindRoot(double start) {
  // speeds of the contact over its inverse mass: where to begin, and what is next to nothing
  const double scale = (free_.norm() + 1e-9) / std::max(W_(slip_, slip_), 1e-300);
  double low = std::max(start, 0.0), high = low;
  if (Excess(low) > 0) {
    for (int i = 0; i < kMostDoublings && Excess(high) > 0; ++i) {
      low = high;
      high = high > 1e-12 * scale ? 1.25 * high : 1e-12 * scale;
    }
  } else {
    for (int i = 0; i < kMostDoublings && Excess(low) <= 0; ++i) {
      if (low == 0) return 0;
      high = low;
      low = low > 1e-12 * scale ? low / 1.25 : 0;
    }
  }
  for (int i = 0; i < kMostHalvings; ++i) {
    const double middle = 0.5 * (low + high);
    if (!(middle > low && middle < high)) break;
    (Excess(middle) > 0 ? low : high) = middle;
  }
  return low;
}

void OneContact::Set(double g) {
  Reach(g);
  IslandSystem& s = coupled_->system();
  const Island& island = coupled_->island();
  coupled_->SpreadImpulses([&](int) { return ImpulseOf(gamma_); }, &s.dv());
  s.hessian().Solve(island, s.dv().data());
  RowsOf(island, s.v()) = RowsOf(island, s.numbers().v_star()) + RowsOf(island, s.dv());
  s.CalcContactVelocities(island);
}

}  // namespace slip
