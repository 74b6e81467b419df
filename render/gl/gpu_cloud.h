// Point clouds on the GPU: every point a sphere impostor (assets/shaders/cloud.*.glsl) with the
// depth of a ball. The points are handed over once; an instance is a few uniforms.
#pragma once

#include <span>

#include "render/gl/gl.h"
#include "render/scene/draw_list.h"

namespace slip::render {

class GpuCloud {
 public:
  void Create(const PointCloud& cloud);
  int size() const { return size_; }
  double bound() const { return bound_; }      ///< largest distance of a point to the origin [m]
  double spacing() const { return spacing_; }  ///< CalcMeanSpacing [m]
  bool sized() const { return sized_; }        ///< its points have a radius of their own
  /// The first `count` points; as quads where they are larger than the driver's points can be.
  void Draw(int count, bool quads) const;

 private:
  VertexArray points_array_, quads_array_;
  Buffer points_, corners_;
  int size_ = 0;
  double bound_ = 0, spacing_ = 0;
  bool sized_ = false;
};

/// How a pass sees clouds.
struct CloudPass {
  Eigen::Vector3f forward = Eigen::Vector3f::UnitX();  ///< away from the eye or the light
  float behind = 0;         ///< forward . p + behind is the depth of p [m]; p as in SolidInstance
  bool perspective = true;  ///< else w = 1
  float pixels = 1;         ///< of the target, per metre at w = 1
  float largest_point = 1;  ///< that the driver draws [px]
  int most = 1 << 30;       ///< points of one cloud
  float depth_offset = 0;   ///< added to the depth buffer's value
  Eigen::Vector3f neutral = Eigen::Vector3f::Ones();  ///< what tints are mixed with, linear
};

/// One for each size of points. Uniforms of the pass are set by who draws it.
struct CloudPrograms {
  Program ball;   ///< depth of every pixel
  Program speck;  ///< of the centre: points of a few pixels
  Program quads;  ///< points that are too large
};

/// Draws one instance with the program that suits the size of its points.
void DrawCloud(const GpuCloud& cloud, const SolidInstance& instance, const CloudPass& pass,
               const CloudPrograms& programs);

}  // namespace slip::render
