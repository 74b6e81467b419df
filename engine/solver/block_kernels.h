// Dense kernels on column-major blocks of any size; 6x6 has its own (engine/solver/kernels6.h).
#pragma once

#include <Eigen/Cholesky>
#include <cmath>

#include "engine/core/types.h"
#include "engine/solver/kernels6.h"

namespace slip::kernels {

using BlockMap = Eigen::Map<MatrixX, 0, Eigen::OuterStride<>>;
using ConstBlockMap = Eigen::Map<const MatrixX, 0, Eigen::OuterStride<>>;

/// A stored block of a factor or its matrix.
inline BlockMap MapBlock(double* at, int rows, int columns) {
  return {at, rows, columns, Eigen::OuterStride<>(ColumnStride(rows))};
}
inline ConstBlockMap MapBlock(const double* at, int rows, int columns) {
  return {at, rows, columns, Eigen::OuterStride<>(ColumnStride(rows))};
}

/// y += f x for n numbers; long ones by twos and fours, with the same bits.
inline void AddScaled(int n, double f, const double* x, double* y) {
  if (n > 6) {
    Eigen::Map<VectorX>(y, n) += f * Eigen::Map<const VectorX>(x, n);
  } else {
    for (int i = 0; i < n; ++i) y[i] += f * x[i];
  }
}

/// Inverse of the Cholesky factor of the n x n matrix in C (lower part read, C is overwritten).
/// X gets L^-1, XT its transpose, both full with explicit zeros. False when not positive definite.
inline bool InvertFactor(int n, double* C, double* X, double* XT) {
  for (int k = 0; k < n; ++k) {
    double* column = C + k * n;
    const double pivot = column[k];
    if (!(pivot > 0) || !(pivot < 1e300)) return false;
    const double inverse = 1 / std::sqrt(pivot);
    for (int i = k; i < n; ++i) column[i] *= inverse;
    for (int j = k + 1; j < n; ++j) AddScaled(n - j, -column[j], column + j, C + j * n + j);
    double* row = XT + k * n;
    for (int i = 0; i < n; ++i) row[i] = 0;
    for (int m = 0; m < k; ++m) AddScaled(m + 1, -C[m * n + k], XT + m * n, row);
    for (int i = 0; i < k; ++i) row[i] *= inverse;
    row[k] = inverse;
  }
  for (int r = 0; r < n; ++r) {
    for (int c = 0; c < n; ++c) X[c * n + r] = XT[r * n + c];
  }
  return true;
}

/// The same for n = 2, in closed form.
inline bool InvertFactor2(double* C, double* X, double* XT) {
  const double a = C[0], inverse = 1 / std::sqrt(a), l = C[1] * inverse, b = C[3] - l * l;
  if (!(a > 0) || !(b > 0) || !(a < 1e300)) return false;
  const double second = 1 / std::sqrt(b);
  X[0] = XT[0] = inverse;
  X[3] = XT[3] = second;
  X[1] = XT[2] = -l * inverse * second;
  X[2] = XT[1] = 0;
  return true;
}

}  // namespace slip::kernels
