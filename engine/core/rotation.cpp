#include "engine/core/rotation.h"

namespace slip {

Quat RotationBetween(const Vec3& a, const Vec3& b) { return Quat::FromTwoVectors(a, b); }

}  // namespace slip
