// A recording is run again beside the session (engine/core/side_work.h); nobody waits for it.
#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "engine/core/side_work.h"
#include "engine/run/record/replay.h"

namespace slip::app {

class ReplayJob {
 public:
  /// Runs it with steps kept, as a window needs them.
  explicit ReplayJob(std::shared_ptr<const Recording> recording);
  ~ReplayJob();  ///< stops; waits for the steps at hand

  double progress() const { return progress_.load(std::memory_order_relaxed); }  ///< 0 to 1
  bool done() const { return done_.load(std::memory_order_acquire); }
  /// After done().
  const std::shared_ptr<Replay>& replay() const { return replay_; }

 private:
  Sliced<> Work();

  std::shared_ptr<Replay> replay_;
  std::atomic<bool> stop_{false}, done_{false};
  std::atomic<double> progress_{0};
  std::optional<SideWork> work_;  ///< last: everything else is there when it starts
};

}  // namespace slip::app
