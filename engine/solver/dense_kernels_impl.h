// The kernels themselves, for one instruction set: dense_kernels_*.cpp include this with flags of
// their own. Everything is internal to the file, and no function of another header is called: see
// engine/solver/kernels6_impl.h.
#pragma once

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "engine/solver/dense_kernels.h"
#include "engine/solver/lanes.h"

namespace slip {
namespace {

// Tiles of a product are as large as accumulators fit the registers.
#if defined(__AVX512F__)
constexpr int kTileRows = 4, kTileColumns = 6;
#elif defined(__AVX2__)
constexpr int kTileRows = 2, kTileColumns = 4;
#else
constexpr int kTileRows = 4, kTileColumns = 2;
#endif

// Which lanes are equal, the first one as the lowest bit.
SLIP_INLINE inline unsigned EqualLanes(Lanes a, Lanes b) {
#if defined(__AVX512F__)
  return _mm512_cmp_pd_mask(reinterpret_cast<__m512d>(a), reinterpret_cast<__m512d>(b), _CMP_EQ_OQ);
#elif defined(__AVX2__)
  return static_cast<unsigned>(_mm256_movemask_pd(reinterpret_cast<__m256d>(a == b)));
#elif defined(__SSE2__)
  return static_cast<unsigned>(_mm_movemask_pd(reinterpret_cast<__m128d>(a == b)));
#else
  return (a[0] == b[0] ? 1u : 0u) | (a[1] == b[1] ? 2u : 0u);
#endif
}

template <int kRows, int kColumns>
void MultiplyTile(int inner, int stride, const double* A, const double* B, bool add, double* C) {
  Lanes c[kColumns][kRows];
  Unroll<kColumns>([&](auto j) SLIP_INLINE {
    Unroll<kRows>([&](auto r) SLIP_INLINE {
      c[j][r] = add ? LoadLanes(C + j * stride + r * kLanes) : Lanes{};
    });
  });
  for (int k = 0; k < inner; ++k) {
    Lanes a[kRows];
    Unroll<kRows>([&](auto r) SLIP_INLINE { a[r] = LoadLanes(A + k * stride + r * kLanes); });
    Unroll<kColumns>([&](auto j) SLIP_INLINE {
      const Lanes b = FillLanes(B[j * stride + k]);
      Unroll<kRows>([&](auto r) SLIP_INLINE { c[j][r] += a[r] * b; });
    });
  }
  Unroll<kColumns>([&](auto j) SLIP_INLINE {
    Unroll<kRows>([&](auto r) SLIP_INLINE { StoreLanes(c[j][r], C + j * stride + r * kLanes); });
  });
}

// The columns that are left, fewer than a tile has.
template <int kRows, int kColumns>
void MultiplyRest(int columns, int inner, int stride, const double* A, const double* B, bool add,
                  double* C) {
  if constexpr (kColumns > 0) {
    if (columns == kColumns) return MultiplyTile<kRows, kColumns>(inner, stride, A, B, add, C);
    MultiplyRest<kRows, kColumns - 1>(columns, inner, stride, A, B, add, C);
  }
}

template <int kRows>
void MultiplyRows(int inner, int columns, int stride, const double* A, const double* B, bool add,
                  double* C) {
  int j = 0;
  for (; j + kTileColumns <= columns; j += kTileColumns)
    MultiplyTile<kRows, kTileColumns>(inner, stride, A, B + j * stride, add, C + j * stride);
  MultiplyRest<kRows, kTileColumns - 1>(columns - j, inner, stride, A, B + j * stride, add,
                                        C + j * stride);
}

void Multiply(int panels, int inner, int columns, int stride, const double* A, const double* B,
              bool add, double* C) {
  const int rows = panels * (kPanel / kLanes);
  int r = 0;
  for (; r + kTileRows <= rows; r += kTileRows)
    MultiplyRows<kTileRows>(inner, columns, stride, A + r * kLanes, B, add, C + r * kLanes);
  if constexpr (kTileRows > kPanel / kLanes) {
    const int rest = rows - r;
    A += r * kLanes, C += r * kLanes;
    if (rest == 3) MultiplyRows<3>(inner, columns, stride, A, B, add, C);
    if (rest == 2) MultiplyRows<2>(inner, columns, stride, A, B, add, C);
    if (rest == 1) MultiplyRows<1>(inner, columns, stride, A, B, add, C);
  }
}

template <int kCount>
void CombineSome(int size, const double* f, const double* const* P, double* out) {
  Lanes factor[kCount];
  Unroll<kCount>([&](auto i) SLIP_INLINE { factor[i] = FillLanes(f[i]); });
  for (int at = 0; at < size; at += kLanes) {
    Lanes sum = factor[0] * LoadLanes(P[0] + at);
    Unroll<kCount, 1>([&](auto i) SLIP_INLINE { sum += factor[i] * LoadLanes(P[i] + at); });
    StoreLanes(sum, out + at);
  }
}

void Combine(int size, int count, const double* f, const double* const* P, double* out) {
  if (count == 1) CombineSome<1>(size, f, P, out);
  if (count == 2) CombineSome<2>(size, f, P, out);
  if (count == 3) CombineSome<3>(size, f, P, out);
  if (count == 4) CombineSome<4>(size, f, P, out);
}

void AddAndSubtract(int size, double* a, double* b) {
  for (int at = 0; at < size; at += kLanes) {
    const Lanes x = LoadLanes(a + at), y = LoadLanes(b + at);
    StoreLanes(x + y, a + at);
    StoreLanes(x - y, b + at);
  }
}

// The row of the largest entry among live rows, the first one of equals.
SLIP_INLINE inline int FindPivot(int rows, const double* column, const double* live) {
  Lanes most[kPanel / kLanes];
  Unroll<kPanel / kLanes>([&](auto i) SLIP_INLINE { most[i] = Lanes{}; });
  for (int at = 0; at < rows; at += kPanel) {
    Unroll<kPanel / kLanes>([&](auto i) SLIP_INLINE {
      const int r = at + i * kLanes;
      const Lanes x = AbsLanes(LoadLanes(column + r)) * LoadLanes(live + r);
      most[i] = x > most[i] ? x : most[i];
    });
  }
  const Lanes largest =
      FillLanes(JoinRows(most, [](double a, double b) SLIP_INLINE { return Larger(a, b); }));
  constexpr int kChunk = 64;
  for (int from = 0; from < rows; from += kChunk) {
    unsigned long long found = 0;
    for (int at = from; at < rows && at < from + kChunk; at += kLanes) {
      const Lanes x = AbsLanes(LoadLanes(column + at)) * LoadLanes(live + at);
      found |= static_cast<unsigned long long>(EqualLanes(x, largest)) << (at - from);
    }
    if (found != 0) return from + __builtin_ctzll(found);
  }
  return 0;  // not a number
}

// y -= f x over whole panels
SLIP_INLINE inline void SubtractScaled(int rows, double f, const double* x, double* y) {
  const Lanes factor = FillLanes(f);
  for (int at = 0; at < rows; at += kLanes)
    StoreLanes(LoadLanes(y + at) - LoadLanes(x + at) * factor, y + at);
}

// Rows of a column in the order of the pivots, first to last, zeros elsewhere.
SLIP_INLINE inline void PermuteRows(const int* pivots, int first, int last, int rows,
                                    const double* scratch, double* column) {
  for (int at = 0; at < rows; at += kLanes) StoreLanes(Lanes{}, column + at);
  for (int i = first; i < last; ++i) column[i] = scratch[pivots[i]];
}

// Columns lose multiples of kCount columns of L at once, each by what those before have left at its
// pivot: the same as one after the other, with less going to and fro.
template <int kCount>
SLIP_INLINE inline void Eliminate(int rows, int columns, int stride, const double* L,
                                  const int* pivots, double* A) {
  double cross[kCount][kCount];
  Unroll<kCount>([&](auto i) SLIP_INLINE {
    Unroll<i>([&](auto j) SLIP_INLINE { cross[i][j] = L[j * stride + pivots[i]]; });
  });
  for (int c = 0; c < columns; ++c, A += stride) {
    Lanes f[kCount];
    double value[kCount];
    Unroll<kCount>([&](auto i) SLIP_INLINE {
      value[i] = A[pivots[i]];
      Unroll<i>([&](auto j) SLIP_INLINE { value[i] -= cross[i][j] * value[j]; });
      f[i] = FillLanes(value[i]);
    });
    for (int at = 0; at < rows; at += kLanes) {
      Lanes y = LoadLanes(A + at);
      Unroll<kCount>([&](auto i) SLIP_INLINE { y -= LoadLanes(L + i * stride + at) * f[i]; });
      StoreLanes(y, A + at);
    }
  }
}

// Rows stay in their places on the way: what is done to a row that is finished is multiplied by
// zero, which costs less than moving rows of a matrix that is stored by columns. At the end each
// column is put in order.
void Factorize(int n, int stride, const DenseFactor& factor) {
  constexpr int kTogether = 4;
  const int rows = PanelsOf(n) * kPanel;
  double* const live = factor.live;
  for (int i = 0; i < rows; ++i) {
    live[i] = i < n ? 1 : 0;
    factor.inverse[i] = 1;
  }
  for (int k = 0; k < n; ++k) {
    double* const column = factor.U + k * stride;
    double* const l = factor.L + k * stride;
    const int pivot = FindPivot(rows, column, live);
    const double inverse = 1 / column[pivot];
    factor.pivots[k] = pivot;
    factor.inverse[k] = inverse;
    live[pivot] = 0;
    const Lanes scale = FillLanes(inverse);
    for (int at = 0; at < rows; at += kLanes)
      StoreLanes(LoadLanes(column + at) * scale * LoadLanes(live + at), l + at);
    // the columns of these four first, then all others at once
    const int done = k % kTogether, last = k - done + kTogether;
    for (int j = 1; k + j < last && k + j < n; ++j)
      SubtractScaled(rows, column[j * stride + pivot], l, column + j * stride);
    if (k + 1 == last && last < n) {
      const int first = k - done;
      Eliminate<kTogether>(rows, n - last, stride, factor.L + first * stride, factor.pivots + first,
                           factor.U + last * stride);
    }
  }
  double* const scratch = live;
  for (int k = 0; k < n; ++k) {
    double* const columns[] = {factor.U + k * stride, factor.L + k * stride};
    Unroll<2>([&](auto lower) SLIP_INLINE {
      for (int at = 0; at < rows; at += kLanes)
        StoreLanes(LoadLanes(columns[lower] + at), scratch + at);
      PermuteRows(factor.pivots, lower ? k + 1 : 0, lower ? n : k, rows, scratch, columns[lower]);
    });
  }
}

// Steps k, k + kDirection, .. of a substitution at once: columns of X lose multiples of these
// columns of the factor, each by what the steps before have left in its own row.
template <int kCount, int kDirection>
SLIP_INLINE inline void Substitute(int rows, int columns, int stride, int k, const double* factor,
                                   const double* scales, double* X) {
  const double* x[kCount];
  double cross[kCount][kCount], scale[kCount];
  // rows that these columns have
  const int first = kDirection > 0 ? k / kPanel * kPanel : 0;
  const int last = kDirection > 0 ? rows : k / kPanel * kPanel + kPanel;
  Unroll<kCount>([&](auto i) SLIP_INLINE {
    x[i] = factor + (k + kDirection * i) * stride;
    scale[i] = kDirection > 0 ? 1.0 : scales[k + kDirection * i];
    Unroll<i>([&](auto j) SLIP_INLINE { cross[i][j] = x[j][k + kDirection * i]; });
  });
  for (int c = 0; c < columns; ++c, X += stride) {
    Lanes f[kCount];
    double value[kCount];
    Unroll<kCount>([&](auto i) SLIP_INLINE {
      value[i] = X[k + kDirection * i];
      Unroll<i>([&](auto j) SLIP_INLINE { value[i] -= cross[i][j] * value[j]; });
      if constexpr (kDirection < 0) value[i] *= scale[i];
      f[i] = FillLanes(value[i]);
    });
    for (int at = first; at < last; at += kLanes) {
      Lanes y = LoadLanes(X + at);
      Unroll<kCount>([&](auto i) SLIP_INLINE { y -= LoadLanes(x[i] + at) * f[i]; });
      StoreLanes(y, X + at);
    }
  }
}

// All steps, from the first column of the factor to the last or back; four together while they
// last.
template <int kDirection>
void SubstituteAll(int n, int columns, int stride, const double* factor, const double* scales,
                   double* X) {
  constexpr int kTogether = 4;
  const int rows = PanelsOf(n) * kPanel;
  int k = kDirection > 0 ? 0 : n - 1, left = n;
  for (; left >= kTogether; left -= kTogether, k += kDirection * kTogether)
    Substitute<kTogether, kDirection>(rows, columns, stride, k, factor, scales, X);
  for (; left > 0; --left, k += kDirection)
    Substitute<1, kDirection>(rows, columns, stride, k, factor, scales, X);
}

void Solve(int n, int columns, int stride, const DenseFactor& factor, const double* B, double* X) {
  for (int c = 0; c < columns; ++c) {
    for (int k = 0; k < n; ++k) X[c * stride + k] = B[c * stride + factor.pivots[k]];
  }
  SubstituteAll<1>(n, columns, stride, factor.L, nullptr, X);
  SubstituteAll<-1>(n, columns, stride, factor.U, factor.inverse, X);
  const int rows = PanelsOf(n) * kPanel;
  for (int c = 0; c < columns; ++c, X += stride) {
    for (int at = 0; at < rows; at += kLanes)
      StoreLanes(LoadLanes(X + at) * LoadLanes(factor.inverse + at), X + at);
  }
}

// Sum of x over whole panels, or of x y.
template <bool kProduct>
SLIP_INLINE inline double SumRows(int rows, const double* x, const double* y) {
  Lanes sum[kPanel / kLanes];
  Unroll<kPanel / kLanes>([&](auto i) SLIP_INLINE { sum[i] = Lanes{}; });
  for (int at = 0; at < rows; at += kPanel) {
    Unroll<kPanel / kLanes>([&](auto i) SLIP_INLINE {
      const Lanes term = LoadLanes(x + at + i * kLanes);
      sum[i] += kProduct ? term * LoadLanes(y + at + i * kLanes) : term;
    });
  }
  return JoinRows(sum, [](double a, double b) SLIP_INLINE { return a + b; });
}

// d is found on |X| alone; as its entries are powers of 2, the scaled matrix need not be at hand.
void Balance(int n, int stride, double* X, double* d, double* d_inverse, double* sums,
             double* absolute, double* norms) {
  norms[0] = 0;
  double total = 0;
  for (int j = 0; j < n; ++j) {
    double* const column = absolute + j * stride;
    for (int at = 0; at < stride; at += kLanes)
      StoreLanes(AbsLanes(LoadLanes(X + j * stride + at)), column + at);
    const double sum = SumRows<false>(stride, column, nullptr);
    norms[0] = Larger(norms[0], sum);
    total += sum;
  }
  norms[1] = norms[0];
  for (int i = 0; i < stride; ++i) d[i] = d_inverse[i] = 1;
  if (!(total < __builtin_inf())) {
    norms[0] = norms[1] = __builtin_nan("");
    return;
  }
  bool scaled = false;
  for (bool changed = true; changed; scaled = scaled || changed) {
    changed = false;
    for (int at = 0; at < stride; at += kLanes) {
      Lanes sum{};
      for (int j = 0; j < n; ++j) sum += LoadLanes(absolute + j * stride + at) * FillLanes(d[j]);
      StoreLanes(sum, sums + at);
    }
    for (int i = 0; i < n; ++i) {
      const double* const own = absolute + i * stride;
      const double column = d[i] * SumRows<true>(stride, own, d_inverse);
      const double row = d_inverse[i] * sums[i];
      if (!(column > 0) || !(row > 0)) continue;
      double c = column, r = row, f = 1;
      for (; 2 * c < r; f *= 2) c *= 2, r /= 2;
      for (; c >= 2 * r; f /= 2) c /= 2, r *= 2;
      if (f == 1 || !(c * c + r * r < 0.95 * (column * column + row * row))) continue;
      SubtractScaled(stride, d[i] - f * d[i], own, sums);
      d[i] *= f;
      d_inverse[i] /= f;
      changed = true;
    }
  }
  if (!scaled) return;
  norms[1] = 0;
  for (int j = 0; j < n; ++j) {
    const Lanes factor = FillLanes(d[j]);
    for (int at = 0; at < stride; at += kLanes) {
      double* const x = X + j * stride + at;
      StoreLanes(LoadLanes(x) * factor * LoadLanes(d_inverse + at), x);
    }
    norms[1] = Larger(norms[1], d[j] * SumRows<true>(stride, absolute + j * stride, d_inverse));
  }
}

constexpr DenseKernels MakeDenseKernels(const char* name) {
  return {name, Multiply, Combine, AddAndSubtract, Factorize, Solve, Balance};
}

}  // namespace
}  // namespace slip
