// GMRES (Saad, Schultz 1986) without restarts, for (I + K) y = b with K only applied.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/core/numbers.h"

namespace slip {

/// Keeps its memory from solve to solve.
class Gmres {
 public:
  static constexpr int kMost = 60;  ///< products

  /// Room for systems of this order.
  void Reserve(int n) {
    const std::size_t basis = ToIndex(n) * (kMost + 1);
    if (basis_.size() < basis) basis_.resize(basis);
    if (!column_.empty()) return;
    upper_.resize(kMost * (kMost + 1));
    column_.resize(kMost + 1);
    right_.resize(kMost + 1);
    cosine_.resize(kMost);
    sine_.resize(kMost);
  }

  /// y of n numbers, to this relative residual or as good as kMost products make it; returns their
  /// number. apply(x, out) sets out = K x.
  template <class Apply>
  int Solve(int n, double tolerance, Apply&& apply, const double* b, double* y) {
    Reserve(n);
    std::fill_n(y, n, 0.0);
    const double scale = std::sqrt(Dot(n, b, b));
    if (!(scale > 0)) return 0;
    for (int i = 0; i < n; ++i) Basis(n, 0)[i] = b[i] / scale;
    right_[0] = scale;
    int k = 0;
    for (; k < std::min(n, kMost) && std::abs(right_[ToIndex(k)]) > tolerance * scale;) {
      Extend(n, k, apply);
      Rotate(k++);
    }
    for (int i = k - 1; i >= 0; --i) {
      double sum = At(right_, i);
      for (int j = i + 1; j < k; ++j) sum -= Upper(i, j) * At(column_, j);
      At(column_, i) = Upper(i, i) != 0 ? sum / Upper(i, i) : 0;
    }
    for (int j = 0; j < k; ++j) {
      const double* q = Basis(n, j);
      for (int i = 0; i < n; ++i) y[i] += At(column_, j) * q[i];
    }
    return k;
  }

 private:
  static double Dot(int n, const double* a, const double* b) {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
  }
  double* Basis(int n, int k) { return basis_.data() + ToIndex(k) * ToIndex(n); }
  double& Upper(int row, int column) { return upper_[ToIndex(column * (kMost + 1) + row)]; }

  // The next vector of the basis, orthogonalised twice; its products to column_.
  template <class Apply>
  void Extend(int n, int k, Apply&& apply) {
    double* next = Basis(n, k + 1);
    const double* last = Basis(n, k);
    apply(last, next);
    for (int i = 0; i < n; ++i) next[i] += last[i];
    std::fill_n(column_.begin(), k + 2, 0.0);
    for (int pass = 0; pass < 2; ++pass) {
      for (int j = 0; j <= k; ++j) {
        const double* q = Basis(n, j);
        const double part = Dot(n, next, q);
        At(column_, j) += part;
        for (int i = 0; i < n; ++i) next[i] -= part * q[i];
      }
    }
    const double length = std::sqrt(Dot(n, next, next));
    At(column_, k + 1) = length;
    for (int i = 0; i < n && length > 0; ++i) next[i] /= length;
  }
  // Givens rotations keep the small system triangular.
  void Rotate(int k) {
    for (int j = 0; j < k; ++j) {
      const double a = At(column_, j), b = At(column_, j + 1);
      At(column_, j) = At(cosine_, j) * a + At(sine_, j) * b;
      At(column_, j + 1) = At(cosine_, j) * b - At(sine_, j) * a;
    }
    const double a = At(column_, k), b = At(column_, k + 1);
    const double length = std::sqrt(a * a + b * b);
    const double c = length > 0 ? a / length : 1, s = length > 0 ? b / length : 0;
    At(cosine_, k) = c, At(sine_, k) = s;
    At(column_, k) = length;
    for (int j = 0; j <= k; ++j) Upper(j, k) = At(column_, j);
    At(right_, k + 1) = -s * At(right_, k);
    At(right_, k) *= c;
  }

  std::vector<double> basis_, upper_, column_, right_, cosine_, sine_;
};

}  // namespace slip
