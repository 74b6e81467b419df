// Limits of linear stability of the explicit methods, for one mode (stability.h: of a tree).
#pragma once

namespace slip {

/// Explicit Euler as it is here: q+ = q + h v + h²/2 a, v+ = v + h a. Its matrix has the
/// determinant 1 − h c + h² k/2 and the trace 2 − h c − h² k/2, so it is stable exactly where h <
/// 2/c (else a mode changes its sign and grows) and h < 2 c/k = 2 B/K (else an oscillation grows).
double ExplicitEulerStableStep(double c, double k);

/// The classical method of fourth order: |R(h s)| = 1 for both roots s of s² + c s + k, with
/// R(z) = 1 + z + z²/2 + z³/6 + z⁴/24; 2.785/c where the damper rules.
double RungeKuttaStableStep(double c, double k);

}  // namespace slip
