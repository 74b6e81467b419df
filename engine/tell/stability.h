// A channel's time step beside the longest stable one.
#pragma once

#include <optional>
#include <string>

#include "engine/sim/snapshot.h"

namespace slip {

/// Beside the limit of the channel's own method.
enum class StabilityLight { kNone, kStable, kNear, kBeyond };

struct Stability {
  StabilityLight light = StabilityLight::kNone;  ///< none: stable at any step, or nothing known
  double limit = 0;                              ///< [s]; 0: not known, or no step is stable
  std::string whose;                             ///< "Explicit Euler"
  std::string words;                             ///< "Stable: 1 ms, limit 2 ms"
};

/// Of a channel, by the longest step that is stable as its contacts last touched [s], 0 = none is;
/// nothing where none is known.
Stability StabilityOf(const ChannelFrame& frame, std::optional<double> limit);

}  // namespace slip
