// Products with the rows of a quadratic program and with their transpose, for the kernels of
// engine/solver/qp_kernels_impl.h and like these internal to the file.
#pragma once

#include "engine/solver/lanes.h"
#include "engine/solver/qp_kernels.h"

namespace slip {
namespace {

constexpr int kAccumulators = kLanes == 8 ? 16 : 8;  // that fit the registers, beside their factors

SLIP_INLINE inline Lanes LargerLanes(Lanes a, Lanes b) { return a > b ? a : b; }
SLIP_INLINE inline double SumOfRows(const Lanes* parts) {
  return JoinRows(parts, [](double a, double b) SLIP_INLINE { return a + b; });
}
SLIP_INLINE inline double LargestOfRows(const Lanes* parts) {
  return JoinRows(parts, [](double a, double b) SLIP_INLINE { return Larger(a, b); });
}

// fn(from), .. fn(n - 1), written out where n is known.
template <int kN, int kFrom, class Fn>
SLIP_INLINE inline void ForFrom(Index<kFrom>, int n, Fn&& fn) {
  if constexpr (kN > 0) {
    Unroll<kN, kFrom>(fn);
  } else {
    for (int i = kFrom; i < n; ++i) fn(i);
  }
}
template <int kN, class Fn>
SLIP_INLINE inline void ForFrom(int from, int n, Fn&& fn) {
  for (int i = from; i < n; ++i) fn(i);
}
template <int kValue>
SLIP_INLINE constexpr Index<kValue + 1> Next(Index<kValue>) {
  return {};
}
SLIP_INLINE constexpr int Next(int i) { return i + 1; }

template <int kN>
SLIP_INLINE inline int UnknownsOf(const QpArrays& q) {
  return kN > 0 ? kN : q.n;
}
template <int kN>
SLIP_INLINE inline int StrideOf(const QpArrays& q) {
  return kN > 0 ? PanelsOf(kN) * kPanel : q.stride;
}

// fn(at, part, lanes of A x), for all rows in order.
template <int kN, class Fn>
SLIP_INLINE inline void ForProducts(const QpArrays& q, const double* x, Fn&& fn) {
  for (int at = 0; at < q.rows; at += kPanel) {
    Lanes sum[kParts];
    Unroll<kParts>([&](auto p) SLIP_INLINE { sum[p] = Lanes{}; });
    ForFrom<kN>(Index<0>{}, q.n, [&](auto j) SLIP_INLINE {
      const Lanes factor = FillLanes(x[j]);
      const double* const column = q.A + j * q.rows + at;
      Unroll<kParts>([&](auto p)
                         SLIP_INLINE { sum[p] += LoadLanes(column + p * kLanes) * factor; });
    });
    Unroll<kParts>([&](auto p) SLIP_INLINE { fn(at + p * kLanes, p, sum[p]); });
  }
}

// out_k = A_p^T x_k for kCount vectors of rows and the panel of unknowns that begins at `panel`;
// only those from kFrom to kTo of the panel are wanted, the others may be zero instead.
template <int kFrom, int kTo, int kCount>
SLIP_INLINE inline void MultiplyPanel(const QpArrays& q, int panel, const double* const* x,
                                      Lanes (*out)[kParts]) {
  constexpr int kMost = kAccumulators / (kParts * kCount), kAtOnce = kMost > 1 ? kMost : 1;
  constexpr int kChunks = (kTo - kFrom + kAtOnce - 1) / kAtOnce;
  Lanes dots[kCount][kPanel][kParts];
  Unroll<kCount>([&](auto k) SLIP_INLINE {
    Unroll<kPanel>([&](auto j) SLIP_INLINE {
      if constexpr (j < kFrom || j >= kTo)
        Unroll<kParts>([&](auto p) SLIP_INLINE { dots[k][j][p] = Lanes{}; });
    });
  });
  Unroll<kChunks>([&](auto chunk) SLIP_INLINE {
    constexpr int kFirst = kFrom + chunk * kAtOnce;
    constexpr int kColumns = kTo - kFirst < kAtOnce ? kTo - kFirst : kAtOnce;
    Lanes sum[kCount][kColumns][kParts];
    Unroll<kCount>([&](auto k) SLIP_INLINE {
      Unroll<kColumns>([&](auto j) SLIP_INLINE {
        Unroll<kParts>([&](auto p) SLIP_INLINE { sum[k][j][p] = Lanes{}; });
      });
    });
    const double* const columns = q.A + (panel + kFirst) * q.rows;
    for (int at = 0; at < q.rows; at += kPanel) {
      Unroll<kParts>([&](auto p) SLIP_INLINE {
        Lanes factor[kCount];
        Unroll<kCount>([&](auto k) SLIP_INLINE { factor[k] = LoadLanes(x[k] + at + p * kLanes); });
        Unroll<kColumns>([&](auto j) SLIP_INLINE {
          const Lanes a = LoadLanes(columns + j * q.rows + at + p * kLanes);
          Unroll<kCount>([&](auto k) SLIP_INLINE { sum[k][j][p] += a * factor[k]; });
        });
      });
    }
    Unroll<kCount>([&](auto k) SLIP_INLINE {
      Unroll<kColumns>([&](auto j) SLIP_INLINE {
        Unroll<kParts>([&](auto p) SLIP_INLINE { dots[k][kFirst + j][p] = sum[k][j][p]; });
      });
    });
  });
  Unroll<kCount>([&](auto k) SLIP_INLINE { JoinEight(dots[k], out[k]); });
}

// fn(panel, Index of its first unknown wanted, of the one behind its last) for all of n, from
// `from`.
template <int kN, class From, class Fn>
SLIP_INLINE inline void ForPanels(From from, int n, Fn&& fn) {
  if constexpr (kN > 0) {
    Unroll<PanelsOf(kN), from / kPanel>([&](auto p) SLIP_INLINE {
      constexpr int kFirst = from > p * kPanel ? from - p * kPanel : 0;
      constexpr int kLast = kN < (p + 1) * kPanel ? kN - p * kPanel : kPanel;
      fn(p * kPanel, Index<kFirst>{}, Index<kLast>{});
    });
  } else {
    for (int panel = from / kPanel * kPanel; panel < n; panel += kPanel)
      fn(panel, Index<0>{}, Index<kPanel>{});
  }
}

// sums + k stride = A^T x_k of kCount vectors of rows.
template <int kN, int kCount>
SLIP_INLINE inline void MultiplyTranspose(const QpArrays& q, const double* const* x, double* sums) {
  const int stride = StrideOf<kN>(q);
  ForPanels<kN>(Index<0>{}, q.n, [&](int panel, auto from, auto to) SLIP_INLINE {
    Lanes out[kCount][kParts];
    MultiplyPanel<from, to, kCount>(q, panel, x, out);
    Unroll<kCount>([&](auto k) SLIP_INLINE {
      Unroll<kParts>([&](auto p) SLIP_INLINE {
        StoreLanes(out[k][p], sums + k * stride + panel + p * kLanes);
      });
    });
  });
}

}  // namespace
}  // namespace slip
