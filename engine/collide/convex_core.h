// What the general convex algorithms see of a shape: its support function and the feature (corner,
// edge, face) that faces a direction. Spheres and capsules are a point and a segment grown by a
// radius, which keeps distances exact as long as the cores stay apart.
#pragma once

#include <array>

#include "engine/core/types.h"
#include "engine/geometry/mesh.h"
#include "engine/geometry/shape.h"

namespace slip {

struct ConvexCore {
  enum class Kind { kPoint, kSegment, kBox, kCylinder, kMesh, kTriangle };
  Kind kind = Kind::kPoint;
  Vec3 half = Vec3::Zero();          ///< box: half edges; segment and cylinder: x = half length
  double rim = 0;                    ///< cylinder: radius
  double rounding = 0;               ///< the shape is the core grown by this
  const ConvexMesh* mesh = nullptr;  ///< mesh
  std::array<Vec3, 3> corners = {};  ///< triangle, counter-clockwise seen from its front
  Vec3 p = Vec3::Zero();             ///< pose in the frame that the algorithm works in
  Mat3 R = Mat3::Identity();
  double size = 0;  ///< radius of a ball about p that holds the core
};

/// `origin` becomes the zero of the working frame: near the pair, so that rounding is small.
/// The shape must be a sphere, box, capsule, cylinder or convex mesh.
ConvexCore MakeConvexCore(const Shape& shape, const Pose& pose_W, const Vec3& origin_W);

/// A point of the core farthest along `direction` (need not be unit). `hint` is where the search
/// over a mesh's vertices starts and ends; start with 0.
Vec3 CalcSupport(const ConvexCore& core, const Vec3& direction, int* hint);

/// The corner, edge or face of a core that faces a direction. Corners are given in order around
/// a face; ids stay with the corner.
struct CoreFeature {
  static constexpr int kMaxCorners = 32;
  int count = 0;
  std::array<Vec3, kMaxCorners> corners = {};
  std::array<int, kMaxCorners> ids = {};
  Vec3 normal = Vec3::Zero();  ///< outward, of a face (count >= 3)
};

/// `n` unit. A face or edge is taken when it is within about 15 degrees of facing n. Of faces with
/// more than 32 corners every second, third, ... corner is taken.
void CalcFeature(const ConvexCore& core, const Vec3& n, CoreFeature* feature);

}  // namespace slip
