#include "tests/support/dense_algebra.h"

#include <cmath>
#include <unsupported/Eigen/MatrixFunctions>

namespace slip::test {

MatrixX Multiply(const MatrixX& A, const MatrixX& B) { return A.lazyProduct(B); }

// Plain loops: the linker would take Eigen's templates from any other test, where they are not
// optimised.
VectorX SolveDefinite(MatrixX A, VectorX b) {
  const Eigen::Index n = b.size();
  double* l = A.data();
  for (Eigen::Index k = 0; k < n; ++k) {
    double* column = l + k * n;
    const double inverse = 1 / std::sqrt(column[k]);
    for (Eigen::Index i = k; i < n; ++i) column[i] *= inverse;
    for (Eigen::Index j = k + 1; j < n; ++j) {
      const double f = column[j];
      if (f == 0) continue;
      double* c = l + j * n;
      for (Eigen::Index i = j; i < n; ++i) c[i] -= f * column[i];
    }
  }
  double* x = b.data();
  for (Eigen::Index k = 0; k < n; ++k) {
    x[k] /= l[k * n + k];
    for (Eigen::Index i = k + 1; i < n; ++i) x[i] -= l[k * n + i] * x[k];
  }
  for (Eigen::Index k = n - 1; k >= 0; --k) {
    for (Eigen::Index i = k + 1; i < n; ++i) x[k] -= l[k * n + i] * x[i];
    x[k] /= l[k * n + k];
  }
  return b;
}

VectorX Solve(const MatrixX& A, const VectorX& b) {
  return Eigen::PartialPivLU<MatrixX>(A).solve(b);
}

double LogDeterminant(const MatrixX& A) { return CalcEigenvalues(A).array().log().sum(); }

MatrixX CalcExponential(const MatrixX& A) { return A.exp(); }

VectorX CalcEigenvalues(const MatrixX& A, MatrixX* eigenvectors) {
  const Eigen::SelfAdjointEigenSolver<MatrixX> eigen(
      A, eigenvectors != nullptr ? Eigen::ComputeEigenvectors : Eigen::EigenvaluesOnly);
  if (eigenvectors != nullptr) *eigenvectors = eigen.eigenvectors();
  return eigen.eigenvalues();
}

}  // namespace slip::test
