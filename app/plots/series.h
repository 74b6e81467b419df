// Columns of samples for the plots, with a pyramid of minima and maxima: a peak is never lost,
// however many samples share a pixel column.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "engine/run/track/command.h"
#include "engine/sim/signals.h"

namespace slip::app {

/// Smallest and largest finite value; empty when min > max.
struct MinMax {
  float min = std::numeric_limits<float>::infinity();
  float max = -std::numeric_limits<float>::infinity();
  bool empty() const { return min > max; }
  void Add(float value) {  // false for NaN on both sides: gaps add nothing
    if (value < min) min = value;
    if (value > max) max = value;
  }
  void Add(const MinMax& other) {
    if (other.min < min) min = other.min;
    if (other.max > max) max = other.max;
  }
};

/// Values of one quantity. Stored as float: seven digits are more than a screen shows, and a
/// session of all signals stays half as large.
class Column {
 public:
  void Append(double value);
  /// Keeps the first `size` values.
  void Truncate(std::size_t size);
  /// Forgets the first `count` values.
  void DropFront(std::size_t count);
  void Clear() { Truncate(0); }
  std::size_t size() const { return values_.size(); }
  float operator[](std::size_t index) const { return values_[index]; }
  std::span<const float> values() const { return values_; }
  /// Memory held, in use or not.
  std::size_t bytes() const;
  /// Exact minimum and maximum of [first, last), NaN left out; O(log n).
  MinMax Query(std::size_t first, std::size_t last) const;

 private:
  static constexpr int kBaseBits = 4;  // lowest level: 16 samples per bucket; below it scans win
  std::vector<float> values_;
  std::vector<std::vector<MinMax>> levels_;  // level l: buckets of 2^(kBaseBits + l) samples
};

/// One quantity over time; both columns belong to someone else. Null columns are an empty series.
struct SeriesView {
  static constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
  const std::vector<double>* time = nullptr;  ///< [s], ascending
  const Column* values = nullptr;
  std::size_t first = 0, last = kAll;  ///< only the samples [first, last)

  std::size_t size() const { return time && values ? std::min(last, values->size()) - first : 0; }
  bool empty() const { return size() == 0; }
  double TimeAt(std::size_t i) const { return (*time)[first + i]; }
  float ValueAt(std::size_t i) const { return (*values)[first + i]; }
  /// Minimum and maximum of the samples [a, b).
  MinMax Extent(std::size_t a, std::size_t b) const { return values->Query(first + a, first + b); }
  /// The samples with t0 <= time < t1.
  SeriesView Part(double t0, double t1) const;
  /// Some sample is in force at t, be it a gap: not before a part, nor behind it.
  bool Covers(double t) const;
  /// First index with time >= t.
  std::size_t LowerBound(double t) const;
  /// Index of the sample nearest to t; size() when empty.
  std::size_t Nearest(double t) const;
  /// Value in force at time t: the last sample not later than t; NaN before the first, and behind
  /// a part.
  double At(double t) const;
  /// The samples end before t: by more than twice the time between the last two of them.
  bool IsOver(double t) const;
  /// Time of that sample; NaN where there is none.
  double SampleTime(double t) const;
  MinMax Query(double t_min, double t_max) const;
};

/// A series that owns its samples: differences, references, studies.
class Series {
 public:
  void Append(double time, double value);
  /// Drops samples later than `time`.
  void Truncate(double time);
  void Clear();
  SeriesView View() const { return {&time_, &values_}; }

 private:
  std::vector<double> time_;
  Column values_;
};

/// Samples from this time on were made by this method.
struct MethodRun {
  double from = 0;  ///< [s]
  MethodId method{};
};

/// Every signal of every channel of the session, fed from the telemetry stream on the UI thread.
class SeriesStore {
 public:
  /// Takes one item: sample, truncation, restart or change of the number of channels.
  void Feed(const Telemetry& telemetry);
  void Clear();
  int channels() const { return static_cast<int>(channels_.size()); }
  /// Valid until the next Feed. Empty view for a channel that does not exist.
  SeriesView View(int channel, Signal signal) const;
  /// Which methods made the samples of the channel, in the order of time; empty without samples.
  std::span<const MethodRun> Runs(int channel) const;
  /// The method that made the sample at or before this time; nothing without samples.
  std::optional<MethodId> MethodAt(int channel, double time) const;
  struct Moment {
    int64_t step = 0;
    double time = 0;  ///< [s]
  };
  /// The sample of the channel in force at this time, as a click on the time line shows it; nothing
  /// before its first, or behind its last.
  std::optional<Moment> MomentAt(int channel, double time) const;
  /// Time of the first and the last sample of all channels [s]; 0, 0 when there is none.
  double start() const;
  double end() const;
  uint64_t session() const { return session_; }
  /// Memory held, in use or not.
  std::size_t bytes() const;
  /// Rather than grow beyond this, every channel forgets its oldest quarter: an hour at full speed
  /// would otherwise fill the memory. A few thousand samples are kept whatever the budget.
  void set_budget(std::size_t bytes) { budget_ = bytes; }
  /// Counts truncations, replacements and restarts: caches built from views are stale when it
  /// changes.
  uint64_t epoch() const { return epoch_; }

 private:
  struct Channel {
    std::vector<double> time;
    std::vector<int64_t> step;
    std::vector<Column> columns;  // by place of the signal
    std::vector<MethodRun> runs;
    std::size_t bytes() const;
  };
  Channel& ChannelOf(int channel);
  void Add(const Sample& sample);
  static void Truncate(Channel* channel, double time);
  void ForgetOldest();
  std::size_t budget_ = std::size_t{256} << 20;
  std::vector<Channel> channels_;
  uint64_t session_ = 0;
  uint64_t epoch_ = 0;
};

}  // namespace slip::app
