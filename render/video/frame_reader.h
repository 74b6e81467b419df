// Pixels out of GL without waiting for it: what is asked for with one frame is fetched with the
// next, when the driver has long copied it.
#pragma once

#include <array>
#include <optional>

#include "render/gl/gl.h"
#include "render/video/frame_writer.h"

namespace slip::render {

class FrameReader {
 public:
  /// A part of a framebuffer, counted from its upper left corner [px].
  struct Part {
    int x = 0, y = 0, width = 0, height = 0;
  };
  struct Frame {
    Image image;      ///< alpha as the framebuffer has it
    double time = 0;  ///< as it was given
  };

  /// Asks for that part of a framebuffer (0 = the window's back buffer) of `framebuffer_height`;
  /// gives what was asked for before, if anything was.
  std::optional<Frame> Read(unsigned framebuffer, int framebuffer_height, const Part& part,
                            double time);
  /// What was asked for last and not given yet; waits for it.
  std::optional<Frame> Take();

 private:
  struct Slot {
    Buffer buffer;
    int width = 0, height = 0;  ///< 0 = nothing was asked for
    double time = 0;
  };
  static std::optional<Frame> Fetch(Slot* slot);

  std::array<Slot, 2> slots_;
  int last_ = 0;  ///< that was asked for last
};

}  // namespace slip::render
