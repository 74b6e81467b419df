// Runs a recording again, every channel on every branch, and compares with what was written down.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/sliced.h"
#include "engine/core/worker_pool.h"
#include "engine/run/record/recording.h"

namespace slip {

/// Where a run came out otherwise than it was recorded.
struct ReplayDifference {
  int branch = 0, channel = 0;
  int64_t step = 0;  ///< the first one known to differ
  double time = 0;   ///< [s]
  std::string text;  ///< a sentence: model, step, and which body is off by how much where known
};

class Replay {
 public:
  /// With a budget the tracks keep their steps, as a window needs them.
  explicit Replay(std::shared_ptr<const Recording> recording, std::size_t history_bytes = 0);
  ~Replay();

  /// Runs everything; `poll` is called now and then, on any thread, with the part that is done, and
  /// returns false to stop. False when it was stopped.
  bool Run(WorkerPool* workers, const std::function<bool(double)>& poll = {}) {
    return RunInSlices(workers, poll).Finish();
  }
  Sliced<bool> RunInSlices(WorkerPool* workers, std::function<bool(double)> poll);

  const Recording& recording() const { return *recording_; }
  /// The first of each line, by branch, then channel.
  std::vector<ReplayDifference> Differences() const;
  int64_t steps() const { return steps_; }  ///< of the recording, over all its lines
  /// One per number of a channel. Once.
  std::vector<Track> TakeTracks();

 private:
  struct Job;
  Sliced<> RunChannel(Job* job, const std::function<bool(double)>& poll);

  std::shared_ptr<const Recording> recording_;
  std::size_t history_bytes_;
  int64_t steps_ = 0;
  std::vector<std::unique_ptr<Job>> jobs_;
  struct Progress;
  std::unique_ptr<Progress> progress_;
};

}  // namespace slip
