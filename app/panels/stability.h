// The longest stable time step of contacts with anchors: what the window says of it.
#pragma once

#include <string>
#include <vector>

#include "app/kit/widgets.h"
#include "app/session/session.h"
#include "app/state/tabs.h"
#include "engine/method/config.h"

namespace slip::app {

/// How a channel's time step stands to the limit of its own method.
enum class StabilityLight { kNone, kStable, kNear, kBeyond };

struct Stability {
  StabilityLight light = StabilityLight::kNone;  ///< none: stable at any step, or nothing known
  double limit = 0;                              ///< [s]; 0: not known, or no step is stable
  std::string whose;                             ///< "Explicit Euler"
  std::string words;                             ///< "Stable: 1 ms, limit 2 ms"
  const char* icon = nullptr;
  Token colour = Token::kOk;
};

/// Of a channel whose contacts have anchors, as they last touched; nothing of another one.
Stability StabilityOf(const Session& session, int channel, const StableSteps& stable_steps);
/// Keeps the limits of the last contacts: while a body flies there is none. Once per frame.
void NoteStability(const Session& session, StableSteps* stable_steps);
/// Marks of the time-step row of `channel` (-1 = of all).
std::vector<SliderMark> StabilityMarks(const Session& session, const ParamEntry& entry, int channel,
                                       const StableSteps& stable_steps);

}  // namespace slip::app
