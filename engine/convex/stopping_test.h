// Whether Newton's method on an island is at its end, and why.
#pragma once

#include "engine/convex/newton.h"
#include "engine/solver/line_search.h"

namespace slip {

enum class Verdict {
  kGoOn,
  kResidual,   ///< the scaled residual is within the tolerance
  kLevelCost,  ///< the cost falls no further, but for round-off
  kRoundOff,   ///< the residual is what the last bit of the velocities makes of it
  kSlow,       ///< two short steps: NewtonOptions::leave_when_slow
  kStuck,      ///< no step of any length is left, or hardly any
  kHopeless,   ///< the residual is nearly all: NewtonOptions::hopeless_after
  kLimit       ///< out of iterations
};

constexpr bool IsConverged(Verdict verdict) {
  return verdict == Verdict::kResidual || verdict == Verdict::kLevelCost ||
         verdict == Verdict::kRoundOff;
}

/// Sees every iterate of one search, in order.
class StoppingTest {
 public:
  StoppingTest(double tolerance, const NewtonOptions& options)
      : tolerance_(tolerance), options_(options) {}

  /// `step` came to this iterate; of the first one it is void. `round_off()` is the residual that
  /// the last bit of the velocities makes, asked for late.
  template <class RoundOff>
  Verdict Look(const IslandPoint& point, const LineSearchResult& step, RoundOff&& round_off) {
    if (iteration_ > 0) {
      if (step.alpha < 0.5) ++short_steps_;
      if (step.alpha < kTinyStep) ++tiny_steps_;
    }
    Verdict verdict = FindConverged(point, step);
    if (verdict == Verdict::kGoOn && iteration_ >= kLong && point.relative() < kLostResidual &&
        point.residual < round_off())
      verdict = Verdict::kRoundOff;
    if (verdict == Verdict::kGoOn) verdict = FindVain(point, step);
    ++iteration_;
    previous_cost_ = point.cost;
    previous_residual_ = point.residual;
    return verdict;
  }

 private:
  static constexpr double kAbsoluteTolerance = 1e-14;  // eps_a [sqrt(J)]
  static constexpr int kLong = 10;           // iterations after which round-off is asked about
  static constexpr double kTinyStep = 1e-5;  // of alpha: three of them and the method is stuck

  Verdict FindConverged(const IslandPoint& point, const LineSearchResult& step) const {
    if (point.residual <= kAbsoluteTolerance + tolerance_ * point.scale())
      return Verdict::kResidual;
    if (iteration_ == 0 || !(step.alpha > 0.5) || !(point.relative() < kLostResidual))
      return Verdict::kGoOn;
    const double cost = point.cost;
    const bool level = std::abs(cost - previous_cost_) <
                       1e-30 + 1e-15 * 0.5 * (std::abs(cost) + std::abs(previous_cost_));
    // the step promised less decrease than the cost's round-off
    const bool at_floor = step.evaluations == 0;
    // near the end v is known to half the digits of l only: CGM goes on while the residual falls
    const bool falling = point.residual < 0.5 * previous_residual_;
    const bool stalled = (level && !(options_.dual && falling)) || (at_floor && !falling);
    return stalled ? Verdict::kLevelCost : Verdict::kGoOn;
  }

  Verdict FindVain(const IslandPoint& point, const LineSearchResult& step) const {
    if (options_.leave_when_slow && short_steps_ >= 2) return Verdict::kSlow;
    if (options_.leave_when_stuck && tiny_steps_ >= 3) return Verdict::kStuck;
    // the exact direction has no lower point: nor will the next one have, from the same place
    if (iteration_ > 0 && step.alpha == 0 && !options_.dual) return Verdict::kStuck;
    if (iteration_ >= options_.hopeless_after && point.relative() > options_.hopeless)
      return Verdict::kHopeless;
    return iteration_ >= options_.iterations ? Verdict::kLimit : Verdict::kGoOn;
  }

  double tolerance_;
  NewtonOptions options_;
  int iteration_ = 0, short_steps_ = 0, tiny_steps_ = 0;
  double previous_cost_ = 0, previous_residual_ = 0;
};

}  // namespace slip
