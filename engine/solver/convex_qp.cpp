#include "engine/solver/convex_qp.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/check.h"
#include "engine/core/numbers.h"

namespace slip {
namespace {

constexpr double kSmallestScale = 1e-12;  ///< of ρ, where g and b are all but zero
/// Sums of squares beyond these may have under- or overflowed. A norm below the last has no
/// inverse.
constexpr double kTinySum = 1e-100, kHugeSum = 1e100, kTinyNorm = 1e-290;
/// μ of a bold start is the square of this much of the largest violation there, or of the least
/// one that counts.
constexpr double kStartShare = 0.5, kStartViolation = 1e-2;
/// In other tries all slacks and multipliers are shifted to be at least so large.
constexpr double kStartSlack = 1e-2, kStartShift = 1.5;
/// Of the way to the nearest bound, in a bold try and in others. A bold one ends where a step is
/// short.
constexpr double kBoldBackOff = 0.998, kBackOff = 0.99, kShortStep = 0.2;
constexpr int kMostBold = 18;  ///< iterations
/// Centring above this near the optimum is the slow convergence of weakly active rows.
constexpr double kSlowSigma = 1e-3, kMuWhenSlow = 1e-2;
constexpr double kLeastMu = 1e-3;  ///< of what is asked for: nothing below is aimed at
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
/// Weights of rows in the normal matrix: larger ones would leave nothing of H there. From
/// kLargeWeight on a row gives way in a step by kSoftness times what its multiplier changes, which
/// is nothing at the optimum.
constexpr double kLargeWeight = 1e9, kSoftness = 1e-14;
/// Of the tolerance: where the round-off of a step, ε w |dy|, is above, it is refined.
constexpr double kRefineAbove = 0.1;
constexpr int kPatience = 4;  ///< iterations without a better iterate
constexpr double kRegularisation = 1e-9;
/// Multipliers grow without end where rows cannot all hold.
constexpr double kLostMultiplier = 1e8;
/// Numbers above this have a round-off that is not below the tightest tolerance: what is summed of
/// them is compared with them.
constexpr double kLargeNumber = 1e3;

int WholePanels(int rows) { return (rows + kPanel - 1) / kPanel * kPanel; }

// The norm of a row of A D whose squares under- or overflow.
double CalcRowNorm(const QpArrays& q, int i) {
  double largest = 0, sum = 0;
  for (int j = 0; j < q.n; ++j) largest = std::max(largest, std::abs(q.A[j * q.rows + i]));
  if (largest == 0) return 0;
  for (int j = 0; j < q.n; ++j) sum += std::pow(q.A[j * q.rows + i] / largest, 2);
  return largest * std::sqrt(sum);
}

}  // namespace

std::string_view Describe(QpStatus status) {
  switch (status) {
    case QpStatus::kSolved:
      return "solved";
    case QpStatus::kRegularised:
      return "no point holds all rows: they give way a little";
    case QpStatus::kIterationLimit:
      return "not solved to the tolerance: the best iterate is given";
    case QpStatus::kFailed:
      return "numbers that are not finite, or a Hessian that is not positive definite";
  }
  return "";
}

void ConvexQpSolver::Resize(int n, int m) {
  if (n == q_.n && m == m_) return;
  m_ = m;
  q_.n = n;
  q_.stride = WholePanels(n);
  q_.rows = WholePanels(m);
  kernels_ = variant_ < 0 ? &GetQpKernels(n) : FindQpKernels(variant_, n);
  SLIP_CHECK(kernels_ != nullptr);
  const int square = q_.stride * n, rectangle = q_.stride * q_.rows;
  const struct {
    double** array;
    int size;
  } arrays[] = {{&q_.H, square},           {&q_.g, q_.stride},       {&q_.A, rectangle},
                {&q_.WA, q_.rows * n},     {&q_.b, q_.rows},         {&q_.weight, q_.rows},
                {&q_.idle, q_.rows},       {&q_.y, q_.stride},       {&q_.s, q_.rows},
                {&q_.z, q_.rows},          {&q_.dy, q_.stride},      {&q_.ds, q_.rows},
                {&q_.dz, q_.rows},         {&q_.rd, q_.stride},      {&q_.predictor, q_.stride},
                {&q_.rp, q_.rows},         {&q_.w, q_.rows},         {&q_.inverse, q_.rows},
                {&q_.inverse_s, q_.rows},  {&q_.inverse_z, q_.rows}, {&q_.v, q_.rows},
                {&q_.N, square},           {&q_.L, square},          {&q_.inverse_pivot, q_.stride},
                {&q_.sums, 2 * q_.stride}, {&scale_, q_.stride},     {&row_scale_, q_.rows},
                {&best_y_, q_.stride},     {&best_s_, q_.rows},      {&best_z_, q_.rows}};
  std::size_t size = 0;
  for (const auto& each : arrays) size += static_cast<std::size_t>(each.size);
  numbers_.assign(size, 0.0);
  double* at = numbers_.data();
  for (const auto& each : arrays) {
    *each.array = at;
    at += each.size;
  }
}

void ConvexQpSolver::Reserve(int n, int m, QpResult* result) {
  Resize(n, m);
  result->x.resize(n);
  result->lambda.resize(m);
  result->slack.resize(m);
  result->history.reserve(1 + static_cast<std::size_t>(QpSettings().max_iterations));
}

bool ConvexQpSolver::Scale(const ConvexQp& qp) {
  const int n = q_.n;
  const QpSource source = {m_, qp.H.data(), qp.g.data(), qp.A.data(), qp.b.data()};
  kernels_->scale_unknowns(q_, source, scale_);
  double largest = 0;
  for (int j = 0; j < n; ++j) {
    if (!(scale_[j] > 0 && std::isfinite(scale_[j]) && std::isfinite(qp.g[j]))) return false;
    largest = std::max(largest, std::abs(q_.g[j]));
  }
  // N = H without rows
  QpArrays alone = q_;
  alone.rows = 0;
  QpPivots pivots;
  if (!kernels_->factorize(alone, n * kEpsilon, &pivots) || !std::isfinite(pivots.largest)) {
    return false;
  }
  double sum = 0;
  for (int j = 0; j < n && largest > 0; ++j) sum += std::pow(q_.g[j] / largest, 2);
  rho_ = std::max(kSmallestScale, largest * std::sqrt(sum));

  double largest_b = 0;
  live_ = m_;
  lost_row_ = false;
  const bool ordinary =
      kernels_->scale_rows(q_, source, scale_, kTinySum, kHugeSum, row_scale_, &largest_b);
  if (!ordinary && !ScaleOddRows(qp, &largest_b)) return false;
  rho_ = std::max(rho_, largest_b);
  if (!std::isfinite(rho_)) return false;
  const double inverse = 1 / rho_;
  for (int j = 0; j < n; ++j) q_.g[j] *= inverse;
  return kernels_->scale_sides(q_, inverse, kLargeNumber);
}

// The same as the kernel's, for rows whose squares under- or overflow and rows of zeros too.
bool ConvexQpSolver::ScaleOddRows(const ConvexQp& qp, double* largest_b) {
  *largest_b = -1;
  live_ = 0;
  for (int i = 0; i < q_.rows; ++i) {
    double norm = 0;
    if (i < m_) {
      double squares = 0;
      for (int j = 0; j < q_.n; ++j) {
        double& a = q_.A[j * q_.rows + i];
        a = qp.A(i, j) * scale_[j];
        squares += a * a;
      }
      const bool ordinary = squares > kTinySum && squares < kHugeSum;
      norm = ordinary ? std::sqrt(squares) : CalcRowNorm(q_, i);
      if (!std::isfinite(norm) || !std::isfinite(qp.b[i])) return false;
    }
    const bool live = norm > kTinyNorm;
    row_scale_[i] = live ? 1 / norm : 0;
    for (int j = 0; j < q_.n; ++j) q_.A[j * q_.rows + i] *= row_scale_[i];
    live_ += live ? 1 : 0;
    q_.idle[i] = live ? 0 : 1;
    q_.b[i] = live ? qp.b[i] * row_scale_[i] : -1;
    *largest_b = std::max(*largest_b, q_.b[i]);
    lost_row_ = lost_row_ || (i < m_ && !live && qp.b[i] > 0);
  }
  return true;
}

void ConvexQpSolver::MakeStart(bool bold) {
  for (int i = 0; i < q_.rows; ++i) q_.w[i] = 1;
  QpPivots pivots;
  (void)kernels_->factorize(q_, 0, &pivots);
  double least = 0;
  kernels_->start(q_, &least);
  if (bold) {
    const double size = kStartShare * std::max(kStartViolation, -least);
    kernels_->center(q_, size * size);
    return;
  }
  double most = -1e300;
  for (int i = 0; i < q_.rows; ++i) most = std::max(most, q_.idle[i] != 0 ? most : q_.s[i]);
  const auto shift = [](double smallest) {
    return smallest < kStartSlack ? std::max(0.0, kStartSlack - kStartShift * smallest) : 0.0;
  };
  const double s_shift = shift(least), z_shift = shift(-most);
  for (int i = 0; i < q_.rows; ++i) {
    const double s = q_.s[i];
    q_.s[i] = q_.idle[i] != 0 ? 1 : std::max(kStartSlack, s + s_shift);
    q_.z[i] = q_.idle[i] != 0 ? 0 : std::max(kStartSlack, z_shift - s);
  }
}

void ConvexQpSolver::SwapBest() {
  std::swap(q_.y, best_y_);
  std::swap(q_.s, best_s_);
  std::swap(q_.z, best_z_);
}

bool ConvexQpSolver::Try(const QpSettings& settings, double eps, bool bold, QpResult* result) {
  bool at_best = true;  // where the iteration stands; else the arrays behind hold the best iterate
  const bool met = Iterate(settings, eps, bold, &at_best, result);
  if (at_best) SwapBest();
  return met;
}

bool ConvexQpSolver::Iterate(const QpSettings& settings, double eps, bool bold, bool* at_best,
                             QpResult* result) {
  // a try before has gone no further from its last iterate
  if (!result->history.empty()) result->history.pop_back();
  q_.eps = eps;
  MakeStart(bold);
  const double count = std::max(1, live_);
  double best = kInfinity;
  double largest_w = 0, last_sigma = 0;
  int since_best = 0;
  for (;; ++result->iterations) {
    QpResiduals r;
    q_.soft = std::max(eps, largest_w > kLargeWeight ? kSoftness : 0.0);
    kernels_->calc_residuals(q_, &r);
    largest_w = r.largest_w;
    const double mu = r.gap / count;
    r.dual /= std::max(1.0, (r.largest_y + r.largest_z) / kLargeNumber);
    result->history.push_back({r.primal, r.dual, mu, 0, 0});
    const double worst = std::max(r.primal, r.dual);
    const double merit = std::max(worst, kMuOfTolerance * std::sqrt(mu));
    const bool finite = std::isfinite(mu + worst + r.largest_w + r.largest_y);
    if (finite && merit < best) {
      best = merit;
      since_best = 0;
      result->mu = mu;
      result->residual = worst;
      *at_best = true;
    } else if (!finite || (++since_best >= kPatience && eps == 0)) {
      return false;
    }
    // where rows are weakly active the error of y is sqrt(mu)
    const double asked = (last_sigma > kSlowSigma ? kMuWhenSlow : 1) * kMuOfTolerance;
    // multipliers of rows that give way are 1 / ε times too far: s need not be smaller for that
    const double multipliers = eps > 0 ? std::max(1.0, r.largest_z) : 1;
    if (worst < settings.tolerance && mu < asked * settings.tolerance * multipliers) {
      *at_best = true;
      result->mu = mu;
      result->residual = worst;
      return true;
    }
    if (result->iterations >= settings.max_iterations) return false;
    if (eps == 0 && r.largest_z > kLostMultiplier && worst > settings.tolerance) return false;

    QpPivots pivots;
    if (!kernels_->factorize(q_, 0, &pivots)) return false;
    result->condition = pivots.largest / pivots.smallest;
    QpStep step;
    kernels_->predict(q_, &step);
    const double a_s = 1 / std::max(1.0, step.ratio_s), a_z = 1 / std::max(1.0, step.ratio_z);
    const double left = r.gap + a_s * step.gap_s + a_z * step.gap_z + a_s * a_z * step.gap_sz;
    const double share = r.gap > 0 ? std::max(0.0, left / r.gap) : 0;
    const double sigma = share * share * share;
    last_sigma = sigma;
    // far below what is asked for, weights leave nothing of H in the normal matrix
    const double least_mu = kLeastMu * kMuOfTolerance * settings.tolerance;
    kernels_->correct(q_, std::max(sigma * mu, least_mu), &step);
    if (kEpsilon * r.largest_w * step.largest_dy > kRefineAbove * settings.tolerance)
      kernels_->refine(q_, &step);
    const double back_off = bold ? kBoldBackOff : kBackOff;
    const double a = back_off / std::max(back_off, std::max(step.ratio_s, step.ratio_z));
    if (bold && (a < kShortStep || result->iterations >= kMostBold)) return false;
    if (*at_best) {
      kernels_->advance(q_, a, best_y_, best_s_, best_z_);
      SwapBest();
      *at_best = false;
    } else {
      kernels_->advance(q_, a, q_.y, q_.s, q_.z);
    }
    result->history.back().step = a;
    result->history.back().sigma = sigma;
  }
}

// How far the best iterate is beyond a row, in scaled variables.
double ConvexQpSolver::CalcViolation() const {
  double worst = 0;
  for (int i = 0; i < q_.rows; ++i) {
    double sum = -q_.b[i];
    for (int j = 0; j < q_.n; ++j) sum += q_.A[j * q_.rows + i] * best_y_[j];
    worst = std::max(worst, -sum * q_.weight[i]);
  }
  return worst;
}

void ConvexQpSolver::Finish(const ConvexQp& qp, QpResult* result) {
  for (int j = 0; j < q_.n; ++j) result->x[j] = rho_ * scale_[j] * best_y_[j];
  for (int i = 0; i < m_; ++i) result->lambda[i] = rho_ * best_z_[i] * row_scale_[i];
  const QpSource source = {m_, qp.H.data(), qp.g.data(), qp.A.data(), qp.b.data()};
  QpVerdict verdict;
  kernels_->judge(q_, source, result->x.data(), result->lambda.data(), result->slack.data(),
                  &verdict);
  if (!verdict.finite || !result->x.allFinite() || !result->lambda.allFinite()) {
    result->status = QpStatus::kFailed;
    return;
  }
  result->violation = verdict.violation;
  result->complementarity = verdict.complementarity;
  result->stationarity = verdict.stationarity;
}

void ConvexQpSolver::Solve(const ConvexQp& qp, const QpSettings& settings, QpResult* result) {
  const auto n = static_cast<int>(qp.g.size()), m = static_cast<int>(qp.b.size());
  SLIP_CHECK(n >= 1 && qp.H.rows() == n && qp.H.cols() == n && qp.A.rows() == m &&
             qp.A.cols() == n);
  Resize(n, m);
  result->x.resize(n);
  result->lambda.resize(m);
  result->slack.resize(m);
  result->status = QpStatus::kFailed;
  result->iterations = 0;
  result->history.clear();
  result->condition = result->mu = result->residual = 0;
  result->stationarity = result->violation = result->complementarity = 0;
  if (Scale(qp)) {
    bool met = Try(settings, 0, true, result);
    if (!met && result->iterations < settings.max_iterations) met = Try(settings, 0, false, result);
    result->status = met ? QpStatus::kSolved : QpStatus::kIterationLimit;
    if (!met && result->iterations < settings.max_iterations) {
      met = Try(settings, kRegularisation, false, result);
      if (met)
        result->status =
            CalcViolation() <= settings.tolerance ? QpStatus::kSolved : QpStatus::kRegularised;
    }
    if (lost_row_ && met) result->status = QpStatus::kRegularised;
    if (settings.least_multipliers && met) TakeLeastMultipliers(settings.tolerance);
    Finish(qp, result);
  }
  if (result->status == QpStatus::kFailed) {
    result->x.setZero();
    result->lambda.setZero();
    result->slack.setZero();
    m_ = -1;  // numbers that are not finite are forgotten
  }
}

}  // namespace slip
