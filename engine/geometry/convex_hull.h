// Convex hull of points: quickhull [Barber, Dobkin, Huhdanpaa 1996] on triangles, after which
// coplanar triangles are merged into polygons.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/core/result.h"
#include "engine/geometry/mesh.h"

namespace slip {

/// Triangles of the hull, counter-clockwise seen from outside, as indices into `points`. Points
/// within a billionth of the extent of the hull count as inside it. Error: fewer than four points,
/// or all in one plane, on one line or in one place; or ThreadStop said so. With `rough` points may
/// stand out by that part of the thickness of the hull, too.
Result<std::vector<std::array<int, 3>>> CalcHullTriangles(std::span<const Vec3> points,
                                                          double rough = 0);

/// The volume of a rough hull, for comparing it with others; 0 where there is none. Points are
/// finite.
double CalcRoughHullVolume(std::span<const Vec3> points, double rough);

/// The error that a hull of these points would be, without making it.
Status CheckHull(std::span<const Vec3> points);

/// With more points than these a hull is taken roughly: it is meant for contact, not for counting.
inline constexpr std::size_t kManyPoints = 5000;
inline constexpr double kManyPointsRough = 5e-4;
constexpr double RoughFor(std::size_t points) {
  return points > kManyPoints ? kManyPointsRough : 0;
}

/// For `rough`: far below what counts as inside, so that only rounding is coarser, and it is
/// faster.
inline constexpr double kRoundedHull = 1e-12;

/// The hull as a polyhedron; faces are polygons, flat to a millionth of the extent.
Result<ConvexMesh> CalcConvexHull(std::span<const Vec3> points, double rough = 0);

/// Error: the hull of these points is so thin for its length that double precision
/// holds no volume and inertia of it. A surface may be a sheet, but no thread. The points may be
/// balls of a radius [m].
Status CheckThickness(std::span<const Vec3> points, MeshUse use, double radius = 0);

/// A polyhedron from the triangles of a closed convex surface.
Result<ConvexMesh> MergeCoplanar(std::span<const Vec3> points,
                                 std::span<const std::array<int, 3>> triangles);

/// A polyhedron of these faces, corners counter-clockwise seen from outside; its vertices in the
/// order in which the faces name them. None for what is not one, closed and convex.
std::optional<ConvexMesh> MakePolyhedron(std::span<const Vec3> points,
                                         const std::vector<std::vector<int>>& faces);

/// A box as a convex polyhedron; `size` = full edge lengths [m].
ConvexMesh MakeConvexBox(const Vec3& size);

}  // namespace slip
