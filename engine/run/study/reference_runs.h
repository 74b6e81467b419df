// The reference runs of a sweep: each is made once, by the first worker that needs it.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/run/study/reference_error.h"
#include "engine/run/study/sweep_plan.h"

namespace slip {

/// The run of one channel of a sweep's plan.
RunPlan RunOf(const SweepPlan& plan, std::size_t model, const Config& config);

class ReferenceRuns {
 public:
  /// What the run is compared with; null when it was stopped on the way. Others
  /// that need the same one wait. The last few are kept.
  std::shared_ptr<const Trajectory> Get(const SweepPlan& plan, std::size_t run,
                                        const RunCallbacks& callbacks);

 private:
  struct Entry {
    std::vector<double> key;
    std::mutex making;
    std::shared_ptr<const Trajectory> trajectory;  // null until it is made
  };
  std::mutex mutex_;  // of the list
  std::deque<std::shared_ptr<Entry>> entries_;
};

}  // namespace slip
