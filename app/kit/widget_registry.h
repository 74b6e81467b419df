// Rectangles of the last frame's widgets by stable id: tests click by name, not by pixel.
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>
#include <vector>

namespace slip::app {

struct WidgetRecord {
  std::string id;        ///< e.g. "param/time_step/slider"
  ImVec2 min, max;       ///< screen pixels
  bool clipped = false;  ///< its text is wider than its box
  std::string text;      ///< what it says, where that was recorded
};

/// Of the current Kit. Off at first; recording costs a string per widget and frame.
void EnableWidgetRegistry(bool enabled);
bool WidgetRegistryEnabled();
/// Forgets the last frame's records. Call once per frame, right after ImGui::NewFrame.
void BeginWidgetFrame();
void RegisterWidget(std::string_view id, ImVec2 min, ImVec2 max, bool clipped = false,
                    std::string_view text = {});
/// Records the last ImGui item.
void RegisterLastItem(std::string_view id, bool clipped = false);
const std::vector<WidgetRecord>& Widgets();
/// Null when the last frame had none of that id.
const WidgetRecord* FindWidget(std::string_view id);
/// Ids whose text did not fit.
std::vector<std::string> ClippedWidgets();

}  // namespace slip::app
