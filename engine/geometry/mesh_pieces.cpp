#include "engine/geometry/mesh_pieces.h"

#include <algorithm>
#include <cstdint>

#include "engine/core/numbers.h"
#include "engine/geometry/number_groups.h"
#include "engine/geometry/sort_by_vertex.h"

namespace slip {
namespace {

using Triangle = std::array<int, 3>;

struct DirectedSide {
  std::uint64_t key = 0;  // both vertices, smaller one first
  int triangle = 0;
  int way = 0;  // 1 or -1
};

std::vector<DirectedSide> ListSides(const std::vector<Triangle>& triangles) {
  std::vector<DirectedSide> sides;
  sides.reserve(3 * triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (std::size_t i = 0; i < 3; ++i) {
      const auto a = static_cast<std::uint64_t>(triangles[t][i]);
      const auto b = static_cast<std::uint64_t>(triangles[t][(i + 1) % 3]);
      sides.push_back({std::min(a, b) << 32 | std::max(a, b), static_cast<int>(t), a < b ? 1 : -1});
    }
  SortByVertex(
      &sides, [](const DirectedSide& side) { return side.key >> 32; },
      [](const DirectedSide& a, const DirectedSide& b) {
        return a.key != b.key ? a.key < b.key : a.triangle < b.triangle;
      });
  return sides;
}

}  // namespace

MeshPieces FindPieces(const TriangleMesh& mesh, std::size_t most) {
  const std::vector<DirectedSide> sides = ListSides(mesh.triangles);
  NumberGroups groups(mesh.triangles.size());
  for (std::size_t i = 1; i < sides.size(); ++i)
    if (sides[i].key == sides[i - 1].key) groups.Join(sides[i].triangle, sides[i - 1].triangle);
  std::vector<int> piece_of(mesh.triangles.size(), -1), index(mesh.vertices.size(), -1);
  std::vector<std::vector<int>> members;
  for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t) {
    int& piece = At(piece_of, groups.Find(t));
    if (piece < 0) {
      piece = static_cast<int>(members.size());
      members.emplace_back();
    }
    At(piece_of, t) = piece;
    At(members, piece).push_back(t);
  }
  MeshPieces found{members.size(), {}};
  if (found.count > most) return found;
  std::vector<MeshPiece>& pieces = found.list;
  for (const std::vector<int>& own : members) {
    MeshPiece& piece = pieces.emplace_back();
    for (const int t : own) {
      Triangle& made = piece.triangles.emplace_back();
      for (std::size_t i = 0; i < 3; ++i) {
        const int v = At(mesh.triangles, t)[i];
        if (At(index, v) < 0) {
          At(index, v) = static_cast<int>(piece.vertices.size());
          piece.vertices.push_back(At(mesh.vertices, v));
        }
        made[i] = At(index, v);
      }
      const Vec3& origin = piece.vertices.front();
      const Vec3 a = At(piece.vertices, made[0]) - origin, b = At(piece.vertices, made[1]) - origin,
                 c = At(piece.vertices, made[2]) - origin;
      piece.volume += a.dot(b.cross(c)) / 6;
    }
    // a vertex may be of several pieces
    for (const int t : own)
      for (const int v : At(mesh.triangles, t)) At(index, v) = -1;
  }
  for (std::size_t i = 0; i < sides.size();) {
    int balance = 0;
    const std::size_t first = i;
    for (; i < sides.size() && sides[i].key == sides[first].key; ++i) balance += sides[i].way;
    if (balance != 0) ++At(pieces, At(piece_of, sides[first].triangle)).open_edges;
  }
  return found;
}

}  // namespace slip
