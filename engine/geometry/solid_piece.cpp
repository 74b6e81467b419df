// Cutting keeps chains of triangles closed: what a plane takes away is closed by triangles from one
// point of the plane to every edge that lies in it, which count with their sign. So volumes need no
// polygons with holes.
#include "engine/geometry/solid_piece.h"

#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"
#include "engine/geometry/clip_triangle.h"
#include "engine/geometry/convex_hull.h"

namespace slip {
namespace {

using Triangle = std::array<int, 3>;

/// Of the thickness, for comparing cuts.
constexpr double kRoughHull = 1e-3;
/// Edges that bend less [rad] do not count.
constexpr double kLeastBend = 1e-3;
/// How far a corner of a cell that is on the surface is moved into the cell for the question
/// whether there is material.
constexpr double kIntoCell = 1e-4;

/// What of an edge is below a plane; false for nothing. One that lies in the plane is gone, unless
/// both its faces are below.
bool ClipEdge(const CutPlane& plane, ReflexEdge* edge) {
  const double a = Snap(plane.Height(edge->ends[0])), b = Snap(plane.Height(edge->ends[1]));
  if (a == 0 && b == 0)
    return std::all_of(edge->into_face.begin(), edge->into_face.end(),
                       [&](const Vec3& into) { return plane.normal.dot(into) < -1e-6; });
  if (a >= 0 && b >= 0) return false;
  if (a <= 0 && b <= 0) return true;
  const Vec3 p = edge->ends[0] + a / (a - b) * (edge->ends[1] - edge->ends[0]);
  edge->ends[a > 0 ? 0 : 1] = p;
  return true;
}

}  // namespace

double CalcHullVolume(const std::vector<Vec3>& points, double rough) {
  if (rough > 0) return CalcRoughHullVolume(points, rough);
  const auto triangles = CalcHullTriangles(points, kRoundedHull);
  return triangles ? CalcHullVolume(points, *triangles) : 0;
}

double CalcHullVolume(const std::vector<Vec3>& points, const std::vector<Triangle>& triangles) {
  double volume = 0;
  const Vec3& origin = points.front();
  for (const Triangle& t : triangles)
    volume += SixVolumes(points[ToIndex(t[0])] - origin, points[ToIndex(t[1])] - origin,
                         points[ToIndex(t[2])] - origin);
  return volume / 6;
}

SolidPiece::SolidPiece(std::vector<Vec3> vertices, std::vector<std::array<int, 3>> triangles,
                       std::shared_ptr<const SolidSurface> search, bool measured)
    : search_(std::move(search)), vertices_(std::move(vertices)), surface_(std::move(triangles)) {
  Eigen::AlignedBox3d box;
  for (const Vec3& p : vertices_) box.extend(p);
  // no corner of the first cell is within
  const Vec3 margin = 0.1 * box.sizes() + Vec3::Constant(0.01);
  cell_ = SolidCell(Eigen::AlignedBox3d(box.min() - margin, box.max() + margin));
  CollectPoints();
  if (!measured) return;
  AddEdges();
  Measure();
}

void SolidPiece::AddEdges() {
  const std::vector<Triangle>& triangles = surface_;
  std::vector<Triangle> neighbors;
  FindNeighbors(triangles, &neighbors);
  const auto corner = [&](std::size_t t, std::size_t i) -> const Vec3& {
    return vertices_[ToIndex(triangles[t][i % 3])];
  };
  const auto normal = [&](std::size_t t) -> Vec3 {
    return (corner(t, 1) - corner(t, 0)).cross(corner(t, 2) - corner(t, 0)).normalized();
  };
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (std::size_t i = 0; i < 3; ++i) {
      if (neighbors[t][i] <= static_cast<int>(t)) continue;
      const std::size_t other = ToIndex(neighbors[t][i]);
      std::size_t j = 0;
      while (j < 3 && neighbors[other][j] != static_cast<int>(t)) ++j;
      if (j == 3) continue;
      const Vec3 &a = corner(t, i), &b = corner(t, i + 1);
      const Vec3 along = (b - a).normalized();
      const auto into = [&](const Vec3& p) -> Vec3 {
        return (p - a - along.dot(p - a) * along).normalized();
      };
      ReflexEdge edge{.ends = {a, b},
                      .normals = {normal(t), normal(other)},
                      .into_face = {into(corner(t, i + 2)), into(corner(other, j + 2))}};
      const double bend = edge.normals[0].cross(edge.normals[1]).dot(along);
      // outward normals that turn against the edge's own turn lean towards each other
      edge.angle = std::atan2(-bend, edge.normals[0].dot(edge.normals[1]));
      if (edge.angle > kLeastBend) edges_.push_back(edge);
    }
}

std::vector<Vec3> SolidPiece::CornersWithin(const SolidCell& cell,
                                            std::vector<Corner>* known) const {
  std::vector<Vec3> within;
  const Vec3 center = cell.Center();
  for (const Vec3& p : cell.corners()) {
    auto at = std::find_if(known->begin(), known->end(), [&](const Corner& c) { return c.p == p; });
    if (at == known->end()) at = known->insert(at, {p, search_->CalcWinding(p)});
    double winding = at->winding;
    // on the surface: what counts is the material of this cell
    if (std::abs(winding - std::round(winding)) > 1e-3)
      winding = search_->CalcWinding(p + kIntoCell * (center - p));
    if (winding > 0.5) within.push_back(p);
  }
  return within;
}

void SolidPiece::CollectPoints() {
  points_ = UsedVertices(vertices_, surface_);
  for (const Vec3& p : CornersWithin(cell_, &corners_)) points_.push_back(p);
}

void SolidPiece::Measure() {
  volume_ = reflex_ = 0;
  const Vec3 origin = cell_.Center();
  for (const Triangle& t : surface_)
    volume_ += SixVolumes(vertices_[ToIndex(t[0])] - origin, vertices_[ToIndex(t[1])] - origin,
                          vertices_[ToIndex(t[2])] - origin) /
               6;
  for (const Corners& t : caps_)
    volume_ += SixVolumes(t[0] - origin, t[1] - origin, t[2] - origin) / 6;
  hull_volume_ = CalcHullVolume(points_);
  for (const ReflexEdge& edge : edges_) reflex_ += edge.Weight();
}

SolidPiece::Halves SolidPiece::Try(const CutPlane& plane) const {
  Halves halves;
  std::vector<double> heights;
  heights.reserve(vertices_.size());
  for (const Vec3& p : vertices_) heights.push_back(Snap(plane.Height(p)));
  std::vector<Vec3> below, above;
  std::vector<unsigned char> used(vertices_.size(), 0);
  // from a point of the plane, what closes the halves there has no volume
  const Vec3 origin = plane.offset * plane.normal;
  const auto add = [&](const Corners& t, const std::array<double, 3>& h, Halves::Half* half,
                       std::vector<Vec3>* points) {
    const Clipped part = ClipBelow(t, h);
    for (int i = 0; i < part.count; ++i) {
      const Vec3& p = part.corners[ToIndex(i)];
      if (points != nullptr) points->push_back(p);
      if (i < 2) continue;
      half->volume +=
          SixVolumes(part.corners[0] - origin, part.corners[ToIndex(i - 1)] - origin, p - origin) /
          6;
    }
  };
  const auto add_both = [&](const Corners& t, const std::array<double, 3>& h, bool real) {
    add(t, h, &halves.below, real ? &below : nullptr);
    add(t, {-h[0], -h[1], -h[2]}, &halves.above, real ? &above : nullptr);
  };
  for (const Triangle& t : surface_) {
    const Corners corners = {vertices_[ToIndex(t[0])], vertices_[ToIndex(t[1])],
                             vertices_[ToIndex(t[2])]};
    const std::array<double, 3> h = {heights[ToIndex(t[0])], heights[ToIndex(t[1])],
                                     heights[ToIndex(t[2])]};
    const PlaneSide side = SideOf(corners, h, plane.normal);
    if (side == PlaneSide::kBoth) {
      add_both(corners, h, true);
      continue;
    }
    const bool lower = side == PlaneSide::kBelow;
    for (const int v : t) used[ToIndex(v)] |= lower ? 1 : 2;
    (lower ? halves.below : halves.above).volume +=
        SixVolumes(corners[0] - origin, corners[1] - origin, corners[2] - origin) / 6;
  }
  for (const Corners& t : caps_)
    add_both(t, {Snap(plane.Height(t[0])), Snap(plane.Height(t[1])), Snap(plane.Height(t[2]))},
             false);
  for (std::size_t i = 0; i < used.size(); ++i) {
    if ((used[i] & 1) != 0) below.push_back(vertices_[i]);
    if ((used[i] & 2) != 0) above.push_back(vertices_[i]);
  }
  std::vector<Corner> known = corners_;
  for (const Vec3& p : CornersWithin(cell_.CutBelow(plane, kOnPlane), &known)) below.push_back(p);
  for (const Vec3& p : CornersWithin(cell_.CutBelow(plane.Reversed(), kOnPlane), &known))
    above.push_back(p);
  halves.below.hull = CalcHullVolume(below, kRoughHull);
  halves.above.hull = CalcHullVolume(above, kRoughHull);
  for (const ReflexEdge& edge : edges_) {
    ReflexEdge part = edge;
    if (ClipEdge(plane, &part)) halves.below.reflex += part.Weight();
    part = edge;
    if (ClipEdge(plane.Reversed(), &part)) halves.above.reflex += part.Weight();
  }
  return halves;
}

SolidPiece SolidPiece::CutBelow(const CutPlane& plane, bool measured) const {
  SolidPiece piece;
  piece.search_ = search_;
  piece.corners_ = corners_;
  piece.cell_ = cell_.CutBelow(plane, kOnPlane);
  const Vec3 origin = plane.offset * plane.normal;
  std::vector<int> index(vertices_.size(), -1);
  const auto close = [&](const Vec3& a, const Vec3& b) { piece.caps_.push_back({b, a, origin}); };
  const auto heights_of = [&](const Corners& t) -> std::array<double, 3> {
    return {Snap(plane.Height(t[0])), Snap(plane.Height(t[1])), Snap(plane.Height(t[2]))};
  };
  for (const Triangle& t : surface_) {
    const Corners corners = {vertices_[ToIndex(t[0])], vertices_[ToIndex(t[1])],
                             vertices_[ToIndex(t[2])]};
    const std::array<double, 3> h = heights_of(corners);
    const PlaneSide side = SideOf(corners, h, plane.normal);
    if (side == PlaneSide::kAbove) continue;
    if (side == PlaneSide::kBelow) {
      Triangle& kept = piece.surface_.emplace_back();
      for (std::size_t i = 0; i < 3; ++i) {
        int& at = index[ToIndex(t[i])];
        if (at < 0) {
          at = static_cast<int>(piece.vertices_.size());
          piece.vertices_.push_back(corners[i]);
        }
        kept[i] = at;
        if (h[i] == 0 && h[(i + 1) % 3] == 0) close(corners[i], corners[(i + 1) % 3]);
      }
      continue;
    }
    const Clipped part = ClipBelow(corners, h);
    const int first = static_cast<int>(piece.vertices_.size());
    for (int i = 0; i < part.count; ++i) {
      const auto j = ToIndex((i + 1) % part.count);
      piece.vertices_.push_back(part.corners[ToIndex(i)]);
      if (part.on[ToIndex(i)] && part.on[j]) close(part.corners[ToIndex(i)], part.corners[j]);
      if (i >= 2) piece.surface_.push_back({first, first + i - 1, first + i});
    }
  }
  for (const Corners& t : caps_) {
    const std::array<double, 3> h = heights_of(t);
    const PlaneSide side = SideOf(t, h, plane.normal);
    if (side == PlaneSide::kAbove) continue;
    const Clipped part = ClipBelow(t, h);
    for (int i = 0; i < part.count; ++i) {
      const auto j = ToIndex((i + 1) % part.count);
      if (part.on[ToIndex(i)] && part.on[j]) close(part.corners[ToIndex(i)], part.corners[j]);
      if (i >= 2)
        piece.caps_.push_back(
            {part.corners[0], part.corners[ToIndex(i - 1)], part.corners[ToIndex(i)]});
    }
  }
  for (ReflexEdge edge : edges_)
    if (ClipEdge(plane, &edge)) piece.edges_.push_back(edge);
  piece.CollectPoints();
  if (measured) piece.Measure();
  return piece;
}

}  // namespace slip
