// The parameters of quasi-dynamic steps.
#pragma once

#include <span>

#include "engine/method/config.h"

namespace slip {

struct QuasiDynamicParams {
  int closest_points = 5;      ///< per body and obstacle
  double qp_tolerance = 1e-8;  ///< of a step's program, in scaled variables

  static std::span<const Param<QuasiDynamicParams>> Table();
  bool operator==(const QuasiDynamicParams&) const = default;
};

}  // namespace slip
