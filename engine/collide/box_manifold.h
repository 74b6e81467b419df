// The contact points of two boxes along a given normal: the facing faces are projected on each
// other along n, and the corners of their overlap are the points.
//
// Features. A corner of the overlap is a vertex of B on a face of A, a vertex of A on a face of B,
// or the crossing of two edges; it is named so whichever face served as reference. Corners within
// 1e-4 of the faces' smaller edges of a vertex bear the vertex's name (B's before A's), and corners
// that do not bend the outline by more than that are dropped: aligned boxes give four points
// however rounding falls. Overlaps of more than four corners are thinned to the four of largest
// area: corners that overlap before others, and those that touch before those that do not.
//
// The liberty taken: when such an overlap's depths all differ by less than 5e-7 of its size, the
// deepest corner need not be among the four, so that a box at rest keeps its points. The four of
// the step before may miss it by kHeldDepth (manifold.h).
#pragma once

#include <cstdint>

#include "engine/core/types.h"
#include "engine/geometry/held_features.h"

namespace slip {

/// Two boxes in the frame of A.
struct BoxPair {
  Vec3 half_a = Vec3::Zero(), half_b = Vec3::Zero();  ///< half edge lengths [m]
  Mat3 R_AB = Mat3::Identity();
  Vec3 p_AB = Vec3::Zero();
};

struct BoxPoint {
  Vec3 p_A = Vec3::Zero();  ///< midway between the two surfaces
  double gap = 0;           ///< along n [m]
  uint32_t feature = 0;
  Vec2 uv = Vec2::Zero();  ///< place on the reference face [m]
};

struct BoxManifold {
  static constexpr int kMost = 11;  ///< ten corners, and a witness point that they may miss
  int count = 0;
  BoxPoint points[kMost];
};

/// Bit k of a vertex tells the side of axis k; a face is 2·axis + side; an edge is 4·axis + the
/// sides of the next two axes.
constexpr uint32_t EdgeIndex(uint32_t axis, uint32_t vertex) {
  return 4 * axis + ((vertex >> ((axis + 1) % 3)) & 1u) + 2 * ((vertex >> ((axis + 2) % 3)) & 1u);
}
constexpr uint32_t VertexOfBFeature(uint32_t vertex_b, uint32_t face_a) {
  return 1u << 8 | vertex_b << 4 | face_a;
}
constexpr uint32_t VertexOfAFeature(uint32_t vertex_a, uint32_t face_b) {
  return 2u << 8 | vertex_a << 4 | face_b;
}
constexpr uint32_t EdgesFeature(uint32_t edge_a, uint32_t edge_b) {
  return 3u << 8 | edge_a << 4 | edge_b;
}

/// Corner of a box of the given half edges.
inline Vec3 VertexOf(const Vec3& half, uint32_t vertex) {
  return {(vertex & 1u) != 0 ? half.x() : -half.x(), (vertex & 2u) != 0 ? half.y() : -half.y(),
          (vertex & 4u) != 0 ? half.z() : -half.z()};
}

/// The face that looks most along the direction; the first one of nearly equal ones.
uint32_t FaceAlong(const Vec3& direction);

/// All corners of the overlap of the two faces that face each other along n_A (unit, from A to B).
BoxManifold CalcManifold(const BoxPair& pair, const Vec3& n_A);

/// Drops points beyond the margin, keeps four at most, sorts by feature. Held points stay while
/// they are nearly as good as the best four.
void ReduceManifold(double margin, const HeldFeatures& held, BoxManifold* manifold);

}  // namespace slip
