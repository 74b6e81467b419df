// Volumes, inertias and velocity coordinates of bodies.
#include <cmath>
#include <numbers>

#include "engine/geometry/mass_properties.h"
#include "engine/scene/body_reader.h"

namespace slip {

double Volume(const Shape& shape) {
  const double r = shape.radius;
  switch (shape.kind) {
    case ShapeKind::kSphere:
      return 4.0 / 3.0 * std::numbers::pi * r * r * r;
    case ShapeKind::kBox:
      return shape.size.prod();
    case ShapeKind::kCapsule:
    default:
      return CalcMassProperties(shape, 1).volume;
  }
  return std::numbers::pi * r * r * (shape.length + 4.0 / 3.0 * r);
}

Vec3 SolidInertia(const Shape& shape, double mass) {
  const double r = shape.radius;
  if (shape.kind == ShapeKind::kSphere) return Vec3::Constant(0.4 * mass * r * r);
  if (shape.kind == ShapeKind::kBox) {
    const Vec3 s = shape.size.cwiseProduct(shape.size);
    return mass / 12 * Vec3(s.y() + s.z(), s.x() + s.z(), s.x() + s.y());
  }
  if (shape.kind != ShapeKind::kCapsule) {
    // meshes were turned to their principal axes when they were read
    const MassProperties unit = CalcMassProperties(shape, 1);
    return mass / unit.mass * unit.inertia.diagonal();
  }
  // Capsule along x: a cylinder of length L and two half balls whose centres of mass lie at
  // L/2 + 3r/8.  I_x = m_c r²/2 + m_s 2r²/5;  I_y = m_c (L²/12 + r²/4) + m_s (2r²/5 + L²/4 + 3Lr/8)
  const double length = shape.length;
  const double density = mass / Volume(shape);
  const double cylinder = density * std::numbers::pi * r * r * length;
  const double ball = mass - cylinder;
  const double along = cylinder * r * r / 2 + ball * 0.4 * r * r;
  const double across = cylinder * (length * length / 12 + r * r / 4) +
                        ball * (0.4 * r * r + length * length / 4 + 3.0 / 8.0 * length * r);
  return {along, across, across};
}

}  // namespace slip
