#include "app/plots/difference.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/numbers.h"

namespace slip::app {
namespace {

constexpr double kSameTime = 1e-9;  // [s] times of two channels are sums of different roundings
constexpr int kOtherStore = -1;     // in place of a channel's number

/// Either of two stores may have dropped samples.
uint64_t Epoch(const SeriesStore& store, const SeriesStore& reference) {
  return store.epoch() * 1000003 + reference.epoch();
}

}  // namespace

void DifferenceSeries::Update(const SeriesView& value, const SeriesView& reference,
                              uint64_t epoch) {
  if (epoch != epoch_ || value_ > value.size() || reference_ > reference.size()) {
    series_.Clear();
    value_ = reference_ = count_ = 0;
    squares_ = 0;
    epoch_ = epoch;
  }
  while (value_ < value.size() && reference_ < reference.size()) {
    const double t = value.TimeAt(value_), t_reference = reference.TimeAt(reference_);
    if (t < t_reference - kSameTime) {
      ++value_;
      continue;
    }
    if (t > t_reference + kSameTime) {
      ++reference_;
      continue;
    }
    const auto a = static_cast<double>(value.ValueAt(value_++));
    const auto b = static_cast<double>(reference.ValueAt(reference_++));
    double difference = a - b;
    // samples are kept to seven digits: what is below that is no difference
    constexpr auto kEpsilon = static_cast<double>(std::numeric_limits<float>::epsilon());
    if (std::fabs(difference) <= 2 * kEpsilon * std::max(std::fabs(a), std::fabs(b))) {
      difference = 0;
    }
    series_.Append(t, difference);
    if (!std::isfinite(difference)) continue;
    squares_ += difference * difference;
    ++count_;
  }
}

double DifferenceSeries::Rms() const {
  return count_ > 0 ? std::sqrt(squares_ / static_cast<double>(count_)) : kNaN;
}

SeriesView DifferenceStore::View(const SeriesStore& store, int channel, int lead, Signal signal) {
  DifferenceSeries& made = made_[{channel, lead, signal}];
  made.Update(store.View(channel, signal), store.View(lead, signal), store.epoch());
  return made.View();
}

SeriesView DifferenceStore::ReferenceView(const SeriesStore& reference, const SeriesStore& store,
                                          int lead, Signal signal, int other) {
  DifferenceSeries& made = made_[{kOtherStore - other, lead, signal}];
  made.Update(reference.View(0, signal), store.View(lead, signal), Epoch(store, reference));
  return made.View();
}

const DifferenceSeries& DifferenceStore::Against(const SeriesStore& store, int channel,
                                                 const SeriesStore& reference, Signal signal) {
  DifferenceSeries& made = made_[{channel, kOtherStore, signal}];
  made.Update(store.View(channel, signal), reference.View(0, signal), Epoch(store, reference));
  return made;
}

}  // namespace slip::app
