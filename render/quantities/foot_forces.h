// Feet with several contact points: one arrow at the centre of pressure in place of one per point.
#pragma once

#include "engine/sim/snapshot.h"

namespace slip::render {

/// Whether the contact is one of several points of a foot.
bool OfBroadFoot(const Model& model, const ContactFrame& contact);

}  // namespace slip::render
