#include "app/plots/creep_distance.h"

#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"

namespace slip::app {

double CreepDistances::Until(const SeriesStore& series, int channel, double time) {
  Sum& sum = At(sums_, channel);
  const SeriesView speed = series.View(channel, Signal::kSlipSpeed);
  const std::size_t end = speed.LowerBound(time + 1e-9);
  const bool continues =
      sum.epoch == series.epoch() && sum.session == series.session() && sum.next <= end;
  if (!continues) sum = {.epoch = series.epoch(), .session = series.session()};
  // the speed at the end of a step moves bodies in it; nothing leads to the first sample
  for (std::size_t i = std::max<std::size_t>(sum.next, 1); i < end; ++i) {
    const auto value = static_cast<double>(speed.ValueAt(i));
    if (!std::isfinite(value)) continue;
    sum.distance += value * (speed.TimeAt(i) - speed.TimeAt(i - 1));
    sum.known = true;
  }
  sum.next = end;
  return sum.known ? sum.distance : kNaN;
}

}  // namespace slip::app
