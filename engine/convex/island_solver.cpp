#include "engine/convex/island_solver.h"

#include <algorithm>
#include <climits>

#include "engine/core/numbers.h"

namespace slip {
namespace {

// When the first method hands over to the next.
struct Patience {
  int iterations;
  int hopeless_after;   // iterations after which a residual above `hopeless` says that nothing
  double hopeless;      // will be gained
  double nearly_there;  // the residual from which it gets kExtra iterations
};
// Anitescu: the interior point needs about ten from anywhere.
constexpr Patience kRigidCone{8, 20, 0.99, 1e-3};
// Similar: an iteration of the interior point costs two to four of Newton's.
constexpr Patience kSharpCone{24, 9, 0.95, 0.05};
// SAP and its relatives: CGM hardly ever needs more.
constexpr Patience kSmoothCone{30, 20, 0.99, 1e-3};
// Barrier laws: plain Newton is the last resort.
constexpr Patience kNoCone{50, INT_MAX, 0.99, 0};
constexpr int kExtra = 10;
// Impulse per speed beside the mass that a contact moves: beyond that Newton has no chance against
// sharp cones.
constexpr double kRigid = 1e5;
// Where the interior point begins to pay for known contacts too, for steps of 1 to 10 ms [m/s].
constexpr double kMovingSpeed = 0.3;
// Of a step's fall from rest: a contact slower than that rests.
constexpr double kResting = 0.1;
// CGM after an interior point: a few iterations, but for stiffness beyond 1e10 N/m.
constexpr int kPolish = 30;
// A convex member always has its minimum: a budget is that of the law it is a member of.
constexpr int kMemberIterations = 200;

bool Failed(NewtonEnd end) {
  return end == NewtonEnd::kNotFinite || end == NewtonEnd::kFactorizationFailed ||
         end == NewtonEnd::kStopped;
}

// More iterations, or as many and earlier in the order. An island without a recorded iteration is
// the last to show.
bool Harder(const IslandRecord& a, int index_a, const IslandRecord& b, int index_b) {
  if (a.iterations != b.iterations) return a.iterations > b.iterations;
  if ((a.recorded > 0) != (b.recorded > 0)) return a.recorded > 0;
  return index_a < index_b;
}

}  // namespace

// Contact velocities at v0 or, where a barrier refuses it, at rest (which keeps every positive
// distance).
bool IslandSolver::FeasibleStart(const Island& island, int* culprit) {
  IslandSystem& system = *system_;
  const auto infeasible = [&] {
    system.CalcContactVelocities(island);
    if (!system.passes().barrier) return -1;
    ContactWork* work = system.work(island);
    for (int i = 0; i < island.contacts(); ++i) work[i].ClearStep();
    return system.passes().find_infeasible(system.frozen(island), work, island.contacts(), 0);
  };
  RowsOf(island, system.v()) = RowsOf(island, system.numbers().v0());
  if (infeasible() < 0) return true;
  RowsOf(island, system.v()).setZero();
  const int at = infeasible();
  if (at >= 0) *culprit = system.order().contact(island.contact_begin + at);
  return at < 0;
}

// Dual slip directions to begin with: those that will last, which are those of known contacts that
// rest, and all where nothing is new. Elsewhere none: a step along the old direction overshoots.
void IslandSolver::StartDuals(const ContactTask& task, const Island& island, bool warm) {
  ContactWork* work = system_->work(island);
  const int count = island.contacts();
  for (int i = 0; i < count; ++i) work[i].ClearDirection(), work[i].ClearStep();
  if (island.trees() == 1) return;  // solved without, as a rule
  system_->passes().update_dual(system_->frozen(island), work, count);
  for (int i = 0; i < count && !warm; ++i) {
    const int contact = system_->order().contact(island.contact_begin + i);
    const bool known = At(task.contacts, contact).warm;
    if (!known || work[i].speed() > kResting * work[i].v_floor) work[i].ClearDirection();
  }
}

bool IslandSolver::IsWarm(const ContactTask& task, const Island& island) const {
  for (int i = island.contact_begin; i < island.contact_end; ++i) {
    if (!At(task.contacts, system_->order().contact(i)).warm) return false;
  }
  return true;
}

// Some contact has the speed of a fall: its slip direction will turn, and the guess is far.
bool IslandSolver::IsMoving(const Island& island) const {
  const ContactWork* work = system_->work(island);
  return std::any_of(work, work + island.contacts(),
                     [](const ContactWork& w) { return w.speed() > kMovingSpeed; });
}

NewtonEnd IslandSolver::SolvePlain(const Island& island, IslandPoint* point) {
  const NewtonOptions options{.dual = false,
                              .iterations = settings_->max_iterations - record_->iterations,
                              .trace = trace_};
  return RunNewton(system_, island, *settings_, options, record_, point);
}

// The interior point and its polish, from system->v().
NewtonEnd IslandSolver::SolveInterior(const Island& island, double gap_factor, double best_cost,
                                      IslandPoint* point) {
  interior_point_.Run(system_, island, gap_factor, best_cost,
                      settings_->max_iterations - record_->iterations, settings_->stop, record_);
  if (!RowsOf(island, system_->v()).allFinite()) return NewtonEnd::kNotFinite;
  system_->CalcContactVelocities(island);
  const int left = settings_->max_iterations - record_->iterations;
  return RunNewton(
      system_, island, *settings_,
      {.leave_when_stuck = true, .iterations = std::min(kPolish, left), .trace = trace_}, record_,
      point);
}

NewtonEnd IslandSolver::SolveAuto(const ContactTask& task, const Island& island, IslandPoint* point,
                                  IslandResult* result) {
  const ContactPasses& passes = system_->passes();
  const int all = settings_->max_iterations;
  const bool conic = passes.conic && island.contacts() > 0;
  // limits and motors of robots are no trouble to Newton as a rule
  const bool sharp = passes.sharp && island.scalars() == 0;
  const bool rigid = conic && sharp && interior_point_.FindStiffest(system_, island) > kRigid;
  // a single body is too small to need more than plain Newton
  const bool single = island.trees() == 1;
  const bool warm = !single && IsWarm(task, island);
  StartDuals(task, island, warm);
  const Patience& patience = !conic  ? kNoCone
                             : rigid ? kRigidCone
                             : sharp ? kSharpCone
                                     : kSmoothCone;
  const bool interior_first = rigid && !single && (!warm || IsMoving(island));
  NewtonOptions options{.dual = !single,
                        .leave_when_slow = rigid,
                        .hopeless_after = std::min(patience.hopeless_after, all),
                        .hopeless = patience.hopeless,
                        .iterations = interior_first ? 0 : std::min(patience.iterations, all),
                        .trace = trace_};
  NewtonEnd end = RunNewton(system_, island, *settings_, options, record_, point);
  if (end == NewtonEnd::kLimit && point->relative() < patience.nearly_there) {
    options.iterations = std::min(kExtra, all - record_->iterations);
    end = RunNewton(system_, island, *settings_, options, record_, point);
  }
  result->exact = single && end == NewtonEnd::kConverged;
  if (end == NewtonEnd::kConverged || Failed(end) || record_->iterations >= all) return end;

  auto v = RowsOf(island, system_->v());
  auto best_v = RowsOf(island, *best_);
  best_v = v;
  double best_cost = point->cost;
  // what Newton has not solved by now is far from everything; the free motion is not
  if (!sharp) {
    v = RowsOf(island, system_->numbers().v0());
    system_->CalcContactVelocities(island);
  }
  if (conic) {
    for (const double gap_factor : {1.0, 1e-3}) {
      end = SolveInterior(island, gap_factor, best_cost, point);
      if (end == NewtonEnd::kConverged || end == NewtonEnd::kStopped) return end;
      if (!Failed(end) && point->cost < best_cost) {
        best_v = v;
        best_cost = point->cost;
      }
      v = best_v;
      system_->CalcContactVelocities(island);
      if (record_->iterations >= all) break;
    }
  }
  result->fell_back = record_->iterations < all;
  return SolvePlain(island, point);
}

NewtonEnd IslandSolver::SolveMember(const ContactTask& task, const Island& island, double tolerance,
                                    int* iterations) {
  const SolverSettings* settings = settings_;
  IslandRecord* record = record_;
  member_settings_ = *settings;
  member_settings_.tolerance = tolerance;
  member_settings_.max_iterations = kMemberIterations;
  settings_ = &member_settings_;
  record_ = &member_record_;
  record_->Clear();
  IslandPoint point;
  IslandResult result;
  const NewtonEnd end = SolveAuto(task, island, &point, &result);
  *iterations = record_->iterations;
  settings_ = settings;
  record_ = record;
  return end;
}

// By the method for the model.
NewtonEnd IslandSolver::SolveBy(const ContactTask& task, const Island& island,
                                const Options& options, IslandPoint* point, IslandResult* result) {
  if (!system_->passes().coupled)
    return options.plain ? SolvePlain(island, point) : SolveAuto(task, island, point, result);
  tight_ = *settings_;
  tight_.tolerance = std::min(tight_.tolerance, CoulombSolver::kTolerance);
  tight_.backtracking = false;
  settings_ = &tight_;
  trace_ = false;
  if (island.contacts() == 0) {
    const NewtonEnd end = SolveAuto(task, island, point, result);
    result->coulomb.relative = point->relative();
    return end;
  }
  return coulomb_.Solve(task, island, system_, tight_, this, record_, point, &result->coulomb);
}

// The first contact, in the problem's order, whose impulse is not finite.
int IslandSolver::FindCulprit(const Island& island) const {
  const ContactWork* work = system_->work(island);
  int culprit = -1;
  for (int i = 0; i < island.contacts(); ++i) {
    const int contact = system_->order().contact(island.contact_begin + i);
    if (!work[i].finite() && (culprit < 0 || contact < culprit)) culprit = contact;
  }
  return culprit;
}

IslandResult IslandSolver::Solve(const ContactTask& task, const SolverSettings& settings,
                                 const Island& island, int index, const Options& options,
                                 IslandSystem* system, VectorX* best) {
  settings_ = &settings;
  system_ = system;
  best_ = best;
  trace_ = options.trace;
  IslandResult result;
  if (!FeasibleStart(island, &result.culprit)) {
    result.failure = SolveStatus::kInfeasible;
    return result;
  }
  record_ = &records_[1 - at_];
  record_->Clear();
  IslandPoint point;
  const NewtonEnd end = SolveBy(task, island, options, &point, &result);
  if (end == NewtonEnd::kStopped) {
    result.failure = SolveStatus::kStopped;
    return result;
  }
  if (Failed(end) && !system->hessian().HasDefiniteInertia(island)) {
    result.failure = SolveStatus::kFactorizationFailed;
    return result;
  }
  if (Failed(end)) {
    result.failure = SolveStatus::kNotFinite;
    result.culprit = FindCulprit(island);
    return result;
  }
  result.cost = point.cost;
  result.residual = point.residual;
  result.momentum = point.momentum;
  result.impulse = point.impulse;
  result.iterations = record_->iterations;
  result.converged = record_->converged;
  result.relative = point.relative();
  if (!result.converged && island.contacts() > 0)
    result.culprit = system->order().contact(island.contact_begin);
  result.helped = record_->helped;
  if (hardest_ < 0 || Harder(*record_, index, records_[at_], hardest_)) {
    at_ = 1 - at_;
    hardest_ = index;
  }
  return result;
}

bool IslandSolver::HarderThan(const IslandSolver& other) const {
  if (hardest_ < 0 || other.hardest_ < 0) return other.hardest_ < 0;
  return Harder(records_[at_], hardest_, other.records_[other.at_], other.hardest_);
}

}  // namespace slip
