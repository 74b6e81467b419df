// The least multipliers that fit the result of a quadratic program:
//
//   min 1/2 zᵀz  such that  Aᵀz = c, z ≥ 0       z = max(0, A w)
//
// over its loaded rows in the problem's own units, unknowns scaled, by Newton's method in w, whose
// problem is piecewise quadratic and has no constraints: min 1/2 |max(0, A w)|² - cᵀw.
#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/solver/convex_qp.h"
#include "engine/solver/dense_factor.h"

namespace slip {
namespace {

constexpr int kMostNewtons = 30;
/// Of the normal matrix' diagonal: directions that no row bounds are at rest.
constexpr double kLeastPivot = 1e-14;
constexpr double kLeastStep = 1e-6;
constexpr double kRoundOff = 1e-12;  ///< of c

using Matrix = Eigen::Map<MatrixX>;
using Vector = Eigen::Map<VectorX>;

double CalcCost(const Vector& z, const Vector& c, const Vector& w) {
  return 0.5 * z.cwiseMax(0).squaredNorm() - c.dot(w);
}

// N = AᵀA + diagonal over the rows with z > 0, as its factor.
bool Factorize(const Matrix& A, const Vector& z, Matrix* N) {
  N->setZero();
  for (Eigen::Index i = 0; i < A.cols(); ++i) {
    if (z[i] > 0) N->selfadjointView<Eigen::Lower>().rankUpdate(A.col(i));
  }
  N->diagonal().array() += kLeastPivot * N->diagonal().sum();
  return FactorizeInPlace(*N);
}

}  // namespace

void ConvexQpSolver::TakeLeastMultipliers(double tolerance) {
  const int n = q_.n;
  // rows of which the multiplier, not the slack, is what is left at the optimum
  int loaded = 0;
  for (int i = 0; i < m_; ++i) loaded += q_.idle[i] == 0 && best_z_[i] > best_s_[i] ? 1 : 0;
  if (loaded < 2) return;
  least_.resize(static_cast<std::size_t>((n + 3) * m_ + n * n + 4 * n));
  double* at = least_.data();
  const auto take = [&at](int size) { return std::exchange(at, at + size); };
  Matrix A(take(n * loaded), n, loaded);  // a row of the program in each column
  Matrix N(take(n * n), n, n);
  Vector z(take(loaded), loaded), tried(take(loaded), loaded), load(take(loaded), loaded);
  Vector c(take(n), n), w(take(n), n), step(take(n), n), place(take(n), n);
  for (int i = 0, k = 0; i < m_; ++i) {
    if (q_.idle[i] != 0 || !(best_z_[i] > best_s_[i])) continue;
    for (int j = 0; j < n; ++j) A(j, k) = q_.A[j * q_.rows + i] / row_scale_[i];
    z[k++] = best_z_[i] * row_scale_[i];
  }
  c.noalias() = A * z;
  w.setZero();

  // the first step as if all rows were loaded
  bool met = false;
  double cost = 0;
  for (int newton = 0; newton < kMostNewtons && !met; ++newton) {
    if (!Factorize(A, z, &N)) return;
    step = c;
    if (newton > 0) step.noalias() -= A * load;
    SolveByFactor(N, step);
    double share = 1;
    for (;; share *= 0.5) {
      if (share < kLeastStep) return;
      place = w + share * step;
      tried.noalias() = A.transpose() * place;
      const double tried_cost = CalcCost(tried, c, place);
      if (tried_cost <= cost) {
        cost = tried_cost;
        break;
      }
    }
    w = place;
    z = tried;
    step = c;
    load = z.cwiseMax(0);
    step.noalias() -= A * load;
    met = step.lpNorm<Eigen::Infinity>() < std::max(0.1 * tolerance, kRoundOff * c.norm());
  }
  if (!met) return;
  for (int i = 0, k = 0; i < m_; ++i) {
    if (q_.idle[i] == 0 && best_z_[i] > best_s_[i])
      best_z_[i] = std::max(0.0, z[k++]) / row_scale_[i];
  }
}

}  // namespace slip
