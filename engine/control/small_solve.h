// Linear equations of a controller, compiled once for all of them.
#pragma once

#include "engine/core/types.h"

namespace slip {

/// Up to seven equations, without memory from the heap.
using SmallMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 7, 7>;
using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 7, 1>;

/// x with A x = b for a symmetric A with no negative eigenvalue; zero where A is singular.
SmallVector SolveSymmetric(const SmallMatrix& A, const SmallVector& b);

}  // namespace slip
