// The pieces that a mesh falls into, such as the parts of an assembly.
#pragma once

#include <array>
#include <vector>

#include "engine/geometry/mesh.h"

namespace slip {

struct MeshPiece {
  std::vector<Vec3> vertices;
  std::vector<std::array<int, 3>> triangles;
  std::size_t open_edges = 0;  ///< edges that its triangles do not run through once each way
  double volume = 0;           ///< [m³]; negative where it is inside out, of no use when open
};

struct MeshPieces {
  std::size_t count = 0;
  std::vector<MeshPiece> list;  ///< empty where there are more than `most`
};

/// By their edges: two boxes that touch in a corner are two pieces.
MeshPieces FindPieces(const TriangleMesh& mesh, std::size_t most);

}  // namespace slip
