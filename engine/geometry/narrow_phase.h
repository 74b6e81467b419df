// The pair table of shapes.
#pragma once

#include <span>

#include "engine/geometry/pair_contact.h"
#include "engine/geometry/shape.h"

namespace slip {

/// A half-space {p : normal . (p - point) <= 0}.
struct Plane {
  Vec3 normal = Vec3::UnitZ();
  Vec3 point = Vec3::Zero();
};

/// Appends the contacts of two shapes within `margin`.
void Collide(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB, double margin,
             PairContacts* out);
/// Appends the contacts of a half-space (A) with a shape (B) within `margin`.
void CollidePlane(const Plane& plane, const Shape& shape, const Pose& X_WB, double margin,
                  PairContacts* out);
/// Axis-aligned box around a shape.
void CalcBounds(const Shape& shape, const Pose& X_WB, Vec3* min, Vec3* max);

}  // namespace slip
