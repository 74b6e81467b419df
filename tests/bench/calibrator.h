// The kernel that tells how fast this machine is just now: one 6x6 block update, C -= A B^T.
#pragma once

#include <algorithm>
#include <chrono>

#include "engine/core/types.h"

namespace slip::bench {

/// Nanoseconds of one update, the best of several bursts.
inline double CalibratorNanoseconds() {
  using Mat6 = Eigen::Matrix<double, 6, 6>;
  Mat6 a = Mat6::Random(), b = Mat6::Random(), c = Mat6::Zero();
  constexpr int kRepeat = 20000;
  double best = 1e300;
  for (int burst = 0; burst < 7; ++burst) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < kRepeat; ++i) {
      c.noalias() -= a * b.transpose();
      asm volatile("" : : "g"(c.data()) : "memory");
    }
    const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - begin;
    best = std::min(best, spent.count() / kRepeat);
  }
  return best;
}

}  // namespace slip::bench
