// Which directions are normals of a triangle surface at a triangle, its edges and its corners.
#pragma once

#include "engine/geometry/mesh.h"

namespace slip {

/// Cosine within which a direction is the face's own normal: what rounding does to it. At nearly
/// flat edges the fan of normals is not much wider.
inline constexpr double kFaceCosine = 1 - 1e-9;

/// True when `n` (unit, pointing away from the surface) is a normal of the surface at the part of
/// triangle t that reaches farthest along it: the face's own, or in the fan of
/// normals of a convex edge or corner.
bool IsSurfaceNormal(const TriangleMesh& mesh, int t, const Vec3& n);

/// True when the surface bends away from its front at side `side` of triangle t.
bool IsConvexSide(const TriangleMesh& mesh, int t, int side);

/// The triangles around corner `corner` of triangle t, t first.
template <class Visit>
void VisitFan(const TriangleMesh& mesh, int t, int corner, Visit&& visit) {
  const int vertex = mesh.triangles[t][corner];
  // a guard for surfaces that touch themselves in a corner; real fans have about six
  int steps_left = 256;
  const auto walk = [&](bool forward) {
    for (int at = t; steps_left > 0; --steps_left) {
      int i = 0;
      while (i < 2 && mesh.triangles[at][i] != vertex) ++i;
      const int next = mesh.neighbors[at][forward ? (i + 2) % 3 : i];
      if (next < 0) return false;
      if (next == t) return true;
      visit(next);
      at = next;
    }
    return true;
  };
  visit(t);
  // an open fan is walked from both sides
  if (!walk(true)) walk(false);
}

}  // namespace slip
