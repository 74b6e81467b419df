#include "app/plots/reduce.h"

#include <cmath>

#include "engine/sim/signal_stats.h"

namespace slip::app {

std::optional<double> Reduce(const SeriesView& view, double until, Reduction reduction) {
  const std::size_t end = view.LowerBound(std::nextafter(until, until + 1));
  if (end == 0) return std::nullopt;
  const MinMax extent = view.Extent(0, end);
  if (extent.empty()) return std::nullopt;
  const auto time_of = [&](const auto& says) { return view.TimeAt(FindFirst(view, end, says)); };
  switch (reduction) {
    case Reduction::kMax:
      return extent.max;
    case Reduction::kMin:
      return extent.min;
    case Reduction::kLast:
      for (std::size_t i = end; i-- > 0;) {
        if (std::isfinite(view.ValueAt(i))) return view.ValueAt(i);
      }
      return std::nullopt;
    case Reduction::kOnset:
      if (!(extent.max > 0)) return std::nullopt;
      return time_of([](const MinMax& part) { return part.max > 0; });
    case Reduction::kTimeOfMax:
      if (extent.max == extent.min) return std::nullopt;
      return time_of([&](const MinMax& part) { return part.max >= extent.max; });
    case Reduction::kMean:
    case Reduction::kRms:
      break;
  }
  RunningStats all;
  for (std::size_t i = 0; i < end; ++i)
    all.Add(view.TimeAt(i), static_cast<double>(view.ValueAt(i)));
  return all.Get(reduction);
}

}  // namespace slip::app
