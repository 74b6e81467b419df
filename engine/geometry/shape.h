// The shapes of bodies. A shape sits in its body's frame, centred at the centre of mass, principal
// axes along the frame's.
#pragma once

#include <cstddef>
#include <memory>

#include "engine/core/types.h"

namespace slip {

struct ConvexMesh;
struct TriangleMesh;
struct PointCloud;

enum class ShapeKind { kSphere, kBox, kCapsule, kCylinder, kConvex, kTriangleMesh, kPointCloud };
inline constexpr std::size_t kShapeKinds = static_cast<std::size_t>(ShapeKind::kPointCloud) + 1;

/// Only the members that the kind names are read. The axis of capsules and cylinders is x.
struct Shape {
  ShapeKind kind = ShapeKind::kSphere;
  double radius = 0.05;             ///< sphere, capsule, cylinder [m]
  double length = 0;                ///< capsule: between the cap centres; cylinder: height [m]
  Vec3 size = Vec3::Constant(0.1);  ///< box: full edge lengths [m]
  std::shared_ptr<const ConvexMesh> convex = {};
  std::shared_ptr<const TriangleMesh> triangles = {};  ///< bodies that do not move only
  std::shared_ptr<const PointCloud> cloud = {};
};

/// The smallest box along the world's axes.
void CalcBounds(const Shape& shape, const Pose& X_WB, Vec3* min, Vec3* max);

/// The largest side of a shape from a file [m], where it is so large that its lengths are likely
/// millimetres; 0 = it is not, or from no file. Of surroundings that do not move much is expected.
double FindLikelyMillimetres(const Shape& shape);

}  // namespace slip
