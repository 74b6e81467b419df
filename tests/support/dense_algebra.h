// Dense algebra of any size for tests, compiled in one file: where Eigen's templates for it are
// instantiated, they take longer to compile than the test.
#pragma once

#include "engine/core/types.h"

namespace slip::test {

/// A B; vectors are matrices of one column.
MatrixX Multiply(const MatrixX& A, const MatrixX& B);

/// x with A x = b by Cholesky. Not finite where A is not positive definite.
VectorX SolveDefinite(MatrixX A, VectorX b);

/// x with A x = b for any regular A.
VectorX Solve(const MatrixX& A, const VectorX& b);

/// log det A of a positive definite matrix; not finite where it is none.
double LogDeterminant(const MatrixX& A);

/// e^A by Eigen's own.
MatrixX CalcExponential(const MatrixX& A);

/// Those of a symmetric matrix, ascending, and its eigenvectors as columns where they are asked
/// for.
VectorX CalcEigenvalues(const MatrixX& A, MatrixX* eigenvectors = nullptr);

}  // namespace slip::test
