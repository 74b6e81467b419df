// Room for what comes and goes with the numbers, under rows that a hand may be on.
#pragma once

#include <imgui.h>

#include "app/state/tabs.h"

namespace slip::app {

/// A mouse button is down, or the mouse is over the rows of this window: no row may move now.
inline bool HandIsNear() {
  const bool held =
      ImGui::IsMouseDown(ImGuiMouseButton_Left) && !ImGui::IsMouseClicked(ImGuiMouseButton_Left);
  return held || ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem |
                                        ImGuiHoveredFlags_AllowWhenBlockedByPopup);
}

/// Draws the content. While a hand is near it keeps the room that it had, unless it is new here
/// itself.
template <class Content>
void KeepRoom(RoomUnder* room, const Content& content) {
  const int frame = ImGui::GetFrameCount();
  const bool here = room->frame >= frame - 1;
  room->frame = frame;
  const bool held = here && HandIsNear();
  room->folded = held && room->height <= 0;
  if (room->folded) return;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 end{at.x + ImGui::GetContentRegionAvail().x, at.y + room->height};
  if (held) ImGui::PushClipRect(at, end, true);
  content();
  if (held) {
    ImGui::PopClipRect();
    ImGui::SetCursorScreenPos({at.x, end.y});
  } else {
    room->height = ImGui::GetCursorScreenPos().y - at.y;
  }
}

}  // namespace slip::app
