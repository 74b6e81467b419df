// The recorded steps of one channel, packed into one reserved block: appending allocates nothing
// and the block never grows. When it is full, older steps make room, evenly in time; steps with a
// warning go last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/sim/simulation.h"

namespace slip {

/// Recorded steps of one channel, packed one behind the other.
class TimelinePart {
 public:
  std::size_t size() const { return index_.size(); }
  double time(std::size_t i) const { return index_[i].time; }
  int64_t step(std::size_t i) const;
  std::size_t bytes() const {
    return data_.capacity() * sizeof(double) + index_.capacity() * sizeof(Entry);
  }
  void Load(std::size_t i, StepRecord* record) const;
  /// How many have numbers up to this one, and times up to this one [s].
  std::size_t CountUpTo(int64_t step) const;
  std::size_t CountBefore(double time) const;
  /// Drops every second step: those without a warning first. The newest stays. False when there is
  /// none left to drop.
  bool Thin();
  /// Those with numbers above `step`; this part is spent.
  TimelinePart After(int64_t step) &&;

 private:
  friend class Timeline;
  struct Entry {
    std::size_t offset;
    double time;
    bool flagged;
    bool dropped;  // while room is made
  };
  static TimelinePart CutAfter(int64_t step, std::vector<double>* data, std::vector<Entry>* index);
  std::vector<double> data_;
  std::vector<Entry> index_;
};

class Timeline {
 public:
  /// Reserves address space for `budget_bytes` in all; memory is used only as it fills. A budget
  /// too small for the first record is raised to hold it.
  explicit Timeline(std::size_t budget_bytes);

  void Clear();
  /// Appends a step at `time`. `flagged` = drop after all others.
  /// What is dropped for want of room: of the older half, then of all but the newest quarter, steps
  /// without a flag until none is left; then flagged ones of the older half. The first step stays.
  /// A record that alone needs more than the budget is not kept.
  void Append(const StepRecord& record, double time, bool flagged);

  /// Takes out the steps with numbers above `step`.
  TimelinePart TakeAfter(int64_t step);
  /// Appends the steps of a part with numbers above `after` and not above `last`, making room as
  /// for single steps.
  void AppendPart(const TimelinePart& part, int64_t after, int64_t last);

  std::size_t size() const { return index_.size(); }
  bool empty() const { return index_.empty(); }
  double time(std::size_t i) const { return index_[i].time; }
  int64_t step(std::size_t i) const;
  /// Last entry with time <= t (the first one if all are later). Needs a non-empty timeline.
  std::size_t Find(double t) const;
  void Load(std::size_t i, StepRecord* record) const;
  std::size_t bytes() const {
    return data_.size() * sizeof(double) + index_.size() * sizeof(Entry);
  }
  /// What it may ever use: reserved, used or not.
  std::size_t capacity_bytes() const {
    return data_.capacity() * sizeof(double) + index_.capacity() * sizeof(Entry);
  }

 private:
  using Entry = TimelinePart::Entry;
  std::size_t Size(std::size_t i) const;
  bool FindRoom(std::size_t numbers);
  std::size_t MarkSome(std::size_t first, std::size_t last, bool flagged);
  void MarkDropped(std::size_t wanted);
  void MakeRoom(std::size_t wanted);

  std::vector<double> data_;
  std::vector<Entry> index_;
};

}  // namespace slip
