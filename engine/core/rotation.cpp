#include "engine/core/rotation.h"

namespace slip {

Quat RotationBetween(const Vec3& a, const Vec3& b) { return Quat::FromTwoVectors(a, b); }

Quat CalcRotationOfRpy(const Vec3& rpy) {
  return Quat(Eigen::AngleAxisd(rpy.z(), Vec3::UnitZ())) *
         Quat(Eigen::AngleAxisd(rpy.y(), Vec3::UnitY())) *
         Quat(Eigen::AngleAxisd(rpy.x(), Vec3::UnitX()));
}

}  // namespace slip
