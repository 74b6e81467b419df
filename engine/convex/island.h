// A contact problem in solving order, and where a method stands in it: its velocities, the
// direction that it goes in, and the balance of momentum there.
#pragma once

#include "engine/convex/island_hessian.h"

namespace slip {

/// Scaled norms of an iterate (engine/README.md section 8).
struct MomentumBalance {
  double cost_A = 0;                               ///< 1/2 (v - v*)^T A (v - v*) [J]
  double residual = 0, impulse = 0, momentum = 0;  ///< ||D grad||, ||D J^T gamma||, ||D A v||

  double scale() const { return std::max(impulse, momentum); }
  double relative() const { return scale() > 0 ? residual / scale() : residual; }
};

/// The rows of an island.
inline auto RowsOf(const Island& island, VectorX& x) {
  return x.segment(island.row_begin, island.rows());
}
inline auto RowsOf(const Island& island, const VectorX& x) {
  return x.segment(island.row_begin, island.rows());
}

/// Methods work on islands of it, at the same time where they are on threads of their own.
class IslandSystem {
 public:
  IslandSystem() = default;
  IslandSystem(const IslandSystem&) = delete;
  IslandSystem& operator=(const IslandSystem&) = delete;

  /// Takes the numbers of a task; rebuilds the order if its graph has changed.
  void Load(const ContactTask& task, const ContactPasses& passes);
  /// Velocities and impulses back in the task's own order.
  void Store(ContactSolution* solution) const { numbers_.Store(v_, solution); }

  const IslandOrder& order() const { return order_; }
  const IslandNumbers& numbers() const { return numbers_; }
  IslandHessian& hessian() { return hessian_; }
  const std::vector<Island>& islands() const { return order_.islands(); }
  /// All islands as one.
  const Island& whole() const { return order_.whole(); }
  const ContactPasses& passes() const { return numbers_.passes(); }
  ContactWork* work(const Island& island) { return numbers_.work(island); }
  const void* frozen(const Island& island) const { return numbers_.frozen(island); }

  VectorX& v() { return v_; }
  const VectorX& v() const { return v_; }
  VectorX& dv() { return dv_; }
  /// J^T gamma with the impulses of scalars, A (v - v*) and the gradient, as last calculated.
  const VectorX& JTg() const { return JTg_; }
  const VectorX& A_delta() const { return A_delta_; }
  const VectorX& grad() const { return grad_; }

  /// v_c = J v + b, and dv_c = J dv.
  void CalcContactVelocities(const Island& island) { numbers_.CalcContactVelocities(island, v_); }
  void CalcContactSteps(const Island& island) { numbers_.CalcContactSteps(island, dv_); }
  /// J^T gamma of the contacts; scalars are added to it, all of the island's at v, whose cost
  /// returns, or one by one.
  void CalcImpulseSum(const Island& island) { numbers_.CalcImpulseSum(island, &JTg_); }
  double AddScalars(const Island& island) { return numbers_.AddScalars(island, v_, &JTg_); }
  void AddImpulse(int row, double impulse) { JTg_[row] += impulse; }
  void CalcMomentumChange(const Island& island);
  /// Goes on from J^T gamma to the momentum change and the gradient.
  MomentumBalance CalcBalance(const Island& island);
  /// Cost, slope and curvature of the inertia at v along dv; `cost_A` is that cost.
  LinePoint CalcInertiaLine(const Island& island, double cost_A);
  void AddScalarsAlong(const Island& island, double alpha, LinePoint* point) const {
    numbers_.AddScalarsAlong(island, v_, dv_, alpha, point);
  }
  /// v += alpha dv. The contacts stay where they are.
  void Advance(const Island& island, double alpha) {
    RowsOf(island, v_) += alpha * RowsOf(island, dv_);
  }
  /// The Hessian at v, IslandHessian::Assemble.
  void Assemble(const Island& island, bool renew, const double* scalar_stiffness = nullptr) {
    hessian_.Assemble(island, v_, renew, scalar_stiffness);
  }

 private:
  IslandOrder order_;
  IslandNumbers numbers_{&order_};
  IslandHessian hessian_{&order_, &numbers_};
  VectorX v_, dv_, delta_, A_delta_, JTg_, grad_, A_dv_;
};

}  // namespace slip
