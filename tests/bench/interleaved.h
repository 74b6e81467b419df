// Two or more pieces of work asked in turns, so that what slows the machine slows them all: times
// and ratios of medians.
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

namespace slip::bench {

class Interleaved {
 public:
  /// `burst` calls are timed as one, for work shorter than the clock is exact.
  explicit Interleaved(int burst = 1) : burst_(burst) {}

  /// Times `call`; by its place among the calls of a round.
  template <class Call>
  void Time(std::size_t place, Call&& call) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begin = Clock::now();
    for (int i = 0; i < burst_; ++i) call();
    const std::chrono::duration<double, std::micro> spent = Clock::now() - begin;
    if (us_.size() <= place) us_.resize(place + 1);
    us_[place].push_back(spent.count() / burst_);
  }

  double Median(std::size_t place) {
    std::vector<double>& us = us_[place];
    const auto middle = us.begin() + static_cast<std::ptrdiff_t>(us.size() / 2);
    std::nth_element(us.begin(), middle, us.end());
    return *middle;
  }

  /// Counters "NAME_us" for all, and "NAME/FIRST" for all but the first.
  void Report(const std::vector<std::string>& names, benchmark::State* state) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      state->counters[names[i] + "_us"] = Median(i);
      if (i > 0) state->counters[names[i] + "/" + names[0]] = Median(i) / Median(0);
    }
  }

 private:
  int burst_;
  std::vector<std::vector<double>> us_;
};

}  // namespace slip::bench
