// Masses and inertias of links from their collision shapes, where a file gives none that a body
// has.
#include <cmath>
#include <numbers>

#include "engine/geometry/mass_properties.h"
#include "engine/urdf/robot_description.h"
#include "engine/urdf/urdf_masses.h"

namespace slip {
namespace {

constexpr double kWater = 1000;  // [kg/m³]

/// All collision shapes of a link together, as dense as water.
RobotLink WeighShapes(const LinkFacts& facts) {
  RobotLink sum;
  for (const RobotShape& shape : facts.collisions) {
    const MassProperties properties = CalcMassProperties(shape.shape, kWater);
    if (!(properties.mass > 0)) continue;
    RobotLink piece;
    piece.mass = properties.mass;
    piece.p_LC = properties.p_com;
    piece.I_LC = properties.inertia;
    AddMass(piece, shape.X_LS, &sum);
  }
  return sum;
}

}  // namespace

bool WeighByShapes(LinkFacts* facts) {
  const RobotLink sum = WeighShapes(*facts);
  if (!(sum.mass >= kLightestBody)) return false;
  facts->mass = sum.mass;
  facts->X_LC = {.p = sum.p_LC};
  facts->I_C = sum.I_LC;
  return true;
}

bool TurnByShapes(LinkFacts* facts) {
  const RobotLink sum = WeighShapes(*facts);
  const bool has = sum.mass >= kLightestBody;
  const Mat3 R = facts->X_LC.q.toRotationMatrix();
  if (has) {
    facts->I_C = facts->mass / sum.mass * (R.transpose() * sum.I_LC * R);
    return true;
  }
  const double radius = std::cbrt(0.75 * facts->mass / (std::numbers::pi * kWater));
  facts->I_C = 0.4 * facts->mass * radius * radius * Mat3::Identity();
  return false;
}

}  // namespace slip
