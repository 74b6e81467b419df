#include "engine/solver/ordering.h"

#include <algorithm>

namespace slip {
namespace {
std::size_t U(int i) { return static_cast<std::size_t>(i); }
}  // namespace

// First in, first out: nodes of equal degree take turns, which spreads the elimination over the
// graph and keeps the fill low.
void MinimumDegree::Insert(int node) {
  const std::size_t d = U(degree_[U(node)]);
  next_[U(node)] = -1;
  previous_[U(node)] = tail_[d];
  (tail_[d] >= 0 ? next_[U(tail_[d])] : head_[d]) = node;
  tail_[d] = node;
  lowest_ = std::min(lowest_, degree_[U(node)]);
}

void MinimumDegree::Remove(int node) {
  const std::size_t d = U(degree_[U(node)]);
  const int before = previous_[U(node)], after = next_[U(node)];
  (before >= 0 ? next_[U(before)] : head_[d]) = after;
  (after >= 0 ? previous_[U(after)] : tail_[d]) = before;
}

int MinimumDegree::PopMinimum() {
  while (head_[U(lowest_)] < 0) ++lowest_;
  const int node = head_[U(lowest_)];
  Remove(node);
  return node;
}

void MinimumDegree::Compute(std::span<const int> sizes, std::span<const BlockEdge> edges) {
  const int n = static_cast<int>(sizes.size());
  sizes_.assign(sizes.begin(), sizes.end());
  for (auto* v : {&begin_, &elements_, &length_, &element_begin_, &element_length_, &degree_,
                  &weight_outside_, &stamp_, &mark_}) {
    v->assign(U(n), 0);
  }
  begin_.push_back(0);
  absorbed_.assign(U(n), 0);
  next_.resize(U(n));
  previous_.resize(U(n));
  order_.clear();
  pool_.clear();

  // neighbour lists
  for (const auto& [i, j] : edges) ++length_[U(i)], ++length_[U(j)];
  for (int i = 0; i < n; ++i) begin_[U(i) + 1] = begin_[U(i)] + length_[U(i)];
  lists_.resize(2 * edges.size());
  length_.assign(U(n), 0);
  for (const auto& [i, j] : edges) {
    lists_[U(begin_[U(i)] + length_[U(i)]++)] = j;
    lists_[U(begin_[U(j)] + length_[U(j)]++)] = i;
  }
  int total = 0;
  for (int i = 0; i < n; ++i) {
    total += sizes_[U(i)];
    for (int k = 0; k < length_[U(i)]; ++k) {
      degree_[U(i)] += sizes_[U(lists_[U(begin_[U(i)] + k)])];
    }
  }
  head_.assign(U(total) + 1, -1);
  tail_.assign(U(total) + 1, -1);
  lowest_ = total;
  for (int i = 0; i < n; ++i) Insert(i);

  int remaining = total;
  for (int step = 1; step <= n; ++step) {
    const int p = PopMinimum();
    order_.push_back(p);
    remaining -= sizes_[U(p)];

    // its column: its own variables and those of its elements, which it absorbs
    const int column = static_cast<int>(pool_.size());
    mark_[U(p)] = step;
    int weight = 0;
    const auto take = [&](int i) {
      if (mark_[U(i)] == step) return;
      mark_[U(i)] = step;
      pool_.push_back(i);
      weight += sizes_[U(i)];
    };
    const int* list = lists_.data() + begin_[U(p)];
    for (int k = elements_[U(p)]; k < length_[U(p)]; ++k) take(list[k]);
    for (int k = 0; k < elements_[U(p)]; ++k) {
      const int e = list[k];
      absorbed_[U(e)] = 1;
      for (int m = 0; m < element_length_[U(e)]; ++m) {
        // eliminated nodes stay in old lists: skip them by their mark of life
        const int i = pool_[U(element_begin_[U(e)] + m)];
        if (length_[U(i)] >= 0 && i != p) take(i);
      }
    }
    element_begin_[U(p)] = column;
    element_length_[U(p)] = static_cast<int>(pool_.size()) - column;
    length_[U(p)] = -1;

    // weight of every other element outside this column
    const int end = column + element_length_[U(p)];
    for (int m = column; m < end; ++m) {
      const int i = pool_[U(m)];
      const int* items = lists_.data() + begin_[U(i)];
      for (int k = 0; k < elements_[U(i)]; ++k) {
        const int e = items[k];
        if (absorbed_[U(e)]) continue;
        if (stamp_[U(e)] != step) {
          stamp_[U(e)] = step;
          int live = 0;
          for (int q = 0; q < element_length_[U(e)]; ++q) {
            const int node = pool_[U(element_begin_[U(e)] + q)];
            if (length_[U(node)] >= 0) live += sizes_[U(node)];
          }
          weight_outside_[U(e)] = live;
        }
        weight_outside_[U(e)] -= sizes_[U(i)];
      }
    }

    // new lists and degrees of the column's nodes
    for (int m = column; m < end; ++m) {
      const int i = pool_[U(m)];
      Remove(i);
      int* items = lists_.data() + begin_[U(i)];
      int write = 0, degree = weight - sizes_[U(i)];
      for (int k = 0; k < elements_[U(i)]; ++k) {
        const int e = items[k];
        // an element inside this column adds nothing: absorbed as well
        if (absorbed_[U(e)] || weight_outside_[U(e)] == 0) continue;
        degree += weight_outside_[U(e)];
        items[write++] = e;
      }
      const int old_elements = elements_[U(i)];
      int end_variables = old_elements;
      for (int k = old_elements; k < length_[U(i)]; ++k) {
        const int j = items[k];
        if (mark_[U(j)] == step) continue;  // reached through the new element
        degree += sizes_[U(j)];
        items[end_variables++] = j;
      }
      // the new element follows the kept ones: an absorbed element, or p among the variables, has
      // left room for it
      const int variables = end_variables - old_elements;
      if (write < old_elements) {
        std::copy(items + old_elements, items + end_variables, items + write + 1);
      } else if (variables > 0) {
        items[end_variables] = items[old_elements];
      }
      items[write] = p;
      elements_[U(i)] = write + 1;
      length_[U(i)] = write + 1 + variables;
      degree_[U(i)] =
          std::min({degree, degree_[U(i)] + weight - sizes_[U(i)], remaining - sizes_[U(i)]});
      Insert(i);
    }
  }
}

}  // namespace slip
