// The free flight at the start of a recorded run.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/foreign/foreign_run.h"
#include "engine/method/config.h"

namespace slip {

/// Samples; fewer say less of a flight than the measured velocity.
inline constexpr int64_t kLeastFlight = 5;

/// Whether nothing but its weight moves a body that touches nothing.
bool FliesFreely(const Model& model, const Body& body, int index);

/// Per body, the samples before the last one that is surely in the air.
std::vector<int64_t> CountFlight(const ForeignRun& run, const Config& config);

/// Of the first `most` samples those up to the first that the parabola of those before it misses by
/// far: laws that act at a distance bend the way before anything touches.
int64_t CountBallistic(const ForeignRun& run, const Config& config, int body, int64_t most);

}  // namespace slip
