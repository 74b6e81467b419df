// Handles in the picture for the targets of a robot that hangs on slides, such as a gripper: drawn,
// dragged, and moved by keys.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/session/target_handles.h"
#include "app/view/pane.h"

namespace slip::app {

/// Those of a channel, with the targets that were set last, or that were `asked` for since.
std::vector<TargetHandles> HandlesOf(const Session& session, int channel,
                                     std::span<const std::pair<std::string, double>> asked = {});
/// Some robot of the lead has handles.
bool HasTargetHandles(const Session& session);
bool HasRoomForHandles(const Session& session, const Pane& pane);
/// Finds the handle under the mouse, and moves targets by the one that is held; `alone`: those of
/// its channel alone. Before the picture's own mouse.
void DragTargets(const Session& session, const Pane& pane, bool alone, MouseState* mouse,
                 Picked* picked, Requests* requests);
/// Arrows along the slides, a dot for the plane of the picture, a double arrow between the fingers;
/// while one is dragged, what its targets are. `selected`: a body.
void DrawTargetHandles(const Session& session, const Pane& pane, bool alone, const TargetDrag& drag,
                       int selected);
/// Moves a target by a key's step, of the robot of the selected body; false where the action is
/// another one.
bool NudgeHand(const Session& session, Action action, int selected, bool alone, Requests* requests);
/// Why such an action can do nothing now; null when it can.
const char* WhyHandStays(const Session& session, Action action, int selected);

}  // namespace slip::app
