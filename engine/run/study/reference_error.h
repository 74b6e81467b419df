// Error of a run against a reference run, and how it falls with the time step (engine notes, 24).
//
// All runs are sampled on the grid t_j = j H of the coarsest of them:
//   e(h)² = 1/N Σ_j Σ_bodies |p(t_j) − p_ref(t_j)|² + l² θ(t_j)²
// with the angle θ between the two poses and the farthest reach l of a body along its own axes.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/core/numbers.h"
#include "engine/run/study/run_plan.h"

namespace slip {

/// Where everything that moves was, every `interval` from the first one on.
struct Trajectory {
  double interval = 0;     ///< [s]
  double step = 0;         ///< of the run [s]
  std::size_t bodies = 0;  ///< that have poses in a sample
  std::vector<Pose> poses;
  std::string failure;   ///< why it ended early, a sentence; empty when it did not
  bool stopped = false;  ///< by a callback

  std::size_t samples() const { return bodies == 0 ? 0 : poses.size() / bodies; }
};

/// How many steps make up an interval; 0 where they do not divide it.
int64_t StepsPer(double interval, double step);

/// Takes the samples of a run while it is made.
class TrajectorySampler {
 public:
  TrajectorySampler(double interval, double step);
  /// After every step.
  void Add(const Simulation& simulation);
  Trajectory Take() { return std::move(trajectory_); }

 private:
  Trajectory trajectory_;
  int64_t stride_;
};

/// Runs the first channel of the plan; the distance from Coulomb and the condition number are not
/// measured. Any callback but `step` may be given.
Sliced<Trajectory> RecordInSlices(RunPlan plan, double interval, RunCallbacks callbacks);
inline Trajectory RecordTrajectory(RunPlan plan, double interval, RunCallbacks callbacks) {
  return RecordInSlices(std::move(plan), interval, std::move(callbacks)).Finish();
}

/// NaN when there are no samples, the grids differ, or one of both ended early.
double CalcReferenceError(const Model& model, const Trajectory& run, const Trajectory& reference);

/// A tenth of the smallest step, or less, so that it divides `interval`.
double ReferenceStep(double interval, double smallest);

/// p = ln(e1/e2) / ln(h1/h2) of neighbours; NaN where an error is not a number above zero. One less
/// than there are steps.
std::vector<double> NeighbourOrders(std::span<const double> steps, std::span<const double> errors);

/// A power law of errors, where they follow one.
struct FittedOrder {
  double order = kNaN;               ///< least squares of ln e over ln h
  double finest = 0, coarsest = 0;   ///< steps between which it holds [s]
  std::size_t first = 0, count = 0;  ///< the same by index
};
/// The longest range of at least three neighbouring steps in which the order between any two
/// neighbours is within 0.15 of the fitted one; of equally long ones that of the finest steps.
/// `steps` fall or rise throughout.
std::optional<FittedOrder> FitOrder(std::span<const double> steps, std::span<const double> errors);

/// "order 1.01 from 0.0001 s to 0.01 s", or that there is none.
std::string Describe(const std::optional<FittedOrder>& fit);

}  // namespace slip
