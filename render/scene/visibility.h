// Which bodies are in the picture, and how finely they need to be drawn.
#pragma once

#include "engine/geometry/shape.h"
#include "render/scene/camera.h"

namespace slip::render {

/// Meshes that many bodies share; of one kind from coarse to fine.
enum class Mesh : int {
  kBlock,
  kBevelled,
  kBox,
  kBallTiny,
  kBallFar,
  kBall,
  kBallNear,
  kDomeSpeck,
  kDomeTiny,
  kDomeFar,
  kDome,
  kDomeNear,
  kDomeHuge,
  kDrumFar,
  kDrum,
  kCount
};
inline constexpr int kMeshCount = static_cast<int>(Mesh::kCount);
/// The half of a ball that faces the eye, wherever that is.
constexpr bool IsDome(Mesh mesh) { return mesh >= Mesh::kDomeSpeck && mesh <= Mesh::kDomeHuge; }

/// The camera's view as numbers: a ball costs a few products.
class Frustum {
 public:
  Frustum(const Camera& camera, const Viewport& viewport);

  bool Sees(const Vec3& p_W, double radius) const;
  /// Along the view direction [m].
  double Depth(const Vec3& p_W) const { return forward_.dot(p_W) - behind_; }
  /// Pixels per metre at this depth; what is at or behind the eye counts as very near.
  double Scale(double depth) const;

 private:
  Vec3 target_, forward_, right_, up_;
  double behind_, distance_, near_;
  double tan_x_, tan_y_, cos_x_, cos_y_;
  double pixels_;  ///< per metre at depth 1, or at any depth when orthographic
  bool orthographic_;
};

/// Mesh of a shape without one of its own, seen at so many pixels per metre. Fewer pixels are
/// allowed for where corners are dear. Balls are domes.
Mesh ChooseMesh(const Shape& shape, double pixels_per_metre);
/// A whole ball, as capsules have it, of a radius in pixels.
Mesh ChooseBall(double radius);

/// Radius of a box's or cylinder's drawn edges [m].
double EdgeRadius(const Shape& shape);

}  // namespace slip::render
