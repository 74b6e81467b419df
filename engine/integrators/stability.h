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

namespace slip {

/// Explicit Euler as it is here: q+ = q + h v + h²/2 a, v+ = v + h a. Its matrix has the
/// determinant 1 − h c + h² k/2 and the trace 2 − h c − h² k/2, so it is stable exactly where h <
/// 2/c (else a mode changes its sign and grows) and h < 2 c/k = 2 B/K (else an oscillation grows).
double ExplicitEulerStableStep(double c, double k);

/// The classical method of fourth order: |R(h s)| = 1 for both roots s of s² + c s + k, with
/// R(z) = 1 + z + z²/2 + z³/6 + z⁴/24; 2.785/c where the damper rules.
double RungeKuttaStableStep(double c, double k);

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
};

}  // namespace slip
