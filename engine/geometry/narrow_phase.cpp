#include "engine/geometry/narrow_phase.h"

namespace slip {

void Collide(const Shape&, const Pose&, const Shape&, const Pose&, double, PairContacts*) {}
void CollidePlane(const Plane&, const Shape&, const Pose&, double, PairContacts*) {}

void CalcBounds(const Shape& shape, const Pose& X_WB, Vec3* min, Vec3* max) {
  const double r = shape.kind == ShapeKind::kBox ? 0.5 * shape.size.norm()
                                                 : shape.radius + 0.5 * shape.length;
  *min = X_WB.p - Vec3::Constant(r);
  *max = X_WB.p + Vec3::Constant(r);
}

}  // namespace slip
