#include "engine/core/rotation.h"

#include <algorithm>
#include <cmath>

namespace slip {
namespace {

// Cosines this near to -1 leave the axis of the turn to round-off.
constexpr double kOpposite = 1e-12;

}  // namespace

Quat RotationBetween(const Vec3& a, const Vec3& b) {
  const Vec3 u = a.normalized(), v = b.normalized();
  const double c = v.dot(u);
  // the other way round: half a turn about any axis square to both
  if (c < -1 + kOpposite)
    return Quat(Eigen::AngleAxisd(std::acos(std::max(c, -1.0)), u.unitOrthogonal()));
  const double s = std::sqrt((1 + c) * 2);
  Quat q;
  q.vec() = u.cross(v) * (1 / s);
  q.w() = s * 0.5;
  return q;
}

Quat CalcRotationOfRpy(const Vec3& rpy) {
  const Vec3 half = 0.5 * rpy;
  const double c_r = std::cos(half.x()), c_p = std::cos(half.y()), c_y = std::cos(half.z());
  const double s_r = std::sin(half.x()), s_p = std::sin(half.y()), s_y = std::sin(half.z());
  // q_y q_p q_r
  const double w = c_r * c_p * c_y + s_r * s_p * s_y, x = s_r * c_p * c_y - c_r * s_p * s_y,
               y = c_r * s_p * c_y + s_r * c_p * s_y, z = c_r * c_p * s_y - s_r * s_p * c_y;
  const double norm = std::sqrt(x * x + y * y + z * z + w * w);
  // once more: recordings hold the last bits of robots that were read so
  return Quat(w / norm, x / norm, y / norm, z / norm).normalized();
}

SymmetricEigen CalcSymmetricEigen(const Mat3& matrix) {
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(matrix);
  return {eigen.eigenvalues(), eigen.eigenvectors()};
}

}  // namespace slip
