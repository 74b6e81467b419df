#include "render/scene/drag_geometry.h"

#include <cmath>

namespace slip::render {
namespace {

// Planes and axes seen more edge-on than this cannot be dragged along [cosine].
constexpr double kEdgeOn = 0.1;

}  // namespace

Vec3 OnPlane(const Ray& ray, const Vec3& p, const Vec3& n, const Vec3& facing) {
  const double along = n.dot(ray.direction);
  if (std::abs(along) < kEdgeOn) return facing - n.dot(facing - p) * n;
  return ray.At(n.dot(p - ray.origin) / along);
}

Vec3 OnLine(const Ray& ray, const Vec3& p, const Vec3& a, const Vec3& facing) {
  const double c = a.dot(ray.direction);
  const double rest = 1 - c * c;
  if (rest < kEdgeOn * kEdgeOn) return p + a.dot(facing - p) * a;
  const Vec3 w = ray.origin - p;
  return p + (a.dot(w) - c * ray.direction.dot(w)) / rest * a;
}

}  // namespace slip::render
