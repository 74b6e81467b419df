// Where the line search of Implicit Euler's Newton method ends without a solution. Forces are
// smooth but where contacts open, close or begin to slip and where motors come to their limits;
// there the residual has kinks, and behind one it may have to grow before it falls. So the step is
// solved as if the pieces of the laws had no ends, and the pieces are changed until they agree with
// their solution. Where they do not come to agree from afar, v goes there along dv/dτ = -residual,
// in implicit steps of a time τ that has no other meaning: few pieces change in a short one.
#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"
#include "engine/integrators/implicit_euler.h"

namespace slip {
namespace {

// Points of a tree that there is room for from the start.
constexpr int kMostRoom = 256;
constexpr int kMostOnPiece = 12;
// Sets of pieces of one attempt: at v itself, and in pseudo time, where a shorter step is the
// better answer to pieces that do not come to agree.
constexpr std::size_t kMostPieceSets = 32, kMostPacedSets = 8;
// Iterations of one attempt, over those that a step may have.
constexpr int kMostOther = 30;
// Returns to pieces that were tried, from which on they change one by one.
constexpr int kRepeatsToOne = 3;
// Iterations on a piece that do not halve the residual: what is left is round-off.
constexpr int kMostIdle = 4;
// Lengths of steps of pseudo time: v goes on its own way at 1.
constexpr double kLeastPace = 1e-16, kEndlessPace = 1e8;
constexpr double kPaceFactor = 10;
// Error of such a step, over its first residual.
constexpr double kPaceError = 0.05;
// What last bits of positions may do in a soft ramp, over what forces change.
constexpr double kSoft = 1e-3;

}  // namespace

void ImplicitEuler::Reserve(const Model& model) {
  reserved_for_ = &model;
  int most = 0, nv = 0;
  for (const Tree& tree : model.trees) {
    std::size_t points = 0;
    for (int b = tree.first_body; b < tree.first_body + tree.bodies; ++b)
      points += model.bodies[static_cast<std::size_t>(b)].points_B.size();
    most = std::max(most, static_cast<int>(points));
    nv = std::max(nv, tree.nv);
  }
  most = std::min(most, kMostRoom);
  trial_.Reserve(most, nv);
  seen_.resize(kMostPieceSets);
  const auto reserve = [&](TrialPieces* pieces) {
    pieces->contacts.reserve(static_cast<std::size_t>(most));
    pieces->motors.reserve(static_cast<std::size_t>(nv));
  };
  for (TrialPieces& pieces : seen_) reserve(&pieces);
  reserve(&piece_);
  reserve(&own_);
}

// Newton's method for residual + (v - v_) / pace on the piece that is held, from next_ on.
bool ImplicitEuler::SolveOnPiece(const Model& model, double h, double pace, double goal,
                                 int* iterations) {
  double least = kInfinity;
  for (int i = 0, idle = 0; i <= kMostOnPiece; ++i) {
    if (!std::isfinite(Evaluate(next_, h))) break;
    residual_ += (next_ - v_) / pace;
    const double norm = residual_.norm();
    if (norm > 0.5 * least) ++idle;
    if (norm < least) {
      least = norm;
      best_on_piece_ = next_;
    }
    if (norm <= goal || idle > kMostIdle) break;
    CalcDirection(model, next_, h, 1 / pace);
    if (!direction_.allFinite()) break;
    next_ += direction_;
    ++*iterations;
  }
  if (least == kInfinity) return false;
  next_ = best_on_piece_;
  return true;
}

// The pieces that the laws have at the solution for others. Where they come back to one that was
// tried, first all contacts stick, as in a jam; then those that would come and go have ramps; then
// one thing changes at a time, the first.
bool ImplicitEuler::ChangePieces(int* repeats) {
  const auto seen = std::span(seen_).first(seen_count_);
  const auto is_seen = [&] { return std::find(seen.begin(), seen.end(), own_) != seen.end(); };
  if (*repeats < kRepeatsToOne && is_seen()) {
    if (++*repeats == 1) {
      for (TrialPieces::Contact& contact : own_.contacts) contact.slips = false;
    } else if (*repeats == 2) {
      RampDifference();
    }
  }
  if (*repeats < kRepeatsToOne) {
    std::swap(piece_, own_);
    return true;
  }
  const auto motor = std::mismatch(piece_.motors.begin(), piece_.motors.end(), own_.motors.begin());
  if (motor.first != piece_.motors.end()) {
    *motor.first = *motor.second;
    return true;
  }
  const auto [held, own] = std::mismatch(piece_.contacts.begin(), piece_.contacts.end(),
                                         own_.contacts.begin(), own_.contacts.end());
  if (held == piece_.contacts.end() && own == own_.contacts.end()) return false;
  const bool opens =
      own == own_.contacts.end() || (held != piece_.contacts.end() && held->key < own->key);
  if (opens) {
    piece_.contacts.erase(held);
  } else if (held != piece_.contacts.end() && held->key == own->key) {
    *held = *own;
  } else {
    piece_.contacts.insert(held, *own);
  }
  return std::find(seen.begin(), seen.end(), piece_) == seen.end();
}

// Contacts that only one of both pieces has.
void ImplicitEuler::RampDifference() {
  std::vector<TrialPieces::Contact>& own = own_.contacts;
  auto held = piece_.contacts.begin();
  for (std::size_t i = 0; i < own.size() || held != piece_.contacts.end(); ++i) {
    const bool only_held =
        held != piece_.contacts.end() && (i == own.size() || held->key < own[i].key);
    if (only_held) {
      own.insert(own.begin() + static_cast<std::ptrdiff_t>(i), *held++);
      own[i].in_ramp = true;
    } else if (held == piece_.contacts.end() || own[i].key < held->key) {
      own[i].in_ramp = true;
    } else {
      ++held;
    }
  }
}

// A step of pseudo time from v_ to next_, to within `goal`.
bool ImplicitEuler::TryPieces(const Model& model, double h, double pace, double goal,
                              int* iterations) {
  Evaluate(v_, h);
  trial_.FindPieces(&piece_);
  next_ = v_;
  seen_count_ = 0;
  const std::size_t most = pace > kEndlessPace ? kMostPieceSets : kMostPacedSets;
  for (int repeats = 0; seen_count_ < most;) {
    seen_[seen_count_++] = piece_;
    trial_.Hold(&piece_);
    const bool solved = SolveOnPiece(model, h, pace, 0.1 * goal, iterations);
    trial_.Hold(nullptr);
    if (!solved || !std::isfinite(Evaluate(next_, h))) return false;
    if ((residual_ + (next_ - v_) / pace).norm() <= goal) return true;
    trial_.FindPieces(&own_);
    if (own_ == piece_ || !ChangePieces(&repeats)) return false;
  }
  return false;
}

bool ImplicitEuler::FollowPieces(const StepInput& input, double h, double* norm, int* iterations) {
  const double tolerance = input.config.step.solver_tolerance;
  const int most = *iterations + kMostOther * input.config.step.max_iterations;
  double pace = kInfinity;
  *norm = Evaluate(v_, h);
  while (*iterations < most && pace > kLeastPace) {
    if (IsStopped(input.stop)) return false;
    const bool endless = pace > kEndlessPace;
    const double goal = endless ? 0.5 * tolerance : kPaceError * *norm;
    const bool found = TryPieces(input.model, h, pace, goal, iterations);
    if (found || endless) {
      const double reached = Evaluate(next_, h);
      const Balance balance = CalcBalance(input, reached);
      // the last bits may be all that is missing
      const bool solved = balance.converged || (endless && IsWithinRoundOff(balance, reached, h));
      if (found || solved) {
        v_ = next_;
        *norm = reached;
      }
      if (solved) return true;
    }
    pace = found ? kPaceFactor * pace : endless ? 1.0 : pace / kPaceFactor;
  }
  *norm = Evaluate(v_, h);
  const Balance balance = CalcBalance(input, *norm);
  return balance.converged || IsWithinRoundOff(balance, *norm, h);
}

// From the best iterate there is, from the start's velocity, and from there again with ramps of
// force for points that touched at the start: a rotation may end with one that goes up through its
// surface and already comes down. Ramps are thin, thick and soft in turn. Keeps the best of what it
// finds.
bool ImplicitEuler::FindOtherWays(const StepInput& input, double h, double* norm,
                                  SolveRecord* record) {
  best_ = v_;
  double least = *norm;
  int iterations = 0;
  bool found = false, ramps = false;
  const double soft = kSoft * CalcBalance(input, *norm).change;
  for (int way = 0; way < 5 && !found; ++way) {
    if (way > 0) v_ = v0_;
    ramps = way >= 2;
    if (way < 4) {
      trial_.RampAll(ramps, way == 3);
    } else {
      trial_.RampSoftly(soft);
    }
    found = FollowPieces(input, h, norm, &iterations);
    if (!found && !ramps && *norm < least) {
      best_ = v_;
      least = *norm;
    }
  }
  record->iterations += iterations;
  if (!found) {
    trial_.RampAll(false);
    v_ = best_;
  }
  *norm = Evaluate(v_, h);
  return found;
}

}  // namespace slip
