// MuJoCo's contacts as springs and dampers. With the impedance δ(x) of solimp, κ and b of solref
// and the inverse mass Â of the two bodies, a contact at rest is
//   f = κ δ² x / ((1 − δ) Â),  damper over spring τ = b/(κ δ);
// four rows of a pyramid carry 2 impratio/(μ² (1 + μ²)) times as much.
#pragma once

#include <array>
#include <optional>

namespace slip {

struct MjcfContact {
  int condim = 3, priority = 0;
  double solmix = 1;
  std::array<double, 2> solref{0.02, 1};
  std::array<double, 5> solimp{0.9, 0.95, 1e-3, 0.5, 2};
  std::array<double, 3> friction{1, 0.005, 1e-4};  ///< sliding, torsional [m], rolling [m]

  bool operator==(const MjcfContact&) const = default;
};

struct MjcfContactSettings {
  double time_step = 2e-3;
  bool elliptic = false, refsafe = true;
  double impratio = 1;
};

/// Parameters of a contact of two shapes: friction and condim are the larger ones, the rest is
/// weighted by solmix; a higher priority decides alone.
MjcfContact CombineMjcf(const MjcfContact& a, const MjcfContact& b);

/// δ at the depth x [m].
double CalcImpedance(const std::array<double, 5>& solimp, double x);

struct MjcfSpring {
  double stiffness = 0;   ///< [N/m]
  double relaxation = 0;  ///< [s]
  double depth = 0;       ///< [m]
};
/// The spring that has the depth of a contact of this inverse mass [1/kg] under a load [N].
MjcfSpring CalcMjcfSpring(const MjcfContact& contact, double inverse_mass, double load,
                          const MjcfContactSettings& settings);
/// The same of the limit of a joint, at full impedance.
MjcfSpring CalcMjcfLimit(const std::array<double, 2>& solref, const std::array<double, 5>& solimp,
                         double inverse_inertia, const MjcfContactSettings& settings);

}  // namespace slip
