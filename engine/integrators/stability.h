// How long a step of contacts with anchors may be: limits of linear stability of explicit methods
// (Hammoud et al., Exponential integration for efficient and accurate multi-body simulation with
// stiff viscoelastic contacts, section VI, measure such limits; here they are computed).
//
// While points stick, contacts are springs and dampers: J v̇ = −Y (K x + B ẋ) + free part, with
// Y = J M⁻¹ Jᵀ. A mode of Y B with the eigenvalue c is the scalar ẍ = −c ẋ − k x, k = c K/B.
#pragma once

#include <span>

#include "engine/integrators/exponential_step.h"
#include "engine/method/methods.h"
#include "engine/solver/tridiagonal.h"

namespace slip {

/// Memory is reused from tree to tree.
class StabilityProbe {
 public:
  /// Longest stable step of a tree on these points as if all of them stuck [s]: friction that slips
  /// is bounded and only takes away. Exact where all points have the same K and B; else a bound
  /// from below, by the largest eigenvalue of Y B and the largest K/B. Motors and dampers of joints
  /// are not in it. Infinite where nothing touches.
  double Calc(TreeMotion* motion, std::span<const AnchoredTouch> touches, StableStep stable_step);

 private:
  MatrixX J_, W_;     // W = L⁻¹ Jᵀ √B, M = L Lᵀ
  MatrixX weighted_;  // W Wᵀ: the eigenvalues of Y B that are not zero
  Eigen::LLT<MatrixX> factor_;
  Eigen::SelfAdjointEigenSolver<MatrixX> eigen_;
  EigenRange range_;
};

}  // namespace slip
