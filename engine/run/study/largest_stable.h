// The run with the largest value of a parameter at which it is stable.
#pragma once

#include <cmath>
#include <memory>
#include <utility>

#include "engine/core/numbers.h"
#include "engine/core/sliced.h"

namespace slip {

/// Null: it was stopped. Without a stable value, the run with the smallest one, and NaN.
template <class Made>
using LargestStable = std::pair<std::unique_ptr<Made>, double>;

/// Looks between two values by bisection of the logarithm, to 5 %. `make` is given a value and
/// returns null when it was stopped; `is_stable` is asked of what it made.
template <class Made, class Make, class IsStable>
Sliced<LargestStable<Made>> FindLargestStable(double low, double high, const Make& make,
                                              const IsStable& is_stable) {
  constexpr double kRatio = 1.05;
  std::unique_ptr<Made> best = co_await make(high);
  if (best == nullptr || is_stable(*best)) co_return LargestStable<Made>{std::move(best), high};
  best = co_await make(low);
  if (best == nullptr || !is_stable(*best)) co_return LargestStable<Made>{std::move(best), kNaN};
  while (high > kRatio * low) {
    const double middle = std::sqrt(low * high);
    std::unique_ptr<Made> made = co_await make(middle);
    if (made == nullptr) co_return LargestStable<Made>{nullptr, kNaN};
    const bool stable = is_stable(*made);
    (stable ? low : high) = middle;
    if (stable) best = std::move(made);
  }
  co_return LargestStable<Made>{std::move(best), low};
}

}  // namespace slip
