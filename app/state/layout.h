// Where the regions of the window are.
#pragma once

#include <imgui.h>

namespace slip::app {

struct Rect {
  ImVec2 min{0, 0}, max{0, 0};
  float width() const { return max.x - min.x; }
  float height() const { return max.y - min.y; }
  bool empty() const { return width() < 1 || height() < 1; }
};

/// Where the regions are, in pixels; an empty one is not drawn.
struct Regions {
  Rect menu, tools, left, view, plots, right, time, status;
  Rect studies;         ///< in place of all between the bars
  bool narrow = false;  ///< no room for the right panel: it is a third tab of the left one
  bool low = false;     ///< no room for three plots side by side: one, with tabs
};

}  // namespace slip::app
