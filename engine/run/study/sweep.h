// Carries out a sweep: independent runs on worker threads, rows back in the order of the grid.
#pragma once

#include <functional>

#include "engine/run/study/sweep_plan.h"
#include "engine/sim/signal_stats.h"

namespace slip {

enum class SweepStatus : int {
  kOk,
  kNotConverged,  ///< at least one step missed the tolerance
  kFailed         ///< ended early: not finite, infeasible or not factorable
};
std::string_view Name(SweepStatus status);

/// What one run gave. All but the wall times is the same for any number of threads.
struct SweepRow {
  std::size_t run = 0;  ///< from 0, see sweep_plan.h
  SweepStatus status = SweepStatus::kOk;
  int64_t steps = 0;                           ///< of the whole run
  int64_t not_converged = 0;                   ///< of the whole run
  int64_t measured = 0;                        ///< steps within the measured window
  SignalStats stats;                           ///< of the measured steps
  double wall_median_us = 0, wall_p99_us = 0;  ///< of the measured steps; NaN without any
  Config config;                               ///< at the end of the run
  std::optional<LocalError> local_error;       ///< if the plan asks for it
  double largest = 0;                          ///< likewise; NaN = not even the smallest is stable
  std::vector<double> medians;                 ///< of SweepPlan::signals, over the measured steps
  /// If the plan asks for it: against the reference, and simulated time over wall time.
  double reference_error = kNaN, real_time_factor = kNaN;
  std::string note;  ///< why it failed
};

/// Called on the caller's thread. Either may be empty.
struct SweepCallbacks {
  std::function<void(const SweepRow&)> row;  ///< in the order of the grid
  /// Now and then; fraction of the sweep that is done. Returning false stops it: runs that are
  /// finished are still delivered, the others are dropped.
  std::function<bool(double fraction)> poll;
};

/// The runs of the plan's shard, in the order of the grid.
std::vector<std::size_t> RunsOf(const SweepPlan& plan);

/// Makes them with `jobs` threads, but for the first `kept` of them; false when it was stopped.
bool RunSweep(const SweepPlan& plan, int jobs, const SweepCallbacks& callbacks,
              std::size_t kept = 0);

}  // namespace slip
