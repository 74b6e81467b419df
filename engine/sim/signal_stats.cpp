#include "engine/sim/signal_stats.h"

#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"
#include "engine/solver/add_scaled.h"

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

void SignalStats::Widen(std::size_t count) {
  Reduce();
  stats_.resize(count + count % 2);
  kept_.resize(kKept * stats_.size());
}

void SignalStats::Add(double time, const SignalValues& values,
                      std::span<const double> part_signals) {
  const std::size_t count = values.size() + part_signals.size();
  if (stats_.size() < count) Widen(count);
  double* row = kept_.data() + steps_ * stats_.size();
  row = std::copy(values.begin(), values.end(), row);
  row = std::copy(part_signals.begin(), part_signals.end(), row);
  std::fill(row, row + (stats_.size() - count), kNaN);
  times_[steps_] = time;
  if (++steps_ == kKept) Reduce();
}

void SignalStats::Reduce() {
  if (steps_ == 0) return;
  const double earliest = *std::min_element(times_.begin(), times_.begin() + steps_);
  for (std::size_t place = 0; place < stats_.size(); place += 2) ReducePair(place, earliest);
  steps_ = 0;
}

// As RunningStats::Add of one step after the other, bit for bit.
void SignalStats::ReducePair(std::size_t place, double earliest) {
  RunningStats* stats = &stats_[place];
  const double* row = kept_.data() + place;
  const std::size_t width = stats_.size();
  Two max = {stats[0].max_, stats[1].max_}, min = {stats[0].min_, stats[1].min_};
  Two sum = {stats[0].sum_, stats[1].sum_}, squares = {stats[0].squares_, stats[1].squares_};
  auto known = max != max;  // that some value is a number
  for (std::size_t step = 0; step < steps_; ++step, row += width) {
    const Two value = LoadTwo(row);
    known |= value == value;
    max = value > max ? value : max;
    min = value < min ? value : min;
    sum += value;
    squares += value * value;
  }
  for (std::size_t i = 0; i < 2; ++i) {
    if (!known[i]) continue;
    RunningStats& own = stats[i];
    const auto value = [&](std::size_t step) { return kept_[step * width + place + i]; };
    const bool finite = std::abs(sum[i]) <= std::numeric_limits<double>::max();
    for (std::size_t step = 0; !finite && step < steps_; ++step) own.Add(times_[step], value(step));
    if (!finite) continue;
    own.count_ += static_cast<int64_t>(steps_);
    own.last_ = value(steps_ - 1);
    own.min_ = min[i], own.sum_ = sum[i], own.squares_ = squares[i];
    std::size_t first = 0;
    if (max[i] > own.max_) {
      while (value(first) != max[i]) ++first;
      own.max_ = max[i], own.time_of_max_ = times_[first];
    }
    if (!(max[i] > 0) || !(earliest < own.onset_)) continue;
    for (std::size_t step = 0; step < steps_; ++step) {
      if (times_[step] < own.onset_ && value(step) > 0) own.onset_ = times_[step];
    }
  }
}

std::optional<double> SignalStats::Get(Reduction reduction, Signal signal) const {
  const auto place = static_cast<std::size_t>(Place(signal));
  if (place >= stats_.size()) return std::nullopt;
  RunningStats stats = stats_[place];
  for (std::size_t step = 0; step < steps_; ++step)
    stats.Add(times_[step], kept_[step * stats_.size() + place]);
  return stats.Get(reduction);
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
