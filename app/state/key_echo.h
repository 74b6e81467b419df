// The presenter's last keys and click, for those who watch.
#pragma once

#include <imgui.h>

#include <string>

namespace slip::app {

struct KeyEcho {
  std::string keys;       ///< "Ctrl+R"
  int times = 1;          ///< so often in a row
  double pressed = -1e9;  ///< on the session's clock [s]
  ImVec2 mouse{0, 0};     ///< where it was pressed
  double clicked = -1e9;  ///< likewise
};

}  // namespace slip::app
