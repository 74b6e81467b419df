// What a contact's numbers are elsewhere: a spring k, a damper c and, along the surface, a damper
// c_t at the load of one contact.
#pragma once

#include <array>
#include <optional>

#include "engine/contact/material.h"
#include "engine/dynamics/inverse_masses.h"
#include "engine/export/export.h"

namespace slip {

struct ContactTerms {
  std::optional<double> k;  ///< [N/m]; none = rigid, or no such number
  double c = 0;             ///< [N s/m]
  double friction = 0;
  double torsion = 0;             ///< [m]
  bool damped_by_impact = false;  ///< c is that of one speed of impact
};

/// What the method reads of materials, its normal law included.
KnobMask KnobsOf(const Config& config);

/// Speed of the impact whose rebound a dissipation of Hunt & Crossley keeps [m/s].
inline constexpr double kImpactSpeed = 1;

/// Of a material, or two combined, under `inverse_mass` [1/kg] and `load` [N].
ContactTerms CalcContactTerms(const Config& config, const Material& material, double inverse_mass,
                              double load);
/// c_t [N s/m] of a contact that sticks; none = it does not creep.
std::optional<double> CalcCreepDamping(const Config& config, const Material& material,
                                       const ExportLoad& load);

/// The contact's own mass is 1 % of the body's.
inline constexpr double kImpedance = 0.01;

/// In MuJoCo's terms: with a constant impedance d, K = k (1 - d) / A⁻¹ and B = c (1 - d) / A⁻¹.
struct MujocoContact {
  /// (-K, -B); of a contact too stiff or damped for that (T, 1), and a larger impedance, which the
  /// solver takes implicitly.
  std::array<double, 2> solref{};
  double impedance = kImpedance;  ///< of solimp
  int condim = 3;
  double friction = 0, torsion = 0;
  double stiffness = 0;  ///< what it then is [N/m]
  bool held_back = false;
};

MujocoContact CalcMujocoContact(const ContactTerms& terms, double inverse_mass, double time_step);

}  // namespace slip
