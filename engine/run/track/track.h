// One channel on its way: the simulation, what was done to it, and what it went through. It can go
// back, go on from there another way, and return to the way it left. Whatever runs a simulation,
// with a window or without, runs it through AdvanceTo.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/core/numbers.h"
#include "engine/run/track/journal.h"
#include "engine/run/track/step_events.h"
#include "engine/run/track/track_lines.h"
#include "engine/sim/simulation.h"

namespace slip {

/// Where AdvanceTo ends, whichever comes first.
struct AdvanceLimits {
  double time = kInfinity;                             ///< [s]
  int64_t step = std::numeric_limits<int64_t>::max();  ///< the last step that is made
  int64_t most = std::numeric_limits<int64_t>::max();  ///< so many steps at once
};
enum class AdvanceEnd : int { kReached, kMost, kFailed, kStopped };

class Track {
 public:
  /// At the start state of the config. Without a budget no step is recorded.
  Track(std::shared_ptr<const Model> model, const Config& config, std::size_t history_bytes = 0,
        int branch = 0, std::shared_ptr<const State> start = nullptr);
  Track(Track&&) noexcept = default;
  Track& operator=(Track&&) noexcept = default;

  /// Steps until another step would end farther from the time than the present one (half a step of
  /// tolerance: round-off decides nothing). Scheduled changes are made at their times. `stepped` is
  /// called after every step that was tried, but not after one that SetStop has ended: it has not
  /// begun.
  AdvanceEnd AdvanceTo(const AdvanceLimits& limits,
                       const std::function<void(StepStatus)>& stepped = {});

  /// It was made before it was known which branch it begins with. It has one line.
  void BeginAs(int branch) { lines_.present().branch = branch; }

  /// Simulation::SetStop
  void SetStop(StopPoll stop) { sim_.SetStop(std::move(stop)); }

  /// Changes a knob, the pull or the bodies, and notes it in the journal. A failure is forgotten.
  Status Apply(const Change& change);
  /// Sets all knobs without a note: for runs that are not kept.
  void SetConfig(const Config& config) { sim_.SetConfig(config); }
  /// Changes still to come, sorted by time; those with another channel's number are not for it.
  void Schedule(std::span<const TimedChange> changes, int channel);
  /// Entries still to come, by step: a recorded journal that is run again.
  void Schedule(std::vector<JournalEntry> entries) {
    entries_to_come_ = std::move(entries);
    next_entry_ = 0;
  }

  /// A change that AdvanceTo made, with the value before; of a pull, 1 if there was one.
  struct Applied {
    int64_t step = 0;
    double time = 0;  ///< [s]
    Change change;
    double from = 0;
    std::string refused = {};  ///< why it was not made; empty when it was
  };
  bool HasApplied() const { return !applied_.empty(); }
  /// Those since the last call.
  std::vector<Applied> TakeApplied() { return std::exchange(applied_, {}); }

  const std::shared_ptr<const Model>& model() const { return model_; }
  const Simulation& sim() const { return sim_; }
  Simulation& sim() { return sim_; }
  double step_us() const { return step_us_; }  ///< moving average of the wall time per step

  /// What it went through.
  const TrackLines& lines() const { return lines_; }

  // The past. Needs a history.
  const Timeline& history() const { return lines_.history(); }
  /// Goes to the last step at or before `time`, with the knobs of then.
  void SeekTo(double time);
  /// At the end of the present line: makes again what was changed after its last step.
  void CatchUp();
  /// Goes on from here as another branch; what comes later on this path is put aside.
  void Fork(int branch);
  /// Starts again under the present knobs, as another branch; a line without a step is not kept. A
  /// pull ends.
  void Restart(int branch);
  /// Starts again with these knobs, as another branch.
  void StartAgain(const Config& config, int branch);
  /// Goes to the end of the line of another branch. False when it has none there.
  bool GoTo(int branch);
  /// Goes on as another branch from a step of the line of `parent`, given as it was recorded.
  bool ForkFrom(int parent, const StepRecord& record, int branch);
  /// Puts its steps aside: the channel is not among the present ones.
  void Park() { lines_.Park(); }
  /// The line of a branch, which no other one left, goes with its part of the history.
  void Forget(int branch) { lines_.Forget(branch); }
  /// Drops every second step of those put aside; false when none can go.
  bool ThinParked() { return lines_.ThinParked(); }

  /// Called with every state that the channel comes to, by a step or a change.
  void SetObserver(std::function<void(const Simulation&)> observer) {
    observer_ = std::move(observer);
  }

  StepEvents& events() { return events_; }

 private:
  void MakeAgain(std::size_t i, double time);
  bool MakeChangesAt(int64_t step);
  void Record(bool flagged);
  void MakeStart();
  void RecordStart();
  Status Make(const Change& change);
  void ApplyDue();
  bool Follow(int branch);

  std::shared_ptr<const Model> model_;
  StepEvents events_;
  Simulation sim_;
  TrackLines lines_;
  std::vector<TimedChange> to_come_;
  std::size_t next_ = 0;
  std::vector<JournalEntry> entries_to_come_;
  std::size_t next_entry_ = 0;
  std::vector<Applied> applied_;
  std::function<void(const Simulation&)> observer_;
  double step_us_ = 0;
  StepRecord scratch_;
};

}  // namespace slip
