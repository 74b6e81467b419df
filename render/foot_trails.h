// Where the feet of robots were: thin lines that fade with age.
#pragma once

#include "render/draw_list.h"

namespace slip::render {

/// Adds the trails that the snapshot holds, of all shown channels.
void AppendFootTrails(const DrawContext& context, DrawList* list);

}  // namespace slip::render
