#include "engine/run/track/unconverged.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/solver/convex_qp.h"

namespace slip {
namespace {

// Controlled error ends a step in any case: at the smallest length it takes what it gets, be it a
// large error or a solve that did not converge.
bool MissedAccuracy(const SolveRecord& solve) { return solve.floor_steps > 0; }

bool Overlaps(const SolveRecord& solve) {
  return solve.program.status == static_cast<int>(QpStatus::kRegularised);
}

std::string Steps(int64_t count) { return fmt::format("{} step{}", count, count == 1 ? "" : "s"); }

}  // namespace

void Unconverged::Add(const SolveRecord& solve) {
  if (MissedAccuracy(solve)) {
    ++accuracy;
  } else if (Overlaps(solve)) {
    ++overlapping;
  } else if (solve.mismatch > 0) {
    ++unsolved;
    mismatch = std::max(mismatch, solve.mismatch);
  } else {
    ++residual;
    worst = std::max(worst, solve.worst_residual);
  }
}

void Unconverged::Add(const Unconverged& other) {
  residual += other.residual;
  unsolved += other.unsolved;
  mismatch = std::max(mismatch, other.mismatch);
  accuracy += other.accuracy;
  overlapping += other.overlapping;
  worst = std::max(worst, other.worst);
}

ErrorList Unconverged::Sentences() const {
  ErrorList sentences;
  if (residual > 0) {
    sentences.push_back(
        {.message = Steps(residual) + " did not converge" +
                    (worst > 0 ? fmt::format(", worst residual {:.2g}", worst) : "")});
  }
  if (unsolved > 0) {
    const std::string found =
        mismatch > kUnstableMismatch
            ? fmt::format("no solution found, {} with bounds of friction wrong by up to {:.3g} N",
                          unsolved == 1 ? "a Lagged step" : "Lagged steps", mismatch)
            : "only an unstable solution found (index -1), and taken";
    sentences.push_back({.message = Steps(unsolved) + " did not converge: " + found,
                         .hint = "raise max_iterations, or lower the time step"});
  }
  if (accuracy > 0) {
    sentences.push_back({.message = Steps(accuracy) +
                                    " did not converge to the accuracy: inner steps of the "
                                    "smallest length were taken whatever their error",
                         .hint = "lower min_step, or ask for less accuracy"});
  }
  if (overlapping > 0) {
    sentences.push_back({.message = Steps(overlapping) +
                                    " did not converge: no motion keeps all contacts apart, and "
                                    "some overlap",
                         .hint = "lower the time step or the impedance"});
  }
  return sentences;
}

std::string WhyUnconverged(const SolveRecord& solve) {
  if (MissedAccuracy(solve)) {
    return fmt::format("{:.0f} of {:.0f} inner steps of the smallest length missed the accuracy",
                       solve.floor_steps, solve.inner_steps);
  }
  if (Overlaps(solve)) return "no motion keeps all contacts apart";
  if (solve.mismatch > kUnstableMismatch) {
    return fmt::format("no solution found after {} factorisations, mismatch {:.3g} N",
                       solve.iterations, solve.mismatch);
  }
  if (solve.mismatch > 0) {
    return fmt::format("only an unstable solution found after {} factorisations", solve.iterations);
  }
  return fmt::format("after {} iterations, residual {:.3g}", solve.iterations,
                     solve.worst_residual);
}

}  // namespace slip
