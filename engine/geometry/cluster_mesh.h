// Surfaces with fewer triangles: vertices of one cell of a grid become one.
#pragma once

#include <array>
#include <vector>

#include "engine/core/types.h"

namespace slip {

struct ClusteredMesh {
  std::vector<Vec3> vertices;
  std::vector<std::array<int, 3>> triangles;
  /// Which of the triangles that were given each is made of.
  std::vector<int> origin;
};

/// At most so many triangles, on the finest grid that gives no more. Flat faces and sharp edges
/// stay where they are; what is smaller than a cell goes. A closed surface stays closed, and may
/// touch itself.
ClusteredMesh ClusterMesh(const std::vector<Vec3>& vertices,
                          const std::vector<std::array<int, 3>>& triangles, std::size_t most);

}  // namespace slip
