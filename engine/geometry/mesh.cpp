// Cleaning of triangle soups: welding, degenerate triangles, adjacency, winding, volume.
#include "engine/geometry/mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>

#include "engine/core/numbers.h"
#include "engine/core/thread_stop.h"
#include "engine/geometry/mesh_text.h"
#include "engine/geometry/sort_by_vertex.h"

namespace slip {
namespace {

using Triangle = std::array<int, 3>;
using Triangles = std::vector<Triangle>;

/// Vertices closer than this fraction of the mesh's size are one vertex; files with single
/// precision carry 1e-7.
constexpr double kWeld = 1e-9;
/// A triangle lower than this fraction of the mesh's size has no usable normal.
constexpr double kFlat = 1e-10;
/// Vertices, or triangles, from one question whether anybody still waits to the next.
constexpr std::size_t kMeshPolled = 4096;

struct Side {
  uint64_t key;  // both vertices, smaller one first
  int triangle;
  int corner;
};

double CalcExtent(const std::vector<Vec3>& vertices) {
  Eigen::AlignedBox3d box;
  for (const Vec3& p : vertices) box.extend(p);
  return box.isEmpty() ? 0 : box.sizes().maxCoeff();
}

std::string Count(std::size_t n, const char* one, const char* many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

uint64_t CellKey(const Eigen::Vector3i& cell) {
  const auto part = [](int i) { return static_cast<uint64_t>(static_cast<uint32_t>(i)); };
  uint64_t key = part(cell.x()) * 0x9E3779B97F4A7C15u;
  key ^= (key >> 29) + part(cell.y()) * 0xBF58476D1CE4E5B9u;
  key ^= (key >> 31) + part(cell.z()) * 0x94D049BB133111EBu;
  return key;
}

// The first of each group of close vertices stays; returns how many went.
std::size_t MergeVertices(double extent, std::vector<Vec3>* vertices, Triangles* triangles) {
  const double weld = kWeld * extent;
  const double cell_size = std::max(8 * weld, 1e-300);
  Eigen::AlignedBox3d box;
  for (const Vec3& p : *vertices) box.extend(p);
  const auto cell_of = [&](const Vec3& p) -> Eigen::Vector3i {
    return ((p - box.min()) / cell_size).array().floor().cast<int>();
  };
  // chains of kept vertices by cell; a collision of keys only lengthens a chain
  std::unordered_map<uint64_t, int> head;
  head.reserve(vertices->size());
  std::vector<int> next, new_index(vertices->size());
  std::vector<Vec3> kept;
  for (std::size_t i = 0; i < vertices->size(); ++i) {
    if (i % kMeshPolled == 0 && ThreadStop::Asked()) return 0;
    const Vec3& p = (*vertices)[i];
    const Eigen::Vector3i lower = cell_of(p - Vec3::Constant(weld));
    const Eigen::Vector3i upper = cell_of(p + Vec3::Constant(weld));
    int found = -1;
    for (int x = lower.x(); x <= upper.x() && found < 0; ++x)
      for (int y = lower.y(); y <= upper.y() && found < 0; ++y)
        for (int z = lower.z(); z <= upper.z() && found < 0; ++z) {
          const auto chain = head.find(CellKey({x, y, z}));
          if (chain == head.end()) continue;
          for (int k = chain->second; k >= 0 && found < 0; k = next[k])
            if ((kept[k] - p).norm() <= weld) found = k;
        }
    if (found < 0) {
      found = static_cast<int>(kept.size());
      const auto [chain, fresh] = head.try_emplace(CellKey(cell_of(p)), found);
      next.push_back(fresh ? -1 : chain->second);
      chain->second = found;
      kept.push_back(p);
    }
    new_index[i] = found;
  }
  const std::size_t merged = vertices->size() - kept.size();
  *vertices = std::move(kept);
  for (Triangle& t : *triangles)
    for (int& v : t) v = new_index[v];
  return merged;
}

std::vector<Side> SortedSides(const Triangles& triangles) {
  std::vector<Side> sides;
  sides.reserve(3 * triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (int i = 0; i < 3; ++i) {
      const auto a = static_cast<uint64_t>(triangles[t][i]);
      const auto b = static_cast<uint64_t>(triangles[t][(i + 1) % 3]);
      sides.push_back({std::min(a, b) << 32 | std::max(a, b), static_cast<int>(t), i});
    }
  SortByVertex(
      &sides, [](const Side& side) { return side.key >> 32; },
      [](const Side& a, const Side& b) {
        return a.key != b.key ? a.key < b.key : a.triangle < b.triangle;
      });
  return sides;
}

void DropDegenerate(double extent, const std::vector<Vec3>& vertices, Triangles* triangles,
                    std::vector<std::string>* notes) {
  const auto collapsed = [](const Triangle& t) {
    return t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
  };
  const auto thin = [&](const Triangle& t) {
    const Vec3& a = vertices[t[0]];
    const Vec3 ab = vertices[t[1]] - a;
    const Vec3 ac = vertices[t[2]] - a;
    const double longest = std::max({ab.norm(), ac.norm(), (ac - ab).norm()});
    return ab.cross(ac).norm() <= kFlat * extent * longest;
  };
  std::size_t dropped = std::erase_if(*triangles, collapsed);
  // the same triangle twice, with whatever winding
  std::vector<std::pair<Triangle, int>> sorted;
  sorted.reserve(triangles->size());
  for (std::size_t i = 0; i < triangles->size(); ++i) {
    Triangle t = (*triangles)[i];
    std::sort(t.begin(), t.end());
    sorted.emplace_back(t, static_cast<int>(i));
  }
  SortByVertex(
      &sorted, [](const auto& one) { return one.first[0]; }, std::less<>());
  if (ThreadStop::Asked()) return;
  std::vector<bool> twice(triangles->size(), false);
  std::size_t repeated = 0;
  for (std::size_t i = 1; i < sorted.size(); ++i)
    if (sorted[i].first == sorted[i - 1].first) {
      twice[sorted[i].second] = true;
      ++repeated;
    }
  if (repeated > 0) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < triangles->size(); ++i)
      if (!twice[i]) (*triangles)[kept++] = (*triangles)[i];
    triangles->resize(kept);
    notes->push_back(fmt::format("repaired: {} dropped",
                                 Count(repeated, "repeated triangle", "repeated triangles")));
  }
  Triangles solid = *triangles;
  if (const std::size_t flat = std::erase_if(solid, thin); flat > 0) {
    // a sliver may be what closes the surface
    std::vector<Triangle> unused;
    if (FindNeighbors(solid, &unused).open <= FindNeighbors(*triangles, &unused).open) {
      *triangles = std::move(solid);
      dropped += flat;
    } else {
      notes->push_back(fmt::format("{} without area kept, because the surface would open",
                                   Count(flat, "triangle", "triangles")));
    }
  }
  if (dropped > 0)
    notes->push_back(fmt::format("repaired: {} dropped",
                                 Count(dropped, "degenerate triangle", "degenerate triangles")));
}

double CalcSignedVolume(const std::vector<Vec3>& vertices, const Triangle& t, const Vec3& origin) {
  const Vec3 a = vertices[t[0]] - origin;
  const Vec3 b = vertices[t[1]] - origin;
  const Vec3 c = vertices[t[2]] - origin;
  return a.dot(b.cross(c)) / 6;
}

// True when triangle t runs through its side i in the order (a, b) of that side's vertices.
bool HasSide(const Triangle& t, int a, int b) {
  return (t[0] == a && t[1] == b) || (t[1] == a && t[2] == b) || (t[2] == a && t[0] == b);
}

void Flip(Triangle* t, Triangle* neighbors) {
  std::swap((*t)[1], (*t)[2]);
  std::swap((*neighbors)[0], (*neighbors)[2]);
}

// Turns triangles until neighbours agree; false for a Möbius strip. Each piece keeps the winding
// of its majority, or is turned outward where it is closed and had to be repaired.
bool MakeWindingConsistent(TriangleMesh* mesh, std::vector<std::string>* notes) {
  const std::size_t n = mesh->triangles.size();
  std::vector<signed char> turn(n, 0);  // 0 unseen, 1 kept, -1 turned
  std::vector<int> piece;
  std::size_t turned_total = 0;
  for (std::size_t start = 0; start < n; ++start) {
    if (turn[start] != 0) continue;
    piece.assign(1, static_cast<int>(start));
    turn[start] = 1;
    std::size_t turned = 0;
    bool closed = true;
    for (std::size_t k = 0; k < piece.size(); ++k) {
      if (k % kMeshPolled == 0 && ThreadStop::Asked()) return false;
      const int t = piece[k];
      for (std::size_t i = 0; i < 3; ++i) {
        closed = closed && mesh->neighbors[t][i] >= 0;
        if (mesh->neighbors[t][i] < 0) continue;
        const int other = mesh->neighbors[t][i];
        const Triangle& corners = mesh->triangles[t];
        const bool agree = HasSide(mesh->triangles[other], corners[(i + 1) % 3], corners[i]);
        const auto wanted = static_cast<signed char>(agree ? turn[t] : -turn[t]);
        if (turn[other] == 0) {
          turn[other] = wanted;
          turned += wanted < 0 ? 1 : 0;
          piece.push_back(static_cast<int>(other));
        } else if (turn[other] != wanted) {
          return false;
        }
      }
    }
    if (turned == 0) continue;
    double volume = 0;
    const Vec3 origin = mesh->vertices[mesh->triangles[start][0]];
    for (int t : piece) {
      const int i = t;
      volume += turn[i] * CalcSignedVolume(mesh->vertices, mesh->triangles[i], origin);
    }
    const bool other_way = closed ? volume < 0 : 2 * turned > piece.size();
    for (int t : piece) {
      const int i = t;
      if ((turn[i] < 0) == other_way) continue;
      Flip(&mesh->triangles[i], &mesh->neighbors[i]);
      ++turned_total;
    }
  }
  if (turned_total > 0)
    notes->push_back(fmt::format("repaired: {} turned to agree with {} neighbours",
                                 Count(turned_total, "triangle", "triangles"),
                                 turned_total == 1 ? "its" : "their"));
  return true;
}

std::vector<Vec3> CalcNormals(const TriangleMesh& mesh, double extent) {
  std::vector<Vec3> normals;
  normals.reserve(mesh.triangles.size());
  for (const Triangle& t : mesh.triangles) {
    const Vec3& a = mesh.vertices[t[0]];
    const Vec3 ab = mesh.vertices[t[1]] - a;
    const Vec3 ac = mesh.vertices[t[2]] - a;
    const Vec3 n = ab.cross(ac);
    const double longest = std::max({ab.norm(), ac.norm(), (ac - ab).norm()});
    normals.push_back(n.norm() > kFlat * extent * longest ? n.normalized() : Vec3::Zero());
  }
  return normals;
}

}  // namespace

EdgeCount FindNeighbors(const Triangles& triangles, std::vector<Triangle>* neighbors) {
  EdgeCount edges;
  neighbors->assign(triangles.size(), {-1, -1, -1});
  const std::vector<Side> sides = SortedSides(triangles);
  for (std::size_t i = 0; i < sides.size();) {
    std::size_t end = i;
    while (end < sides.size() && sides[end].key == sides[i].key) ++end;
    if (end - i == 1) ++edges.open;
    if (end - i > 2) ++edges.crowded;
    if (end - i == 2) {
      const Side &a = sides[i], &b = sides[i + 1];
      (*neighbors)[a.triangle][a.corner] = b.triangle;
      (*neighbors)[b.triangle][b.corner] = a.triangle;
    }
    i = end;
  }
  return edges;
}

std::vector<Vec3> UsedVertices(std::span<const Vec3> vertices,
                               std::span<const std::array<int, 3>> triangles) {
  std::vector<bool> used(vertices.size(), false);
  for (const auto& t : triangles)
    for (const int v : t) used[ToIndex(v)] = true;
  std::vector<Vec3> points;
  for (std::size_t i = 0; i < used.size(); ++i)
    if (used[i]) points.push_back(vertices[i]);
  return points;
}

double CalcVolume(const TriangleMesh& mesh) {
  if (mesh.vertices.empty()) return 0;
  double volume = 0;
  for (const Triangle& t : mesh.triangles)
    volume += CalcSignedVolume(mesh.vertices, t, mesh.vertices[0]);
  return volume;
}

Result<Imported<TriangleMesh>> CleanMesh(std::vector<Vec3> vertices, Triangles triangles,
                                         MeshUse use, const std::string& file) {
  const auto error = [&file](std::string message, std::string hint) {
    return Error{.message = std::move(message), .file = file, .hint = std::move(hint)};
  };
  Imported<TriangleMesh> result;
  const int count = static_cast<int>(vertices.size());
  for (const Triangle& t : triangles)
    for (int v : t)
      if (v < 0 || v >= count)
        return error(fmt::format("a triangle names vertex {} of {}", v + 1, count),
                     "export the mesh again");
  for (const Vec3& p : vertices)
    if (!p.allFinite()) return error("a coordinate is not finite", "export the mesh again");
  const double extent = CalcExtent(vertices);
  if (const std::size_t merged = MergeVertices(extent, &vertices, &triangles); merged > 0)
    result.notes.push_back(fmt::format("repaired: {} merged",
                                       Count(merged, "duplicate vertex", "duplicate vertices")));
  DropDegenerate(extent, vertices, &triangles, &result.notes);
  const auto stopped = [&] { return error("it was stopped", "read it again"); };
  if (ThreadStop::Asked()) return stopped();
  if (triangles.empty())
    return error("the mesh has no triangle with an area",
                 LowerExtension(file) == ".obj" ? "a mesh needs faces: lines 'f 1 2 3'"
                                                : "export it again, with its faces");

  TriangleMesh& mesh = result.mesh;
  mesh.vertices = std::move(vertices);
  mesh.triangles = std::move(triangles);
  const EdgeCount edges = FindNeighbors(mesh.triangles, &mesh.neighbors);
  mesh.open_edges = edges.open;
  if (ThreadStop::Asked()) return stopped();
  if (use == MeshUse::kSolid) {
    ErrorList errors;
    if (edges.open > 0)
      errors.push_back(
          error(fmt::format("the surface is not closed: {} without a neighbour",
                            Count(static_cast<std::size_t>(edges.open), "edge", "edges")),
                "close the holes, or use its convex hull"));
    if (edges.crowded > 0)
      errors.push_back(
          error(fmt::format("{} shared by more than two triangles",
                            Count(static_cast<std::size_t>(edges.crowded), "edge is", "edges are")),
                "remove inner walls and overlaps, or use its convex hull"));
    if (!errors.empty()) return errors;
  }
  const bool consistent = MakeWindingConsistent(&mesh, &result.notes);
  if (ThreadStop::Asked()) return stopped();
  if (!consistent) {
    if (use == MeshUse::kSolid)
      return error("the surface has only one side, like a Möbius strip", "remove the twist");
    result.notes.emplace_back("the surface has only one side: some triangles face the wrong way");
  }
  if (mesh.open_edges == 0 && edges.crowded == 0) {
    const double volume = CalcVolume(mesh);
    // a sheet's two sides cancel to rounding
    const bool flat = std::abs(volume) <= 1e-9 * extent * extent * extent;
    if (use == MeshUse::kSolid && flat)
      return error(fmt::format("the solid has no volume ({:.3g} m³)", volume),
                   "a body needs a thickness");
    if (volume < 0 && !flat) {
      for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
        Flip(&mesh.triangles[i], &mesh.neighbors[i]);
      result.notes.emplace_back("repaired: the surface was inside out; all triangles were turned");
    }
  }
  mesh.normals = CalcNormals(mesh, extent);
  BuildMeshTree(&mesh);
  if (ThreadStop::Asked()) return stopped();
  return result;
}

bool IsConvex(const TriangleMesh& mesh) {
  if (mesh.open_edges > 0 || mesh.triangles.empty()) return false;
  // a closed surface in one piece that is convex at every edge and has a sphere's Euler number
  std::vector<bool> seen(mesh.triangles.size(), false), used(mesh.vertices.size(), false);
  std::vector<int> piece(1, 0);
  seen[0] = true;
  const double tolerance = 1e-6 * CalcExtent(mesh.vertices);
  for (std::size_t k = 0; k < piece.size(); ++k) {
    const int t = piece[k];
    for (std::size_t i = 0; i < 3; ++i) {
      used[mesh.triangles[t][i]] = true;
      if (mesh.neighbors[t][i] < 0) return false;
      const int other = mesh.neighbors[t][i];
      const Vec3& a = mesh.vertices[mesh.triangles[t][i]];
      for (int v : mesh.triangles[other])
        if (mesh.normals[t].dot(mesh.vertices[v] - a) > tolerance) return false;
      if (!seen[other]) {
        seen[other] = true;
        piece.push_back(static_cast<int>(other));
      }
    }
  }
  const auto corners = static_cast<std::size_t>(std::count(used.begin(), used.end(), true));
  const std::size_t faces = mesh.triangles.size();
  return piece.size() == faces && corners + faces == 3 * faces / 2 + 2;
}

}  // namespace slip
