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
#include "engine/geometry/number_groups.h"
#include "engine/geometry/sort_by_vertex.h"

namespace slip {
namespace {

/// Planes of less weight than this part of the largest say nothing about a vertex.
constexpr double kWeakPlane = 1e-3;
constexpr int kFinestGrid = 1 << 20;
/// Patches of more triangles that lie back to back are thin plates, and are seen.
constexpr int kLargestFold = 8;

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

/// Triangles of the same three vertices: [first, last) of a list that is sorted by them, and by how
/// much more of them are the one way round than the other.
struct SamePlace {
  std::array<int, 3> corners = {};
  std::size_t first = 0, last = 0;
  int net = 0;
};

/// Places whose triangles lie back to back and that hang together at sides, few of them.
std::vector<bool> FindFolds(const std::vector<SamePlace>& places) {
  std::vector<std::array<int, 3>> sides;  // and the place
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t k = 0; k < 3 && places[i].net == 0; ++k) {
      const auto [a, b] = std::minmax(places[i].corners[k], places[i].corners[(k + 1) % 3]);
      sides.push_back({a, b, static_cast<int>(i)});
    }
  std::sort(sides.begin(), sides.end());
  NumberGroups groups(places.size());
  for (std::size_t i = 1; i < sides.size(); ++i)
    if (sides[i][0] == sides[i - 1][0] && sides[i][1] == sides[i - 1][1])
      groups.Join(sides[i][2], sides[i - 1][2]);
  std::vector<int> count(places.size(), 0);
  for (std::size_t i = 0; i < places.size(); ++i) ++At(count, groups.Find(static_cast<int>(i)));
  std::vector<bool> folds(places.size(), false);
  for (std::size_t i = 0; i < places.size(); ++i)
    folds[i] = places[i].net == 0 && At(count, groups.Find(static_cast<int>(i))) <= kLargestFold;
  return folds;
}

/// Which triangles to leave out, so that a closed surface stays closed where it folds up: of those
/// of the same three vertices only as many stay as are more the one way round.
std::vector<bool> FindFolded(const std::vector<std::array<int, 3>>& triangles) {
  struct Placed {
    std::array<int, 3> corners;
    int way = 0, triangle = 0;
  };
  std::vector<Placed> sorted;
  sorted.reserve(triangles.size());
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    const auto& [a, b, c] = triangles[i];
    Placed& one = sorted.emplace_back(Placed{triangles[i], 1, static_cast<int>(i)});
    std::sort(one.corners.begin(), one.corners.end());
    const bool turned = (a < b) + (b < c) + (c < a) == 1;
    one.way = turned ? -1 : 1;
  }
  SortByVertex(
      &sorted, [](const Placed& one) { return one.corners[0]; },
      [](const Placed& a, const Placed& b) {
        return a.corners != b.corners ? a.corners < b.corners : a.triangle < b.triangle;
      });
  std::vector<SamePlace> places;
  for (std::size_t i = 0; i < sorted.size();) {
    SamePlace place{sorted[i].corners, i, i, 0};
    for (; i < sorted.size() && sorted[i].corners == place.corners; ++i) place.net += sorted[i].way;
    place.last = i;
    if (place.last - place.first > static_cast<std::size_t>(std::abs(place.net)))
      places.push_back(place);
  }
  const std::vector<bool> folds = FindFolds(places);
  std::vector<bool> folded(triangles.size(), false);
  for (std::size_t p = 0; p < places.size(); ++p) {
    if (places[p].net == 0 && !folds[p]) continue;
    int left = places[p].net;
    for (std::size_t i = places[p].first; i < places[p].last; ++i) {
      const bool kept = left * sorted[i].way > 0;
      if (kept) left -= sorted[i].way;
      folded[ToIndex(sorted[i].triangle)] = !kept;
    }
  }
  return folded;
}

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
  std::vector<int> origin;
  std::vector<std::array<int, 3>> kept;
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    if (!grid.IsKept(triangles[t])) continue;
    const auto& [a, b, c] = triangles[t];
    kept.push_back({At(grid.cell_of, a), At(grid.cell_of, b), At(grid.cell_of, c)});
    origin.push_back(static_cast<int>(t));
  }
  const std::vector<bool> folded = FindFolded(kept);
  for (std::size_t t = 0; t < kept.size(); ++t) {
    if (folded[t]) continue;
    out.triangles.push_back(kept[t]);
    out.origin.push_back(origin[t]);
  }
  return out;
}

}  // namespace slip
