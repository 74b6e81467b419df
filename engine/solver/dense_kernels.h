// Loops over small dense matrices, compiled once per instruction set and chosen at run time. Every
// variant takes the same products and sums in the same order, none is fused: the bits are the same
// on every processor. Plain data only, as in engine/solver/kernels6.h.
//
// Matrices are stored by columns, `stride` doubles apart: their rows, rounded up to whole panels of
// eight. What pads the last panel is zero on the way in and on the way out. They begin on a cache
// line.
#pragma once

#include "engine/solver/panel.h"

namespace slip {

/// P A = L U of the leading part of a matrix, L without its diagonal of ones, U without its own;
/// zeros elsewhere.
struct DenseFactor {
  double* L;        ///< stride x n
  double* U;        ///< stride x n, A before
  double* inverse;  ///< of U's diagonal; ones to the end of the panel
  int* pivots;      ///< row of A that row k of U is
  double* live;     ///< scratch, stride
};

struct DenseKernels {
  const char* name;
  /// C = A B, or C += A B, over the first rows of C, A in whole panels and the first `inner`
  /// columns of A.
  void (*multiply)(int panels, int inner, int columns, int stride, const double* A, const double* B,
                   bool add, double* C);
  /// out = f_0 P_0 + f_1 P_1 + ... of `count` arrays, one to four; whole panels.
  void (*combine)(int size, int count, const double* f, const double* const* P, double* out);
  /// a, b := a + b, a - b
  void (*add_and_subtract)(int size, double* a, double* b);
  /// By partial pivoting of the first n rows and columns; rows below, up to a whole panel, must be
  /// zero in these columns. A pivot of zero leaves numbers that are not finite.
  void (*factorize)(int n, int stride, const DenseFactor& factor);
  /// X = A^-1 B for so many columns of n rows; the rest of X stays.
  void (*solve)(int n, int columns, int stride, const DenseFactor& factor, const double* B,
                double* X);
  /// Powers of 2 for which rows and columns of diag(d)^-1 X diag(d) have sums of absolute values of
  /// about the same size, and X scaled by them; d_inverse their inverses. `sums` and `absolute` are
  /// scratch. Returns the 1-norms before and behind; NaN where X is not finite.
  void (*balance)(int n, int stride, double* X, double* d, double* d_inverse, double* sums,
                  double* absolute, double* norms);
};

/// The variant of the instruction set that GetKernels6() has chosen.
const DenseKernels& GetDenseKernels();

/// Variants of this build that this processor has, the baseline first; null past the last.
const DenseKernels* FindDenseKernels(int index);

}  // namespace slip
