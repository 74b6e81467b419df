#include "engine/sim/signal_stats.h"

#include <algorithm>
#include <cmath>

namespace slip {
namespace {

bool Selected(const ChannelStats& channel, std::size_t index, std::string_view selector) {
  if (selector.empty()) return true;
  if (selector.size() == 1 && selector.front() >= '1' && selector.front() <= '9') {
    return index == static_cast<std::size_t>(selector.front() - '1');
  }
  return Info(channel.config->method()).id == selector;
}

}  // namespace

void SignalStats::Add(const SignalValues& values, std::span<const double> robot_signals) {
  const std::size_t count = values.size() + robot_signals.size();
  if (sums_.size() < count) sums_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double value = i < values.size() ? values[i] : robot_signals[i - values.size()];
    if (!std::isfinite(value)) continue;
    Sums& s = sums_[i];
    s.max = s.count == 0 ? value : std::max(s.max, value);
    s.min = s.count == 0 ? value : std::min(s.min, value);
    s.sum += value;
    s.squares += value * value;
    s.last = value;
    ++s.count;
  }
}

std::optional<double> SignalStats::Get(Reduction reduction, Signal signal) const {
  const auto place = static_cast<std::size_t>(Place(signal));
  if (place >= sums_.size()) return std::nullopt;
  const Sums& s = sums_[place];
  if (s.count == 0) return std::nullopt;
  const auto count = static_cast<double>(s.count);
  switch (reduction) {
    case Reduction::kMax:
      return s.max;
    case Reduction::kMin:
      return s.min;
    case Reduction::kMean:
      return s.sum / count;
    case Reduction::kRms:
      return std::sqrt(s.squares / count);
    case Reduction::kLast:
      break;
  }
  return s.last;
}

ExpressionData MakeExpressionData(std::span<const ChannelStats> channels) {
  ExpressionData data;
  data.signal = [channels](Reduction reduction, Signal signal,
                           std::string_view selector) -> std::optional<double> {
    std::optional<double> result;
    double sum = 0;
    int count = 0;
    for (std::size_t i = 0; i < channels.size(); ++i) {
      if (!Selected(channels[i], i, selector)) continue;
      const std::optional<double> value = channels[i].stats->Get(reduction, signal);
      if (!value) continue;
      if (!result) result = value;
      if (reduction == Reduction::kMax) result = std::max(*result, *value);
      if (reduction == Reduction::kMin) result = std::min(*result, *value);
      sum += reduction == Reduction::kRms ? *value * *value : *value;
      ++count;
    }
    if (result && reduction == Reduction::kMean) result = sum / count;
    if (result && reduction == Reduction::kRms) result = std::sqrt(sum / count);
    return result;
  };
  data.parameter = [channels](std::string_view path,
                              std::string_view selector) -> std::optional<double> {
    for (std::size_t i = 0; i < channels.size(); ++i) {
      if (Selected(channels[i], i, selector)) return GetParam(*channels[i].config, path);
    }
    return std::nullopt;
  };
  return data;
}

}  // namespace slip
