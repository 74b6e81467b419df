// Sorting of millions, which asks on the way whether anybody still waits.
#pragma once

#include <algorithm>

#include "engine/core/thread_stop.h"

namespace slip {

/// As std::sort, but left half done once ThreadStop says so.
template <class Iterator, class Before>
void SortOrStop(Iterator first, Iterator last, const Before& before) {
  constexpr int kAtOnce = 1 << 16, kLeastPart = 8;
  const auto count = last - first;
  if (count <= kAtOnce) return std::sort(first, last, before);
  if (ThreadStop::Asked()) return;
  const auto pivot = first[count / 2];
  Iterator middle =
      std::partition(first, last, [&](const auto& item) { return before(item, pivot); });
  if (std::min(middle - first, last - middle) < count / kLeastPart) {
    middle = first + count / 2;
    std::nth_element(first, middle, last, before);
  }
  SortOrStop(first, middle, before);
  SortOrStop(middle, last, before);
}

}  // namespace slip
