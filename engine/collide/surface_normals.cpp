#include "engine/collide/surface_normals.h"

#include <algorithm>

namespace slip {
namespace {

/// Sines of the angles by which a direction may leave a fan of normals through rounding. That of a
/// corner is also what a flat surface may seem to be tilted by.
constexpr double kEdgeSlack = 1e-3;
constexpr double kCornerSlack = 1e-5;

const Vec3& CornerOf(const TriangleMesh& mesh, int t, int i) {
  return mesh.vertices[mesh.triangles[t][i % 3]];
}

// In the plane of triangle t, perpendicular to its side i, into the triangle.
Vec3 Inward(const TriangleMesh& mesh, int t, int i) {
  return mesh.normals[t].cross((CornerOf(mesh, t, i + 1) - CornerOf(mesh, t, i)).normalized());
}

// `beyond`: in the plane of the neighbour, away from the side.
bool IsConvexSide(const TriangleMesh& mesh, int t, int side, Vec3* beyond) {
  const int other = mesh.neighbors[t][side];
  if (other < 0) return false;
  int back = 0;
  while (back < 2 && mesh.neighbors[other][back] != t) ++back;
  *beyond = Inward(mesh, other, back);
  return mesh.normals[t].dot(*beyond) < -1e-6;
}

bool IsEdgeNormal(const TriangleMesh& mesh, int t, int side, const Vec3& n) {
  if (n.dot(Inward(mesh, t, side)) > kEdgeSlack) return false;
  // the rim of an open surface is round, on its front
  if (mesh.neighbors[t][side] < 0) return n.dot(mesh.normals[t]) > 0;
  Vec3 beyond;
  return IsConvexSide(mesh, t, side, &beyond) && n.dot(beyond) <= kEdgeSlack;
}

bool IsCornerNormal(const TriangleMesh& mesh, int t, int corner, const Vec3& n) {
  const int vertex = mesh.triangles[t][corner];
  const Vec3& p = mesh.vertices[vertex];
  bool below = true, in_front = false;
  VisitFan(mesh, t, corner, [&](int k) {
    in_front = in_front || n.dot(mesh.normals[k]) > 0;
    for (int v : mesh.triangles[k]) {
      const Vec3 edge = mesh.vertices[v] - p;
      if (v != vertex && n.dot(edge) > kCornerSlack * edge.norm()) below = false;
    }
  });
  return below && in_front;
}

}  // namespace

bool IsConvexSide(const TriangleMesh& mesh, int t, int side) {
  Vec3 unused;
  return IsConvexSide(mesh, t, side, &unused);
}

bool IsSurfaceNormal(const TriangleMesh& mesh, int t, const Vec3& n) {
  if (n.dot(mesh.normals[t]) >= kFaceCosine) return true;
  // the corner that reaches farthest along n, and the edge that is level with it, if there is one
  int top = 0;
  for (int i = 1; i < 3; ++i)
    if (n.dot(CornerOf(mesh, t, i)) > n.dot(CornerOf(mesh, t, top))) top = i;
  for (int side : {top, (top + 2) % 3}) {
    const Vec3 edge = CornerOf(mesh, t, side + 1) - CornerOf(mesh, t, side);
    if (std::abs(n.dot(edge)) <= 1e-4 * edge.norm()) return IsEdgeNormal(mesh, t, side, n);
  }
  return IsCornerNormal(mesh, t, top, n);
}

}  // namespace slip
