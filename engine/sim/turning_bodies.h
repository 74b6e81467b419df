// Bodies whose contacts turn with them.
#pragma once

#include "engine/sim/snapshot.h"

namespace slip {

/// A free body, but for a ball: its contacts turn with it.
bool TurnsContacts(const Model& model, const Body& body);
/// Of these, the one that touches and turns fastest; -1 = none does.
int FindFastestTurning(const Model& model, const ChannelFrame& frame);

}  // namespace slip
