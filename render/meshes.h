// The two triangle meshes everything is built from: a rounded box (which is also a sphere and a
// capsule) and a turned profile (arrow, cone). Free of GL.
#pragma once

#include <cstdint>
#include <vector>

namespace slip::render {

struct MeshData {
  int floats_per_vertex = 0;
  std::vector<float> vertices;
  std::vector<uint16_t> indices;  ///< counter-clockwise triangles seen from outside
};

/// Vertex = (sign of the corner, normal). With half extents H and edge radius r the shader places
/// it at sign * (H - r) + r normal: H = r gives a sphere, Hx > r a capsule.
MeshData MakeRoundedBox(int segments_per_quarter);

/// Vertex = (cos, sin, which radius, which station, kind of normal): radius 0 none, 1 shaft, 2
/// head; station 0 tail, 1 start of the head, 2 tip; normal 0 radial, 1 on the head's cone, 2
/// backwards.
MeshData MakeArrow(int sides);

}  // namespace slip::render
