// How far contacts have crept: slip speeds summed over every step, once per step.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "app/plots/series.h"
#include "engine/sim/snapshot.h"

namespace slip::app {

class CreepDistances {
 public:
  /// Of the contact of a channel that carries most, from the first step that is kept to `time` [m];
  /// NaN where no speed is known. A later time adds the steps since the last call alone.
  double Until(const SeriesStore& series, int channel, double time);

 private:
  struct Sum {
    uint64_t epoch = 0, session = 0;
    std::size_t next = 0;  ///< sample; those before it are in the sum
    double distance = 0;   ///< [m]
    bool known = false;    ///< there was one
  };
  std::array<Sum, Snapshot::kMaxChannels> sums_;
};

}  // namespace slip::app
