#include "engine/solver/ordering.h"

#include <algorithm>

#include "engine/core/numbers.h"

namespace slip {

// First in, first out: nodes of equal degree take turns, which spreads the elimination over the
// graph and keeps the fill low.
void MinimumDegree::Insert(int node) {
  const std::size_t d = ToIndex(At(degree_, node));
  At(next_, node) = -1;
  At(previous_, node) = tail_[d];
  (tail_[d] >= 0 ? At(next_, tail_[d]) : head_[d]) = node;
  tail_[d] = node;
  lowest_ = std::min(lowest_, At(degree_, node));
}

void MinimumDegree::Remove(int node) {
  const std::size_t d = ToIndex(At(degree_, node));
  const int before = At(previous_, node), after = At(next_, node);
  (before >= 0 ? At(next_, before) : head_[d]) = after;
  (after >= 0 ? At(previous_, after) : tail_[d]) = before;
}

int MinimumDegree::PopMinimum() {
  while (At(head_, lowest_) < 0) ++lowest_;
  const int node = At(head_, lowest_);
  Remove(node);
  return node;
}

void MinimumDegree::Begin(std::span<const int> sizes, std::span<const BlockEdge> edges) {
  const int n = static_cast<int>(sizes.size());
  sizes_.assign(sizes.begin(), sizes.end());
  for (auto* v : {&begin_, &elements_, &length_, &element_begin_, &element_length_, &degree_,
                  &weight_outside_, &stamp_, &mark_}) {
    v->assign(ToIndex(n), 0);
  }
  begin_.push_back(0);
  absorbed_.assign(ToIndex(n), 0);
  next_.resize(ToIndex(n));
  previous_.resize(ToIndex(n));
  order_.clear();
  pool_.clear();

  // neighbour lists
  for (const auto& [i, j] : edges) ++At(length_, i), ++At(length_, j);
  for (int i = 0; i < n; ++i) At(begin_, i + 1) = At(begin_, i) + At(length_, i);
  lists_.resize(2 * edges.size());
  length_.assign(ToIndex(n), 0);
  for (const auto& [i, j] : edges) {
    At(lists_, At(begin_, i) + At(length_, i)++) = j;
    At(lists_, At(begin_, j) + At(length_, j)++) = i;
  }
  remaining_ = 0;
  for (int i = 0; i < n; ++i) {
    remaining_ += At(sizes_, i);
    for (int k = 0; k < At(length_, i); ++k)
      At(degree_, i) += At(sizes_, At(lists_, At(begin_, i) + k));
  }
  head_.assign(ToIndex(remaining_) + 1, -1);
  tail_.assign(ToIndex(remaining_) + 1, -1);
  lowest_ = remaining_;
  for (int i = 0; i < n; ++i) Insert(i);
}

// The column of p: its own variables and those of its elements, which it absorbs. Returns their
// weight.
int MinimumDegree::Eliminate(int p, int step) {
  order_.push_back(p);
  remaining_ -= At(sizes_, p);
  At(element_begin_, p) = static_cast<int>(pool_.size());
  At(mark_, p) = step;
  int weight = 0;
  const auto take = [&](int i) {
    if (At(mark_, i) == step) return;
    At(mark_, i) = step;
    pool_.push_back(i);
    weight += At(sizes_, i);
  };
  const int* list = lists_.data() + At(begin_, p);
  for (int k = At(elements_, p); k < At(length_, p); ++k) take(list[k]);
  for (int k = 0; k < At(elements_, p); ++k) {
    const int e = list[k];
    At(absorbed_, e) = 1;
    for (int m = 0; m < At(element_length_, e); ++m) {
      // eliminated nodes stay in old lists: skip them by their mark of life
      const int i = At(pool_, At(element_begin_, e) + m);
      if (At(length_, i) >= 0 && i != p) take(i);
    }
  }
  At(element_length_, p) = static_cast<int>(pool_.size()) - At(element_begin_, p);
  At(length_, p) = -1;
  return weight;
}

// The weight that every other element of these nodes has outside this column.
void MinimumDegree::WeighOutside(std::span<const int> column, int step) {
  for (const int i : column) {
    const int* items = lists_.data() + At(begin_, i);
    for (int k = 0; k < At(elements_, i); ++k) {
      const int e = items[k];
      if (At(absorbed_, e)) continue;
      if (At(stamp_, e) != step) {
        At(stamp_, e) = step;
        int live = 0;
        for (const int node : Column(e))
          if (At(length_, node) >= 0) live += At(sizes_, node);
        At(weight_outside_, e) = live;
      }
      At(weight_outside_, e) -= At(sizes_, i);
    }
  }
}

// The new lists and the new degree of node i in the column of p, which has this weight.
void MinimumDegree::Update(int i, int p, int weight, int step) {
  Remove(i);
  int* items = lists_.data() + At(begin_, i);
  int write = 0, degree = weight - At(sizes_, i);
  for (int k = 0; k < At(elements_, i); ++k) {
    const int e = items[k];
    // an element inside this column adds nothing: absorbed as well
    if (At(absorbed_, e) || At(weight_outside_, e) == 0) continue;
    degree += At(weight_outside_, e);
    items[write++] = e;
  }
  const int old_elements = At(elements_, i);
  int end_variables = old_elements;
  for (int k = old_elements; k < At(length_, i); ++k) {
    const int j = items[k];
    if (At(mark_, j) == step) continue;  // reached through the new element
    degree += At(sizes_, j);
    items[end_variables++] = j;
  }
  // the new element follows the kept ones: an absorbed element, or p among the variables, has left
  // room for it
  const int variables = end_variables - old_elements;
  if (write < old_elements) {
    std::copy(items + old_elements, items + end_variables, items + write + 1);
  } else if (variables > 0) {
    items[end_variables] = items[old_elements];
  }
  items[write] = p;
  At(elements_, i) = write + 1;
  At(length_, i) = write + 1 + variables;
  At(degree_, i) =
      std::min({degree, At(degree_, i) + weight - At(sizes_, i), remaining_ - At(sizes_, i)});
  Insert(i);
}

void MinimumDegree::Compute(std::span<const int> sizes, std::span<const BlockEdge> edges) {
  Begin(sizes, edges);
  const int n = static_cast<int>(sizes.size());
  for (int step = 1; step <= n; ++step) {
    const int p = PopMinimum();
    const int weight = Eliminate(p, step);
    const std::span<const int> column = Column(p);
    WeighOutside(column, step);
    for (const int i : column) Update(i, p, weight, step);
  }
}

}  // namespace slip
