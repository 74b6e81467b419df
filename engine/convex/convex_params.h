// The parameters of the convex step and of its contact models.
#pragma once

#include <span>

#include "engine/method/config.h"

namespace slip {

/// Where in a step friction and gyroscopic moments of what turns in space are taken.
enum class Turning : int { kMiddle, kStart };

struct ConvexParams {
  int normal_law = 0;                     ///< NormalLawId
  double stiction_tolerance = 1e-4;       ///< v_s [m/s]
  double friction_regularization = 1e-3;  ///< sigma [-]
  double near_rigid = 1.0;                ///< beta [-]
  double todorov_alpha = 1.0;             ///< alpha [-]
  double barrier_stiffness = 1e-2;        ///< kappa [J], or [J/m^2] for the IPC barrier
  double barrier_distance = 1e-3;         ///< activation distance of the IPC barrier [m]
  int turning = 0;                        ///< Turning
  int solver = 0;                         ///< SolverId: 0 auto, 1 plain
  int line_search = 0;                    ///< 0 exact, 1 backtracking

  NormalLawId law() const { return static_cast<NormalLawId>(normal_law); }
  static std::span<const Param<ConvexParams>> Table();
  bool operator==(const ConvexParams&) const = default;
};

}  // namespace slip
