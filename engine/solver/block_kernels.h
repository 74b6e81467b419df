// Dense kernels on column-major blocks: 6x6 in registers, any other size by loops.
#pragma once

#include <cmath>

#include "engine/core/types.h"
#include "engine/solver/row6.h"

/// For the bodies of unrolled loops.
#define SLIP_INLINE __attribute__((always_inline))

namespace slip::kernels {

using BlockMap = Eigen::Map<MatrixX>;
using ConstBlockMap = Eigen::Map<const MatrixX>;

#if defined(__AVX512F__) && defined(__AVX512VL__)
inline constexpr int kColumnsAtOnce = 6;  // accumulators that fit the registers
#else
inline constexpr int kColumnsAtOnce = 3;
#endif

/// C -= sum of A B^T over the updates, all 6x6; C may be null (zero). An update names its two
/// factors as offsets from L.
template <class Update>
void SubtractProducts6(const double* C, const double* L, const Update* update, const Update* end,
                       double* out) {
  for (int first = 0; first < 6; first += kColumnsAtOnce) {
    Row6 c[kColumnsAtOnce];
    Unroll<kColumnsAtOnce>([&](auto j) SLIP_INLINE {
      c[j] = C != nullptr ? Row6::Load(C + 6 * (first + j)) : Row6::Zero();
    });
    for (const Update* u = update; u != end; ++u) {
      const double* A = L + u->a;
      const double* B = L + u->b + first;
      Unroll<6>([&](auto k) SLIP_INLINE {
        const Row6 a = Row6::Load(A + 6 * k);
        Unroll<kColumnsAtOnce>([&](auto j) SLIP_INLINE { c[j].Subtract(a, B[6 * k + j]); });
      });
    }
    Unroll<kColumnsAtOnce>([&](auto j) SLIP_INLINE { c[j].Store(out + 6 * (first + j)); });
  }
}

/// out = C X^T, 6x6, X lower triangular and given by its transpose XT.
inline void MultiplyTriangular6(const double* C, const double* XT, double* out) {
  Row6 c[6];
  Unroll<6>([&](auto k) SLIP_INLINE { c[k] = Row6::Load(C + 6 * k); });
  Unroll<6>([&](auto j) SLIP_INLINE {
    Row6 sum = Row6::Zero();
    Unroll<j + 1>([&](auto k) SLIP_INLINE { sum.Add(c[k], XT[6 * j + k]); });
    sum.Store(out + 6 * j);
  });
}

/// y += A x, 6x6.
inline Row6 MultiplyAdd6(Row6 y, const double* A, const double* x) {
  Unroll<6>([&](auto k) SLIP_INLINE { y.Add(Row6::Load(A + 6 * k), x[k]); });
  return y;
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
    for (int j = k + 1; j < n; ++j) {
      const double f = column[j];
      double* c = C + j * n;
      for (int i = j; i < n; ++i) c[i] -= column[i] * f;
    }
    double* row = XT + k * n;
    for (int i = 0; i < n; ++i) row[i] = 0;
    for (int m = 0; m < k; ++m) {
      const double f = C[m * n + k];
      const double* above = XT + m * n;
      for (int i = 0; i <= m; ++i) row[i] -= f * above[i];
    }
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

/// The same for n = 6, in registers.
inline bool InvertFactor6(double* C, double* X, double* XT) {
  bool positive = true;
  Row6 row[6];
  Unroll<6>([&](auto k) SLIP_INLINE {
    double* column = C + 6 * k;
    const double pivot = column[k];
    positive = positive && pivot > 0 && pivot < 1e300;
    const double inverse = 1 / std::sqrt(pivot);
    Row6 l = Row6::Load(column);
    l.Scale(inverse);
    l.Store(column);
    Unroll<5 - k>([&](auto i) SLIP_INLINE {
      constexpr int j = k + 1 + i;
      Row6 c = Row6::Load(C + 6 * j);
      c.Subtract(l, column[j]);
      c.Store(C + 6 * j);
    });
    // row k of L^-1: (e_k - sum_m L_km (row m)) / L_kk
    row[k] = Row6::Zero();
    Unroll<k>([&](auto m) SLIP_INLINE { row[k].Subtract(row[m], C[6 * m + k]); });
    row[k].Scale(inverse);
    row[k].Store(XT + 6 * k);
    XT[7 * k] = inverse;
    row[k] = Row6::Load(XT + 6 * k);
  });
  for (int r = 0; r < 6; ++r) {
    for (int c = 0; c < 6; ++c) X[c * 6 + r] = XT[r * 6 + c];
  }
  return positive;
}

}  // namespace slip::kernels
