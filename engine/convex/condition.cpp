#include "engine/convex/condition.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/numbers.h"
#include "engine/core/rotation.h"

namespace slip {

// Fixed pseudo-random signs and sizes: no eigenvector is missed by symmetry.
void ConditionEstimator::SetStart(Eigen::Index n) {
  current_.resize(n);
  std::uint64_t seed = 0x9e3779b97f4a7c15u;
  for (Eigen::Index i = 0; i < n; ++i) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    current_[i] = 0.5 + static_cast<double>(seed >> 40) * 0x1p-24;
    if ((seed >> 33 & 1) != 0) current_[i] = -current_[i];
  }
  current_ /= current_.norm();
}

// Lanczos without reorthogonalisation: extreme Ritz values are right all the same, lost
// orthogonality only repeats them.
template <class Apply>
double ConditionEstimator::LargestEigenvalue(Eigen::Index n, Apply&& apply) {
  constexpr int kMaxSteps = 80;
  constexpr double kTolerance = 3e-3;
  // Values that are nearly right decide what is clearer than this share of them.
  constexpr double kClear = 1e-6;
  alpha_.clear();
  beta_.clear();
  squares_.clear();
  previous_.setZero(n);
  image_.resize(n);
  SetStart(n);
  const auto exact = [this](int rows) {
    const Tridiagonal all{alpha_, beta_, squares_};
    return LargestTridiagonal(all.First(static_cast<std::size_t>(rows)));
  };
  double last[3] = {0, 0, 0}, beta = 0;
  const int steps = static_cast<int>(std::min<Eigen::Index>(kMaxSteps, n));
  for (int k = 0; k < steps; ++k) {
    apply(current_, &image_);
    const double alpha = current_.dot(image_);
    image_ -= alpha * current_ + beta * previous_;
    alpha_.push_back(alpha);
    const Tridiagonal T{alpha_, beta_, squares_};
    const EigenBounds bounds(T);
    const double near = bounds.IsWide() ? FindLargest(T, bounds.high) : bounds.high;
    // three quiet steps in a row: one alone may be a plateau
    if (k >= 6) {
      const double growth = near - last[2] - kTolerance * near;
      if (!(growth > kClear * near)) {
        const double largest = exact(k + 1);
        if (growth < -kClear * near || largest - exact(k - 2) < kTolerance * largest)
          return largest;
      }
    }
    last[2] = last[1], last[1] = last[0], last[0] = near;
    beta = image_.norm();
    constexpr double kLast = 1e-14;
    if (!(beta > 2 * kLast * near)) {
      const double largest = exact(k + 1);
      if (!(beta > kLast * largest)) return largest;
    }
    beta_.push_back(beta);
    squares_.push_back(beta * beta);
    std::swap(previous_, current_);
    current_ = image_ / beta;
  }
  return steps > 0 ? exact(steps) : 0;
}

// Locally optimal preconditioned conjugate gradients (Knyazev 2001) with one vector: the best of
// the iterate, its preconditioned residual and the last step. Every quotient is above the
// eigenvalue.
template <class Apply, class Precondition>
double ConditionEstimator::SmallestEigenvalue(Eigen::Index n, Apply&& apply,
                                              Precondition&& precondition) {
  constexpr int kMaxSteps = 200, kQuiet = 5;
  constexpr double kTolerance = 1e-3;
  basis_.setZero(n, 3);
  images_.setZero(n, 3);
  SetStart(n);
  precondition(&current_);  // the low end comes to the fore
  basis_.col(0) = current_ / current_.norm();
  const auto apply_to = [&](Eigen::Index c) {
    current_ = basis_.col(c);
    apply(current_, &image_);
    images_.col(c) = image_;
  };
  apply_to(0);
  double smallest = basis_.col(0).dot(images_.col(0));
  int columns = 2, quiet = 0;
  for (int k = 0; k < kMaxSteps && quiet < kQuiet; ++k) {
    current_ = images_.col(0) - smallest * basis_.col(0);
    precondition(&current_);
    basis_.col(1) = current_;
    // an orthonormal basis; the last step's image goes along
    for (Eigen::Index c = 1; c < columns; ++c) {
      for (int pass = 0; pass < 2; ++pass) {
        for (Eigen::Index d = 0; d < c; ++d) {
          const double f = basis_.col(d).dot(basis_.col(c));
          basis_.col(c) -= f * basis_.col(d);
          if (c == 2) images_.col(c) -= f * images_.col(d);
        }
      }
      const double norm = basis_.col(c).norm();
      if (!(norm > 0)) return smallest;
      basis_.col(c) /= norm;
      if (c == 2) images_.col(c) /= norm;
      if (c == 1) apply_to(c);
    }
    Mat3 projected = basis_.transpose() * images_;
    if (columns == 2) projected(2, 2) = projected.trace();  // above the other two: not chosen
    const Vec3 best = CalcSymmetricEigen(projected).vectors.col(0);
    const Vec3 step(0, best[1], best[2]);
    current_ = basis_ * step;
    image_ = basis_ * best;
    basis_.col(2) = current_;
    basis_.col(0) = image_;
    current_ = images_ * step;
    image_ = images_ * best;
    images_.col(2) = current_;
    images_.col(0) = image_;
    const double norm = basis_.col(0).norm();  // 1 but for round-off
    basis_.col(0) /= norm;
    images_.col(0) /= norm;
    columns = 3;
    const double next = basis_.col(0).dot(images_.col(0));
    quiet = smallest - next < kTolerance * next ? quiet + 1 : 0;
    smallest = next;
  }
  return smallest;
}

double ConditionEstimator::Exact(const MatrixX& matrix) {
  if (matrix.rows() == 1) return 1;
  if (matrix.rows() == 2) {
    // λ₁λ₂ = det and λ₁ + λ₂ = trace: the small one from the product, not the difference
    const double half = 0.5 * (matrix(0, 0) + matrix(1, 1));
    const double q = 0.5 * (matrix(0, 0) - matrix(1, 1));
    const double large = half + std::hypot(q, matrix(0, 1));
    const double small = (matrix(0, 0) * matrix(1, 1) - matrix(0, 1) * matrix(1, 0)) / large;
    return large / small;
  }
  // entries of size one keep squares in range
  unit_ = matrix / std::max(matrix.cwiseAbs().maxCoeff(), std::numeric_limits<double>::min());
  if (!unit_.allFinite()) return kNaN;
  range_.Compute(unit_);
  return range_.largest() / range_.smallest();
}

void ConditionEstimator::ToDense(IslandSystem* system, MatrixX* dense) {
  const IslandOrder& order = system->order();
  dense->setZero(order.rows(), order.rows());
  system->hessian().ForEachBlock(
      system->whole(), [&](int row, int rows, int col, int cols, const double* block) {
        for (int c = 0; c < cols; ++c) {
          for (int r = 0; r < rows; ++r) {
            const int i = order.coordinate(row + r), j = order.coordinate(col + c);
            (*dense)(i, j) = (*dense)(j, i) = block[c * ColumnStride(rows) + r];
          }
        }
      });
}

void ConditionEstimator::Compute(IslandSystem* system, double* scaled, double* raw) {
  const Island& whole = system->whole();
  const VectorX& D = system->numbers().D();
  const Eigen::Index n = system->order().rows();
  if (n <= kExactSize) {
    ToDense(system, &dense_);
    *raw = Exact(dense_);
    scratch_.resize(n);
    for (Eigen::Index row = 0; row < n; ++row) {
      scratch_[system->order().coordinate(static_cast<int>(row))] = D[row];
    }
    scaled_.resize(n, n);
    for (Eigen::Index c = 0; c < n; ++c) {
      for (Eigen::Index r = 0; r < n; ++r) scaled_(r, c) = scratch_[r] * dense_(r, c) * scratch_[c];
    }
    *scaled = Exact(scaled_);
    return;
  }
  *raw = *scaled = kInfinity;
  if (!system->hessian().Factorize(whole)) return;
  const auto multiply = [&](const VectorX& x, VectorX* y) { system->hessian().Multiply(x, y); };
  const auto multiply_scaled = [&](const VectorX& x, VectorX* y) {
    scratch_ = D.cwiseProduct(x);
    multiply(scratch_, y);
    *y = y->cwiseProduct(D);
  };
  const auto solve = [&](const VectorX& x, VectorX* y) {
    *y = x;
    system->hessian().Precondition(y->data());
  };
  const auto solve_scaled = [&](const VectorX& x, VectorX* y) {
    *y = x.cwiseQuotient(D);
    system->hessian().Precondition(y->data());
    *y = y->cwiseQuotient(D);
  };
  *raw = LargestEigenvalue(n, multiply);
  *scaled = LargestEigenvalue(n, multiply_scaled);
  if (!system->hessian().IsIterative()) {
    *raw *= LargestEigenvalue(n, solve);
    *scaled *= LargestEigenvalue(n, solve_scaled);
    return;
  }
  const auto in_place = [&](const auto& solver) {
    return [&](VectorX* x) {
      scratch_ = *x;
      solver(scratch_, x);
    };
  };
  *raw /= SmallestEigenvalue(n, multiply, in_place(solve));
  *scaled /= SmallestEigenvalue(n, multiply_scaled, in_place(solve_scaled));
}

}  // namespace slip
