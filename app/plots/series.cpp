// Columns, pyramid and the store fed from telemetry.
#include "app/plots/series.h"

#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"

namespace slip::app {
namespace {

constexpr std::size_t kGrain = 1024;
// Play heads and step times are sums of different roundings [s].
constexpr double kSlack = 1e-9;

/// True if something is known at a time; `next` is the first sample after it.
bool Known(const SeriesView& view, std::size_t next, double t) {
  if (next == 0) return false;
  // what comes after a part is another's
  return next < view.size() || view.last >= view.time->size() ||
         (*view.time)[view.last] > t + kSlack;
}

}  // namespace

void Column::Append(double value) {
  const std::size_t index = values_.size();
  const auto stored = static_cast<float>(value);
  values_.push_back(stored);
  if (levels_.empty()) levels_.emplace_back();
  for (std::size_t level = 0; level < levels_.size(); ++level) {
    std::vector<MinMax>& buckets = levels_[level];
    if (index >> (kBaseBits + level) == buckets.size()) buckets.emplace_back();
    buckets.back().Add(stored);
  }
  // a second bucket at the top asks for a level above it
  if (levels_.back().size() > 1) {
    MinMax all = levels_.back()[0];
    all.Add(levels_.back()[1]);
    levels_.push_back({all});
  }
}

void Column::Truncate(std::size_t size) {
  if (size >= values_.size()) return;
  values_.resize(size);
  if (size == 0) {
    levels_.clear();
    return;
  }
  for (std::size_t level = 0; level < levels_.size(); ++level) {
    const std::size_t shift = kBaseBits + level;
    const std::size_t count = ((size - 1) >> shift) + 1;
    std::vector<MinMax>& buckets = levels_[level];
    buckets.resize(count);

    // only the last bucket lost members
    MinMax last;
    if (level == 0) {
      for (std::size_t i = (count - 1) << shift; i < size; ++i) last.Add(values_[i]);
    } else {
      const std::vector<MinMax>& children = levels_[level - 1];
      for (std::size_t i = 2 * (count - 1); i < children.size(); ++i) last.Add(children[i]);
    }
    buckets.back() = last;
  }
  while (levels_.size() > 1 && levels_[levels_.size() - 2].size() <= 1) levels_.pop_back();
}

void Column::DropFront(std::size_t count) {
  if (count == 0) return;
  if (count >= size()) return Clear();
  values_.erase(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(count));
  for (std::size_t level = 0; level < levels_.size(); ++level) {
    const std::size_t shift = kBaseBits + level;
    std::vector<MinMax>& buckets = levels_[level];
    if ((count & ((std::size_t{1} << shift) - 1)) == 0) {
      // whole buckets went, the others keep their members
      buckets.erase(buckets.begin(), buckets.begin() + static_cast<std::ptrdiff_t>(count >> shift));
      continue;
    }
    buckets.assign(((size() - 1) >> shift) + 1, MinMax{});
    if (level == 0) {
      for (std::size_t i = 0; i < size(); ++i) buckets[i >> shift].Add(values_[i]);
    } else {
      const std::vector<MinMax>& children = levels_[level - 1];
      for (std::size_t i = 0; i < children.size(); ++i) buckets[i / 2].Add(children[i]);
    }
  }
  while (levels_.size() > 1 && levels_[levels_.size() - 2].size() <= 1) levels_.pop_back();
}

MinMax Column::Query(std::size_t first, std::size_t last) const {
  MinMax result;
  last = std::min(last, values_.size());
  if (first >= last) return result;

  // ragged ends, sample by sample
  constexpr std::size_t kMask = (std::size_t{1} << kBaseBits) - 1;
  while (first < last && (first & kMask)) result.Add(values_[first++]);
  while (last > first && (last & kMask)) result.Add(values_[--last]);

  // whole buckets, climbing while both ends are even
  std::size_t a = first >> kBaseBits, b = last >> kBaseBits;
  for (std::size_t level = 0; a < b; ++level) {
    const std::vector<MinMax>& buckets = levels_[level];
    if (level + 1 == levels_.size()) {
      while (a < b) result.Add(buckets[a++]);
      break;
    }
    if (a & 1) result.Add(buckets[a++]);
    if (b & 1) result.Add(buckets[--b]);
    a >>= 1;
    b >>= 1;
  }
  return result;
}

std::size_t SeriesView::LowerBound(double t) const {
  if (empty()) return 0;
  const auto begin = time->begin() + static_cast<std::ptrdiff_t>(first);
  const auto end = begin + static_cast<std::ptrdiff_t>(size());
  return static_cast<std::size_t>(std::lower_bound(begin, end, t) - begin);
}

SeriesView SeriesView::Part(double t0, double t1) const {
  SeriesView part = *this;
  part.first = first + LowerBound(t0);
  part.last = first + LowerBound(t1);
  if (part.last == time->size()) part.last = kAll;
  return part;
}

bool SeriesView::Covers(double t) const { return Known(*this, LowerBound(t + kSlack), t); }

std::size_t SeriesView::Nearest(double t) const {
  const std::size_t right = LowerBound(t);
  if (right == 0) return 0;
  if (right == size()) return size() - 1;
  return t - TimeAt(right - 1) <= TimeAt(right) - t ? right - 1 : right;
}

double SeriesView::At(double t) const {
  const std::size_t next = LowerBound(t + kSlack);
  return Known(*this, next, t) ? static_cast<double>(ValueAt(next - 1)) : kNaN;
}

bool SeriesView::IsOver(double t) const {
  const std::size_t n = size();
  return n > 1 && t > TimeAt(n - 1) + 2 * (TimeAt(n - 1) - TimeAt(n - 2));
}

double SeriesView::SampleTime(double t) const {
  const std::size_t next = LowerBound(t + kSlack);
  return Known(*this, next, t) ? TimeAt(next - 1) : kNaN;
}

MinMax SeriesView::Query(double t_min, double t_max) const {
  if (empty()) return {};
  return Extent(LowerBound(t_min), LowerBound(std::nextafter(t_max, 1e300)));
}

void Series::Append(double time, double value) {
  time_.push_back(time);
  values_.Append(value);
}

void Series::Truncate(double time) {
  const auto end = std::upper_bound(time_.begin(), time_.end(), time + 1e-9);
  time_.erase(end, time_.end());
  values_.Truncate(time_.size());
}

void Series::Clear() {
  time_.clear();
  values_.Clear();
}

SeriesStore::Channel& SeriesStore::ChannelOf(int channel) {
  const auto index = static_cast<std::size_t>(std::max(0, channel));
  while (channels_.size() <= index) {
    channels_.emplace_back().columns.resize(static_cast<std::size_t>(kSignalCount));
  }
  return channels_[index];
}

void SeriesStore::Clear() {
  channels_.clear();
  ++epoch_;
}

void SeriesStore::Truncate(Channel* channel, double time) {
  const auto end = std::upper_bound(channel->time.begin(), channel->time.end(), time + kSlack);
  channel->time.erase(end, channel->time.end());
  channel->step.resize(channel->time.size());
  for (Column& column : channel->columns) column.Truncate(channel->time.size());
  std::erase_if(channel->runs, [time](const MethodRun& run) { return run.from > time + kSlack; });
}

void SeriesStore::Feed(const Telemetry& telemetry) {
  if (const auto* sample = std::get_if<Sample>(&telemetry.item)) {
    if (telemetry.session != session_) {
      Clear();
      session_ = telemetry.session;
    }
    return Add(*sample);
  }
  if (std::holds_alternative<RestartSamples>(telemetry.item)) {
    Clear();
    session_ = telemetry.session;
    return;
  }
  ++epoch_;
  if (const auto* truncate = std::get_if<TruncateSamples>(&telemetry.item)) {
    for (Channel& channel : channels_) Truncate(&channel, truncate->time);
    return;
  }
  const auto& change = std::get<ChangeChannels>(telemetry.item);
  const auto channels = static_cast<std::size_t>(change.channels);
  if (channels < channels_.size()) {
    // one channel went: those behind it move up
    if (change.gone >= 0 && static_cast<std::size_t>(change.gone) < channels_.size())
      channels_.erase(channels_.begin() + change.gone);
    channels_.resize(channels);
  } else if (channels > 0) {
    ChannelOf(change.channels - 1);
  }
}

void SeriesStore::Add(const Sample& item) {
  Channel& channel = ChannelOf(item.channel);
  // the same step again replaces what was there: times stay ascending
  if (!channel.time.empty() && item.time <= channel.time.back()) {
    Truncate(&channel, std::nextafter(item.time, -1e300) - 2e-9);
    ++epoch_;
  }
  // a vector that is full doubles
  if (channel.time.size() == channel.time.capacity() && bytes() + channel.bytes() > budget_) {
    ForgetOldest();
  }
  // parts are known with the first sample
  if (channel.time.empty()) channel.columns.resize(kSignalCount + item.part_values.size());
  // nobody has made the start: it is that of the first step
  if (channel.time.size() == 1) channel.runs.front().method = item.method;
  if (channel.runs.empty() || channel.runs.back().method != item.method)
    channel.runs.push_back({item.time, item.method});
  channel.time.push_back(item.time);
  channel.step.push_back(item.step);
  for (std::size_t i = 0; i < channel.columns.size(); ++i) {
    const std::size_t part = i - kSignalCount;
    const bool known = i < kSignalCount || part < item.part_values.size();
    channel.columns[i].Append(i < kSignalCount ? item.values[i]
                              : known          ? item.part_values[part]
                                               : kNaN);
  }
}

void SeriesStore::ForgetOldest() {
  for (Channel& channel : channels_) {
    // round numbers move whole buckets of the pyramid instead of building them anew
    const std::size_t count = channel.time.size() / 4 / kGrain * kGrain;
    channel.time.erase(channel.time.begin(),
                       channel.time.begin() + static_cast<std::ptrdiff_t>(count));
    channel.step.erase(channel.step.begin(),
                       channel.step.begin() + static_cast<std::ptrdiff_t>(count));
    for (Column& column : channel.columns) column.DropFront(count);
    if (channel.time.empty()) continue;
    const auto gone = [&](const MethodRun& run) { return run.from <= channel.time.front(); };
    const auto begin = channel.runs.begin();
    const auto kept = std::find_if_not(begin, channel.runs.end(), gone) - 1;
    channel.runs.erase(begin, kept);
    channel.runs.front().from = channel.time.front();
  }
  ++epoch_;
}

SeriesView SeriesStore::View(int channel, Signal signal) const {
  if (channel < 0 || channel >= channels()) return {};
  const Channel& source = At(channels_, channel);
  const auto place = static_cast<std::size_t>(Place(signal));
  return place < source.columns.size() ? SeriesView{&source.time, &source.columns[place]}
                                       : SeriesView{};
}

std::span<const MethodRun> SeriesStore::Runs(int channel) const {
  if (channel < 0 || channel >= channels()) return {};
  return At(channels_, channel).runs;
}

std::optional<SeriesStore::Moment> SeriesStore::MomentAt(int channel, double time) const {
  const SeriesView view = View(channel, Signal::kTimeStep);
  if (view.empty()) return std::nullopt;
  if (time < view.TimeAt(0) - kSlack || time > view.TimeAt(view.size() - 1) + kSlack)
    return std::nullopt;
  const std::size_t i = std::max<std::size_t>(view.LowerBound(time + kSlack), 1) - 1;
  return Moment{At(channels_, channel).step[i], view.TimeAt(i)};
}

std::optional<MethodId> SeriesStore::MethodAt(int channel, double time) const {
  std::optional<MethodId> method;
  for (const MethodRun& run : Runs(channel)) {
    if (!method || run.from <= time + kSlack) method = run.method;
  }
  return method;
}

double SeriesStore::start() const {
  double result = 0;
  bool found = false;
  for (const Channel& channel : channels_) {
    if (channel.time.empty()) continue;
    result = found ? std::min(result, channel.time.front()) : channel.time.front();
    found = true;
  }
  return result;
}

double SeriesStore::end() const {
  double result = 0;
  for (const Channel& channel : channels_) {
    if (!channel.time.empty()) result = std::max(result, channel.time.back());
  }
  return result;
}

std::size_t Column::bytes() const {
  std::size_t sum = values_.capacity() * sizeof(float);
  for (const std::vector<MinMax>& buckets : levels_) sum += buckets.capacity() * sizeof(MinMax);
  return sum;
}

std::size_t SeriesStore::Channel::bytes() const {
  std::size_t sum = time.capacity() * sizeof(double) + step.capacity() * sizeof(int64_t);
  for (const Column& column : columns) sum += column.bytes();
  return sum;
}

std::size_t SeriesStore::bytes() const {
  std::size_t sum = 0;
  for (const Channel& channel : channels_) sum += channel.bytes();
  return sum;
}

}  // namespace slip::app
