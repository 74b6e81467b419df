// Where a scene asks to be seen from first.
#pragma once

#include "engine/core/types.h"

namespace slip {

/// First view of the camera.
struct CameraSpec {
  Vec3 target = Vec3(0, 0, 0.05);  ///< [m]
  double distance = 1.5;           ///< [m]
  /// The eye is at target + distance (cos(el) cos(az), cos(el) sin(az), sin(el)) [rad].
  double azimuth = -1.2;
  double elevation = 0.35;
  double field_of_view = 0.45;  ///< vertical [rad]
  /// The target goes along with the horizontal way of the lead channel's first body: scenes whose
  /// bodies travel would leave the picture.
  bool follow = false;

  bool operator==(const CameraSpec&) const = default;
};

}  // namespace slip
