// Smooth edges for pictures of one sample a pixel: a pass over the finished picture.
#pragma once

#include <vector>

#include "render/gl/gpu_mesh.h"

namespace slip::render {

class Smoothing {
 public:
  Status Load();
  /// The picture of a target, smoothed; it is valid until the next call with this pane.
  const ColourTarget& Draw(const ViewTarget& target, std::size_t pane);
  /// Where that goes.
  const ColourTarget& TargetOf(const ViewTarget& target, std::size_t pane);

 private:
  struct Picture {
    int width = 0, height = 0;
    ColourTarget target;
  };
  Program program_;
  WholeScreen screen_;
  std::vector<Picture> pictures_;
};

}  // namespace slip::render
