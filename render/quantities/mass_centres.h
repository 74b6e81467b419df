// Centres of mass of the lead's bodies.
#pragma once

#include "render/scene/draw_list.h"

namespace slip::render {

/// Adds a two-tone ball at the centre of mass, as on a crash-test dummy.
void AppendCentreOfMass(const DrawContext& context, const Pose& pose, DrawList* list);

}  // namespace slip::render
