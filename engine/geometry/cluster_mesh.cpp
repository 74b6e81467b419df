// The vertex of a cell is where the planes of its triangles meet, as nearly as the cell allows
// [Lindstrom 2000].
#include "engine/geometry/cluster_mesh.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "engine/core/numbers.h"
#include "engine/core/rotation.h"
#include "engine/geometry/first_seen.h"

namespace slip {
namespace {

/// Planes of less weight than this part of the largest say nothing about a vertex.
constexpr double kWeakPlane = 1e-3;
constexpr int kFinestGrid = 1 << 20;

struct PlaneSum {
  Mat3 a = Mat3::Zero();
  Vec3 b = Vec3::Zero();
  Vec3 sum = Vec3::Zero();
  int count = 0;
};

class Grid {
 public:
  Grid(const std::vector<Vec3>& vertices, const Eigen::AlignedBox3d& box, int cells)
      : low_(box.min()), size_(box.sizes().maxCoeff() / cells) {
    cell_of.reserve(vertices.size());
    FirstSeen<3> known(vertices.size() / 4);
    for (const Vec3& p : vertices) {
      std::array<std::uint32_t, 3> cell{};
      for (int i = 0; i < 3; ++i) {
        const double at = std::clamp((p[i] - low_[i]) / size_, 0.0, double{kFinestGrid});
        At(cell, i) = static_cast<std::uint32_t>(at);
      }
      cell_of.push_back(known.Find(cell));
    }
    cells_ = known.size();
  }

  std::size_t Count(const std::vector<std::array<int, 3>>& triangles) const {
    return static_cast<std::size_t>(std::count_if(triangles.begin(), triangles.end(),
                                                  [&](const auto& t) { return IsKept(t); }));
  }
  bool IsKept(const std::array<int, 3>& t) const {
    const int a = At(cell_of, t[0]), b = At(cell_of, t[1]), c = At(cell_of, t[2]);
    return a != b && b != c && c != a;
  }
  std::size_t cells() const { return cells_; }
  double size() const { return size_; }

  std::vector<int> cell_of;  ///< of the vertices

 private:
  Vec3 low_;
  double size_ = 0;
  std::size_t cells_ = 0;
};

Vec3 PlaceVertex(const PlaneSum& planes, double cell_size) {
  const Vec3 mean = planes.sum / planes.count;
  const SymmetricEigen eigen = CalcSymmetricEigen(planes.a);
  const Vec3 residual = planes.b - planes.a * mean;
  Vec3 move = Vec3::Zero();
  const double most = eigen.values.maxCoeff();
  for (int i = 0; i < 3; ++i)
    if (eigen.values[i] > kWeakPlane * most)
      move += eigen.vectors.col(i).dot(residual) / eigen.values[i] * eigen.vectors.col(i);
  return move.norm() <= cell_size ? Vec3(mean + move) : mean;
}

}  // namespace

ClusteredMesh ClusterMesh(const std::vector<Vec3>& vertices,
                          const std::vector<std::array<int, 3>>& triangles, std::size_t most) {
  ClusteredMesh out;
  Eigen::AlignedBox3d box;
  for (const Vec3& p : vertices) box.extend(p);
  const bool as_it_is = triangles.size() <= most || !(box.sizes().maxCoeff() > 0);
  if (as_it_is) {
    out.vertices = vertices;
    out.triangles = triangles;
    for (std::size_t t = 0; t < triangles.size(); ++t) out.origin.push_back(static_cast<int>(t));
    return out;
  }
  // a surface across n cells has about n² of them, and twice as many triangles
  double cells = std::max(4.0, std::sqrt(static_cast<double>(most)));
  Grid grid(vertices, box, static_cast<int>(cells));
  for (std::size_t count = grid.Count(triangles); count > most && cells > 1;
       count = grid.Count(triangles)) {
    const double over = static_cast<double>(count) / static_cast<double>(most);
    cells = std::max(1.0, std::floor(cells / std::max(1.1, std::sqrt(over))));
    grid = Grid(vertices, box, static_cast<int>(cells));
  }
  std::vector<PlaneSum> planes(grid.cells());
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    PlaneSum& sum = At(planes, grid.cell_of[v]);
    sum.sum += vertices[v];
    ++sum.count;
  }
  for (const auto& t : triangles) {
    const Vec3& a = At(vertices, t[0]);
    const Vec3 normal = (At(vertices, t[1]) - a).cross(At(vertices, t[2]) - a);
    const Vec3 normal_offset = normal.dot(a) * normal;
    for (const int v : t) {
      PlaneSum& sum = At(planes, At(grid.cell_of, v));
      sum.a += normal * normal.transpose();
      sum.b += normal_offset;
    }
  }
  for (const PlaneSum& sum : planes) out.vertices.push_back(PlaceVertex(sum, grid.size()));
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    if (!grid.IsKept(triangles[t])) continue;
    std::array<int, 3>& kept = out.triangles.emplace_back();
    for (std::size_t i = 0; i < 3; ++i) kept[i] = At(grid.cell_of, triangles[t][i]);
    out.origin.push_back(static_cast<int>(t));
  }
  return out;
}

}  // namespace slip
