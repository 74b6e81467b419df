// What draws the window, and how fast.
#pragma once

#include <string>

namespace slip::app {

struct Machine {
  double fps = 0;
  std::string gl_renderer;
  bool software_gl = false;
};

}  // namespace slip::app
