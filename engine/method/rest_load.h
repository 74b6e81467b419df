// What a body's lowest points carry where it lies: for methods that start bodies as deep as their
// own law lets them sink.
#pragma once

#include "engine/method/config.h"

namespace slip {

struct RestLoad {
  int surface = -1;  ///< that it faces; -1 = none
  double load = 0;   ///< on each of its lowest points [N]
};

/// At the body's start pose; weight alone.
RestLoad FindRestLoad(const Model& model, const Config& config, int body);

}  // namespace slip
