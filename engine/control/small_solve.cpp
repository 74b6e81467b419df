#include "engine/control/small_solve.h"

namespace slip {

SmallVector SolveSymmetric(const SmallMatrix& A, const SmallVector& b) {
  const Eigen::LDLT<SmallMatrix> factor(A);
  // a singular matrix leaves a pivot at rounding's size
  const bool regular = factor.vectorD().minCoeff() > 1e-9 * factor.vectorD().maxCoeff();
  if (!regular) return SmallVector::Zero(b.size());
  return factor.solve(b);
}

}  // namespace slip
