// Shared value types. SI units and radians; world frame W is z-up; quaternions rotate body to
// world.
#pragma once

#include <Eigen/Dense>
#include <cstdint>

namespace slip {

using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
using Quat = Eigen::Quaterniond;
using VectorX = Eigen::VectorXd;
using MatrixX = Eigen::MatrixXd;
/// Spatial velocity (angular, then linear), world axes, at the centre of mass.
using Vec6 = Eigen::Matrix<double, 6, 1>;

/// R(q) v for a unit quaternion, short enough to be inlined.
inline Vec3 Rotate(const Quat& q, const Vec3& v) {
  const double x = q.x(), y = q.y(), z = q.z(), w = q.w();
  double a = y * v.z() - z * v.y(), b = z * v.x() - x * v.z(), c = x * v.y() - y * v.x();
  a += a, b += b, c += c;
  return Vec3(v.x() + w * a + (y * c - z * b), v.y() + w * b + (z * a - x * c),
              v.z() + w * c + (x * b - y * a));
}

/// Pose of a body in the world: point p_WB, rotation R_WB.
struct Pose {
  Vec3 p = Vec3::Zero();
  Quat q = Quat::Identity();

  /// Maps a point given in the body frame to the world.
  Vec3 operator*(const Vec3& p_BP) const { return p + Rotate(q, p_BP); }
};

}  // namespace slip
