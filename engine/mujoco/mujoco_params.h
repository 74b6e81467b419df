// The parameters of MuJoCo's steps: its own names, in SI units.
#pragma once

#include <span>

#include "engine/method/config.h"

namespace slip {

struct MujocoParams {
  int contact = 0;               ///< 0 solref below, one for all; 1 from the materials of each pair
  int narrow_phase = 0;          ///< contacts are 0 ours, 1 those that MuJoCo finds
  double time_constant = 0.02;   ///< solref[0] [s]
  double damping_ratio = 1;      ///< solref[1]
  double impedance_start = 0.9;  ///< solimp[0] to [4]
  double impedance_full = 0.95;
  double impedance_width = 1e-3;  ///< [m]
  double impedance_midpoint = 0.5;
  double impedance_power = 2;
  double impratio = 1;
  int integrator = 0;  ///< 0 Euler, 1 implicit
  int solver = 0;      ///< 0 Newton, 1 CG, 2 PGS
  int noslip_iterations = 0;
  int warm_start = 1;

  bool from_materials() const { return contact == 1; }
  bool finds_contacts() const { return narrow_phase == 1; }
  static std::span<const Param<MujocoParams>> Table();
  bool operator==(const MujocoParams&) const = default;
};

}  // namespace slip
