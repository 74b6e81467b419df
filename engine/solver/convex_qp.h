// Dense convex quadratic programs by a primal-dual interior point with Mehrotra's predictor and
// corrector (S. Mehrotra, On the implementation of a primal-dual interior point method, 1992; the
// form is that of J. Nocedal and S. Wright, Numerical Optimization, algorithm 16.4):
//
//   min 1/2 xᵀH x - gᵀx   such that  A x ≥ b
//
// H x - g - Aᵀλ = 0, s = A x - b ≥ 0, λ ≥ 0, s_i λ_i = 0. Always from a cold start: the result is a
// function of the problem alone, the same bits on every processor.
//
// Scaled variables, in which optima are of the size of 1 whatever the units: D = diag(H)^-1/2, rows
// of A D divided by their norms r_i, all divided by ρ = max(|D g|, b_i / r_i): no point nearer to 0
// than b_i / r_i is feasible. x = ρ D y, λ_i = ρ z_i / r_i.
//
// The start of the first try is centred: y as if all rows were springs, s - z = A y - b and
// s_i z_i = μ for all i, μ by the largest violation. Where steps get short, all begins again with
// Mehrotra's start and shorter steps.
#pragma once

#include <string_view>
#include <vector>

#include "engine/core/aligned.h"
#include "engine/core/types.h"
#include "engine/solver/qp_kernels.h"

namespace slip {

/// n unknowns, m rows; n ≥ 1, m ≥ 0.
struct ConvexQp {
  MatrixX H;  ///< n x n, symmetric and positive definite
  VectorX g;  ///< n
  MatrixX A;  ///< m x n; rows of zeros are dropped
  VectorX b;  ///< m
};

/// μ is asked to be below this much of the tolerance.
inline constexpr double kMuOfTolerance = 1e-3;

struct QpSettings {
  double tolerance = 1e-8;  ///< of residuals in scaled variables; 1e-11 for references
  int max_iterations = 60;
  /// Where rows depend on each other many multipliers fit one x, and which of them the iteration
  /// comes to is round-off. True: those with the least sum of squares in the problem's own units,
  /// of which there is one, as if all rows gave way alike.
  bool least_multipliers = false;
};

enum class QpStatus {
  kSolved,
  kRegularised,     ///< no x holds all rows: s = A x - b + ε λ was solved, ε = 1e-9 when scaled
  kIterationLimit,  ///< the best iterate, short of the tolerance
  kFailed           ///< numbers that are not finite, or H not positive definite
};

/// What it means, as a sentence.
std::string_view Describe(QpStatus status);

/// One iterate, in scaled variables, and the step from it; 0 where there was none.
struct QpIteration {
  double primal;  ///< max |A y - b - s + ε z|; rows with |b_i| > 1000 count less, as 1000 / |b_i|
  double dual;    ///< max |H y - g - Aᵀz|
  double mu;      ///< sᵀz / m
  double step;    ///< share of the direction taken, one for y, s and z
  double sigma;   ///< centring: (μ after the predictor / μ)³
};

struct QpResult {
  QpStatus status = QpStatus::kFailed;
  VectorX x;       ///< n; zeros if failed
  VectorX lambda;  ///< m, ≥ 0; 0 for dropped rows; zeros if failed
  VectorX slack;   ///< m: A x - b, negative only by what `violation` says; zeros if failed
  int iterations = 0;
  std::vector<QpIteration> history;  ///< iterations + 1 of them
  /// (max L_ii / min L_ii)² of the last factor of H + AᵀWA = L Lᵀ, scaled: an estimate of its
  /// condition number from below.
  double condition = 0;
  double mu = 0;        ///< of the result, scaled
  double residual = 0;  ///< of the result, scaled: the larger one of primal and dual
  // in the problem's own units
  double stationarity = 0;     ///< max |H x - g - Aᵀλ|
  double violation = 0;        ///< max (b - A x), 0 if all rows hold
  double complementarity = 0;  ///< max |s_i λ_i|
};

class ConvexQpSolver {
 public:
  /// `variant`: an index of FindQpKernels, for tests; -1 for this processor's.
  explicit ConvexQpSolver(int variant = -1) : variant_(variant) {}

  /// Memory for n unknowns and m rows, in the solver and in a result: solves of no more allocate
  /// nothing, but where their sizes differ from the one before the vectors of the result do.
  void Reserve(int n, int m, QpResult* result);

  /// Never loops: at most `max_iterations`, over all tries. Sizes
  /// must match.
  void Solve(const ConvexQp& qp, const QpSettings& settings, QpResult* result);

 private:
  void Resize(int n, int m);
  /// False where numbers are not finite or H is not positive definite.
  bool Scale(const ConvexQp& qp);
  void MakeStart(bool bold);
  bool ScaleOddRows(const ConvexQp& qp, double* largest_b);
  /// One try, with the best iterate in the arrays behind. True if it met the tolerance. A bold one
  /// takes fewer iterations, and gives up where problems are hard.
  bool Try(const QpSettings& settings, double eps, bool bold, QpResult* result);
  bool Iterate(const QpSettings& settings, double eps, bool bold, bool* at_best, QpResult* result);
  void SwapBest();
  /// Of all multipliers of loaded rows that fit the best iterate, the least ones.
  void TakeLeastMultipliers(double tolerance);
  void Finish(const ConvexQp& qp, QpResult* result);
  double CalcViolation() const;

  int variant_;
  int m_ = 0;
  int live_ = 0;           // rows that are not dropped
  bool lost_row_ = false;  // a dropped row that says 0 >= b > 0
  double rho_ = 1;
  const QpKernels* kernels_ = nullptr;
  QpArrays q_{};
  AlignedVector numbers_;                           // what q_ points to
  double *scale_ = nullptr, *row_scale_ = nullptr;  // D, 1 / r
  double *best_y_ = nullptr, *best_s_ = nullptr, *best_z_ = nullptr;
  std::vector<double> least_;  // scratch of TakeLeastMultipliers
};

}  // namespace slip
