// Running reductions of signals: maximum, minimum, mean, RMS, last value, times of onset and peak.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/numbers.h"
#include "engine/method/config.h"
#include "engine/sim/expression.h"
#include "engine/sim/signals.h"

namespace slip {

/// Of one quantity; several runs may be added one after the other.
class RunningStats {
 public:
  /// A value that is not finite is left out.
  void Add(double time, double value) {
    if (!(std::abs(value) <= std::numeric_limits<double>::max())) return;
    ++count_;
    if (value > max_) {
      max_ = value;
      time_of_max_ = time;
    }
    if (value < min_) min_ = value;
    sum_ += value;
    squares_ += value * value;
    last_ = value;
    if (value > 0 && time < onset_) onset_ = time;
  }
  /// Nothing until a finite value came, for an onset one above zero.
  std::optional<double> Get(Reduction reduction) const;

 private:
  friend class SignalStats;
  int64_t count_ = 0;
  double max_ = -kInfinity, min_ = kInfinity, sum_ = 0, squares_ = 0, last_ = 0, time_of_max_ = 0;
  double onset_ = kInfinity;  // there was none
};

/// Of every signal of one channel. Steps are kept and reduced several at a time, for a signal's
/// numbers then stay in registers.
class SignalStats {
 public:
  /// Adds the signals of one step that ends at `time`, and those of its parts.
  void Add(double time, const SignalValues& values, std::span<const double> part_signals = {});
  std::optional<double> Get(Reduction reduction, Signal signal) const;

 private:
  static constexpr std::size_t kKept = 16;  // steps

  void Reduce();
  void ReducePair(std::size_t place, double earliest);
  void Widen(std::size_t count);

  std::vector<RunningStats> stats_;       // by place, of the steps that are reduced; an even number
  std::vector<double> kept_;              // rows of stats_.size(), a step each
  std::array<double, kKept> times_ = {};  // of the steps kept [s]
  std::size_t steps_ = 0;                 // kept
};

/// One channel of a run, as conditions see it.
struct ChannelStats {
  const SignalStats* stats;
  const Config* config;
  /// All that it is called in the run, that of its start first; none: by its method.
  std::vector<std::string> names = {};
};

/// Does a selector mean the channel of this place: "2" the second one, "sap" one that begins with
/// this model, "sap#2" one that has this name at any time.
bool MeansChannel(std::string_view selector, std::size_t index, std::span<const std::string> names);

/// Answers for an Expression from several channels (expression.h says what '@' selects): max, min
/// and the earliest onset over the selected channels, mean of means, RMS of RMS, the time of the
/// largest of the maxima, and for last the first channel's.
/// `channels` must outlive the result.
ExpressionData MakeExpressionData(std::span<const ChannelStats> channels);

}  // namespace slip
