#include "engine/solver/tridiagonal.h"

#include <algorithm>
#include <limits>

#include "engine/core/numbers.h"

namespace slip {
namespace {

// Whether T has an eigenvalue above x: then a pivot of x I - T is negative. In floating point, too,
// what holds at x holds at all that is smaller.
bool HasAbove(const Tridiagonal& T, double x) {
  double pivot = x - T.a[0];
  bool above = pivot < 0;
  for (std::size_t i = 1; i < T.a.size() && !above; ++i) {
    if (pivot == 0) pivot = 1e-300;
    pivot = x - T.a[i] - T.squares[i - 1] / pivot;
    above = pivot < 0;
  }
  return above;
}

// The end above, to round-off of `size`, which is a norm of T. Places of several eigenvalues, which
// Laguerre's method comes to slowly, are halved.
double FindEnd(const Tridiagonal& T, double size) {
  if (T.a.size() == 1) return T.a[0];
  const double round_off = 4 * std::numeric_limits<double>::epsilon() * size;
  EigenBounds at(T);
  const double near = FindLargest(T, at.high);
  if (HasAbove(T, near - round_off) && !HasAbove(T, near + round_off)) return near;
  while (at.high - at.low > round_off) {
    const double middle = 0.5 * (at.low + at.high);
    (HasAbove(T, middle) ? at.low : at.high) = middle;
  }
  return 0.5 * (at.low + at.high);
}

}  // namespace

EigenBounds::EigenBounds(const Tridiagonal& T) : low(-kInfinity), high(-kInfinity) {
  const std::size_t n = T.a.size();
  for (std::size_t i = 0; i < n; ++i) {
    const double off = (i > 0 ? std::abs(T.b[i - 1]) : 0) + (i + 1 < n ? std::abs(T.b[i]) : 0);
    low = std::max(low, T.a[i]);  // every diagonal entry is a Rayleigh quotient
    high = std::max(high, T.a[i] + off);
  }
}

double FindLargest(const Tridiagonal& T, double x) {
  constexpr int kMostSteps = 12;
  // the error of a step is about the cube of its length
  constexpr double kShort = 1e-7;
  const auto n = static_cast<double>(T.a.size());
  for (int k = 0; k < kMostSteps; ++k) {
    // a pivot's first and second derivative by x over itself; sums of 1/(x - lambda) and its square
    // over the eigenvalues
    double inverse = 1 / (x - T.a[0]), first = inverse, second = 0;
    double sum = first, squares = first * first;
    for (std::size_t i = 1; i < T.a.size(); ++i) {
      const double q = T.squares[i - 1] * inverse;
      const double slope = 1 + q * first, bend = q * (second - 2 * first * first);
      inverse = 1 / (x - T.a[i] - q);
      first = slope * inverse;
      second = bend * inverse;
      sum += first;
      squares += first * first - second;
    }
    const double step = n / (sum + std::sqrt(std::max(0.0, (n - 1) * (n * squares - sum * sum))));
    if (!(step > 0)) return x;  // round-off is all that is left
    x -= step;
    if (step < kShort * std::abs(x)) return x;
  }
  return kNaN;
}

// Where it lies is found before: few of the places that bisection asks about are left to try, and
// the answer is the same to the last bit.
double LargestTridiagonal(const Tridiagonal& T) {
  EigenBounds at(T);
  double above = -kInfinity, below = kInfinity;  // an eigenvalue lies above the one, none the other
  if (at.IsWide()) {
    const double near = FindLargest(T, at.high), margin = 1e-13 * std::abs(at.high);
    if (HasAbove(T, near - margin)) above = near - margin;
    if (!HasAbove(T, near + margin)) below = near + margin;
  }
  for (int k = 0; k < 60 && at.IsWide(); ++k) {
    const double middle = 0.5 * (at.low + at.high);
    const bool is_low = middle <= above || (middle < below && HasAbove(T, middle));
    (is_low ? at.low : at.high) = middle;
  }
  return at.high;
}

void EigenRange::Compute(const MatrixX& matrix) {
  reduced_.compute(matrix);
  const auto n = static_cast<std::size_t>(matrix.rows());
  a_.resize(n);
  b_.resize(n - 1);
  squares_.resize(n - 1);
  double size = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    a_[i] = reduced_.diagonal()[at];
    size = std::max(size, std::abs(a_[i]));
    if (i + 1 == n) break;
    b_[i] = reduced_.subDiagonal()[at];
    squares_[i] = b_[i] * b_[i];
    size = std::max(size, std::abs(b_[i]));
  }
  const Tridiagonal T{a_, b_, squares_};
  largest_ = FindEnd(T, size);
  for (double& a : a_) a = -a;
  smallest_ = -FindEnd(T, size);
}

}  // namespace slip
