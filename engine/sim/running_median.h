// The median of many values in bounded memory.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "engine/core/numbers.h"

namespace slip {

/// Exact up to kMost values; of more, that of every second, fourth, ... of them, by their order
/// alone. What is not a number is left out.
class RunningMedian {
 public:
  static constexpr std::size_t kMost = 65536;

  void Add(double value) {
    if (!std::isfinite(value) || count_++ % stride_ != 0) return;
    kept_.push_back(value);
    if (kept_.size() < kMost) return;
    for (std::size_t i = 1; 2 * i < kept_.size(); ++i) kept_[i] = kept_[2 * i];
    kept_.resize(kMost / 2);
    stride_ *= 2;
  }
  /// Of an even number the mean of the two in the middle; NaN without values.
  double Get() const {
    if (kept_.empty()) return kNaN;
    std::vector<double> sorted = kept_;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    if (sorted.size() % 2 == 1) return *middle;
    return 0.5 * (*middle + *std::max_element(sorted.begin(), middle));
  }

 private:
  std::vector<double> kept_;
  int64_t count_ = 0, stride_ = 1;
};

}  // namespace slip
