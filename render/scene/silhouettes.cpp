// Silhouettes. A box or polyhedron shows the edges next to at least one face turned towards the
// eye; a sphere its tangent circle; a capsule two half circles joined by straight lines; a cylinder
// its caps and sides.
#include "render/scene/silhouettes.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/core/numbers.h"
#include "engine/geometry/mesh.h"
#include "render/scene/cloud_points.h"
#include "render/scene/visibility.h"

namespace slip::render {
namespace {

constexpr std::size_t kMostHullPoints = 3000;
constexpr int kArcSides = 24;  // per half circle
// Edges between the front faces of a finer polyhedron would be a net over it.
constexpr std::size_t kMostFaces = 30;

std::vector<Polyline3> BoxEdges(const Camera& camera, const Pose& pose, const Vec3& half,
                                bool all) {
  bool faces[3][2];
  for (int axis = 0; axis < 3; ++axis) {
    for (int side = 0; side < 2; ++side) {
      const double sign = side ? 1 : -1;
      const Vec3 n = pose.q * (sign * Vec3::Unit(axis));
      const Vec3 p = pose * (sign * half[axis] * Vec3::Unit(axis));
      faces[axis][side] = n.dot(ToEye(camera, p)) > 0;
    }
  }
  std::vector<Polyline3> edges;
  for (int axis = 0; axis < 3; ++axis) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (int su = 0; su < 2; ++su) {
      for (int sv = 0; sv < 2; ++sv) {
        if (!all && !faces[u][su] && !faces[v][sv]) continue;
        Vec3 a = -half, b = half;
        a[u] = b[u] = su ? half[u] : -half[u];
        a[v] = b[v] = sv ? half[v] : -half[v];
        edges.push_back({pose * a, pose * b});
      }
    }
  }
  return edges;
}

/// Half circle about `axis` from -side to +side through `top`; an arc's points.
void AppendArc(const Vec3& centre, const Vec3& from, const Vec3& through, double radius,
               Polyline3* line) {
  for (int i = 0; i <= kArcSides; ++i) {
    const double angle = M_PI * i / kArcSides;
    line->push_back(centre + radius * (std::cos(angle) * from + std::sin(angle) * through));
  }
}

std::vector<Polyline3> SphereEdges(const Camera& camera, const Vec3& centre, double radius) {
  const Vec3 eye = ToEye(camera, centre);
  Vec3 middle = centre;
  double r = radius;
  const double d = (camera.eye_W() - centre).norm();
  if (!camera.orthographic() && d > radius) {
    // the tangent cone from the eye touches a circle nearer than the centre
    middle += radius * radius / d * eye;
    r = radius * std::sqrt(1 - radius * radius / (d * d));
  }
  const Vec3 u = eye.unitOrthogonal();
  Polyline3 circle;
  AppendArc(middle, u, eye.cross(u), r, &circle);
  AppendArc(middle, -u, -eye.cross(u), r, &circle);
  return {circle};
}

std::vector<Polyline3> CapsuleEdges(const Camera& camera, const Pose& pose, const Shape& shape) {
  const Vec3 axis = pose.q * Vec3::UnitX();
  const Vec3 eye = ToEye(camera, pose.p);
  const Vec3 side = axis.cross(eye);
  // seen along its axis a capsule is a circle
  if (side.norm() < 0.05) {
    return SphereEdges(camera, pose.p + 0.5 * shape.length * axis, shape.radius);
  }
  const Vec3 v = side.normalized(), u = v.cross(eye).normalized();
  const double sign = u.dot(axis) >= 0 ? 1 : -1;
  const Vec3 half = 0.5 * shape.length * axis;
  Polyline3 line;
  AppendArc(pose.p + half, v, sign * u, shape.radius, &line);
  AppendArc(pose.p - half, -v, -sign * u, shape.radius, &line);
  line.push_back(line.front());
  return {line};
}

std::vector<Polyline3> CylinderEdges(const Camera& camera, const Pose& pose, const Shape& shape) {
  const Vec3 axis = pose.q * Vec3::UnitX();
  const Vec3 side = axis.cross(ToEye(camera, pose.p));
  const bool along = side.norm() < 0.05;
  const Vec3 v = along ? axis.unitOrthogonal() : Vec3(side.normalized());
  const Vec3 u = axis.cross(v);
  std::vector<Polyline3> lines;
  for (double end : {1.0, -1.0}) {
    const Vec3 centre = pose.p + 0.5 * end * shape.length * axis;
    const bool faces = end * axis.dot(ToEye(camera, centre)) > 0;
    Polyline3 ring;
    // of the far cap only the half next to the eye is on the silhouette
    const Vec3 near = u.dot(ToEye(camera, pose.p)) > 0 ? u : Vec3(-u);
    if (faces) AppendArc(centre, v, -near, shape.radius, &ring);
    if (faces || !along) {
      AppendArc(centre, faces ? Vec3(-v) : v, near, shape.radius, &ring);
      lines.push_back(ring);
    }
  }
  const Vec3 half = 0.5 * shape.length * axis;
  for (double s : {1.0, -1.0}) {
    if (!along) {
      const Vec3 p = pose.p + s * shape.radius * v;
      lines.push_back({p - half, p + half});
    }
  }
  return lines;
}

/// Edges of the faces turned towards the eye; those that two of them share only if `inner`.
class FrontEdges {
 public:
  void Add(int from, int to) { edges_.emplace_back(std::min(from, to), std::max(from, to)); }

  std::vector<Polyline3> Lines(const std::vector<Vec3>& vertices, const Pose& pose, bool inner) {
    std::sort(edges_.begin(), edges_.end());
    std::vector<Polyline3> lines;
    for (std::size_t i = 0; i < edges_.size();) {
      std::size_t next = i + 1;
      while (next < edges_.size() && edges_[next] == edges_[i]) ++next;
      if (inner || next == i + 1) {
        lines.push_back(
            {pose * At(vertices, edges_[i].first), pose * At(vertices, edges_[i].second)});
      }
      i = next;
    }
    return lines;
  }

 private:
  std::vector<std::pair<int, int>> edges_;
};

std::vector<Polyline3> ConvexEdges(const Camera& camera, const Pose& pose, const ConvexMesh& mesh) {
  FrontEdges edges;
  for (const ConvexMesh::Face& face : mesh.faces) {
    const Vec3 p = pose * Vec3(face.offset * face.normal);
    if ((pose.q * face.normal).dot(ToEye(camera, p)) <= 0) continue;
    for (int i = 0; i < face.count; ++i) {
      const auto corner = [&](int k) { return At(mesh.face_corners, face.first + k % face.count); };
      edges.Add(corner(i), corner(i + 1));
    }
  }
  return edges.Lines(mesh.vertices, pose, mesh.faces.size() <= kMostFaces);
}

std::vector<Polyline3> TriangleEdges(const Camera& camera, const Pose& pose,
                                     const TriangleMesh& mesh) {
  FrontEdges edges;
  for (const auto& t : mesh.triangles) {
    const auto at = [&](std::size_t i) { return At(mesh.vertices, t[i]); };
    const Vec3 n = (at(1) - at(0)).cross(at(2) - at(0));
    if ((pose.q * n).dot(ToEye(camera, pose * at(0))) <= 0) continue;
    for (std::size_t i = 0; i < 3; ++i) edges.Add(t[i], t[(i + 1) % 3]);
  }
  return edges.Lines(mesh.vertices, pose, false);
}

/// Convex hull of the picture of a cloud, as far out as the balls of its points. Of many points an
/// even part.
std::vector<Polyline3> CloudEdges(const Camera& camera, const Pose& pose, const Shape& shape) {
  struct Seen {
    double x, y;  ///< in the picture, at depth 1
    Vec3 p;
  };
  const Vec3 right = camera.right_W(), forward = camera.forward_W(), up = right.cross(forward);
  const std::vector<Vec3>& points = shape.cloud->points;
  const std::size_t stride = points.size() / kMostHullPoints + 1;
  std::vector<Seen> seen;
  seen.reserve(points.size() / stride + 1);
  for (std::size_t i = 0; i < points.size(); i += stride) {
    const Vec3 p = pose * points[i], from_eye = p - camera.eye_W();
    const double w = camera.orthographic() ? 1 : forward.dot(from_eye);
    if (!(w > camera.near_plane()) && !camera.orthographic()) return {};
    seen.push_back({right.dot(from_eye) / w, up.dot(from_eye) / w, p});
  }
  // A. Andrew's monotone chain (1979)
  std::sort(seen.begin(), seen.end(),
            [](const Seen& a, const Seen& b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
  std::vector<Seen> hull;
  const auto add = [&hull](const Seen& next, std::size_t first) {
    while (hull.size() >= first + 2) {
      const Seen &a = hull[hull.size() - 2], &b = hull.back();
      if ((b.x - a.x) * (next.y - a.y) > (b.y - a.y) * (next.x - a.x)) break;
      hull.pop_back();
    }
    hull.push_back(next);
  };
  for (const Seen& next : seen) add(next, 0);
  const std::size_t lower = hull.size();
  for (std::size_t i = seen.size(); i-- > 1;) add(seen[i - 1], lower - 1);
  if (hull.size() > 1) hull.pop_back();
  if (hull.size() < 3) return {};
  // every ball's arc from the normal of the side before to that of the side after
  const double radius = DisplayRadius(shape);
  const auto normal = [&](std::size_t i) {
    const Seen &a = hull[i % hull.size()], &b = hull[(i + 1) % hull.size()];
    return std::atan2(a.x - b.x, b.y - a.y);
  };
  Polyline3 line;
  for (std::size_t i = 0; i < hull.size(); ++i) {
    const double from = normal(i + hull.size() - 1);
    double turn = normal(i) - from;
    if (turn < 0) turn += 2 * M_PI;
    const int steps = 1 + static_cast<int>(turn / 0.3);
    for (int k = 0; k <= steps; ++k) {
      const double angle = from + turn * k / steps;
      line.push_back(hull[i].p + radius * (std::cos(angle) * right + std::sin(angle) * up));
    }
  }
  line.push_back(line.front());
  return {line};
}

}  // namespace

Vec3 ToEye(const Camera& camera, const Vec3& p) {
  if (camera.orthographic()) return -camera.forward_W();
  return (camera.eye_W() - p).normalized();
}

std::vector<Polyline3> Silhouette(const Camera& camera, const Body& body, const Pose& X_WB,
                                  bool all) {
  const Shape& shape = body.shape;
  switch (shape.kind) {
    case ShapeKind::kBox:
      // the drawn edges are rounded: their ridge lies a little inside
      return BoxEdges(camera, X_WB, 0.5 * shape.size - Vec3::Constant(0.29 * EdgeRadius(shape)),
                      all);
    case ShapeKind::kSphere:
      return SphereEdges(camera, X_WB.p, shape.radius);
    case ShapeKind::kCapsule:
      return CapsuleEdges(camera, X_WB, shape);
    case ShapeKind::kCylinder:
      return CylinderEdges(camera, X_WB, shape);
    case ShapeKind::kConvex:
      if (shape.convex) return ConvexEdges(camera, X_WB, *shape.convex);
      break;
    case ShapeKind::kTriangleMesh:
      if (shape.triangles) return TriangleEdges(camera, X_WB, *shape.triangles);
      break;
    case ShapeKind::kPointCloud:
      if (shape.cloud) return CloudEdges(camera, X_WB, shape);
      break;
  }
  return {};
}

}  // namespace slip::render
