// The recorded steps of one channel, packed into one reserved block: appending allocates nothing.
// When the block is full the older half is thinned; steps with a warning are never dropped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/sim/simulation.h"

namespace slip {

class Timeline {
 public:
  /// Reserves address space for `budget_bytes`; memory is used only as it fills.
  explicit Timeline(std::size_t budget_bytes);

  void Clear();
  /// Appends a step at `time`, made under knobs number `config`. `flagged` = keep for good.
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

 private:
  struct Entry {
    std::size_t offset;
    double time;
    int config;
    bool flagged;
  };
  void Thin();

  std::vector<double> data_;
  std::vector<Entry> index_;
};

}  // namespace slip
