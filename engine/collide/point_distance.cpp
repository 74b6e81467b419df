// Signed distance of a point from each solid shape, with its gradient.
#include <algorithm>
#include <cmath>

#include "engine/collide/collide_convex.h"
#include "engine/core/numbers.h"
#include "engine/geometry/mesh.h"

namespace slip {
namespace {

// From a ball about `center`; at the centre itself the gradient is z.
double FromPoint(const Vec3& p, const Vec3& center, double radius, Vec3* normal) {
  const Vec3 d = p - center;
  const double distance = d.norm();
  *normal = distance > 0 ? Vec3(d / distance) : Vec3::UnitZ();
  return distance - radius;
}

double FromBox(const Vec3& p, const Vec3& half, Vec3* normal) {
  const Vec3 nearest = p.cwiseMax(-half).cwiseMin(half);
  if (nearest != p) return FromPoint(p, nearest, 0, normal);
  Eigen::Index axis = 0;
  const double inside = (half - p.cwiseAbs()).minCoeff(&axis);
  *normal = Vec3::Zero();
  (*normal)[axis] = p[axis] >= 0 ? 1 : -1;
  return -inside;
}

double FromCylinder(const Vec3& p, double radius, double half, Vec3* normal) {
  const double r = std::hypot(p.y(), p.z());
  const Vec3 outward = r > 0 ? Vec3(0, p.y() / r, p.z() / r) : Vec3::UnitY();
  const double beyond_side = r - radius, beyond_cap = std::abs(p.x()) - half;
  const Vec3 along((p.x() >= 0 ? 1 : -1), 0, 0);
  if (beyond_side > 0 && beyond_cap > 0) {
    const double distance = std::hypot(beyond_side, beyond_cap);
    *normal = (beyond_side * outward + beyond_cap * along) / distance;
    return distance;
  }
  *normal = beyond_side > beyond_cap ? outward : along;
  return std::max(beyond_side, beyond_cap);
}

Vec3 NearestOnFace(const ConvexMesh& mesh, const ConvexMesh::Face& face, const Vec3& p) {
  const int* corners = &mesh.face_corners[face.first];
  const Vec3 foot = p - (face.normal.dot(p) - face.offset) * face.normal;
  Vec3 best = foot;
  double best_distance = kInfinity;
  bool inside = true;
  for (int i = 0; i < face.count; ++i) {
    const Vec3& a = mesh.vertices[corners[i]];
    const Vec3 edge = mesh.vertices[corners[(i + 1) % face.count]] - a;
    if (face.normal.dot(edge.cross(foot - a)) >= 0) continue;
    inside = false;
    const Vec3 q = a + std::clamp(edge.dot(p - a) / edge.squaredNorm(), 0.0, 1.0) * edge;
    if (const double d = (q - p).squaredNorm(); d < best_distance) best = q, best_distance = d;
  }
  return inside ? foot : best;
}

double FromConvex(const ConvexMesh& mesh, const Vec3& p, Vec3* normal) {
  // inside, the nearest plane; outside, the nearest of the faces whose front the point sees
  double highest = -kInfinity;
  const ConvexMesh::Face* top = nullptr;
  for (const ConvexMesh::Face& face : mesh.faces)
    if (const double h = face.normal.dot(p) - face.offset; h > highest) highest = h, top = &face;
  *normal = top->normal;
  if (highest <= 0) return highest;
  Vec3 nearest = NearestOnFace(mesh, *top, p);
  double distance = (nearest - p).norm();
  if (distance > highest * (1 + 1e-12))
    for (const ConvexMesh::Face& face : mesh.faces) {
      const double h = face.normal.dot(p) - face.offset;
      if (h <= 0 || h >= distance) continue;
      const Vec3 q = NearestOnFace(mesh, face, p);
      if (const double d = (q - p).norm(); d < distance) nearest = q, distance = d;
    }
  // closer than rounding allows, the face's normal is the better one
  if (distance > 1e-9 * mesh.radius) *normal = (p - nearest) / distance;
  return distance;
}

}  // namespace

double CalcPointDistance(const Shape& shape, const Vec3& p_B, Vec3* normal_B) {
  const double half = shape.length / 2;
  switch (shape.kind) {
    case ShapeKind::kSphere:
      return FromPoint(p_B, Vec3::Zero(), shape.radius, normal_B);
    case ShapeKind::kBox:
      return FromBox(p_B, shape.size / 2, normal_B);
    case ShapeKind::kCapsule:
      return FromPoint(p_B, Vec3(std::clamp(p_B.x(), -half, half), 0, 0), shape.radius, normal_B);
    case ShapeKind::kCylinder:
      return FromCylinder(p_B, shape.radius, half, normal_B);
    case ShapeKind::kConvex:
      return FromConvex(*shape.convex, p_B, normal_B);
    case ShapeKind::kTriangleMesh:
    case ShapeKind::kPointCloud:
      break;
  }
  *normal_B = Vec3::UnitZ();
  return kInfinity;
}

}  // namespace slip
