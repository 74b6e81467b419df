// The card of the newest message and the list of all of them.
#pragma once

#include <imgui.h>

#include <string>
#include <vector>

namespace slip::app {

/// Where bodies were seen in the picture, and when: squares of the picture, row by row.
struct SeenBodies {
  static constexpr float kSquare = 16;  ///< [px]
  int columns = 0, rows = 0;
  std::vector<double> last;  ///< on the session's clock [s]
};

/// Where the card of a message is, and what it was put there for.
struct MessageCard {
  bool drawn = false;      ///< in this frame
  bool listed = false;     ///< the list of messages is open and says it
  bool open_list = false;  ///< the list is to be opened
  bool hovered = false;    ///< the mouse was on it in the last frame
  bool fits = true;        ///< it hides no body there
  std::string subject;
  ImVec2 offset{0, 0};  ///< from the corner of the view [px]
  ImVec2 size{0, 0}, view{0, 0};
  double placed = -1e9;  ///< on the session's clock [s]
  SeenBodies bodies;
};

}  // namespace slip::app
