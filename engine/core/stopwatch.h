// Wall time of the parts of a step. Never part of a result.
#pragma once

#include <chrono>

namespace slip {

class Stopwatch {
 public:
  /// One that is off reads no clock: to read it costs as much as a part of a small step.
  explicit Stopwatch(bool on = true) : on_(on) {
    if (on_) last_ = Clock::now();
  }

  /// Sets *us to the time since the last lap, or since it was made [us]; nothing when off.
  void Lap(double* us) {
    if (on_) *us = Lap();
  }
  /// Adds that time to *us, which a NaN begins anew; nothing when off.
  void Add(double* us) {
    if (on_) *us = (*us > 0 ? *us : 0) + Lap();
  }
  double Lap() {
    const Clock::time_point now = Clock::now();
    const double us = std::chrono::duration<double, std::micro>(now - last_).count();
    last_ = now;
    return us;
  }

 private:
  using Clock = std::chrono::steady_clock;
  bool on_;
  Clock::time_point last_;
};

}  // namespace slip
