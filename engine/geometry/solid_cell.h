// A convex polyhedron that planes cut: the room that one piece of a solid is in.
#pragma once

#include <array>
#include <vector>

#include "engine/core/types.h"

namespace slip {

/// The points p with normal·p <= offset are its lower side.
struct CutPlane {
  Vec3 normal = Vec3::UnitZ();  ///< unit
  double offset = 0;

  double Height(const Vec3& p) const { return normal.dot(p) - offset; }
  CutPlane Reversed() const { return {-normal, -offset}; }
};

class SolidCell {
 public:
  SolidCell() = default;
  explicit SolidCell(const Eigen::AlignedBox3d& box);

  /// What of it is on the lower side; corners closer to the plane than `tolerance` are on it.
  SolidCell CutBelow(const CutPlane& plane, double tolerance) const;

  /// Its edges, by their ends.
  std::vector<std::array<Vec3, 2>> ListEdges() const;

  /// No two are closer to each other than the tolerance.
  const std::vector<Vec3>& corners() const { return corners_; }
  Vec3 Center() const;

 private:
  void CollectCorners(double tolerance);

  std::vector<std::vector<Vec3>> faces_;  ///< corners in order, either way round
  std::vector<Vec3> corners_;
};

}  // namespace slip
