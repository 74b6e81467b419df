// The parameters of ODE's steps.
#pragma once

#include <span>

#include "engine/method/config.h"

namespace slip {

struct OdeParams {
  int solver = 0;  ///< 0 QuickStep, 1 the direct one
  int iterations = 20;
  int contact = 0;  ///< 0 from the materials of each pair, 1 rigid

  bool quick() const { return solver == 0; }
  bool soft() const { return contact == 0; }
  static std::span<const Param<OdeParams>> Table();
  bool operator==(const OdeParams&) const = default;
};

}  // namespace slip
