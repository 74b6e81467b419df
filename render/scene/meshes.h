// The triangle meshes everything is built from: a rounded box (which is also a sphere and a
// capsule), a rounded cylinder, a turned profile (arrow, cone), and meshes of scenes. Free of GL.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/geometry/shape.h"

namespace slip::render {

struct MeshData {
  int floats_per_vertex = 0;
  std::vector<float> vertices;
  std::vector<uint32_t> indices;  ///< counter-clockwise triangles seen from outside
};

/// Vertex = (sign of the corner, normal). With half extents H and edge radius r the shader places
/// it at sign * (H - r) + r normal: H = r gives a sphere, Hx > r a capsule.
MeshData MakeRoundedBox(int segments_per_quarter);

/// Sharp box of twelve triangles, for those whose edges are too small to be seen round.
MeshData MakeBlock();

/// Globe about x, parted at the equator: a sphere or capsule of fewer triangles than the box's.
MeshData MakePill(int sides, int rings_per_half);

/// Half a ball whose pole the shader turns to the eye and whose rim it lays on the horizon: the
/// outline is that ring, whatever the distance. Vertex = (reach, 0, 0), (share of the way from the
/// pole to the rim, cos, sin): the rim reaches a little farther than the ball, so that its corners
/// miss the circle on both sides alike.
MeshData MakeDome(int sides, int rings);

/// Cylinder about x of the same vertices, with (x, y, z) of a unit cylinder for the corner: half
/// extents (L/2, R, R) and edge radius r. Without segments the edge is sharp.
MeshData MakeCylinder(int sides, int edge_segments);

/// The mesh of a shape that has one, flat on every face; drawn with half extents 1 and edge radius
/// 0. Empty for other shapes.
MeshData MakeOwnMesh(const Shape& shape);
/// Its address, or that of a cloud, which tells meshes apart; null for other shapes.
const void* OwnMeshOf(const Shape& shape);

/// Vertex = (cos, sin, which radius, which station, kind of normal): radius 0 none, 1 shaft, 2
/// head; station 0 tail, 1 start of the head, 2 tip; normal 0 radial, 1 on the head's cone, 2
/// backwards.
MeshData MakeArrow(int sides);

}  // namespace slip::render
