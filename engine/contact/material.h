// What bodies are made of, and what two of them make of a contact (engine/README.md 5.4).
#pragma once

#include <span>
#include <string>

#include "engine/core/result.h"

namespace slip {

/// Contact material of a body.
struct Material {
  std::string name = {};
  double stiffness = 1e6;         ///< k [N/m]
  double hertz_stiffness = 1e9;   ///< k_H [N/m^1.5]
  double dissipation = 10;        ///< Hunt & Crossley d [s/m]
  double relaxation_time = 1e-4;  ///< tau_d [s]
  double friction = 0.5;          ///< mu [-]
  double torsional_friction = 0;  ///< mu_w: largest torque over normal force [m]
  double damping = 300;           ///< B of the spring-damper with an anchor [N s/m]

  bool operator==(const Material&) const = default;
};

/// Error: torsional friction without friction. The two share one budget, and so one cone.
Status CheckFriction(std::span<const Material> materials);

/// Material of a contact of two bodies, or of a body with a surface that has a material. It has no
/// name.
Material CombineMaterials(const Material& a, const Material& b);

}  // namespace slip
