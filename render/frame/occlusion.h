// Soft darkness in corners and where bodies touch, worked out from the depth of the picture.
#pragma once

#include "render/gl/gpu_mesh.h"
#include "render/scene/draw_list.h"

namespace slip::render {

/// Ambient occlusion in screen space, at half the resolution. For graphics cards.
class Occlusion {
 public:
  Status Load();
  /// Where it is asked for, at high quality, darkens the picture in the target, which is bound.
  /// After all that is opaque; it leaves the depth buffer as it was, with depth tested and nothing
  /// blended.
  void Draw(const DrawContext& context, const ViewTarget& target);

 private:
  void Resize(int width, int height);

  Program seen_program_, blend_program_;
  WholeScreen screen_;
  int width_ = 0, height_ = 0;
  Texture depth_;
  Framebuffer depth_framebuffer_;
  ColourTarget seen_;
};

}  // namespace slip::render
