// Paints a frame of the window. While what is shown is recorded, the frame is captured before what
// belongs to the window alone is painted: the ring, the card of the recording, messages.
#pragma once

#include "app/frame/ui.h"
#include "render/video/frame_reader.h"

namespace slip::app {

class LivePainter {
 public:
  /// ImGui's picture of the frame into the bound framebuffer of that size [px].
  void Paint(Ui* ui, unsigned framebuffer, int width, int height);

 private:
  void Capture(Ui* ui, unsigned framebuffer, int width, int height);
  void HandOver(Ui* ui, std::optional<render::FrameReader::Frame> frame);

  render::FrameReader reader_;
};

}  // namespace slip::app
