// A closed surface as it was given, for the question what is inside it and how far away it is.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <utility>
#include <vector>

#include "engine/core/types.h"

namespace slip {

class SolidSurface {
 public:
  SolidSurface(std::vector<Vec3> vertices, std::vector<std::array<int, 3>> triangles);

  /// How often the surface goes around p: 1 within, 0 outside, between them where it is near.
  double CalcWinding(const Vec3& p) const;
  /// Where it may cross the way from a to b, as shares of the way, in order; of a triangle's rim
  /// perhaps in vain.
  std::vector<double> FindCrossings(const Vec3& a, const Vec3& b) const;
  /// To the nearest triangle.
  double CalcDistance(const Vec3& p) const;

  const std::vector<Vec3>& vertices() const { return vertices_; }
  const std::vector<std::array<int, 3>>& triangles() const { return triangles_; }

 private:
  using Edge = std::array<int, 2>;
  /// Triangles of order_ in a box. Its right child is at `right`, its left one behind it; a
  /// leaf has none.
  struct Node {
    Eigen::AlignedBox3d box;
    int first = 0, last = 0, right = -1;
    std::vector<Edge> rim;  ///< the edges at which its triangles end
  };

  int Build(int first, int last, const std::vector<Vec3>& centers);

  std::vector<Vec3> vertices_;
  std::vector<std::array<int, 3>> triangles_;
  std::vector<int> order_;
  std::vector<Node> tree_;
};

}  // namespace slip
