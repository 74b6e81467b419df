// What OpenGL says of itself, asked off-screen.
#pragma once

#include <string>

namespace slip::app {

struct GraphicsInfo {
  bool ok = false;
  std::string route;  ///< how the context was made
  std::string vendor, renderer, version;
  std::string problem;  ///< when not ok
};

GraphicsInfo QueryGraphics();

}  // namespace slip::app
