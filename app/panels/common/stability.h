// The longest stable time step of contacts with anchors: what the window says of it.
#pragma once

#include <string>
#include <vector>

#include "app/kit/widgets.h"
#include "app/session/session.h"
#include "app/state/tabs.h"
#include "engine/tell/stability.h"

namespace slip::app {

struct LightLook {
  const char* icon;
  Token colour;
};
LightLook LookOf(StabilityLight light);

/// Of a channel whose contacts have anchors, as they last touched; nothing of another one.
Stability StabilityOf(const Session& session, int channel, const StableSteps& stable_steps);
/// Keeps the limits of the last contacts: while a body flies there is none. Once per frame.
void NoteStability(const Session& session, StableSteps* stable_steps);
/// Marks of the time-step row of `channel` (-1 = of all).
std::vector<SliderMark> StabilityMarks(const Session& session, const ParamEntry& entry, int channel,
                                       const StableSteps& stable_steps);

}  // namespace slip::app
