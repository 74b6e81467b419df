// Handles in the picture for the targets of a robot that hangs on slides, such as a gripper: drawn,
// dragged, and moved by keys.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/panels.h"
#include "app/session/target_handles.h"

namespace slip::app {

/// Those of a channel, with the targets that were set last, or that were `asked` for since.
std::vector<TargetHandles> HandlesOf(const Session& session, int channel,
                                     std::span<const std::pair<std::string, double>> asked = {});
/// Some robot of the lead has handles.
bool HasTargetHandles(const Session& session);
/// Finds the handle under the mouse, and moves targets by the one that is held. Before the
/// picture's own mouse.
void DragTargets(Ui* ui, const Pane& pane, bool hovered);
/// Arrows along the slides, a dot for the plane of the picture, a double arrow between the fingers;
/// while one is dragged, what its targets are.
void DrawTargetHandles(Ui* ui, const Pane& pane);
/// Moves a target by a key's step; false where the action is another one.
bool NudgeHand(Ui* ui, Action action);
/// Why such an action can do nothing now; null when it can.
const char* WhyHandStays(const Ui& ui, Action action);

}  // namespace slip::app
