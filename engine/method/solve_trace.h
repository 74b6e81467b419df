// The search lines of one solve, for looking at: made by a repeated solve, never while stepping.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace slip {

/// The cost along one search direction: l(alpha) - l(0).
struct SearchLine {
  static constexpr int kPoints = 61;
  static constexpr double kLastAlpha = 1.5;  ///< of the sampled points, which start at 0
  static constexpr double AlphaAt(int point) { return kLastAlpha * point / (kPoints - 1); }

  int iteration = 0;         ///< entry of SolveRecord::history that this line starts from
  double cost = 0;           ///< l(0), the record's cost of that iteration [J]
  double alpha = 0;          ///< chosen
  double chosen_rise = 0;    ///< l(alpha) - l(0) [J], negative
  double slope = 0;          ///< l'(0) [J]
  double noise = 0;          ///< round-off of a cost difference [J]: smaller ones mean nothing
  std::vector<double> rise;  ///< l(AlphaAt(i)) - l(0) [J]; NaN beyond a barrier
};

/// Search lines of a channel's step.
struct SolveTrace {
  int channel = -1;
  int64_t step = -1;
  uint64_t session = 0;
  /// The repeated solve took the same iterations to the same cost. Otherwise `lines` is empty.
  bool repeated = false;
  std::vector<SearchLine> lines;  ///< of the hardest island; interior-point iterations have none

  /// Line that starts from this entry of the record; null when there is none.
  const SearchLine* Find(int iteration) const {
    for (const SearchLine& line : lines) {
      if (line.iteration == iteration) return &line;
    }
    return nullptr;
  }
};

}  // namespace slip
