// The channels that run side by side: one of them may be behind, but all meet at common times. A
// window's scope and a run without a window step them alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/core/numbers.h"
#include "engine/core/worker_pool.h"
#include "engine/run/track/command.h"
#include "engine/run/track/track.h"

namespace slip {

/// The sample of a channel's last step; the memory of `sample` is used again.
void ReadSample(int channel, const Simulation& simulation, Sample* sample);
/// The same of a recorded step.
Sample SampleOf(int channel, const StepRecord& record, double time, MethodId method);

class Channels {
 public:
  using List = std::vector<std::shared_ptr<Track>>;

  /// What a channel did in the last call of Advance.
  struct Progress {
    AdvanceEnd end = AdvanceEnd::kFailed;
    StepStatus status = StepStatus::kConverged;  ///< of the last step that was tried
    bool moved = false;
    std::vector<Event> events = {};
    /// Of its steps, where samples are kept.
    std::span<const Sample> samples() const { return {kept.data(), count}; }

    std::vector<Sample> kept = {};  // the first so many; their memory is used again
    std::size_t count = 0;
  };

  /// Samples are kept for whoever draws them.
  explicit Channels(bool keeps_samples) : keeps_samples_(keeps_samples) {}

  const List& list() const { return list_; }
  int count() const { return static_cast<int>(list_.size()); }
  bool empty() const { return list_.empty(); }
  Track& track(int c) const { return *At(list_, c); }
  const Simulation& sim(int c) const { return track(c).sim(); }
  void Show(List list) { list_ = std::move(list); }
  void Add(std::shared_ptr<Track> track) { list_.push_back(std::move(track)); }
  void Replace(int c, std::shared_ptr<Track> track);
  std::shared_ptr<Track> Remove(int c);

  /// Steps every channel up to its limits (one entry a channel); one that has failed stands. The
  /// results do not depend on the number of workers.
  void Advance(std::span<const AdvanceLimits> limits, WorkerPool* workers);
  const Progress& progress(int c) const { return At(progress_, c); }

  /// Every channel up to the next common time; false when none could move. One that was stopped on
  /// the way catches up next time.
  bool AdvanceToMark(WorkerPool* workers);
  bool AllStand() const;
  double MarkTime() const { return mark_base_ + static_cast<double>(marks_) * mark_step_; }
  double mark_step() const { return mark_step_; }
  void SetMarkTime(double time);
  /// The largest time step sets the marks; a change of it starts a new count from here.
  void UpdateMarks();
  /// A new count from this time on, whatever the marks were.
  void BeginMarks(double time);

  double LatestTime() const;    ///< of those that came farthest [s]
  double HistoryStart() const;  ///< first recorded time of all; 0 without channels [s]
  double HistoryEnd() const;    ///< the last one [s]

 private:
  void Step(int c, const AdvanceLimits& limits);
  void Take(int c, StepStatus status);

  List list_;
  bool keeps_samples_;
  std::vector<Progress> progress_;     // by place in the list
  std::vector<AdvanceLimits> limits_;  // AdvanceToMark
  double mark_base_ = 0;               // common time = mark_base_ + marks_ * mark_step_
  int64_t marks_ = 0;
  double mark_step_ = 0;
};

}  // namespace slip
