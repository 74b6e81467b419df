#include "engine/solver/tree_matrix.h"

#include <algorithm>

#include "engine/core/numbers.h"
#include "engine/solver/add_scaled.h"
#include "engine/solver/unroll.h"

namespace slip {
template <int kRows>
struct TreePattern::Rows {
  static constexpr int kCount = kRows;
  const TreePattern& pattern;
  int first;
  int stem;        // length of the way before the run
  const int* way;  // it

  Rows(const TreePattern& of, int from)
      : pattern(of),
        first(from),
        stem(of.Length(from) - 1),
        way(of.paths_.data() + of.Begin(from)) {}
  template <class T>
  SLIP_INLINE void Point(T* M, T** rows) const {
    Unroll<kRows>([&](auto i) SLIP_INLINE { rows[i] = M + pattern.Begin(first + i); });
  }
};

void TreePattern::Assign(std::span<const int> before) {
  before_.assign(before.begin(), before.end());
  begin_.assign(1, 0);
  paths_.clear();
  for (int k = 0; k < size(); ++k) {
    if (At(before_, k) >= 0) {
      for (int e = 0; e < Length(At(before_, k)); ++e)
        paths_.push_back(At(paths_, Begin(At(before_, k)) + e));
    }
    paths_.push_back(k);
    begin_.push_back(static_cast<int>(paths_.size()));
  }
  runs_.clear();
  for (int end = size(); end > 0; end -= runs_.back().count) {
    int count = 1;
    while (count < 3 && count < end && At(before_, end - count) == end - count - 1) ++count;
    runs_.push_back({end - count, count});
  }
  std::reverse(runs_.begin(), runs_.end());
}

template <class Fn>
bool TreePattern::Call(const Run& run, Fn& fn) const {
  return run.count == 3   ? fn(Rows<3>(*this, run.first))
         : run.count == 2 ? fn(Rows<2>(*this, run.first))
                          : fn(Rows<1>(*this, run.first));
}

template <class Fn>
bool TreePattern::ForEachRun(Fn&& fn) const {
  return std::all_of(runs_.begin(), runs_.end(), [&](const Run& run) { return Call(run, fn); });
}

template <class Fn>
bool TreePattern::ForEachRunBackwards(Fn&& fn) const {
  return std::all_of(runs_.rbegin(), runs_.rend(), [&](const Run& run) { return Call(run, fn); });
}

void TreePattern::Unpack(const double* M, double* full) const {
  std::fill(full, full + size() * size(), 0.0);
  for (int k = 0; k < size(); ++k) {
    for (const int j : Path(k)) full[k * size() + j] = full[j * size() + k] = *M++;
  }
}

void TreePattern::Multiply(const double* M, const double* x, double* y) const {
  ForEachRun([&]<int kRows>(const Rows<kRows>& run) {
    const double* rows[kRows];
    run.Point(M, rows);
    double x_run[kRows], sum[kRows];
    Unroll<kRows>([&](auto i) SLIP_INLINE {
      x_run[i] = x[run.first + i];
      sum[i] = 0;
    });
    for (int e = 0; e < run.stem; ++e) {
      const int j = run.way[e];
      const double x_e = x[j];
      double y_e = y[j];
      Unroll<kRows>([&](auto i) SLIP_INLINE {
        sum[i] += rows[i][e] * x_e;
        y_e += rows[i][e] * x_run[i];
      });
      y[j] = y_e;
    }
    Unroll<kRows>([&](auto i) SLIP_INLINE {
      Unroll<i>([&](auto j) SLIP_INLINE {
        const double entry = rows[i][run.stem + j];
        sum[i] += entry * x_run[j];
        sum[j] += entry * x_run[i];
      });
      sum[i] += rows[i][run.stem + i] * x_run[i];
    });
    Unroll<kRows>([&](auto i) SLIP_INLINE { y[run.first + i] = sum[i]; });
    return true;
  });
}

void TreePattern::AddSquare(int k, const double* J, const Mat3& G, double* M) const {
  const int n = Length(k);
  const double *x = J, *y = J + n, *z = J + 2 * n;
  const int* way = paths_.data() + Begin(k);
  struct Row {
    double G[3];    // of G J
    double* entry;  // of M
    Two GG[3];
  };
  const auto take = [&](int e) SLIP_INLINE {
    Row row;
    Unroll<3>([&](auto i) SLIP_INLINE {
      constexpr int r = i;
      row.G[r] = G(r, 0) * x[e] + G(r, 1) * y[e] + G(r, 2) * z[e];
      row.GG[r] = Two{row.G[r], row.G[r]};
    });
    row.entry = M + Begin(way[e]);
    return row;
  };
  const auto add_one = [&](const Row& row, int at) SLIP_INLINE {
    row.entry[at] = row.entry[at] + row.G[0] * x[at] + row.G[1] * y[at] + row.G[2] * z[at];
  };
  // two rows at a time, the second one longer by one
  int e = 0;
  for (; e + 2 <= n; e += 2) {
    const Row first = take(e), second = take(e + 1);
    const auto add_two = [&](const Row& row, int at, const Two& xx, const Two& yy,
                             const Two& zz) SLIP_INLINE {
      StoreTwo(LoadTwo(row.entry + at) + row.GG[0] * xx + row.GG[1] * yy + row.GG[2] * zz,
               row.entry + at);
    };
    for (int at = 0; at < e; at += 2) {
      const Two xx = LoadTwo(x + at), yy = LoadTwo(y + at), zz = LoadTwo(z + at);
      add_two(first, at, xx, yy, zz);
      add_two(second, at, xx, yy, zz);
    }
    add_one(first, e);
    add_one(second, e);
    add_one(second, e + 1);
  }
  if (e == n) return;
  const Row last = take(e);
  for (int at = 0; at <= e; ++at) add_one(last, at);
}

bool TreePattern::Factorize(double* M) const {
  return ForEachRunBackwards([&]<int kRows>(const Rows<kRows>& run) {
    double* rows[kRows];
    run.Point(M, rows);
    // among themselves, the last one first
    double inverse[kRows];
    bool positive = true;
    Unroll<kRows>([&](auto back) SLIP_INLINE {
      constexpr int i = kRows - 1 - back;
      const int diagonal = run.stem + i;
      const double pivot = rows[i][diagonal];
      positive = positive && pivot > 0 && pivot < 1e300;
      inverse[i] = 1 / pivot;
      rows[i][diagonal] = inverse[i];
      Unroll<i>([&](auto up) SLIP_INLINE {
        constexpr int j = i - 1 - up;
        const double factor = rows[i][run.stem + j] * inverse[i], minus = -factor;
        const double* const row = rows[i];
        AddScaled<1>(run.stem + j + 1, &minus, &row, rows[j]);
        rows[i][run.stem + j] = factor;
      });
    });
    if (!positive) return false;
    double minus[kRows];
    Unroll<kRows>([&](auto i) SLIP_INLINE { minus[i] = -inverse[i]; });
    for (int e = run.stem; e-- > 0;) {
      double factor[kRows];
      Unroll<kRows>([&](auto i) SLIP_INLINE { factor[i] = rows[i][e] * minus[i]; });
      AddScaled<kRows>(e + 1, factor, rows, M + Begin(run.way[e]));
      Unroll<kRows>([&](auto i) SLIP_INLINE { rows[i][e] *= inverse[i]; });
    }
    return true;
  });
}

void TreePattern::SolveOnWay(const double* L, int k, double* x) const {
  const int* way = paths_.data() + Begin(k);
  for (int e = Length(k); e-- > 1;) {
    const double minus = -x[e];
    const double* const row = L + Begin(way[e]);
    AddScaled<1>(e, &minus, &row, x);
  }
}

void TreePattern::Solve(const double* L, double* x) const {
  ForEachRunBackwards([&]<int kRows>(const Rows<kRows>& run) {
    const double* rows[kRows];
    run.Point(L, rows);
    double* own = x + run.first;
    Unroll<kRows>([&](auto back) SLIP_INLINE {
      constexpr int i = kRows - 1 - back;
      Unroll<i>([&](auto j) SLIP_INLINE { own[j] -= rows[i][run.stem + j] * own[i]; });
    });
    for (int e = 0; e < run.stem; ++e) {
      double x_e = x[run.way[e]];
      Unroll<kRows>([&](auto i) SLIP_INLINE { x_e -= rows[i][e] * own[i]; });
      x[run.way[e]] = x_e;
    }
    return true;
  });
  ForEachRun([&]<int kRows>(const Rows<kRows>& run) {
    const double* rows[kRows];
    run.Point(L, rows);
    double* own = x + run.first;
    double sum[kRows];
    Unroll<kRows>([&](auto i) SLIP_INLINE { sum[i] = own[i] * rows[i][run.stem + i]; });
    for (int e = 0; e < run.stem; ++e) {
      const double x_e = x[run.way[e]];
      Unroll<kRows>([&](auto i) SLIP_INLINE { sum[i] -= rows[i][e] * x_e; });
    }
    Unroll<kRows>([&](auto i) SLIP_INLINE {
      Unroll<i>([&](auto j) SLIP_INLINE { sum[i] -= rows[i][run.stem + j] * sum[j]; });
    });
    Unroll<kRows>([&](auto i) SLIP_INLINE { own[i] = sum[i]; });
    return true;
  });
}

}  // namespace slip
