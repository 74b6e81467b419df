#include "engine/convex/coupled_path.h"

#include <cmath>

#include "engine/convex/newton_line.h"

namespace slip {
namespace {

constexpr double kFirstStep = 0.3, kGrow = 2, kShrink = 0.3, kSmallestStep = 1e-9;
constexpr double kOnTheWay = 1e-5;  // relative residual
constexpr int kMostPathSteps = 800, kMostCorrections = 10, kQuick = 3;
// Behind a kink, where a contact makes or breaks: how far to look, and the step from there.
constexpr double kBeyondKink = 1e-7, kStepBehindKink = 1e-5;
constexpr int kMostKinks = 60;

}  // namespace

void CoupledPath::Reserve(int rows, int all_rows) {
  if (by_lambda_.size() < all_rows) by_lambda_.setZero(all_rows);
  const int n = std::min(rows, CoupledSystem::kMostDense) + 1;
  if (x_.size() >= n) return;
  for (VectorX* each : {&x_, &next_, &tangent_, &turned_, &border_, &right_}) each->resize(n);
  lu_.Reserve(n);
}

// Goes there, and evaluates the law at its lambda; false beyond a barrier.
bool CoupledPath::Look(const Place& x, IslandPoint* point) {
  IslandSystem& s = c_->system();
  const Island& island = c_->island();
  RowsOf(island, s.v()) = v_ref_ * x.head(n_).cwiseProduct(RowsOf(island, s.numbers().D()));
  s.CalcContactVelocities(island);
  ContactWork* work = s.work(island);
  for (int i = 0; i < island.contacts(); ++i) work[i].ClearStep();
  if (s.passes().find_infeasible(s.frozen(island), work, island.contacts(), 0) >= 0) return false;
  *point = c_->Look({.exact = true, .share = x[n_], .bounds = bounds_});
  return point->finite;
}

// [F_v F_lambda; border], scaled, of the last Look.
bool CoupledPath::Factorize(const VectorX& border) {
  IslandSystem& s = c_->system();
  const Island& island = c_->island();
  const auto D = RowsOf(island, s.numbers().D());
  ++c_->factorizations;
  s.Assemble(island, false);
  const int size = n_ + 1;
  double* M = lu_.Start(size);
  c_->CopyJacobian(size, M);
  c_->SpreadFriction([&](int i) { return At(c_->couplings(), i).n - bounds_[i]; }, &by_lambda_);
  for (int r = 0; r < n_; ++r) {
    for (int k = 0; k < n_; ++k) M[r * size + k] *= D[r] * D[k];
    M[r * size + n_] = by_lambda_[island.row_begin + r] * D[r] / v_ref_;
    M[n_ * size + r] = border[r];
  }
  M[n_ * size + n_] = border[n_];
  return lu_.Factorize();
}

// The null vector of [F_v F_lambda] at `at`, turned so that det [F_v F_lambda; tangent^T] > 0.
bool CoupledPath::FindTangent(const Place& at, const VectorX& border, bool positive,
                              VectorX* tangent) {
  IslandPoint point;
  if (!Look(at, &point) || !Factorize(border)) return false;
  right_.setZero();
  right_[n_] = 1;
  lu_.Solve(right_.data());
  const double length = right_.norm();
  if (!(length > 0) || !std::isfinite(length)) return false;
  // along the border by 1: its sign is that of the determinant with the border
  const double sign = positive ? 1 : lu_.sign();
  *tangent = right_ * (sign / length);
  return true;
}

int CoupledPath::Correct(const VectorX& border, double tolerance, Place* x) {
  IslandSystem& s = c_->system();
  const Island& island = c_->island();
  for (int iteration = 0;; ++iteration) {
    IslandPoint point;
    if (!Look(*x, &point)) return -1;
    if (IsSolved(point, tolerance)) return iteration;
    if (iteration >= kMostCorrections || c_->factorizations >= run_->budget) return -1;
    right_.head(n_) =
        -RowsOf(island, s.grad()).cwiseProduct(RowsOf(island, s.numbers().D())) / v_ref_;
    right_[n_] = 0;
    if (!Factorize(border)) return -1;
    lu_.Solve(right_.data());
    if (!right_.allFinite()) return -1;
    *x += right_;
  }
}

// One step of the path; false where it ends. At its end lambda is 1.
bool CoupledPath::Advance(int* folds) {
  for (int kinks = 0; kinks < kMostKinks;) {
    if (c_->factorizations >= run_->budget) return false;
    const bool last = tangent_[n_] > 0 && x_[n_] + ds_ * tangent_[n_] >= 1;
    const double step = last ? (1 - x_[n_]) / tangent_[n_] : ds_;
    border_ = tangent_;
    if (last) border_.setZero(), border_[n_] = 1;
    next_ = x_ + step * tangent_;
    if (last) next_[n_] = 1;
    const int iterations = Correct(border_, last ? run_->tolerance : kOnTheWay, &next_);
    const double moved = (next_ - x_ - step * tangent_).norm();
    if (iterations >= 0 && moved <= 0.5 * std::max(step, ds_)) {
      x_ = next_;
      if (last) return true;
      if (iterations <= kQuick) ds_ *= kGrow;
      border_ = tangent_;
      if (!FindTangent(x_, border_, false, &turned_)) return false;
      if (tangent_[n_] > 0 && turned_[n_] < 0) ++*folds;
      tangent_ = turned_;
      return true;
    }
    ds_ = kShrink * step;
    if (ds_ >= kSmallestStep) continue;
    ++kinks;
    border_ = tangent_;
    next_ = x_ + kBeyondKink * tangent_;
    if (!FindTangent(next_, border_, false, &turned_)) return false;
    if (tangent_[n_] > 0 && turned_[n_] < 0) ++*folds;
    tangent_ = turned_;
    ds_ = kStepBehindKink;
  }
  return false;
}

CoupledPath::End CoupledPath::Follow(CoupledSystem* c, const CoupledRun& run, const double* s,
                                     int* folds) {
  c_ = c;
  run_ = &run;
  bounds_ = s;
  n_ = c->island().rows();
  ds_ = kFirstStep;
  if (n_ > CoupledSystem::kMostDense) return End::kLost;
  for (VectorX* each : {&x_, &next_, &tangent_, &turned_, &border_, &right_}) each->resize(n_ + 1);
  const Island& island = c->island();
  const IslandNumbers& numbers = c->system().numbers();
  const auto D = RowsOf(island, numbers.D());
  const auto size = [&](const auto& v) { return v.cwiseQuotient(D).norm(); };
  // what rests has the velocities of its creep, orders below those of a fall
  v_ref_ =
      std::max({size(RowsOf(island, c->system().v())), size(RowsOf(island, numbers.v0())), 1e-14});
  x_.head(n_) = RowsOf(island, c->system().v()).cwiseQuotient(D) / v_ref_;
  x_[n_] = 0;
  border_.setZero();
  border_[n_] = 1;
  if (Correct(border_, kOnTheWay, &x_) < 0) return End::kLost;
  border_.setZero();
  border_[n_] = 1;
  // at the start F_v is positive definite
  if (!FindTangent(x_, border_, true, &tangent_)) return End::kLost;
  for (int step = 0; step < kMostPathSteps; ++step) {
    if (IsStopped(run.stop)) return End::kStopped;
    if (!Advance(folds) || x_[n_] < 0) return End::kLost;
    if (x_[n_] == 1) return End::kSolved;
  }
  return End::kLost;
}

}  // namespace slip
