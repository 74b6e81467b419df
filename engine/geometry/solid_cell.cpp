#include "engine/geometry/solid_cell.h"

#include <algorithm>
#include <cmath>

namespace slip {
namespace {

/// The polygon that these points of a plane span.
std::vector<Vec3> OrderAround(std::vector<Vec3> points, const Vec3& normal) {
  Vec3 center = Vec3::Zero();
  for (const Vec3& p : points) center += p / static_cast<double>(points.size());
  const Vec3 u = normal.unitOrthogonal(), v = normal.cross(u);
  const auto angle = [&](const Vec3& p) {
    return std::atan2(v.dot(p - center), u.dot(p - center));
  };
  std::sort(points.begin(), points.end(),
            [&](const Vec3& a, const Vec3& b) { return angle(a) < angle(b); });
  return points;
}

void AddOnce(const Vec3& p, double tolerance, std::vector<Vec3>* points) {
  const auto same = [&](const Vec3& q) { return (q - p).cwiseAbs().maxCoeff() <= tolerance; };
  if (std::none_of(points->begin(), points->end(), same)) points->push_back(p);
}

}  // namespace

SolidCell::SolidCell(const Eigen::AlignedBox3d& box) {
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {box.min()[axis], box.max()[axis]}) {
      std::vector<Vec3>& face = faces_.emplace_back();
      for (const auto& [i, j] : {std::pair(0, 0), {1, 0}, {1, 1}, {0, 1}}) {
        Vec3 p;
        p[axis] = side;
        const int first = (axis + 1) % 3, second = (axis + 2) % 3;
        p[first] = i == 0 ? box.min()[first] : box.max()[first];
        p[second] = j == 0 ? box.min()[second] : box.max()[second];
        face.push_back(p);
      }
    }
  CollectCorners(0);
}

void SolidCell::CollectCorners(double tolerance) {
  corners_.clear();
  for (const auto& face : faces_)
    for (const Vec3& p : face) AddOnce(p, tolerance, &corners_);
}

Vec3 SolidCell::Center() const {
  Vec3 center = Vec3::Zero();
  for (const Vec3& p : corners_) center += p;
  return corners_.empty() ? center : Vec3(center / static_cast<double>(corners_.size()));
}

std::vector<std::array<Vec3, 2>> SolidCell::ListEdges() const {
  std::vector<std::array<Vec3, 2>> edges;
  for (const auto& face : faces_)
    for (std::size_t i = 0; i < face.size(); ++i) {
      const Vec3 &a = face[i], &b = face[(i + 1) % face.size()];
      const double tolerance = 1e-6 * (b - a).norm();
      const auto near = [&](const Vec3& p, const Vec3& q) { return (q - p).norm() <= tolerance; };
      // an edge is one of two faces, and either way round
      const bool known = std::any_of(edges.begin(), edges.end(), [&](const auto& edge) {
        return (near(edge[0], a) && near(edge[1], b)) || (near(edge[0], b) && near(edge[1], a));
      });
      if (!known) edges.push_back({a, b});
    }
  return edges;
}

SolidCell SolidCell::CutBelow(const CutPlane& plane, double tolerance) const {
  SolidCell below;
  std::vector<Vec3> on_plane;
  for (const auto& face : faces_) {
    std::vector<Vec3> kept;
    bool all_on = true;
    for (std::size_t i = 0; i < face.size(); ++i) {
      const Vec3 &a = face[i], &b = face[(i + 1) % face.size()];
      const double ha = plane.Height(a), hb = plane.Height(b);
      all_on = all_on && std::abs(ha) <= tolerance;
      if (ha <= tolerance) kept.push_back(a);
      if (std::abs(ha) <= tolerance) AddOnce(a, tolerance, &on_plane);
      if ((ha < -tolerance && hb > tolerance) || (ha > tolerance && hb < -tolerance)) {
        const Vec3 p = a + ha / (ha - hb) * (b - a);
        kept.push_back(p);
        AddOnce(p, tolerance, &on_plane);
      }
    }
    // a face within the plane comes back as the cut below
    if (kept.size() >= 3 && !all_on) below.faces_.push_back(std::move(kept));
  }
  if (on_plane.size() >= 3) below.faces_.push_back(OrderAround(std::move(on_plane), plane.normal));
  below.CollectCorners(tolerance);
  return below;
}

}  // namespace slip
