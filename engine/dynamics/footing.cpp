#include "engine/dynamics/footing.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/geometry/mesh.h"

namespace slip {
namespace {

// Of the robot's height: what ends so much above its lowest point stands on the floor, too.
constexpr double kSlack = 0.02;
// What of a foot is so much above its own lowest point is part of its sole.
constexpr double kFlat = 1e-3;
constexpr int kRim = 8;  // points of a disc's rim

using Points = std::vector<Vec3>;

void AddCylinder(const Shape& shape, const Pose& X_WB, Points* out) {
  for (const double end : {-shape.length / 2, shape.length / 2}) {
    // the lowest point of the rim is the one that a wheel rolls on
    const Vec3 down_B = X_WB.q.conjugate() * -Vec3::UnitZ();
    const double phase = std::atan2(down_B.z(), down_B.y());
    for (int i = 0; i < kRim; ++i) {
      const double angle = phase + 2 * std::numbers::pi * i / kRim;
      out->push_back(X_WB *
                     Vec3(end, shape.radius * std::cos(angle), shape.radius * std::sin(angle)));
    }
  }
}

/// Among them are the lowest points of the shape.
void AddCorners(const Shape& shape, const Pose& X_WB, Points* out) {
  const Vec3 below = -shape.radius * Vec3::UnitZ();
  switch (shape.kind) {
    case ShapeKind::kSphere:
      out->push_back(X_WB.p + below);
      return;
    case ShapeKind::kCapsule:
      for (const double end : {-shape.length / 2, shape.length / 2})
        out->push_back(X_WB * Vec3(end, 0, 0) + below);
      return;
    case ShapeKind::kCylinder:
      return AddCylinder(shape, X_WB, out);
    case ShapeKind::kBox:
      for (int i = 0; i < 8; ++i) {
        const Vec3 side((i & 1) != 0 ? 0.5 : -0.5, (i & 2) != 0 ? 0.5 : -0.5,
                        (i & 4) != 0 ? 0.5 : -0.5);
        out->push_back(X_WB * side.cwiseProduct(shape.size));
      }
      return;
    case ShapeKind::kConvex:
      for (const Vec3& p : shape.convex->vertices) out->push_back(X_WB * p);
      return;
    case ShapeKind::kTriangleMesh:
      for (const Vec3& p : shape.triangles->vertices) out->push_back(X_WB * p);
      return;
    case ShapeKind::kPointCloud:
      for (const Vec3& p : shape.cloud->points)
        out->push_back(X_WB * p - shape.cloud->radius * Vec3::UnitZ());
      return;
  }
}

double Cross(const Vec3& a, const Vec3& b, const Vec3& c) {
  return (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
}

/// Corners of the hull seen from above, counter-clockwise.
Points HullFromAbove(Points points) {
  std::sort(points.begin(), points.end(), [](const Vec3& a, const Vec3& b) {
    return a.x() < b.x() || (a.x() == b.x() && a.y() < b.y());
  });
  Points hull;
  for (const bool back : {false, true}) {
    const std::size_t first = hull.size();
    for (const Vec3& p : points) {
      while (hull.size() >= first + 2 && Cross(hull[hull.size() - 2], hull.back(), p) <= 0)
        hull.pop_back();
      hull.push_back(p);
    }
    hull.pop_back();  // the other half begins with it
    if (!back) std::reverse(points.begin(), points.end());
  }
  return hull;
}

double DistanceToEdge(const Vec3& a, const Vec3& b, const Vec3& p) {
  const Vec2 edge = (b - a).head<2>(), way = (p - a).head<2>();
  const double length = edge.squaredNorm();
  const double share = length > 0 ? std::clamp(way.dot(edge) / length, 0.0, 1.0) : 0;
  return (way - share * edge).norm();
}

}  // namespace

Footing FindFooting(const Model& model, const Robot& robot, const State& state) {
  struct Part {
    int link = 0;
    Points corners = {};
  };
  std::vector<Part> parts;
  double lowest = kInfinity, top = -kInfinity;
  for (int b = robot.first_body; b < robot.first_body + robot.bodies; ++b) {
    const Body& body = model.body(b);
    Part part{body.Owner(b)};
    if (body.shape_of_link >= 0 && body.collides)
      AddCorners(body.shape, state.pose(b), &part.corners);
    // points of links stand for their shapes; those of a shape are its corners
    if (body.shape_of_link < 0 && body.Moves()) {
      for (const Vec3& p_B : body.points_B)
        part.corners.push_back(state.pose(b) * p_B - body.point_radius * Vec3::UnitZ());
    }
    for (const Vec3& p : part.corners) {
      lowest = std::min(lowest, p.z());
      top = std::max(top, p.z());
    }
    if (!part.corners.empty()) parts.push_back(std::move(part));
  }
  Footing footing;
  if (parts.empty()) return footing;
  footing.lowest = lowest;
  for (const Part& part : parts) {
    double own = kInfinity;
    for (const Vec3& p : part.corners) own = std::min(own, p.z());
    if (own > lowest + kSlack * (top - lowest)) continue;
    footing.links.push_back(part.link);
    for (const Vec3& p : part.corners)
      if (p.z() <= own + kFlat * (top - lowest)) footing.points_W.push_back(p);
  }
  std::sort(footing.links.begin(), footing.links.end());
  footing.links.erase(std::unique(footing.links.begin(), footing.links.end()), footing.links.end());
  return footing;
}

double CalcSupportMargin(const std::vector<Vec3>& points_W, const Vec3& p_W) {
  if (points_W.empty()) return -kInfinity;
  Points hull = HullFromAbove(points_W);
  if (hull.empty()) hull.push_back(points_W.front());  // all of them are one
  bool inside = hull.size() > 2;
  double margin = kInfinity;
  for (std::size_t i = 0; i < hull.size(); ++i) {
    const Vec3 &a = hull[i], &b = hull[(i + 1) % hull.size()];
    inside = inside && Cross(a, b, p_W) >= 0;
    margin = std::min(margin, DistanceToEdge(a, b, p_W));
  }
  return inside ? margin : -margin;
}

}  // namespace slip
