#include "engine/geometry/shape.h"

#include <cmath>

#include "engine/core/numbers.h"
#include "engine/geometry/mesh.h"

namespace slip {

void CalcBounds(const Shape& shape, const Pose& X_WB, Vec3* min, Vec3* max) {
  const Mat3 R = X_WB.q.toRotationMatrix();
  Vec3 reach = Vec3::Zero();
  const auto around = [&](const std::vector<Vec3>& points, double radius) {
    min->setConstant(kInfinity);
    max->setConstant(-kInfinity);
    for (const Vec3& p : points) {
      const Vec3 turned = R * p;
      *min = min->cwiseMin(turned);
      *max = max->cwiseMax(turned);
    }
    *min += X_WB.p - Vec3::Constant(radius);
    *max += X_WB.p + Vec3::Constant(radius);
  };
  switch (shape.kind) {
    case ShapeKind::kSphere:
      reach.setConstant(shape.radius);
      break;
    case ShapeKind::kCapsule:
      reach = 0.5 * shape.length * R.col(0).cwiseAbs() + Vec3::Constant(shape.radius);
      break;
    case ShapeKind::kBox:
      reach = 0.5 * (R.cwiseAbs() * shape.size);
      break;
    case ShapeKind::kCylinder: {
      // a disc reaches r √(1 − a²) along each axis of the world
      const Vec3 axis = R.col(0);
      const Vec3 rim = (1 - axis.array().square()).max(0).sqrt();
      reach = 0.5 * shape.length * axis.cwiseAbs() + shape.radius * rim;
      break;
    }
    case ShapeKind::kConvex:
      return around(shape.convex->vertices, 0);
    case ShapeKind::kTriangleMesh:
      return around(shape.triangles->vertices, 0);
    case ShapeKind::kPointCloud:
      return around(shape.cloud->points, shape.cloud->radius);
  }
  *min = X_WB.p - reach;
  *max = X_WB.p + reach;
}

double FindLikelyMillimetres(const Shape& shape) {
  constexpr double kLargeBody = 10, kLargeSurroundings = 100;  // [m]
  if (shape.kind < ShapeKind::kConvex) return 0;
  Vec3 low, high;
  CalcBounds(shape, Pose{}, &low, &high);
  const double extent = (high - low).maxCoeff();
  const bool moves = shape.kind != ShapeKind::kTriangleMesh;
  return extent > (moves ? kLargeBody : kLargeSurroundings) ? extent : 0;
}

}  // namespace slip
