// Rigid transforms. X_AB is the pose of B in A; X_AC = X_AB X_BC. Chains that must stay unit over
// many steps, and files that are written again as they were read, need a variant of their own.
#pragma once

#include "engine/core/types.h"

namespace slip {

/// The turn is the product as it comes, unit to round-off.
inline Pose operator*(const Pose& X_AB, const Pose& X_BC) {
  return {X_AB * X_BC.p, X_AB.q * X_BC.q};
}
inline Pose Inverse(const Pose& X) {
  const Quat q = X.q.conjugate();
  return {-Rotate(q, X.p), q};
}

/// X_AB X_BC with a unit turn.
inline Pose ComposeUnit(const Pose& X_AB, const Pose& X_BC) {
  return {X_AB * X_BC.p, (X_AB.q * X_BC.q).normalized()};
}

inline bool HasTurn(const Pose& X) { return X.q.coeffs() != Quat::Identity().coeffs(); }
/// The same, but a pose without a turn leaves the bits of the other's, the signs of zeros too.
inline Pose ComposeKept(const Pose& X_AB, const Pose& X_BC) {
  if (!HasTurn(X_AB)) return {X_AB.p + X_BC.p, X_BC.q};
  return {X_AB * X_BC.p, HasTurn(X_BC) ? (X_AB.q * X_BC.q).normalized() : X_AB.q};
}
inline Pose InverseKept(const Pose& X) { return HasTurn(X) ? Inverse(X) : Pose{-X.p, X.q}; }

}  // namespace slip
