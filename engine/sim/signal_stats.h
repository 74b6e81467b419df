// Running maximum, minimum, mean, RMS and last value of every signal of one channel.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/method/config.h"
#include "engine/sim/expression.h"
#include "engine/sim/signals.h"

namespace slip {

class SignalStats {
 public:
  /// Adds the signals of one step, and those of its joints and feet. Values that are not finite are
  /// left out.
  void Add(const SignalValues& values, std::span<const double> robot_signals = {});
  /// Nothing until a finite value came.
  std::optional<double> Get(Reduction reduction, Signal signal) const;

 private:
  struct Sums {
    int64_t count = 0;
    double max = 0, min = 0, sum = 0, squares = 0, last = 0;
  };
  std::vector<Sums> sums_ = std::vector<Sums>(kSignalCount);  // by place
};

/// One channel of a run, as conditions see it.
struct ChannelStats {
  const SignalStats* stats;
  const Config* config;
};

/// Answers for an Expression from several channels (expression.h says what '@' selects): max, min
/// over the selected channels, mean of means, RMS of RMS, and for last the first channel's.
/// `channels` must outlive the result.
ExpressionData MakeExpressionData(std::span<const ChannelStats> channels);

}  // namespace slip
