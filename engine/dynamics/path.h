// A quantity that a scene gives over time.
#pragma once

#include <vector>

#include "engine/core/types.h"

namespace slip {

/// Linear between its knots, constant before the first and behind the last; zero without knots.
template <class T>
struct Path {
  struct Knot {
    double time = 0;  ///< [s], ascending
    T value = {};
  };
  std::vector<Knot> knots = {};

  /// At time t [s].
  T At(double t, T zero = {}) const {
    if (knots.empty()) return zero;
    if (t <= knots.front().time) return knots.front().value;
    for (std::size_t i = 1; i < knots.size(); ++i) {
      const Knot &from = knots[i - 1], &to = knots[i];
      if (t >= to.time) continue;
      return T(from.value + (t - from.time) / (to.time - from.time) * (to.value - from.value));
    }
    return knots.back().value;
  }
};

}  // namespace slip
