#include "engine/formulation/condition.h"

#include <algorithm>
#include <cmath>

namespace slip {
namespace {

// Largest eigenvalue of a symmetric tridiagonal matrix by bisection on the Sturm sequence.
double LargestTridiagonal(const std::vector<double>& a, const std::vector<double>& b) {
  const std::size_t n = a.size();
  double low = -HUGE_VAL, high = -HUGE_VAL;
  for (std::size_t i = 0; i < n; ++i) {
    const double off = (i > 0 ? std::abs(b[i - 1]) : 0) + (i + 1 < n ? std::abs(b[i]) : 0);
    low = std::max(low, a[i]);  // every diagonal entry is a Rayleigh quotient
    high = std::max(high, a[i] + off);
  }
  for (int k = 0; k < 60 && high - low > 1e-12 * std::abs(high); ++k) {
    const double middle = 0.5 * (low + high);
    // any eigenvalue above? then a pivot of middle I - T is negative
    double pivot = middle - a[0];
    bool above = pivot < 0;
    for (std::size_t i = 1; i < n && !above; ++i) {
      if (pivot == 0) pivot = 1e-300;
      pivot = middle - a[i] - b[i - 1] * b[i - 1] / pivot;
      above = pivot < 0;
    }
    (above ? low : high) = middle;
  }
  return high;
}

}  // namespace

// Lanczos without reorthogonalisation: extreme Ritz values are right all the same, lost
// orthogonality only repeats them.
template <class Apply>
double ConditionEstimator::LargestEigenvalue(Eigen::Index n, Apply&& apply) {
  constexpr int kMaxSteps = 80;
  constexpr double kTolerance = 3e-3;
  alpha_.clear();
  beta_.clear();
  previous_.setZero(n);
  current_.resize(n);
  image_.resize(n);
  // fixed pseudo-random signs and sizes: no eigenvector is missed by symmetry
  std::uint64_t seed = 0x9e3779b97f4a7c15u;
  for (Eigen::Index i = 0; i < n; ++i) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    current_[i] = 0.5 + static_cast<double>(seed >> 40) * 0x1p-24;
    if ((seed >> 33 & 1) != 0) current_[i] = -current_[i];
  }
  current_ /= current_.norm();
  double last[3] = {0, 0, 0}, beta = 0;
  const int steps = static_cast<int>(std::min<Eigen::Index>(kMaxSteps, n));
  for (int k = 0; k < steps; ++k) {
    apply(current_, &image_);
    const double alpha = current_.dot(image_);
    image_ -= alpha * current_ + beta * previous_;
    alpha_.push_back(alpha);
    const double largest = LargestTridiagonal(alpha_, beta_);
    // three quiet steps in a row: one alone may be a plateau
    if (k >= 6 && largest - last[2] < kTolerance * largest) return largest;
    last[2] = last[1], last[1] = last[0], last[0] = largest;
    beta = image_.norm();
    if (!(beta > 1e-14 * largest)) return largest;
    beta_.push_back(beta);
    std::swap(previous_, current_);
    current_ = image_ / beta;
  }
  return last[0];
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
  eigen_.compute(matrix, Eigen::EigenvaluesOnly);
  return eigen_.eigenvalues()[matrix.rows() - 1] / eigen_.eigenvalues()[0];
}

void ConditionEstimator::ToDense(IslandSystem* system, MatrixX* dense) {
  dense->setZero(system->rows(), system->rows());
  system->ForEachBlock([&](int row, int rows, int col, int cols, const double* block) {
    for (int c = 0; c < cols; ++c) {
      for (int r = 0; r < rows; ++r) {
        const int i = system->coordinate(row + r), j = system->coordinate(col + c);
        (*dense)(i, j) = (*dense)(j, i) = block[c * ColumnStride(rows) + r];
      }
    }
  });
}

void ConditionEstimator::Compute(IslandSystem* system, double* scaled, double* raw) {
  const Island& whole = system->whole();
  const VectorX& D = system->D;
  const Eigen::Index n = system->rows();
  if (n <= kExactSize) {
    ToDense(system, &dense_);
    *raw = Exact(dense_);
    scaled_.resize(n, n);
    scratch_.resize(n);
    for (Eigen::Index row = 0; row < n; ++row) {
      scratch_[system->coordinate(static_cast<int>(row))] = D[row];
    }
    scaled_.noalias() = scratch_.asDiagonal() * dense_ * scratch_.asDiagonal();
    *scaled = Exact(scaled_);
    return;
  }
  *raw = *scaled = HUGE_VAL;
  if (!system->Factorize(whole)) return;
  const auto multiply = [&](const VectorX& x, VectorX* y) { system->Multiply(x, y); };
  const auto solve = [&](const VectorX& x, VectorX* y) {
    *y = x;
    system->Solve(whole, y->data());
  };
  *raw = LargestEigenvalue(n, multiply) * LargestEigenvalue(n, solve);
  const double large = LargestEigenvalue(n, [&](const VectorX& x, VectorX* y) {
    scratch_ = D.cwiseProduct(x);
    multiply(scratch_, y);
    *y = y->cwiseProduct(D);
  });
  const double small = LargestEigenvalue(n, [&](const VectorX& x, VectorX* y) {
    *y = x.cwiseQuotient(D);
    system->Solve(whole, y->data());
    *y = y->cwiseQuotient(D);
  });
  *scaled = large * small;
}

}  // namespace slip
