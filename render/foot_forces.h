// Feet with several contact points: one arrow at the centre of pressure in place of one per point.
#pragma once

#include "render/force_arrows.h"

namespace slip::render {

/// Whether the contact is one of several points of a foot.
bool OfBroadFoot(const Model& model, const ContactFrame& contact);

/// Adds the forces of the channel's broad feet, split as the view is, and their centres of
/// pressure.
void AppendFootForces(const DrawContext& context, int channel, ForceArrows* arrows, DrawList* list);

}  // namespace slip::render
