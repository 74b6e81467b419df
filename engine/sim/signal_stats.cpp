#include "engine/sim/signal_stats.h"

#include <algorithm>
#include <cmath>

namespace slip {
namespace {

bool Selected(const ChannelStats& channel, std::size_t index, std::string_view selector) {
  if (selector.empty()) return true;
  if (!channel.names.empty()) return MeansChannel(selector, index, channel.names);
  const std::string own(Info(channel.config->method()).id);
  return MeansChannel(selector, index, std::span(&own, 1));
}

}  // namespace

bool MeansChannel(std::string_view selector, std::size_t index,
                  std::span<const std::string> names) {
  if (selector == std::to_string(index + 1)) return true;
  if (std::find(names.begin(), names.end(), selector) != names.end()) return true;
  return !names.empty() &&
         std::string_view(names.front()).substr(0, names.front().find('#')) == selector;
}

std::optional<double> RunningStats::Get(Reduction reduction) const {
  if (count_ == 0) return std::nullopt;
  const auto count = static_cast<double>(count_);
  switch (reduction) {
    case Reduction::kMax:
      return max_;
    case Reduction::kMin:
      return min_;
    case Reduction::kMean:
      return sum_ / count;
    case Reduction::kRms:
      return std::sqrt(squares_ / count);
    case Reduction::kLast:
      return last_;
    case Reduction::kOnset:
      return onset_ < kInfinity ? std::optional(onset_) : std::nullopt;
    case Reduction::kTimeOfMax:
      break;
  }
  if (max_ == min_) return std::nullopt;  // nothing has happened
  return time_of_max_;
}

void SignalStats::Add(double time, const SignalValues& values,
                      std::span<const double> part_signals) {
  const std::size_t count = values.size() + part_signals.size();
  if (stats_.size() < count) stats_.resize(count);
  RunningStats* stats = stats_.data();
  for (const double value : values) (stats++)->Add(time, value);
  for (const double value : part_signals) (stats++)->Add(time, value);
}

std::optional<double> SignalStats::Get(Reduction reduction, Signal signal) const {
  const auto place = static_cast<std::size_t>(Place(signal));
  return place < stats_.size() ? stats_[place].Get(reduction) : std::nullopt;
}

ExpressionData MakeExpressionData(std::span<const ChannelStats> channels) {
  ExpressionData data;
  data.signal = [channels](Reduction reduction, Signal signal,
                           std::string_view selector) -> std::optional<double> {
    std::optional<double> result;
    double sum = 0, largest = 0;
    int count = 0;
    for (std::size_t i = 0; i < channels.size(); ++i) {
      if (!Selected(channels[i], i, selector)) continue;
      const std::optional<double> value = channels[i].stats->Get(reduction, signal);
      if (!value) continue;
      if (!result) result = value;
      if (reduction == Reduction::kOnset) result = std::min(*result, *value);
      if (reduction == Reduction::kTimeOfMax) {
        const double max = channels[i].stats->Get(Reduction::kMax, signal).value_or(0);
        if (count == 0 || max > largest) {
          largest = max;
          result = value;
        }
      }
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
