// The pass of the shadows that need no map.
#pragma once

#include "render/gl/gpu_mesh.h"

namespace slip::render {

/// Shadows of one group gather in the alpha of the picture, each pixel keeping the darkest; one
/// blend then tints the picture and leaves alpha at 1.
class ShadowPainter {
 public:
  Status Load();
  /// After what takes and what hides them, with depth tested and not written; expects alpha 1
  /// everywhere, blending and culling on, alpha not written, as which it leaves them. `fog`: start,
  /// 1 / length.
  void Draw(const std::vector<ShadowGroup>& groups, const Eigen::Matrix4f& view_projection,
            const Eigen::Vector2f& fog) const;

 private:
  Program wedge_, disc_, tint_;
  GpuMesh wedges_, discs_, rectangle_;
};

}  // namespace slip::render
