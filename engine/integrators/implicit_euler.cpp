#include "engine/integrators/implicit_euler.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/core/numbers.h"
#include "engine/core/stopwatch.h"
#include "engine/integrators/integrator_params.h"

namespace slip {
namespace {

// Of a direction; more where no step from the first iterate gains anything. A light point that
// rests on a stiff spring without load falls too far along its direction by many orders.
constexpr int kMostHalvings = 20, kMostHalvingsAtLast = 60;
// Of what forces change, a residual that may be round-off.
constexpr double kMostOfForces = 0.1;
constexpr double kLeastRegularization = 1e-10, kMostRegularization = 1e-3;

}  // namespace

void ImplicitEuler::Begin(const StepInput& input, const MaterialPairs& materials) {
  if (reserved_for_ != &input.model) Reserve(input.model);
  trial_.Begin(input, materials);
}

double ImplicitEuler::Evaluate(const VectorX& v, double h) {
  Stopwatch watch(times_ != nullptr);
  displacement_ = h * v;
  const bool reached = trial_.Evaluate(displacement_, v, h);
  if (reached) residual_ = v - v0_ - h * trial_.acceleration();
  if (times_ != nullptr) watch.Add(&times_->line_us);
  return reached ? residual_.norm() : kInfinity;
}

// The derivative of M times the residual is M + h (by velocity) + h (by position) dq/dv.
void ImplicitEuler::CalcDirection(const Model& model, const VectorX& v, double h,
                                  double regularization) {
  Stopwatch watch(times_ != nullptr);
  trial_.Linearize(&by_position_, &by_velocity_);
  for (int b = tree_->first_body; b < tree_->first_body + tree_->bodies; ++b) {
    const Body& body = model.body(b);
    const JointKind kind = body.joint.kind;
    if (body.shape_of_link >= 0 || (kind != JointKind::kFree && kind != JointKind::kBall)) continue;
    // a rotation goes on from where the step has turned it
    const int at = body.v_start - tree_->v_start;
    const Mat3 turn = CalcRotationJacobian(h * v.segment<3>(at));
    columns_.noalias() = by_position_.middleCols<3>(at) * turn;
    by_position_.middleCols<3>(at) = columns_;
  }
  by_velocity_ = h * by_velocity_ + (h * h) * by_position_;
  const MatrixX& M = trial_.motion().CalcMassMatrix();
  scaled_.noalias() = M * residual_;
  by_velocity_ += (1 + regularization) * M;
  lu_.compute(by_velocity_);
  direction_ = lu_.solve(scaled_);
  direction_ = -direction_;
  if (times_ != nullptr) watch.Add(&times_->linear_us);
}

// What the last bits of touching points do to the residual through their springs and dampers. The
// velocity of a point that rolls or turns about a corner is small, and its terms are not. In a ramp
// the residual feels the part of the force that acts.
double ImplicitEuler::CalcRoundOff(double h, bool whole) {
  constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
  TreeMotion& motion = trial_.motion();
  double sum = 0;
  for (const TrialContact& contact : trial_.contacts()) {
    if (contact.whole_W == Vec3::Zero()) continue;
    const Touch& touch = contact.at.touch;
    const double speed = motion.CalcSpeedOfTerms(touch);
    double bits = touch.params.stiffness * touch.p_W.norm() + touch.params.damping * speed;
    const double reach = trial_.CalcReach(touch) + h * speed;
    if (whole) bits += touch.params.stiffness * reach;
    bits *= contact.weight;
    if (whole) bits += std::abs(contact.weight_rate) * contact.whole_W.norm() * reach;
    motion.CalcRows(touch, rows_);
    columns_ = rows_.transpose();
    motion.SolveInPlace(columns_);
    sum += kEpsilon * bits * columns_.norm();
  }
  return h * sum;
}

// A tree in flight needs nothing of the end but the forces of its joints, which are linear: its
// step is that of the middle.
bool ImplicitEuler::MovesFreely(const StepInput& input, TreeStep* step) {
  TreeMotion& motion = *step->motion;
  if (input.config.step.part<BiasParams>().bias != static_cast<int>(BiasForm::kMidpoint) ||
      !step->touches.empty() || motion.pull_W() != Vec3::Zero() ||
      !MiddleBias::Matters(input.model, *tree_))
    return false;
  const double h = step->h;
  const auto update = [&](double implicit_h) {
    if (tree_->articulated < 0) return;
    motion.Update(input.model, input.config, *tree_, &At(input.trees, tree_->articulated),
                  input.start, input.V_WB, input.actuation, implicit_h);
  };
  update(h);
  middle_.Take(input, *tree_, false, &motion);
  step->acceleration = step->drift = motion.free_acceleration();
  displacement_ = h * (v0_ + 0.5 * h * step->drift);
  next_ = v0_ + h * step->acceleration;
  if (trial_.Evaluate(displacement_, next_, h) && trial_.contacts().empty()) {
    step->motors = motion.motors();
    step->dampers = motion.dampers();
    motion.AddImplicitForces(step->acceleration, &step->motors, &step->dampers);
    return true;
  }
  update(0);
  return false;
}

// Newton's method from v_, whose residual was evaluated last, until it is below the tolerance or
// nothing gains; whether it came anywhere. False where nobody waits for it any more.
bool ImplicitEuler::Solve(const StepInput& input, double h, double* norm, bool* moved,
                          SolveRecord* record) {
  const double tolerance = input.config.step.solver_tolerance;
  const int most_iterations = input.config.step.max_iterations;
  double regularization = kLeastRegularization;
  int iterations = 0, line_search = 0, most_halvings = kMostHalvings;
  *moved = false;
  while (*norm >= tolerance && iterations < most_iterations) {
    if (IsStopped(input.stop)) return false;
    CalcDirection(input.model, v_, h, regularization);
    double alpha = 1, found = kInfinity;
    int halvings = 0;
    if (direction_.allFinite()) {
      for (; halvings <= most_halvings; ++halvings, alpha *= 0.5) {
        next_ = v_ + alpha * direction_;
        found = Evaluate(next_, h);
        if (found < *norm) break;
      }
    }
    ++iterations;
    line_search += halvings;
    if (record->recorded < kMaxRecordedIterations) {
      At(record->history, record->recorded++) = {.cost = kNaN,
                                                 .residual = *norm,
                                                 .alpha = found < *norm ? alpha : 0,
                                                 .line_search_iterations = halvings};
    }
    if (found < *norm) {
      if (halvings == 0) regularization = std::max(regularization / 10, kLeastRegularization);
      v_ = next_;
      *norm = found;
      *moved = true;
      continue;
    }
    Evaluate(v_, h);  // back to the best there is
    regularization *= 10;
    if (regularization <= kMostRegularization) continue;
    if (*moved || std::exchange(most_halvings, kMostHalvingsAtLast) == kMostHalvingsAtLast) break;
    regularization = kLeastRegularization;
  }
  record->iterations = std::max(record->iterations, iterations);
  record->line_search_iterations = std::max(record->line_search_iterations, line_search);
  return true;
}

// Of what the step has to balance: what there was, what acts, and what comes of both.
ImplicitEuler::Balance ImplicitEuler::CalcBalance(const StepInput& input, double norm) {
  const double tolerance = input.config.step.solver_tolerance;
  Balance out;
  out.change = std::max(input.config.step.time_step * trial_.acceleration().norm(), free_change_);
  out.scale = v0_.norm() + out.change;
  out.relative = out.scale > 0 ? norm / out.scale : 0;
  out.converged = norm < tolerance || out.relative <= tolerance;
  return out;
}

bool ImplicitEuler::IsWithinRoundOff(const Balance& balance, double norm, double h) {
  if (balance.relative > kLostResidual) return false;
  if (norm <= kLastBits * CalcRoundOff(h, false)) return true;
  // a steep ramp makes much of the last bits: most of the forces must be balanced all the same
  return norm <= kMostOfForces * balance.change && norm <= kLastBits * CalcRoundOff(h, true);
}

bool ImplicitEuler::Integrate(const StepInput& input, TreeStep* step, SolveRecord* record) {
  const double h = step->h;
  if (!step->motion->positive()) return false;
  tree_ = step->tree;
  times_ = step->times;
  trial_.Start(*tree_, step->touches, true);
  v0_ = input.start.v.segment(step->tree->v_start, step->tree->nv);
  rows_.resize(3, v0_.size());
  columns_.resize(v0_.size(), 3);
  for (VectorX* x : {&best_, &best_on_piece_}) x->resize(v0_.size());
  if (MovesFreely(input, step)) return true;

  // from explicit Euler's velocity, or from that of the start where its residual is smaller
  displacement_.setZero(v0_.size());
  if (!trial_.Evaluate(displacement_, v0_, 0)) return false;
  next_ = v0_ + h * trial_.acceleration();
  double norm = Evaluate(v0_, h);
  v_ = v0_;
  if (const double other = Evaluate(next_, h); other < norm) {
    norm = other;
    v_ = next_;
  } else {
    norm = Evaluate(v_, h);
  }
  bool moved = false;
  if (!Solve(input, h, &norm, &moved, record)) return false;
  free_change_ = h * step->motion->free_acceleration().norm();
  Balance balance = CalcBalance(input, norm);
  step->converged = balance.converged || IsWithinRoundOff(balance, norm, h);
  if (!step->converged) {
    step->converged = FindOtherWays(input, h, &norm, record);
    if (IsStopped(input.stop)) return false;
    balance = CalcBalance(input, norm);
  }
  record->momentum_residual = std::fmax(record->momentum_residual, balance.relative);
  if (!step->converged) {
    // where nothing was found at all, a fast body would hide that none of its forces are balanced
    const double residual = moved ? balance.relative : norm / balance.change;
    record->worst_residual = std::max(record->worst_residual, residual);
    step->beyond_digits = norm <= kLastBits * CalcRoundOff(h, true);
  }
  step->acceleration = (v_ - v0_) / h;
  step->drift = 2 * step->acceleration;
  step->motors = trial_.motion().motors();
  step->dampers = trial_.motion().dampers();
  step->pull = {trial_.motion().pull_W(), h * trial_.motion().CalcPullPower(v_)};
  for (const TrialContact& contact : trial_.contacts())
    step->forces.push_back({contact.at.touch, contact.force.f_W, contact.weight});
  return std::isfinite(norm);
}

}  // namespace slip
