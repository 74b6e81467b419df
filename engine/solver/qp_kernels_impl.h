// The kernels themselves, for one instruction set: qp_kernels_*.cpp include this with flags of
// their own. Everything is internal to the file, and no function of another header is called: see
// engine/solver/kernels6_impl.h.
//
// They are templates of the number of unknowns, 0 for any: loops over it are then written out, and
// the factor stays in registers as far as there are any. The bits do not depend on that either.
#pragma once

#include "engine/core/sanitized.h"
#include "engine/solver/qp_kernels_products.h"
#include "engine/solver/qp_kernels_scale.h"

namespace slip {
namespace {

// kCount columns of N = H + A^T diag(w) A, from the panel of the first one's diagonal on.
template <int kN, int kCount, class Column>
SLIP_INLINE inline void AssembleColumns(const QpArrays& q, Column column) {
  const int n = UnknownsOf<kN>(q), stride = StrideOf<kN>(q);
  const double* x[kCount];
  Unroll<kCount>([&](auto k) SLIP_INLINE { x[k] = q.WA + (column + k) * q.rows; });
  ForPanels<kN>(column, n, [&](int panel, auto from, auto to) SLIP_INLINE {
    Lanes out[kCount][kParts];
    MultiplyPanel<from, to, kCount>(q, panel, x, out);
    Unroll<kCount>([&](auto k) SLIP_INLINE {
      Unroll<kParts>([&](auto p) SLIP_INLINE {
        const int at = (column + k) * stride + panel + p * kLanes;
        StoreLanes(LoadLanes(q.H + at) + out[k][p], q.N + at);
      });
    });
  });
}

template <int kN>
SLIP_INLINE inline void Assemble(const QpArrays& q) {
  const int n = UnknownsOf<kN>(q);
  for (int at = 0; at < q.rows; at += kLanes) {
    const Lanes w = LoadLanes(q.w + at);
    ForFrom<kN>(Index<0>{}, n, [&](auto j) SLIP_INLINE {
      StoreLanes(w * LoadLanes(q.A + j * q.rows + at), q.WA + j * q.rows + at);
    });
  }
  if constexpr (kN > 0) {
    constexpr int kTogether = kLanes == 8 ? 2 : 1;
    Unroll<kN / kTogether>(
        [&](auto i) SLIP_INLINE { AssembleColumns<kN, kTogether>(q, Index<i * kTogether>{}); });
    if constexpr (kN % kTogether != 0) AssembleColumns<kN, 1>(q, Index<kN - 1>{});
  } else {
    for (int column = 0; column < n; ++column) AssembleColumns<0, 1>(q, column);
  }
}

// N = L D L^T column by column: between two pivots stands one division and no root.
template <int kN>
bool FactorizeFixed(const QpArrays& q, double least, QpPivots* out) {
  constexpr int kVectors = PanelsOf(kN) * kParts, kStride = kVectors * kLanes;
  Lanes c[kN][kVectors];
  Unroll<kN>([&](auto j) SLIP_INLINE {
    Unroll<kVectors, j / kLanes>(
        [&](auto p) SLIP_INLINE { c[j][p] = LoadLanes(q.N + j * kStride + p * kLanes); });
  });
  bool positive = true;
  double smallest = c[0][0][0], largest = smallest;
  Unroll<kN>([&](auto k) SLIP_INLINE {
    const double pivot = c[k][k / kLanes][k % kLanes], inverse = 1 / pivot;
    positive = positive && pivot > least;
    smallest = smallest < pivot ? smallest : pivot;
    largest = largest > pivot ? largest : pivot;
    q.inverse_pivot[k] = inverse;
    // entries go from lane to lane through memory
    Unroll<kVectors, k / kLanes>([&](auto p) SLIP_INLINE {
      StoreLanes(c[k][p], q.N + k * kStride + p * kLanes);
      c[k][p] *= FillLanes(inverse);
      StoreLanes(c[k][p], q.L + k * kStride + p * kLanes);
    });
    Unroll<kN, k + 1>([&](auto j) SLIP_INLINE {
      const Lanes factor = FillLanes(q.N[k * kStride + j]);
      Unroll<kVectors, j / kLanes>([&](auto p) SLIP_INLINE { c[j][p] -= c[k][p] * factor; });
    });
  });
  *out = {smallest, largest};
  return positive;
}

inline bool FactorizeAny(const QpArrays& q, double least, QpPivots* out) {
  *out = {q.N[0], q.N[0]};
  bool positive = true;
  for (int k = 0; k < q.n; ++k) {
    double* const own = q.N + k * q.stride;
    const double pivot = own[k], inverse = 1 / pivot;
    positive = positive && pivot > least;
    out->smallest = out->smallest < pivot ? out->smallest : pivot;
    out->largest = out->largest > pivot ? out->largest : pivot;
    q.inverse_pivot[k] = inverse;
    double* const L = q.L + k * q.stride;
    for (int at = k / kLanes * kLanes; at < q.stride; at += kLanes)
      StoreLanes(LoadLanes(own + at) * FillLanes(inverse), L + at);
    for (int j = k + 1; j < q.n; ++j) {
      const Lanes factor = FillLanes(own[j]);
      double* const other = q.N + j * q.stride;
      for (int at = j / kLanes * kLanes; at < q.stride; at += kLanes)
        StoreLanes(LoadLanes(other + at) - LoadLanes(L + at) * factor, other + at);
    }
  }
  return positive;
}

template <int kN>
bool Factorize(const QpArrays& arrays, double least, QpPivots* out) {
  const QpArrays q = arrays;  // what is written cannot be its pointers
  Assemble<kN>(q);
  if constexpr (kN > 0) {
    return FactorizeFixed<kN>(q, least, out);
  } else {
    return FactorizeAny(q, least, out);
  }
}

// x = N^-1 x, number by number: from lane to lane would take longer.
template <int kN>
SLIP_INLINE inline void Substitute(const QpArrays& q, double* x) {
  const int n = UnknownsOf<kN>(q), stride = StrideOf<kN>(q);
  double known[kN > 0 ? kN : 1];
  double* const u = kN > 0 ? known : x;
  if constexpr (kN > 0) Unroll<kN>([&](auto i) SLIP_INLINE { u[i] = x[i]; });
  ForFrom<kN>(Index<0>{}, n, [&](auto k) SLIP_INLINE {
    ForFrom<kN>(Next(k), n, [&](auto i) SLIP_INLINE { u[i] -= q.L[k * stride + i] * u[k]; });
  });
  ForFrom<kN>(Index<0>{}, n, [&](auto k) SLIP_INLINE { u[k] *= q.inverse_pivot[k]; });
  if constexpr (kN > 0) {
    // row k of L^T after row k of L^T: the last unknown first
    Unroll<kN>([&](auto step) SLIP_INLINE {
      constexpr int k = kN - 1 - step;
      Unroll<k>([&](auto i) SLIP_INLINE { u[i] -= q.L[i * stride + k] * u[k]; });
    });
    Unroll<kN>([&](auto i) SLIP_INLINE { x[i] = u[i]; });
  } else {
    for (int k = n - 1; k > 0; --k) {
      for (int i = 0; i < k; ++i) u[i] -= q.L[i * stride + k] * u[k];
    }
  }
}

// out = base + H y - less
template <int kN, class Base>
SLIP_INLINE inline void CalcGradient(const QpArrays& q, const double* y, const double* less,
                                     Base&& base, double* out) {
  const int stride = StrideOf<kN>(q);
  for (int at = 0; at < stride; at += kLanes) {
    Lanes sum = base(at);
    ForFrom<kN>(Index<0>{}, q.n, [&](auto j) SLIP_INLINE {
      sum += LoadLanes(q.H + j * stride + at) * FillLanes(y[j]);
    });
    StoreLanes(sum - LoadLanes(less + at), out + at);
  }
}

template <int kN>
void CalcResiduals(const QpArrays& arrays, QpResiduals* out) {
  const QpArrays q = arrays;  // what is written cannot be its pointers
  const int n = UnknownsOf<kN>(q), stride = StrideOf<kN>(q);
  Lanes primal[kParts], gap[kParts], largest_w[kParts], largest_z[kParts];
  Unroll<kParts>([&](auto p)
                     SLIP_INLINE { primal[p] = gap[p] = largest_w[p] = largest_z[p] = Lanes{}; });
  const Lanes eps = FillLanes(q.eps), soft = FillLanes(q.soft), one = FillLanes(1);
  ForProducts<kN>(q, q.y, [&](int at, auto p, Lanes Ay) SLIP_INLINE {
    const Lanes s = LoadLanes(q.s + at), z = LoadLanes(q.z + at), idle = LoadLanes(q.idle + at);
    const Lanes rp = Ay - LoadLanes(q.b + at) - s + eps * z;
    const Lanes sz = s * z;
    const Lanes both = one / (sz + idle);
    const Lanes inverse_s = z * both;
    const Lanes inverse = q.soft == 0 ? inverse_s : z / ((s + soft * z) * z + idle);
    const Lanes w = z * inverse;
    StoreLanes(rp, q.rp + at);
    StoreLanes(inverse_s, q.inverse_s + at);
    StoreLanes(s * both, q.inverse_z + at);
    StoreLanes(inverse, q.inverse + at);
    StoreLanes(w, q.w + at);
    StoreLanes((Lanes{} - (s + rp)) * w, q.v + at);  // (-s z - z rp) / (s + eps z)
    primal[p] = LargerLanes(primal[p], AbsLanes(rp) * LoadLanes(q.weight + at));
    gap[p] += sz;
    largest_w[p] = LargerLanes(largest_w[p], w);
    largest_z[p] = LargerLanes(largest_z[p], z);
  });
  out->primal = LargestOfRows(primal);
  out->gap = SumOfRows(gap);
  out->largest_w = LargestOfRows(largest_w);
  out->largest_z = LargestOfRows(largest_z);
  const double* const vectors[2] = {q.z, q.v};
  MultiplyTranspose<kN, 2>(q, vectors, q.sums);
  double dual = 0, largest_y = 0;
  CalcGradient<kN>(
      q, q.y, q.sums, [&](int at) SLIP_INLINE { return Lanes{} - LoadLanes(q.g + at); }, q.rd);
  for (int at = 0; at < stride; at += kLanes)
    StoreLanes(LoadLanes(q.sums + stride + at) - LoadLanes(q.rd + at), q.predictor + at);
  for (int j = 0; j < n; ++j) {
    const double rd = q.rd[j] < 0 ? -q.rd[j] : q.rd[j], y = q.y[j] < 0 ? -q.y[j] : q.y[j];
    dual = Larger(dual, rd);
    largest_y = Larger(largest_y, y);
  }
  out->dual = dual;
  out->largest_y = largest_y;
}

// dy is known, and v = (rc - z rp) / (s + soft z): the rest of the step. Or, where kMore, dy is to
// be added to a step: ds and dz are that step's.
template <int kN, bool kMore>
SLIP_INLINE inline void FinishStep(const QpArrays& q, const double* dy, QpStep* out) {
  Lanes ratio_s[kParts], ratio_z[kParts], gap_s[kParts], gap_z[kParts], gap_sz[kParts];
  Unroll<kParts>([&](auto p) SLIP_INLINE {
    ratio_s[p] = ratio_z[p] = gap_s[p] = gap_z[p] = gap_sz[p] = Lanes{};
  });
  const Lanes soft = FillLanes(q.soft);
  ForProducts<kN>(q, dy, [&](int at, auto p, Lanes Ady) SLIP_INLINE {
    const Lanes less = LoadLanes(q.w + at) * Ady;
    const Lanes dz = LoadLanes((kMore ? q.dz : q.v) + at) - less;
    const Lanes ds =
        kMore ? LoadLanes(q.ds + at) + (Ady - soft * less) : Ady + LoadLanes(q.rp + at) + soft * dz;
    StoreLanes(dz, q.dz + at);
    StoreLanes(ds, q.ds + at);
    ratio_s[p] = LargerLanes(ratio_s[p], (Lanes{} - ds) * LoadLanes(q.inverse_s + at));
    ratio_z[p] = LargerLanes(ratio_z[p], (Lanes{} - dz) * LoadLanes(q.inverse_z + at));
    gap_s[p] += ds * LoadLanes(q.z + at);
    gap_z[p] += LoadLanes(q.s + at) * dz;
    gap_sz[p] += ds * dz;
  });
  double largest = 0;
  ForFrom<kN>(Index<0>{}, q.n, [&](auto j) SLIP_INLINE {
    largest = Larger(largest, q.dy[j] < 0 ? -q.dy[j] : q.dy[j]);
  });
  *out = {LargestOfRows(ratio_s), LargestOfRows(ratio_z), SumOfRows(gap_s),
          SumOfRows(gap_z),       SumOfRows(gap_sz),      largest};
}

template <int kN>
void Predict(const QpArrays& arrays, QpStep* out) {
  const QpArrays q = arrays;  // what is written cannot be its pointers
  ForFrom<kN>(Index<0>{}, q.n, [&](auto j) SLIP_INLINE { q.dy[j] = q.predictor[j]; });
  Substitute<kN>(q, q.dy);
  FinishStep<kN, false>(q, q.dy, out);
}

template <int kN>
void Correct(const QpArrays& arrays, double target, QpStep* out) {
  const QpArrays q = arrays;  // what is written cannot be its pointers
  const Lanes aim = FillLanes(target);
  for (int at = 0; at < q.rows; at += kLanes) {
    const Lanes second = aim - LoadLanes(q.ds + at) * LoadLanes(q.dz + at);
    StoreLanes(second * LoadLanes(q.inverse + at) -
                   (LoadLanes(q.s + at) + LoadLanes(q.rp + at)) * LoadLanes(q.w + at),
               q.v + at);
  }
  const double* const vectors[1] = {q.v};
  MultiplyTranspose<kN, 1>(q, vectors, q.sums);
  ForFrom<kN>(Index<0>{}, q.n, [&](auto j) SLIP_INLINE { q.dy[j] = q.sums[j] - q.rd[j]; });
  Substitute<kN>(q, q.dy);
  FinishStep<kN, false>(q, q.dy, out);
}

// What the step leaves of the gradient, solved for again: the same factor, a step smaller by
// orders.
template <int kN>
void Refine(const QpArrays& arrays, QpStep* out) {
  const QpArrays q = arrays;  // what is written cannot be its pointers
  const double* const vectors[1] = {q.dz};
  double* const more = q.sums + StrideOf<kN>(q);
  MultiplyTranspose<kN, 1>(q, vectors, q.sums);
  CalcGradient<kN>(
      q, q.dy, q.sums, [&](int at) SLIP_INLINE { return LoadLanes(q.rd + at); }, more);
  ForFrom<kN>(Index<0>{}, q.n, [&](auto j) SLIP_INLINE { more[j] = -more[j]; });
  Substitute<kN>(q, more);
  ForFrom<kN>(Index<0>{}, q.n, [&](auto j) SLIP_INLINE { q.dy[j] += more[j]; });
  FinishStep<kN, true>(q, more, out);
}

void Advance(const QpArrays& arrays, double step, double* y, double* s, double* z) {
  const QpArrays q = arrays;  // what is written cannot be its pointers
  const Lanes factor = FillLanes(step);
  for (int j = 0; j < q.n; ++j) y[j] = q.y[j] + step * q.dy[j];
  for (int at = 0; at < q.rows; at += kLanes) {
    StoreLanes(LoadLanes(q.s + at) + factor * LoadLanes(q.ds + at), s + at);
    StoreLanes(LoadLanes(q.z + at) + factor * LoadLanes(q.dz + at), z + at);
  }
}

template <int kN>
void Start(const QpArrays& arrays, double* least) {
  const QpArrays q = arrays;  // what is written cannot be its pointers
  const double* const vectors[1] = {q.b};
  MultiplyTranspose<kN, 1>(q, vectors, q.sums);
  ForFrom<kN>(Index<0>{}, q.n, [&](auto j) SLIP_INLINE { q.y[j] = q.g[j] + q.sums[j]; });
  Substitute<kN>(q, q.y);
  Lanes largest[kParts];  // of -s
  Unroll<kParts>([&](auto p) SLIP_INLINE { largest[p] = FillLanes(-1e300); });
  ForProducts<kN>(q, q.y, [&](int at, auto p, Lanes Ay) SLIP_INLINE {
    const Lanes s = Ay - LoadLanes(q.b + at);
    StoreLanes(s, q.s + at);
    largest[p] = LargerLanes(largest[p], Lanes{} - s);
  });
  *least = -LargestOfRows(largest);
}

void Center(const QpArrays& q, double mu) {
  const Lanes product = FillLanes(mu), half = FillLanes(0.5), one = FillLanes(1), zero = Lanes{};
  for (int at = 0; at < q.rows; at += kLanes) {
    const Lanes s = LoadLanes(q.s + at), live = one - LoadLanes(q.idle + at);
    const Lanes larger = half * (AbsLanes(s) + SqrtLanes(s * s + FillLanes(4) * product));
    const Lanes smaller = product / larger;
    StoreLanes(live * (s > zero ? larger : smaller) + (one - live), q.s + at);
    StoreLanes(live * (s > zero ? smaller : larger), q.z + at);
  }
}

template <int kN>
constexpr QpKernels MakeKernels(const char* name) {
  return {name,          ScaleUnknowns, ScaleRows<kN>, ScaleSides, CalcResiduals<kN>,
          Factorize<kN>, Predict<kN>,   Correct<kN>,   Refine<kN>, Advance,
          Start<kN>,     Center,        Judge<kN>};
}

// Under a sanitizer large ones take minutes to compile; the same bits come of the loops for any n.
constexpr int kMostWrittenOut = kSanitized ? 3 : 1000;
template <int kPlace>
constexpr QpKernels MakeKernelsAt(const char* name) {
  constexpr int kN = kQpUnknowns[kPlace];
  return MakeKernels<(kN > kMostWrittenOut ? 0 : kN)>(name);
}

constexpr QpKernelTable MakeQpKernels(const char* name) {
  static_assert(kQpSizes == 5);
  return {{MakeKernelsAt<0>(name), MakeKernelsAt<1>(name), MakeKernelsAt<2>(name),
           MakeKernelsAt<3>(name), MakeKernelsAt<4>(name)}};
}

}  // namespace
}  // namespace slip
