// Sorting of what belongs to a vertex: sides of triangles, triangles by their corners.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/core/thread_stop.h"
#include "engine/geometry/sort_or_stop.h"

namespace slip {

/// As std::sort by `before`, whose first criterion is `vertex_of(item)`, a number >= 0: by
/// counting, as few items share a vertex. Left half done once ThreadStop says so.
template <class Item, class VertexOf, class Before>
void SortByVertex(std::vector<Item>* items, const VertexOf& vertex_of, const Before& before) {
  std::size_t vertices = 0;
  for (const Item& item : *items)
    vertices = std::max(vertices, static_cast<std::size_t>(vertex_of(item)) + 1);
  std::vector<std::uint32_t> end(vertices + 1, 0);
  for (const Item& item : *items) ++end[static_cast<std::size_t>(vertex_of(item))];
  std::uint32_t sum = 0;
  for (std::uint32_t& at : end)
    at = std::exchange(sum, sum + at);  // begins, until items are placed
  std::vector<Item> sorted(items->size());
  for (Item& item : *items) sorted[end[static_cast<std::size_t>(vertex_of(item))]++] = item;
  constexpr std::size_t kAtOnce = 1 << 16;
  std::uint32_t begin = 0;
  for (std::size_t v = 0; v < vertices; ++v) {
    if (v % kAtOnce == 0 && ThreadStop::Asked()) break;
    SortOrStop(sorted.begin() + begin, sorted.begin() + end[v], before);
    begin = end[v];
  }
  items->swap(sorted);
}

}  // namespace slip
