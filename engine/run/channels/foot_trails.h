// Where the feet of robots were, read from the history of a channel.
#pragma once

#include <vector>

#include "engine/run/track/track.h"
#include "engine/sim/snapshot.h"

namespace slip {

/// How far back a trail reads [s].
inline constexpr double kTrailSeconds = 1;

/// Trails of all feet up to the track's present step, which is their last point. Earlier points are
/// those of recorded steps, about a hundredth of a second apart.
void FillTrails(const Track& track, std::vector<FootTrail>* trails);

}  // namespace slip
