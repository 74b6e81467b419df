// What is told of a step with exact friction: its certificate.
#pragma once

#include "engine/method/step_report.h"

namespace slip {

/// The worst of a step's islands, as OwnNumbers.
struct CoulombNumbers {
  double relative = 0;  ///< residual of the coupled equations
  double newtons = 0;   ///< the same, largest over the coordinates [N] or [N m]
  int stage = 0;        ///< CoulombOutcome
  int folds = 0;
  int untested = 0;   ///< islands whose solution's index is not known
  int several = 0;    ///< islands with more solutions than the one taken
  int unsolved = 0;   ///< islands without a solution
  int round_off = 0;  ///< islands whose residual is above the tolerance, at round-off

  OwnNumbers Pack() const;
  static CoulombNumbers Unpack(const OwnNumbers& own);
};

class CoulombReport {
 public:
  static void Report(const SolvedStep& step, StepReport* report);
};

}  // namespace slip
