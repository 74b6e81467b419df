// A screen for tests that open a real window.
#pragma once

#include <sys/types.h>

#include <string>

namespace slip {

/// A virtual screen of Xvfb, gone with the object.
class Screen {
 public:
  Screen();
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  std::string display;  ///< of DISPLAY; empty where no screen could be made

 private:
  pid_t child_ = -1;
};

}  // namespace slip
