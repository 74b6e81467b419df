// What bodies in front hide of those behind, before anything is drawn: of a pile of thousands only
// the outer layers are seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/geometry/shape.h"
#include "render/scene/camera.h"

namespace slip::render {

/// The picture in cells of a few pixels, each either wholly behind what was added or not. Errs to
/// the safe side: what it calls hidden has no pixel in the picture.
class Cover {
 public:
  /// No body asked for is larger than `reach`, its radius about its centre [m].
  Cover(const Camera& camera, const Viewport& viewport, double reach);

  /// A ball inside an opaque body. In the order of depth, the nearest first.
  void Add(const Vec3& p_W, double radius);
  /// Whether all of this ball lies behind what was added.
  bool Hides(const Vec3& p_W, double radius);

 private:
  struct Ball {
    double x, y, depth, radius;  ///< metres in the camera's axes
  };
  Ball InView(const Vec3& p_W, double radius) const;
  void Fill(const Ball& ball);

  Vec3 eye_, forward_, right_, up_;
  double reach_, near_, pixels_, half_width_, half_height_;
  bool orthographic_;
  double cell_;  ///< edge [px]
  int columns_, rows_;
  std::size_t words_;  ///< per row
  std::vector<uint64_t> bits_;
  std::vector<Ball> waiting_;  ///< too near in depth to what is asked for
  std::size_t first_ = 0;      ///< of those that still wait
};

/// Radius of a ball about the centre that lies inside the body however coarsely it is drawn; 0 for
/// shapes that may be hollow or of any form [m].
double InnerRadius(const Shape& shape);

}  // namespace slip::render
