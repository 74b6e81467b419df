#include "engine/solver/dense_factor.h"

namespace slip {

bool IsPositiveDefinite(int n, int stride, double* C, double shift) {
  Eigen::Map<MatrixX, 0, Eigen::OuterStride<>> matrix(C, n, n, Eigen::OuterStride<>(stride));
  matrix.diagonal() *= 1 + shift;
  // a NaN passes for a positive pivot there
  return FactorizeInPlace(matrix) && matrix.diagonal().allFinite();
}

bool FactorizeInPlace(Eigen::Ref<MatrixX> A) {
  const Eigen::LLT<Eigen::Ref<MatrixX>> factor(A);
  return factor.info() == Eigen::Success;
}

void SolveByFactor(const Eigen::Ref<const MatrixX>& L, Eigen::Ref<VectorX> x) {
  L.triangularView<Eigen::Lower>().solveInPlace(x);
  L.triangularView<Eigen::Lower>().adjoint().solveInPlace(x);
}

}  // namespace slip
