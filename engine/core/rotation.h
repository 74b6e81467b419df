// Rotations and axes whose making takes Eigen's large templates, compiled in one file.
#pragma once

#include "engine/core/types.h"

namespace slip {

/// The smallest rotation that turns the direction of a to that of b; both longer than 0.
Quat RotationBetween(const Vec3& a, const Vec3& b);

/// Roll about x, then pitch about y, then yaw about z, all fixed axes [rad].
Quat CalcRotationOfRpy(const Vec3& rpy);

/// Eigenvalues of a symmetric matrix, ascending, and their unit eigenvectors in the columns.
struct SymmetricEigen {
  Vec3 values;
  Mat3 vectors;
};
SymmetricEigen CalcSymmetricEigen(const Mat3& matrix);

}  // namespace slip
