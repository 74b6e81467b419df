// Which value of one parameter has the effect that another parameter has in another model of the
// comparison: numbers and the rule behind them.
#pragma once

#include <optional>
#include <string>

#include "engine/method/config.h"
#include "engine/tell/run_moment.h"

namespace slip {

struct Match {
  std::string partner;     ///< "τ_d 1.00 ms of SAP", rich text
  double value = 0;        ///< that the parameter would get [SI]
  bool met = false;        ///< it has that value now, to 0.1 %
  std::string rule;        ///< one line with its numbers
  bool by_impact = false;  ///< the rule takes the hardest impact that was seen
  std::string details;     ///< the formulas with their numbers
  std::string obstacle;    ///< why there is no such value; then `value` and `rule` mean nothing
};

/// The match on offer for this parameter of `channel` (-1 = the shared value): dissipation,
/// relaxation time and the damping of anchors with each other by the loss in an impact, stiction
/// tolerance with friction regularisation by the creep, the stiffness of anchors with another
/// model's contact by the penetration. Empty when no other model of the comparison has the partner.
std::optional<Match> FindMatch(const RunMoment& moment, const ParamEntry& entry, int channel);

}  // namespace slip
