// Cholesky factors of small dense matrices: Eigen's, whose templates are compiled here alone.
#pragma once

#include "engine/core/types.h"

namespace slip {

/// Whether the symmetric n x n matrix in C (columns `stride` apart, lower part read, overwritten)
/// is positive definite with its diagonal multiplied by 1 + shift. Never with a NaN in it.
bool IsPositiveDefinite(int n, int stride, double* C, double shift = 0);

/// L with A = L Lᵀ in the lower part of A, which is read there alone; false where A is not positive
/// definite: it is of no use then.
bool FactorizeInPlace(Eigen::Ref<MatrixX> A);
/// x = A⁻¹ x by the factor L.
void SolveByFactor(const Eigen::Ref<const MatrixX>& L, Eigen::Ref<VectorX> x);

}  // namespace slip
