// Condition number of the Hessian: exact for small systems, else estimated by the Lanczos method on
// H and on its inverse through the factor at hand, or where that is incomplete by preconditioned
// descent on the Rayleigh quotient.
#pragma once

#include <vector>

#include "engine/convex/island.h"
#include "engine/solver/tridiagonal.h"

namespace slip {

class ConditionEstimator {
 public:
  /// Largest system whose eigenvalues are computed one and all.
  static constexpr int kExactSize = 48;

  /// kappa_2(D H D) and kappa_2(H) of the assembled whole system. Above kExactSize this factors H
  /// once and stops at a relative change below 3e-3 of the extreme Ritz values, which approach the
  /// eigenvalues from inside: the estimate is at most the exact value. The start vector is fixed.
  void Compute(IslandSystem* system, double* scaled, double* raw);

  /// The assembled whole system as a dense matrix, in the problem's order.
  static void ToDense(IslandSystem* system, MatrixX* dense);

 private:
  template <class Apply>
  double LargestEigenvalue(Eigen::Index n, Apply&& apply);
  template <class Apply, class Precondition>
  double SmallestEigenvalue(Eigen::Index n, Apply&& apply, Precondition&& precondition);
  void SetStart(Eigen::Index n);
  double Exact(const MatrixX& matrix);

  MatrixX dense_, scaled_, unit_;
  EigenRange range_;
  VectorX previous_, current_, image_, scratch_;
  MatrixX basis_, images_;  // three columns: iterate, correction, last step; and H times them
  std::vector<double> alpha_, beta_, squares_;  // squares of beta
};

}  // namespace slip
