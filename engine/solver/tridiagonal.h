// Eigenvalues at the ends of symmetric matrices: largest and smallest, without those between.
#pragma once

#include <Eigen/Eigenvalues>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "engine/core/types.h"

namespace slip {

/// A symmetric tridiagonal matrix T: its diagonal, the entries beside it and their squares.
struct Tridiagonal {
  std::span<const double> a, b, squares;

  /// Rows and columns before n.
  Tridiagonal First(std::size_t n) const {
    return {a.first(n), b.first(n - 1), squares.first(n - 1)};
  }
};

/// Where its largest eigenvalue is: not below the one, not above the other.
struct EigenBounds {
  double low, high;

  explicit EigenBounds(const Tridiagonal& T);
  bool IsWide() const { return high - low > 1e-12 * std::abs(high); }
};

/// The largest eigenvalue as Laguerre's method comes down to it from x above all of them; of a lone
/// one all digits but the last. NaN where it does not.
double FindLargest(const Tridiagonal& T, double x);

/// Largest eigenvalue of T by bisection.
double LargestTridiagonal(const Tridiagonal& T);

/// Both ends of a dense matrix. Memory is reused.
class EigenRange {
 public:
  /// The matrix is symmetric, finite, and has at least one row. The ends are right to a few units
  /// of round-off of its norm, as those of a full decomposition are, for a fraction of the work.
  void Compute(const MatrixX& matrix);
  double smallest() const { return smallest_; }
  double largest() const { return largest_; }

 private:
  Eigen::Tridiagonalization<MatrixX> reduced_;
  std::vector<double> a_, b_, squares_;
  double smallest_ = 0, largest_ = 0;
};

}  // namespace slip
