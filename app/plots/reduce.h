// Reductions of a series up to a moment, quick enough for every frame.
#pragma once

#include <optional>

#include "app/plots/series.h"
#include "engine/sim/expression.h"

namespace slip::app {

/// Of the samples not later than `until`, without NaN; nothing where there are none. O(log² n) but
/// for mean and RMS, which look at each sample.
std::optional<double> Reduce(const SeriesView& view, double until, Reduction reduction);

/// The first of the samples [0, end) for which the extent of [0, its end) says so.
template <class Says>
std::size_t FindFirst(const SeriesView& view, std::size_t end, const Says& says) {
  std::size_t first = 0;
  while (end - first > 1) {
    const std::size_t middle = first + (end - first) / 2;
    (says(view.Extent(first, middle)) ? end : first) = middle;
  }
  return first;
}

}  // namespace slip::app
