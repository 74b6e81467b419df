// Which of some things hang together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "engine/core/numbers.h"

namespace slip {

/// Numbers that stand for groups; the smallest of a group stands for it.
class NumberGroups {
 public:
  explicit NumberGroups(std::size_t count) : above_(count) {
    std::iota(above_.begin(), above_.end(), 0);
  }
  int Find(int i) {
    while (At(above_, i) != i) i = At(above_, i) = At(above_, At(above_, i));
    return i;
  }
  void Join(int a, int b) {
    a = Find(a), b = Find(b);
    At(above_, std::max(a, b)) = std::min(a, b);
  }

 private:
  std::vector<int> above_;
};

}  // namespace slip
