// Wall time of the parts of a step. Never part of a result.
#pragma once

#include <chrono>

namespace slip {

class Stopwatch {
 public:
  /// Time since the last lap, or since it was made [us].
  double Lap() {
    const Clock::time_point now = Clock::now();
    const double us = std::chrono::duration<double, std::micro>(now - last_).count();
    last_ = now;
    return us;
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point last_ = Clock::now();
};

}  // namespace slip
