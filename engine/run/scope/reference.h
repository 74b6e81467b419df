// A reference solution beside a session: one channel from the scene's start with a much smaller
// time step, beside the session (side_work.h); nobody waits for it.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/handoff.h"
#include "engine/core/side_work.h"
#include "engine/run/study/run_plan.h"
#include "engine/run/track/command.h"
#include "engine/sim/simulation.h"

namespace slip {

struct ReferencePlan {
  std::shared_ptr<const Model> model;
  Config config;                     ///< of the compared channel at the start, with its time step
  std::vector<TimedChange> changes;  ///< sorted; time steps are those of the compared channel
  double end = 0;                    ///< [s]
  int refinement = 100;              ///< the reference's time step is so many times smaller
};

/// Runs the consistent model through a plan: Lagged, or Exponential beside a method whose contacts
/// have anchors. One sample per step of the compared channel,
/// at the same times.
class ReferenceRun {
 public:
  explicit ReferenceRun(ReferencePlan plan);
  ~ReferenceRun();  ///< cancels, within a step
  ReferenceRun(const ReferenceRun&) = delete;
  ReferenceRun& operator=(const ReferenceRun&) = delete;

  // One thread calls these. None blocks.
  bool NextSample(Sample* sample);  ///< oldest first; false = none left
  double progress() const { return progress_.load(std::memory_order_relaxed); }  ///< 0 to 1
  /// No more samples will come, and there is nothing left to do.
  bool done() const { return done_.load(std::memory_order_acquire); }
  /// After done(): why it stopped early; empty when it did not.
  const std::string& failure() const { return failure_; }
  void Cancel() { stop_.store(true, std::memory_order_release); }

 private:
  Sliced<> Run();
  void Emit(const Simulation& sim);

  ReferencePlan plan_;
  SpscQueue<Sample, 256> samples_;
  std::atomic<bool> stop_{false}, done_{false};
  std::atomic<double> progress_{0};
  std::string failure_;
  std::optional<SideWork> work_;  ///< last: everything else is there when it starts
};

}  // namespace slip
