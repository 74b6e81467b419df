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
  return Quat(Eigen::AngleAxisd(rpy.z(), Vec3::UnitZ())) *
         Quat(Eigen::AngleAxisd(rpy.y(), Vec3::UnitY())) *
         Quat(Eigen::AngleAxisd(rpy.x(), Vec3::UnitX()));
}

SymmetricEigen CalcSymmetricEigen(const Mat3& matrix) {
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(matrix);
  return {eigen.eigenvalues(), eigen.eigenvectors()};
}

}  // namespace slip
