// The parameters of methods whose contacts have anchors, by who reads them.
#pragma once

#include <span>

#include "engine/method/config.h"

namespace slip {

struct ExponentialParams {
  int matrix_multiplications = -1;  ///< of the exponential; -1 = as many as full accuracy takes
  double product_tolerance = 0;     ///< of mean forces, for fewer products; 0 = off
  int slip_prediction = 0;          ///< SlipPrediction
  int slip_set = 0;                 ///< who slips in a step: 0 consistent, 1 published

  static std::span<const Param<ExponentialParams>> Table();
  bool operator==(const ExponentialParams&) const = default;
};

/// Of all of them.
struct AnchorParams {
  int anchors = 0;  ///< AnchorRule: 0 yielding, 1 published

  static std::span<const Param<AnchorParams>> Table();
  bool operator==(const AnchorParams&) const = default;
};

/// Of those that take Coriolis forces and gravity once in a step.
struct BiasParams {
  int bias = 0;  ///< BiasForm: 0 midpoint, 1 first order

  static std::span<const Param<BiasParams>> Table();
  bool operator==(const BiasParams&) const = default;
};

}  // namespace slip
