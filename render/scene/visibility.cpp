// Frustum of five planes; levels of detail by the error of the silhouette, below one pixel.
#include "render/scene/visibility.h"

#include <algorithm>
#include <cmath>

namespace slip::render {
namespace {

constexpr double kEdgeRadius = 0.004;  // of drawn boxes [m]
// A circle of n corners misses radius (1 - cos(pi / n)): 8, 12 and 20 corners, 0.6 pixels each.
constexpr double kTinyBall = 8, kFarBall = 17, kNearBall = 49;
constexpr double kFarDrum = 17;
// A dome's rim lies half out, half in: it misses a quarter of radius (pi / n)^2. Of 8, 10, 16, 26
// and 44 corners that is at most 0.35 pixels here.
constexpr double kSpeckDome = 6, kTinyDome = 14, kFarDome = 36, kMidDome = 96, kNearDome = 275;
// Edges below a pixel or so need no rounding, below a few no more than one bevel.
constexpr double kSharpEdge = 1.6, kBevelledEdge = 8;

}  // namespace

Frustum::Frustum(const Camera& camera, const Viewport& viewport)
    : target_(camera.spec().target),
      forward_(camera.forward_W()),
      right_(camera.right_W()),
      up_(right_.cross(forward_)),
      behind_(forward_.dot(target_) - camera.spec().distance),
      distance_(camera.spec().distance),
      near_(camera.near_plane()),
      tan_x_(std::tan(0.5 * camera.spec().field_of_view) * viewport.aspect()),
      tan_y_(std::tan(0.5 * camera.spec().field_of_view)),
      cos_x_(1 / std::hypot(1.0, tan_x_)),
      cos_y_(1 / std::hypot(1.0, tan_y_)),
      pixels_(1 / camera.MetresPerPixel(1, viewport)),
      orthographic_(camera.orthographic()) {}

bool Frustum::Sees(const Vec3& p_W, double radius) const {
  const Vec3 r = p_W - target_;
  const double x = std::abs(right_.dot(r)), y = std::abs(up_.dot(r));
  if (orthographic_) return x <= distance_ * tan_x_ + radius && y <= distance_ * tan_y_ + radius;
  const double depth = forward_.dot(r) + distance_;
  return depth >= near_ - radius && (x - depth * tan_x_) * cos_x_ <= radius &&
         (y - depth * tan_y_) * cos_y_ <= radius;
}

double Frustum::Scale(double depth) const {
  return orthographic_ ? pixels_ : pixels_ / std::max(depth, near_);
}

double EdgeRadius(const Shape& shape) {
  if (shape.kind == ShapeKind::kBox) return std::min(kEdgeRadius, 0.08 * shape.size.minCoeff());
  if (shape.kind == ShapeKind::kCylinder) {
    return std::min(0.75 * kEdgeRadius, 0.08 * std::min(shape.radius, shape.length));
  }
  return 0;
}

Mesh ChooseMesh(const Shape& shape, double pixels_per_metre) {
  const double edge = EdgeRadius(shape) * pixels_per_metre;
  const double radius = shape.radius * pixels_per_metre;
  switch (shape.kind) {
    case ShapeKind::kBox:
      return edge < kSharpEdge ? Mesh::kBlock : edge < kBevelledEdge ? Mesh::kBevelled : Mesh::kBox;
    case ShapeKind::kCylinder:
      return radius < kFarDrum ? Mesh::kDrumFar : Mesh::kDrum;
    case ShapeKind::kSphere:
      return radius < kSpeckDome  ? Mesh::kDomeSpeck
             : radius < kTinyDome ? Mesh::kDomeTiny
             : radius < kFarDome  ? Mesh::kDomeFar
             : radius < kMidDome  ? Mesh::kDome
             : radius < kNearDome ? Mesh::kDomeNear
                                  : Mesh::kDomeHuge;
    default:
      return ChooseBall(radius);
  }
}

Mesh ChooseBall(double radius) {
  return radius < kTinyBall   ? Mesh::kBallTiny
         : radius < kFarBall  ? Mesh::kBallFar
         : radius < kNearBall ? Mesh::kBall
                              : Mesh::kBallNear;
}

}  // namespace slip::render
