// Polyhedra from triangles: coplanar triangles become one face, and corners that lie within an
// edge disappear.
#include <algorithm>
#include <numeric>

#include "engine/core/thread_stop.h"
#include "engine/geometry/convex_hull.h"
#include "engine/geometry/point_scan.h"

namespace slip {
namespace {

using Triangle = std::array<int, 3>;

/// Of the extent: corners written with six or seven digits still make one face.
constexpr double kCoplanar = 1e-6;

using Loop = std::vector<int>;

struct Region {
  Vec3 normal;
  std::vector<int> triangles;
};

std::vector<Region> GrowRegions(std::span<const Vec3> points, std::span<const Triangle> triangles,
                                const std::vector<Triangle>& neighbors, double tolerance,
                                std::vector<int>* region_of) {
  const int count = static_cast<int>(triangles.size());
  std::vector<Vec3> crosses(triangles.size());
  for (int t = 0; t < count; ++t) {
    const Vec3& a = points[triangles[t][0]];
    crosses[t] = (points[triangles[t][1]] - a).cross(points[triangles[t][2]] - a);
  }
  // large triangles first: their planes are the most exact
  std::vector<int> order(triangles.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return crosses[a].squaredNorm() > crosses[b].squaredNorm();
  });
  std::vector<Region> regions;
  region_of->assign(triangles.size(), -1);
  int looked_at = 0;
  for (int seed : order) {
    if (looked_at++ % kPolled == 0 && ThreadStop::Asked()) return {};
    if ((*region_of)[seed] >= 0) continue;
    const int id = static_cast<int>(regions.size());
    const Vec3 normal = crosses[seed].normalized();
    const Vec3& origin = points[triangles[seed][0]];
    const auto fits = [&](int t) {
      // slivers may point anywhere
      const double area = crosses[t].norm(), aligned = normal.dot(crosses[t]);
      if (aligned < 0.9 * area && area > tolerance * tolerance) return false;
      return std::all_of(triangles[t].begin(), triangles[t].end(), [&](int v) {
        return std::abs(normal.dot(points[v] - origin)) <= tolerance;
      });
    };
    std::vector<int> members(1, seed);
    (*region_of)[seed] = id;
    for (std::size_t k = 0; k < members.size(); ++k)
      for (int other : neighbors[members[k]])
        if ((*region_of)[other] < 0 && fits(other)) {
          (*region_of)[other] = id;
          members.push_back(other);
        }
    regions.push_back({normal, std::move(members)});
  }
  return regions;
}

// The boundary of a region as one loop; empty when it is not one.
Loop TraceBoundary(const Region& region, int id, std::span<const Triangle> triangles,
                   const std::vector<Triangle>& neighbors, const std::vector<int>& region_of,
                   std::vector<int>* next) {
  int start = -1;
  std::size_t edges = 0;
  bool simple = true;
  for (int t : region.triangles)
    for (int i = 0; i < 3; ++i) {
      if (region_of[neighbors[t][i]] == id) continue;
      start = triangles[t][i];
      simple = simple && (*next)[start] < 0;
      (*next)[start] = triangles[t][(i + 1) % 3];
      ++edges;
    }
  Loop loop;
  for (int v = start; simple && v >= 0 && loop.size() <= edges;) {
    loop.push_back(v);
    v = (*next)[v];
    if (v == start) break;
  }
  for (int t : region.triangles)
    for (int v : triangles[t]) (*next)[v] = -1;
  if (!simple || loop.size() != edges) loop.clear();
  return loop;
}

/// The second of each pair in the list of the first, in order, each once.
ConvexMesh::Lists MakeLists(int count, const std::vector<std::pair<int, int>>& pairs) {
  std::vector<int> first(static_cast<std::size_t>(count) + 1, 0), items(pairs.size());
  for (const auto& [from, to] : pairs) ++first[from + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<int> end(first.begin(), first.end() - 1);
  for (const auto& [from, to] : pairs) items[end[from]++] = to;
  ConvexMesh::Lists lists;
  lists.first.push_back(0);
  for (int i = 0; i < count; ++i) {
    const auto begin = items.begin() + first[i], last = items.begin() + first[i + 1];
    std::sort(begin, last);
    lists.items.insert(lists.items.end(), begin, std::unique(begin, last));
    lists.first.push_back(static_cast<int>(lists.items.size()));
  }
  return lists;
}

void FillFace(const ConvexMesh& mesh, ConvexMesh::Face* face) {
  const int* corners = &mesh.face_corners[face->first];
  const Vec3& origin = mesh.vertices[corners[0]];
  Vec3 normal = Vec3::Zero();
  for (int i = 1; i + 1 < face->count; ++i)
    normal += (mesh.vertices[corners[i]] - origin).cross(mesh.vertices[corners[i + 1]] - origin);
  face->normal = normal.normalized();
  face->offset = face->normal.dot(origin);
  for (int i = 1; i < face->count; ++i)
    face->offset = std::max(face->offset, face->normal.dot(mesh.vertices[corners[i]]));
}

// Faces from loops, without vertices that fewer than three loops share. False if the result is
// not a polyhedron.
bool Assemble(std::span<const Vec3> points, const std::vector<Loop>& loops, ConvexMesh* mesh) {
  std::vector<int> degree(points.size(), 0), index(points.size(), -1);
  for (const Loop& loop : loops)
    for (int v : loop) ++degree[v];
  std::vector<std::pair<int, int>> joined, touching;
  *mesh = ConvexMesh();
  for (const Loop& loop : loops) {
    ConvexMesh::Face face;
    face.first = static_cast<int>(mesh->face_corners.size());
    const auto corners =
        std::count_if(loop.begin(), loop.end(), [&](int v) { return degree[v] >= 3; });
    if (corners < 3) continue;
    for (int v : loop) {
      if (degree[v] < 3) continue;
      if (index[v] < 0) {
        index[v] = static_cast<int>(mesh->vertices.size());
        mesh->vertices.push_back(points[v]);
      }
      mesh->face_corners.push_back(index[v]);
    }
    face.count = static_cast<int>(mesh->face_corners.size()) - face.first;
    FillFace(*mesh, &face);
    if (!(face.normal.norm() > 0.5)) return false;
    const int id = static_cast<int>(mesh->faces.size());
    for (int i = 0; i < face.count; ++i) {
      const int a = mesh->face_corners[face.first + i];
      const int b = mesh->face_corners[face.first + (i + 1) % face.count];
      joined.emplace_back(a, b);
      joined.emplace_back(b, a);
      touching.emplace_back(a, id);
    }
    mesh->faces.push_back(face);
  }
  const int count = static_cast<int>(mesh->vertices.size());
  mesh->vertex_neighbors = MakeLists(count, joined);
  mesh->vertex_faces = MakeLists(count, touching);
  for (const Vec3& p : mesh->vertices) mesh->radius = std::max(mesh->radius, p.norm());
  // Euler: V - E + F = 2, every edge between exactly two faces
  const std::size_t sides = mesh->face_corners.size();
  return mesh->vertex_neighbors.items.size() == sides &&
         2 * mesh->vertices.size() + 2 * mesh->faces.size() == sides + 4;
}

}  // namespace

Result<ConvexMesh> MergeCoplanar(std::span<const Vec3> points,
                                 std::span<const Triangle> triangles) {
  std::vector<Triangle> neighbors;
  const EdgeCount edges = FindNeighbors({triangles.begin(), triangles.end()}, &neighbors);
  if (triangles.empty() || edges.open + edges.crowded > 0)
    return Error{.message = "the surface of a convex body must be closed"};
  Eigen::AlignedBox3d box;
  for (const Triangle& t : triangles)
    for (int v : t) box.extend(points[v]);
  const double tolerance = kCoplanar * box.sizes().maxCoeff();

  std::vector<int> region_of;
  const std::vector<Region> regions =
      GrowRegions(points, triangles, neighbors, tolerance, &region_of);
  if (ThreadStop::Asked()) return Error{.message = "it was stopped"};
  std::vector<int> next(points.size(), -1);
  std::vector<Loop> loops;
  for (int id = 0; id < static_cast<int>(regions.size()); ++id) {
    loops.push_back(TraceBoundary(regions[id], id, triangles, neighbors, region_of, &next));
    if (!loops.back().empty()) continue;
    loops.clear();
    break;
  }
  ConvexMesh mesh;
  if (!loops.empty() && Assemble(points, loops, &mesh)) return mesh;
  // merging failed on slivers: every triangle is a face
  loops.clear();
  for (const Triangle& t : triangles) loops.emplace_back(t.begin(), t.end());
  Assemble(points, loops, &mesh);
  return mesh;
}

std::optional<ConvexMesh> MakePolyhedron(std::span<const Vec3> points,
                                         const std::vector<std::vector<int>>& faces) {
  ConvexMesh mesh;
  Eigen::AlignedBox3d box;
  for (const Vec3& p : points) box.extend(p);
  if (faces.empty() || !Assemble(points, faces, &mesh)) return std::nullopt;
  // flat faces, bent outward at every edge, and of a sphere's Euler number: convex
  const double tolerance = 4 * kCoplanar * box.sizes().maxCoeff();
  for (const ConvexMesh::Face& face : mesh.faces)
    for (int i = face.first; i < face.first + face.count; ++i) {
      const auto v = static_cast<std::size_t>(mesh.face_corners[static_cast<std::size_t>(i)]);
      if (face.normal.dot(mesh.vertices[v]) < face.offset - tolerance) return std::nullopt;
      for (int k = mesh.vertex_neighbors.first[v]; k < mesh.vertex_neighbors.first[v + 1]; ++k) {
        const int beyond = mesh.vertex_neighbors.items[static_cast<std::size_t>(k)];
        const Vec3& p = mesh.vertices[static_cast<std::size_t>(beyond)];
        if (face.normal.dot(p) > face.offset + tolerance) return std::nullopt;
      }
    }
  return mesh;
}

}  // namespace slip
