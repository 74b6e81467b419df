// How far contacts are from Coulomb's law, as colours: five steps, grey to red.
#pragma once

#include <array>

#include "engine/sim/snapshot.h"
#include "render/scene/style.h"

namespace slip::render {

/// Where the steps begin [N]; what is less is of the first one, too.
inline constexpr std::array<double, 5> kDistanceSteps = {1e-6, 1e-3, 0.1, 1, 10};

int DistanceStep(double newtons);
Colour DistanceColour(int step, Theme theme);

/// The contact of a channel that is farthest from Coulomb; null where none has a distance.
const ContactFrame* FarthestFromCoulomb(const ChannelFrame& frame);

}  // namespace slip::render
