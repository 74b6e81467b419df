// The recorded steps of one channel, packed into one reserved block: appending allocates nothing
// and the block never grows. When it is full, older steps make room, evenly in time; steps with a
// warning go last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/sim/simulation.h"

namespace slip {

class Timeline {
 public:
  /// Reserves address space for `budget_bytes` in all; memory is used only as it fills. A budget
  /// too small for the first record is raised to hold it.
  explicit Timeline(std::size_t budget_bytes);

  void Clear();
  /// Appends a step at `time`, made under knobs number `config`. `flagged` = drop after all others.
  /// What is dropped for want of room: of the older half, then of all but the newest quarter, steps
  /// without a flag until none is left; then flagged ones of the older half. The first step stays.
  /// A record that alone needs more than the budget is not kept.
  void Append(const StepRecord& record, double time, int config, bool flagged);
  /// Drops all but the first `count` entries.
  void Truncate(std::size_t count);

  std::size_t size() const { return index_.size(); }
  bool empty() const { return index_.empty(); }
  double time(std::size_t i) const { return index_[i].time; }
  int config(std::size_t i) const { return index_[i].config; }
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
  struct Entry {
    std::size_t offset;
    double time;
    int config;
    bool flagged;
    bool dropped;  // while room is made
  };
  std::size_t Size(std::size_t i) const;
  std::size_t MarkSome(std::size_t first, std::size_t last, bool flagged);
  void MarkDropped(std::size_t wanted);
  void MakeRoom(std::size_t wanted);

  std::vector<double> data_;
  std::vector<Entry> index_;
};

}  // namespace slip
