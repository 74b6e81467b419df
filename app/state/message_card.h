// The card of the newest message and the list of all of them.
#pragma once

#include <imgui.h>

#include <string>

namespace slip::app {

/// Where the card of a message is, and what it was put there for.
struct MessageCard {
  bool drawn = false;      ///< in this frame
  bool listed = false;     ///< the list of messages is open and says it
  bool open_list = false;  ///< the list is to be opened
  std::string subject;
  ImVec2 offset{0, 0};  ///< from the corner of the view [px]
  ImVec2 size{0, 0}, view{0, 0};
};

}  // namespace slip::app
