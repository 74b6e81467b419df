#include "engine/convex/coulomb_solver.h"

#include <algorithm>
#include <cmath>

#include "engine/convex/island_solver.h"

namespace slip {
namespace {

// Stage 1.
constexpr int kNewtonSteps = 25;
// Stage 2: outer steps, tolerance of a member, when to probe and for how long.
constexpr int kOuterSteps = 40, kCalmOuterSteps = 80, kProbeSteps = 6, kLateOuterStep = 7;
constexpr double kMemberTolerance = 1e-4, kFirstProbe = 0.1, kStretch = 64;
constexpr double kSmallestWeight = 1.0 / 16;
// Bounds of several contacts may go round in a circle. Where what they lack has not fallen by a
// tenth for so many outer steps, the largest weight is halved.
constexpr double kLess = 0.9, kSmallestLargest = 1.0 / 64;
constexpr int kOuterPatience = 5;
// Factorisations of small islands are cheap: they may take the limit of iterations times this
// number over their coordinates, and at most so many times.
constexpr double kBudgetCoordinates = 2000, kMostBudget = 10;
// Round-off is believed below this residual only.
constexpr double kBelievedRoundOff = 1e-4;
// Stage 3: the middle start has so many times the momentum of the fastest contact.
constexpr double kSpeeds = 3;

}  // namespace

void CoulombSolver::Reserve(int contacts, int rows, int all_rows) {
  coupled_.Reserve(contacts, rows, all_rows);
  path_.Reserve(rows, all_rows);
  if (static_cast<int>(s_.size()) < contacts) {
    for (auto* list : {&n0_, &s_, &lack_, &lacked_, &weight_}) list->resize(ToIndex(contacts));
  }
  if (kept_.size() < all_rows) {
    for (VectorX* each : {&kept_, &start_, &best_.v, &best_.start}) each->setZero(all_rows);
  }
}

CoupledRun CoulombSolver::RunOf(int iterations) {
  return {.tolerance = tolerance_,
          .iterations = iterations,
          .budget = budget_,
          .stop = settings_->stop,
          .record = record_,
          .best = &best_};
}

// The member whose bounds of friction are s_. Nothing else of a contact ever changes in a step.
void CoulombSolver::SetBounds() {
  system_->passes().set_bounds(const_cast<void*>(system_->frozen(*island_)), island_->contacts(),
                               s_.data());
}

// The coupled equations hold at system->v(): it is taken unless its index says that it is unstable.
CoulombSolver::Found CoulombSolver::Accept(int stage, IslandPoint* point) {
  int sign = coupled_.last_sign;
  *point = coupled_.Look({});
  if (sign == 0) sign = coupled_.FindIndex();
  if (sign < 0) {
    out_->several = true;
    return Found::kNo;
  }
  out_->stage = stage;
  out_->index = sign;
  out_->several = out_->several || out_->folds > 0;
  // the member whose solution it is
  for (int i = 0; i < island_->contacts(); ++i) At(s_, i) = At(coupled_.couplings(), i).n;
  SetBounds();
  CalcCertificate(*point);
  record_->converged = true;
  return Found::kYes;
}

void CoulombSolver::CalcCertificate(const IslandPoint& point) {
  out_->relative = point.relative();
  out_->newtons = RowsOf(*island_, system_->grad()).lpNorm<Eigen::Infinity>() / task_->h;
}

CoulombSolver::Found CoulombSolver::StageOne(IslandPoint* point) {
  ContactWork* work = system_->work(*island_);
  for (int i = 0; i < island_->contacts(); ++i) work[i].ClearDirection(), work[i].ClearStep();
  const CoupledEnd end = RunCoupledNewton(&coupled_, RunOf(kNewtonSteps), point);
  if (end == CoupledEnd::kStopped) return Found::kStopped;
  return end == CoupledEnd::kConverged ? Accept(1, point) : AcceptBest(1, point);
}

// The best iterate, where it is as good as numbers can say.
CoulombSolver::Found CoulombSolver::AcceptBest(int stage, IslandPoint* point) {
  if (!(best_.relative < kBelievedRoundOff)) return Found::kNo;
  RowsOf(*island_, system_->v()) = RowsOf(*island_, best_.v);
  system_->CalcContactVelocities(*island_);
  *point = coupled_.Look({});
  if (!(point->residual < coupled_.FindRoundOff())) return Found::kNo;
  coupled_.last_sign = 0;
  const Found found = Accept(stage, point);
  out_->round_off = found == Found::kYes && !IsSolved(*point, tolerance_);
  return found;
}

// One contact alone: a root, then Newton for the last digits.
CoulombSolver::Found CoulombSolver::SolveOne(IslandPoint* point) {
  if (!one_.Take(&coupled_)) return Found::kNo;
  one_.Set(one_.FindRoot(At(n0_, 0)));
  coupled_.last_sign = 0;
  const CoupledEnd end = Probe(&coupled_, RunOf(kProbeSteps), point);
  if (end == CoupledEnd::kStopped) return Found::kStopped;
  return end == CoupledEnd::kConverged ? Accept(2, point) : AcceptBest(2, point);
}

CoulombSolver::Found CoulombSolver::SolveMember(double tolerance) {
  SetBounds();
  int iterations = 0;
  const NewtonEnd end = convex_->SolveMember(*task_, *island_, tolerance, &iterations);
  coupled_.factorizations += iterations;
  record_->iterations += iterations;
  if (end == NewtonEnd::kStopped) return Found::kStopped;
  if (end == NewtonEnd::kNotFinite || end == NewtonEnd::kFactorizationFailed) return Found::kFailed;
  system_->CalcContactVelocities(*island_);
  return Found::kYes;
}

// The next bounds: a step towards the impulses of the member's solution, shorter where it swings,
// longer where it creeps.
void CoulombSolver::UpdateBounds(double stretch, bool first) {
  for (int i = 0; i < island_->contacts(); ++i) {
    double& w = At(weight_, i);
    const double now = At(lack_, i), before = first ? 0 : At(lacked_, i);
    const bool turned = now * before<0, kept = now * before> 0;
    if (turned && std::abs(now) >= 0.7 * std::abs(before)) {
      w = std::max(std::min(w, 1.0) / 2, kSmallestWeight);
    } else if (kept && std::abs(now) >= 0.8 * std::abs(before) && stretch > 1) {
      w = std::min(2 * w, stretch);
    } else {
      w = w > 1 ? std::max(1.0, w / 2) : std::min(1.0, 1.5 * w);
    }
    if (stretch == 1) w = std::min(w, largest_weight_);
    At(s_, i) = std::max(At(s_, i) + w * now, 0.0);
    At(lacked_, i) = now;
  }
}

// Halves the largest weight where the bounds go round in a circle. The weights of single contacts
// cannot tell: each of them just swings.
void CoulombSolver::CalmDown(bool first) {
  double sum = 0;
  for (int i = 0; i < island_->contacts(); ++i)
    sum += system_->work(*island_)[i].w * At(lack_, i) * At(lack_, i);
  const double lack = std::sqrt(sum);
  if (first) largest_weight_ = 1;
  idle_ = first || lack < kLess * least_lack_ ? 0 : idle_ + 1;
  if (idle_ == 0) least_lack_ = lack;
  if (idle_ < kOuterPatience) return;
  largest_weight_ = std::max(largest_weight_ / 2, kSmallestLargest);
  idle_ = 0;
}

// A few exact steps from the member's solution, which is back where they do not arrive.
CoulombSolver::Found CoulombSolver::ProbeFrom(double* near, int outer, IslandPoint* point) {
  const double before = point->relative();
  RowsOf(*island_, kept_) = RowsOf(*island_, system_->v());
  coupled_.last_sign = 0;
  const CoupledEnd end = Probe(&coupled_, RunOf(kProbeSteps), point);
  if (end == CoupledEnd::kStopped) return Found::kStopped;
  if (end == CoupledEnd::kConverged) {
    const Found found = Accept(2, point);
    if (found == Found::kYes) return found;
  }
  if (!(point->relative() < 0.1 * before)) *near = 0.3 * before;
  if (outer >= kLateOuterStep) *near /= 2;
  RowsOf(*island_, system_->v()) = RowsOf(*island_, kept_);
  system_->CalcContactVelocities(*island_);
  return Found::kNo;
}

CoulombSolver::Found CoulombSolver::StageTwo(double stretch, IslandPoint* point) {
  const int count = island_->contacts();
  std::copy_n(n0_.begin(), count, s_.begin());
  std::fill_n(weight_.begin(), count, 1.0);
  double near = kFirstProbe;
  const int most = stretch == 1 ? kCalmOuterSteps : kOuterSteps;
  for (int outer = 1; outer <= most && HasBudget(); ++outer) {
    if (const Found member = SolveMember(kMemberTolerance); member != Found::kYes) return member;
    *point = coupled_.Look({});
    if (!point->finite) return Found::kNo;
    for (int i = 0; i < count; ++i) At(lack_, i) = At(coupled_.couplings(), i).n - At(s_, i);
    if (IsSolved(*point, tolerance_)) {
      coupled_.last_sign = 0;
      if (const Found found = Accept(2, point); found == Found::kYes) return found;
    }
    if (point->relative() < best_.relative) {
      RowsOf(*island_, best_.v) = RowsOf(*island_, system_->v());
      best_.relative = point->relative();
    }
    if (point->relative() < near) {
      const Found found = ProbeFrom(&near, outer, point);
      if (found != Found::kNo) return found;
    }
    if (stretch == 1) CalmDown(outer == 1);
    UpdateBounds(stretch, outer == 1);
  }
  return AcceptBest(2, point);
}

CoulombSolver::Found CoulombSolver::StageThree(IslandPoint* point) {
  const int count = island_->contacts();
  double fastest = 0;
  for (const VectorX* v : {&system_->numbers().v0(), &system_->numbers().v_star()}) {
    RowsOf(*island_, system_->v()) = RowsOf(*island_, *v);
    system_->CalcContactVelocities(*island_);
    for (int i = 0; i < count; ++i) fastest = std::max(fastest, system_->work(*island_)[i].speed());
  }
  for (int start = 0; start < 3 && HasBudget(); ++start) {
    for (int i = 0; i < count; ++i) {
      const double moved = kSpeeds * fastest / system_->work(*island_)[i].w;
      At(s_, i) = start == 0 ? At(n0_, i) : start == 1 ? std::min(At(n0_, i), moved) : 0;
    }
    RowsOf(*island_, system_->v()) = RowsOf(*island_, start_);
    system_->CalcContactVelocities(*island_);
    if (const Found member = SolveMember(tolerance_); member != Found::kYes) return member;
    int folds = 0;
    const CoupledPath::End end = path_.Follow(&coupled_, RunOf(0), s_.data(), &folds);
    record_->iterations = coupled_.factorizations;
    if (end == CoupledPath::End::kStopped) return Found::kStopped;
    if (end != CoupledPath::End::kSolved) continue;
    out_->folds += folds;
    coupled_.last_sign = 0;
    if (const Found found = Accept(3, point); found == Found::kYes) return found;
  }
  return Found::kNo;
}

// The member whose bounds are the impulses of the best iterate: exact in momentum and dissipative.
CoulombSolver::Found CoulombSolver::FallBack(IslandPoint* point) {
  const int count = island_->contacts();
  const bool known = std::isfinite(best_.relative);
  const VectorX& v = known ? best_.v : start_;
  RowsOf(*island_, system_->v()) = RowsOf(*island_, v);
  system_->CalcContactVelocities(*island_);
  (void)coupled_.Look({});
  for (int i = 0; i < count; ++i) At(s_, i) = At(coupled_.couplings(), i).n;
  const Found member = SolveMember(tolerance_);
  if (member != Found::kYes) return member;
  CalcCertificate(coupled_.Look({}));
  const ContactWork* work = system_->work(*island_);
  const bool driven =
      std::any_of(work, work + count, [](const ContactWork& w) { return w.bias != Vec3::Zero(); });
  out_->stage = driven ? CoulombOutcome::kNoneDriven : CoulombOutcome::kNone;
  out_->mismatch = kUnstableMismatch;
  out_->index = 0;
  for (int i = 0; i < count; ++i) {
    const double mu =
        At(task_->contacts, system_->order().contact(island_->contact_begin + i)).start.mu;
    const double lack = std::abs(At(coupled_.couplings(), i).n - At(s_, i));
    out_->mismatch = std::max(out_->mismatch, mu * lack / task_->h);
  }
  EvaluateContacts(system_, *island_, false);
  *point = GatherPoint(system_, *island_);
  record_->converged = false;
  return Found::kNo;
}

NewtonEnd CoulombSolver::Solve(const ContactTask& task, const Island& island, IslandSystem* system,
                               const SolverSettings& settings, IslandSolver* convex,
                               IslandRecord* record, IslandPoint* point, CoulombOutcome* outcome) {
  task_ = &task;
  island_ = &island;
  system_ = system;
  settings_ = &settings;
  convex_ = convex;
  record_ = record;
  out_ = outcome;
  tolerance_ = settings.tolerance;
  budget_ = static_cast<int>(
      settings.max_iterations *
      std::clamp(kBudgetCoordinates / std::max(island.rows(), 1), 1.0, kMostBudget));
  Reserve(island.contacts(), island.rows(), system->order().rows());
  coupled_.Take(system, &island);
  best_.relative = kInfinity;
  RowsOf(island, start_) = RowsOf(island, system->v());
  system->passes().read_bounds(system->frozen(island), island.contacts(), n0_.data());

  Found found = StageOne(point);
  const bool one = island.contacts() == 1 && island.scalars() == 0;
  if (found == Found::kNo && one) found = SolveOne(point);
  for (const double stretch : {kStretch, 1.0}) {
    if (found == Found::kNo && HasBudget()) {
      RowsOf(island, system->v()) = RowsOf(island, start_);
      system->CalcContactVelocities(island);
      found = StageTwo(stretch, point);
    }
  }
  if (found == Found::kNo && HasBudget()) found = StageThree(point);
  if (found == Found::kNo) found = FallBack(point);
  if (found == Found::kStopped) return NewtonEnd::kStopped;
  if (found == Found::kFailed) return NewtonEnd::kNotFinite;
  return found == Found::kYes ? NewtonEnd::kConverged : NewtonEnd::kLimit;
}

}  // namespace slip
