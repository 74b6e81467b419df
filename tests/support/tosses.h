// Recorded tosses that were made up: a scene's body thrown by our own simulation, with noise.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/foreign/foreign_run.h"
#include "engine/method/config.h"
#include "engine/scene/scene.h"

namespace slip::test {

struct TossNoise {
  double position = 0.5e-3;  ///< standard deviation of each coordinate [m]
  double angle = 5e-3;       ///< about each axis [rad]
};

/// Tables of poses as a camera at 148 Hz would give them, of `duration` s each. Starts and noise
/// come from the seed.
std::vector<std::string> MakeTosses(const Scene& scene, const Config& config, int count,
                                    uint64_t seed, const TossNoise& noise = {},
                                    double duration = 0.65);

/// The same as recorded runs "toss-01", ... of the scene.
std::vector<std::shared_ptr<const ForeignRun>> MakeTossRuns(const Scene& scene,
                                                            const Config& config, int count,
                                                            uint64_t seed,
                                                            const TossNoise& noise = {},
                                                            double duration = 0.65);

}  // namespace slip::test
