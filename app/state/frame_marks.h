// What is noted while a frame is drawn: what lies over the picture, and what is in a video.
#pragma once

#include <imgui.h>

#include <vector>

#include "app/state/layout.h"

namespace slip::app {

struct FrameMarks {
  std::vector<Rect> overlays;  ///< readouts and legends over the picture
  /// What a live video has not, and what it has alone.
  std::vector<const ImDrawList*> window_only, video_only;
  const ImDrawList* record_card = nullptr;  ///< what opens over it is not in the video either

  /// What is drawn in the present ImGui window or child is in no live video.
  void KeepOutOfVideo() { window_only.push_back(ImGui::GetWindowDrawList()); }
};

}  // namespace slip::app
