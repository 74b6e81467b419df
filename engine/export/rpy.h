// A turn as roll, pitch and yaw.
#pragma once

#include <cmath>

#include "engine/core/types.h"

namespace slip {

/// Of CalcRotationOfRpy (engine/core/rotation.h) the inverse. Where pitch is a quarter turn, roll
/// and yaw are about one axis: whatever part of it yaw takes, roll is what is left.
inline Vec3 CalcRpy(const Quat& q) {
  const Mat3 R = q.toRotationMatrix();
  const double yaw = std::atan2(R(1, 0), R(0, 0));
  const double c = std::cos(yaw), s = std::sin(yaw);
  const double pitch = std::atan2(-R(2, 0), R(0, 0) * c + R(1, 0) * s);
  const double roll = std::atan2(R(0, 2) * s - R(1, 2) * c, R(1, 1) * c - R(0, 1) * s);
  return {roll, pitch, yaw};
}

}  // namespace slip
