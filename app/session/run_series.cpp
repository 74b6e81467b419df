#include "app/session/run_series.h"

namespace slip::app {
namespace {

// A fast run is ahead of its samples by this share of its time.
constexpr double kAhead = 0.1;

}  // namespace

std::optional<double> RunSeries::Begin() const {
  // a series begins with the end of the first step
  double step = 0;
  for (int i = 0; i < core_.channel_count(); ++i)
    step = std::max(step, core_.frame(i).config.step.time_step);
  const double begin = start();
  if (begin <= core_.snapshot().history_start + 2 * step) return {};
  return begin;
}

bool RunSeries::Covers(int channel, double time) const {
  const SeriesView samples = View(channel, Signal::kTimeStep);
  const double step = core_.frame(channel).config.step.time_step;
  const double end = samples.empty() ? 0 : samples.TimeAt(samples.size() - 1);
  const double wanted = std::min(time, core_.frame(channel).time);  // one that failed has no more
  return end >= wanted - std::max(kAhead * wanted, 1.5 * step);
}

bool RunSeries::CoversAll(double time) const {
  for (int i = 0; i < core_.channel_count(); ++i) {
    if (core_.frame(i).measured && !Covers(i, time)) return false;
  }
  return true;
}

double RunSeries::HardestImpact() const {
  constexpr double kRound = 1e-9;  // the impact at the moment itself is forgotten, too [s]
  const double begin = std::max(seen_begin_, impacts_after_ + kRound);
  double speed = 0;
  for (int i = 0; i < core_.channel_count(); ++i) {
    const MinMax seen = View(i, Signal::kImpactSpeed).Query(begin, seen_end_);
    if (!seen.empty()) speed = std::max(speed, static_cast<double>(seen.max));
  }
  return speed;
}

}  // namespace slip::app
