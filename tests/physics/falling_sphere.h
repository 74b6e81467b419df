// A steel sphere of 0.1 m that falls from a centimetre and slides at 2 m/s: of the papers.
#pragma once

#include <numbers>

#include "engine/dynamics/model.h"

namespace slip {

inline Body FallingSphere() {
  Body sphere;
  sphere.name = "sphere";
  sphere.SetJoint(JointKind::kPlanar);
  sphere.mass = 7800 * std::numbers::pi / 6 * 1e-3;
  sphere.inertia_B = Vec3::Constant(0.4 * sphere.mass * 0.05 * 0.05);
  sphere.points_B = {Vec3::Zero()};
  sphere.point_radius = 0.05;
  sphere.X_WB.p = Vec3(0, 0, 0.06);
  sphere.V_WB[3] = 2;
  return sphere;
}

}  // namespace slip
