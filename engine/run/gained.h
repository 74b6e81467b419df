// Steps that make energy from nothing (EnergyGain), or would have, of a run that went on.
#pragma once

#include <cstdint>
#include <limits>

#include "engine/core/result.h"
#include "engine/method/solve_record.h"

namespace slip {

struct Gained {
  int64_t halved = 0;  ///< steps with anchors that were made of pieces, because they would gain
  int64_t pieces = 0;  ///< of these
  int64_t gained = 0;  ///< steps that gain more than kGainOfAnchors
  double worst = 0;    ///< share of these
  int64_t beyond = 0;  ///< steps of explicit methods that were longer than is stable
  double limit = std::numeric_limits<double>::infinity();  ///< shortest stable one of these [s]

  /// `step`: its length [s], where the method has a limit of stability; else 0.
  void Add(const SolveRecord& solve, double step);
  void Add(const Gained& other);

  /// A note for each of the three that there is, in `message`; what to do in `hint`.
  ErrorList Notes() const;
};

}  // namespace slip
