// What reads a quadratic program as it was given: its scaling, and how well a result solves it.
// For the kernels of engine/solver/qp_kernels_impl.h and like these internal to the file.
#pragma once

#include "engine/solver/qp_kernels_products.h"

namespace slip {
namespace {

void ScaleUnknowns(const QpArrays& arrays, const QpSource& from, double* scale) {
  const QpArrays q = arrays;  // what is written cannot be its pointers
  const int n = q.n;
  const Lanes one = FillLanes(1);
  for (int j = 0; j < q.stride; ++j) scale[j] = j < n ? from.H[j * n + j] : 1;
  for (int at = 0; at < q.stride; at += kLanes)
    StoreLanes(one / SqrtLanes(LoadLanes(scale + at)), scale + at);
  for (int j = 0; j < n; ++j) {
    double* const column = q.H + j * q.stride;
    __builtin_memcpy(column, from.H + j * n, static_cast<unsigned long>(n) * sizeof(double));
    const Lanes own = FillLanes(scale[j]);
    for (int at = j / kLanes * kLanes; at < q.stride; at += kLanes)
      StoreLanes(LoadLanes(column + at) * LoadLanes(scale + at) * own, column + at);
    q.g[j] = from.g[j] * scale[j];
  }
  // what lies above the diagonal
  for (int j = 1; j < n; ++j) {
    for (int i = 0; i < j; ++i) q.H[j * q.stride + i] = q.H[i * q.stride + j];
  }
}

// Lanes of an array of m rows from row `at` on; `otherwise` behind its end.
SLIP_INLINE inline Lanes LoadRows(const double* rows, int at, int m, double otherwise) {
  if (at + kLanes <= m) return LoadLanes(rows + at);
  double x[kLanes];
  for (int i = 0; i < kLanes; ++i) x[i] = at + i < m ? rows[at + i] : otherwise;
  return LoadLanes(x);
}

template <int kN>
bool ScaleRows(const QpArrays& arrays, const QpSource& from, const double* scale, double least,
               double most, double* inverse, double* largest_b) {
  const QpArrays q = arrays;  // what is written cannot be its pointers
  const Lanes one = FillLanes(1), zero = Lanes{}, low = FillLanes(least), high = FillLanes(most);
  Lanes largest = FillLanes(-1), outside = Lanes{};
  for (int at = 0; at < q.rows; at += kLanes) {
    Lanes x[kN > 0 ? kN : 1], sum = Lanes{};
    ForFrom<kN>(Index<0>{}, q.n, [&](auto j) SLIP_INLINE {
      const Lanes a = LoadRows(from.A + j * from.m, at, from.m, 0) * FillLanes(scale[j]);
      if constexpr (kN > 0) {
        x[j] = a;
      } else {
        StoreLanes(a, q.A + j * q.rows + at);
      }
      sum += a * a;
    });
    double ones[kLanes];
    for (int i = 0; i < kLanes; ++i) ones[i] = at + i < from.m ? 1 : 0;
    const Lanes live = LoadLanes(ones);
    const Lanes inside = sum > low ? (sum < high ? one : zero) : zero;
    const Lanes factor = live != zero ? one / SqrtLanes(sum) : zero;
    const Lanes b = LoadRows(from.b, at, from.m, 0);
    const Lanes scaled = live != zero ? b * factor : zero - one;
    ForFrom<kN>(Index<0>{}, q.n, [&](auto j) SLIP_INLINE {
      double* const to = q.A + j * q.rows + at;
      if constexpr (kN > 0) {
        StoreLanes(x[j] * factor, to);
      } else {
        StoreLanes(LoadLanes(to) * factor, to);
      }
    });
    StoreLanes(factor, inverse + at);
    StoreLanes(one - live, q.idle + at);
    StoreLanes(scaled, q.b + at);
    largest = LargerLanes(largest, scaled);
    // what is not finite leaves NaN
    outside += live * (one - inside) + scaled * zero;
  }
  double wrong = 0;
  *largest_b = -1;
  for (int i = 0; i < kLanes; ++i) {
    wrong += outside[i];
    *largest_b = Larger(*largest_b, largest[i]);
  }
  return wrong == 0;
}

bool ScaleSides(const QpArrays& arrays, double factor, double large) {
  const QpArrays q = arrays;  // what is written cannot be its pointers
  const Lanes one = FillLanes(1), zero = Lanes{}, most = FillLanes(large), all = FillLanes(factor);
  Lanes outside = Lanes{};
  for (int at = 0; at < q.rows; at += kLanes) {
    const Lanes old = LoadLanes(q.b + at);
    const Lanes b = LoadLanes(q.idle + at) == zero ? old * all : old;
    const Lanes size = AbsLanes(b);
    StoreLanes(b, q.b + at);
    StoreLanes(size > most ? most / size : one, q.weight + at);
    outside += b * zero;
  }
  double wrong = 0;
  for (int i = 0; i < kLanes; ++i) wrong += outside[i];
  return wrong == 0;
}

// The rows' sums of A^T lambda stand in the order of JoinRows, as those of all other products.
template <int kN>
void Judge(const QpArrays& arrays, const QpSource& of, const double* x, const double* lambda,
           double* slack, QpVerdict* out) {
  const QpArrays q = arrays;  // what is written cannot be its pointers
  const int n = UnknownsOf<kN>(q), m = of.m;
  Lanes violation = Lanes{}, complementarity = Lanes{}, outside = Lanes{};
  for (int at = 0; at < q.rows; at += kLanes) {
    Lanes sum = Lanes{};
    ForFrom<kN>(Index<0>{}, n, [&](auto j) SLIP_INLINE {
      sum += LoadRows(of.A + j * m, at, m, 0) * FillLanes(x[j]);
    });
    sum -= LoadRows(of.b, at, m, 0);
    violation = LargerLanes(violation, Lanes{} - sum);
    complementarity = LargerLanes(complementarity, AbsLanes(sum * LoadRows(lambda, at, m, 0)));
    outside += sum * Lanes{};  // what is not finite leaves NaN
    if (at + kLanes <= m) {
      StoreLanes(sum, slack + at);
    } else {
      for (int i = 0; at + i < m; ++i) slack[at + i] = sum[i];
    }
  }
  *out = {true, 0, 0, 0};
  double wrong = 0;
  for (int i = 0; i < kLanes; ++i) {
    wrong += outside[i];
    out->violation = Larger(out->violation, violation[i]);
    out->complementarity = Larger(out->complementarity, complementarity[i]);
  }
  out->finite = wrong == 0;
  for (int j = 0; j < n; ++j) {
    Lanes sum[kParts];
    Unroll<kParts>([&](auto p) SLIP_INLINE { sum[p] = Lanes{}; });
    for (int at = 0; at < q.rows; at += kPanel) {
      Unroll<kParts>([&](auto p) SLIP_INLINE {
        const int row = at + p * kLanes;
        sum[p] += LoadRows(of.A + j * m, row, m, 0) * LoadRows(lambda, row, m, 0);
      });
    }
    double gradient = -of.g[j] - SumOfRows(sum);
    for (int i = 0; i < n; ++i) gradient += of.H[j * n + i] * x[i];
    out->stationarity = Larger(out->stationarity, gradient < 0 ? -gradient : gradient);
  }
}

}  // namespace
}  // namespace slip
