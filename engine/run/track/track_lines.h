// What a channel went through: the lines of all branches, the path of those that are followed, and
// the recorded steps: the present path's in one history, the rest beside the line that made them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/run/track/journal.h"
#include "engine/sim/simulation.h"
#include "engine/sim/timeline.h"

namespace slip {

/// What one branch did to one channel: from its fork, or its start, to its end.
struct TrackLine {
  int branch = 0;         ///< of the whole session
  int parent = -1;        ///< index of the line that it left, or -1: it starts here
  int64_t fork_step = 0;  ///< it goes on from the end of this step of its parent
  Config config = {};     ///< knobs at its start; of a line with a parent, those at the fork
  std::shared_ptr<const State> start =
      {};  ///< null: the start state of the config. Only without parent.
  std::vector<JournalEntry> entries = {};  ///< steps ascending; none before fork_step
  StateLog log = {};
  int64_t end_step = 0;  ///< its last step
  bool stands = false;   ///< a step after the last one failed
  std::vector<TimelinePart> parked =
      {};  ///< recorded steps while another line is followed, in order
};

class TrackLines {
 public:
  /// Without a budget no step is recorded.
  TrackLines(TrackLine first, std::size_t history_bytes);

  const std::vector<TrackLine>& all() const { return lines_; }
  const TrackLine& present() const { return lines_[path_.back()]; }
  TrackLine& present() { return lines_[path_.back()]; }
  const TrackLine& first() const { return lines_[path_.front()]; }  ///< of the present path
  bool records() const { return history_.has_value(); }
  const Timeline& history() const { return *history_; }  ///< where it records

  /// The knobs that the step was made under.
  Config ConfigAt(int64_t step) const;
  /// What was done between this step of the present path and the next one, in order.
  std::vector<const Change*> ChangesAt(int64_t step) const;
  /// A method that made the steps behind this one.
  struct MethodSpan {
    int64_t after = 0;
    MethodId method = {};
  };
  /// All of the present path in their order; the first is behind every step.
  std::vector<MethodSpan> Methods() const { return MethodsOn(path_); }
  /// Nothing was done since the present line began.
  bool Untouched() const;

  /// What was recorded on the way to the end of a branch where that is not the present way, in
  /// order; first the last step that both have, where there is one.
  using VisitRecord = std::function<void(const StepRecord& record, double time, MethodId method)>;
  void VisitBeside(int branch, const VisitRecord& visit) const;
  /// How many of them there are.
  std::size_t CountBeside(int branch) const;
  struct Beside {
    GhostRun::Place place = GhostRun::Place::kNone;
    double shared_until = 0;  ///< [s]; 0 when nothing is shared
    double end = 0;           ///< of the branch [s]
  };
  /// The last step that the branch made at or before `time`, loaded where it is not one of the
  /// present way too. It counts as over when its last step is more than `late` before [s].
  Beside FindBeside(int branch, double time, double late, StepRecord* record) const;
  /// Of the branch's own part of the history, about.
  std::size_t BytesOf(int branch) const;
  std::size_t parked_bytes() const;
  /// All lines with the end of each in its log; the channel is in the state `now`.
  std::vector<TrackLine> WithEnds(const State& now) const;

  // What a Track does to them.
  /// The present line begins in this state.
  void Start(const State& state);
  void Record(const StepRecord& record, double time, bool flagged);
  /// In place of the present line, which is untouched.
  void Replace(TrackLine line);
  /// Another line without a parent; what the present ones recorded is put aside.
  void Add(TrackLine line);
  /// A line that leaves the present path in this state, under these knobs; what comes later on that
  /// path is put aside.
  void Fork(int branch, const Config& config, const State& state);
  /// The path leads to the end of the line of this branch. False when it has none.
  bool Follow(int branch);
  /// Puts all steps aside and gives back their room.
  void Park();
  /// The line of a branch, which no other one left, goes with its part of the history.
  void Forget(int branch);
  /// Drops every second step of those put aside; false when none can go.
  bool ThinParked();

 private:
  std::vector<std::size_t> PathTo(int branch) const;
  std::vector<MethodSpan> MethodsOn(std::span<const std::size_t> path) const;
  /// Place in the history of the last step that the path shares with the present one.
  std::optional<std::size_t> FindShared(std::span<const std::size_t> path) const;
  void VisitParked(std::span<const std::size_t> path,
                   const std::function<void(const TimelinePart&, std::size_t)>& visit) const;
  void ParkAfter(int64_t step);
  void Unpark();
  std::size_t OwnerOf(int64_t step) const;
  std::optional<State> EndOf(const TrackLine& line, const State& now) const;

  std::size_t history_bytes_ = 0;
  std::optional<Timeline> history_;
  std::vector<TrackLine> lines_;
  std::vector<std::size_t> path_;  ///< lines from the first to the present one
};

}  // namespace slip
