// One contact point between two shapes, as every narrow-phase routine reports it.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/types.h"

namespace slip {

/// A and B are the first and the second shape of the pair that was asked for.
struct PairContact {
  Vec3 p_W = Vec3::Zero();   ///< midway between the witness points on A and B [m]
  Vec3 n_W = Vec3::UnitZ();  ///< unit, points from A into B
  double phi = 0;            ///< signed distance along n, negative when they overlap [m]
  uint32_t feature = 0;      ///< names the touching features: the same from step to step while they
                             ///< touch, and different for different points of one pair
};

using PairContacts = std::vector<PairContact>;

}  // namespace slip
