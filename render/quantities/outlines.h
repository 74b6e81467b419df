// Projected outlines of the bodies: the second sign, besides colour, of each channel.
#pragma once

#include <vector>

#include "render/scene/draw_list.h"

namespace slip::render {

/// Visible edges of the shown bodies in pixels: silhouette, and for boxes the edges towards the
/// eye. Of many bodies only the selected one and the one under the mouse. Of a few, pieces hidden
/// behind solid bodies of the lead channel are cut away; otherwise the depth buffer hides them.
std::vector<Outline> BuildOutlines(const DrawContext& context);

/// Cuts a polyline into the dashes of a pattern, running on over the corners.
void DashPolyline(const std::vector<Vec3>& polyline, const Dash& dash,
                  std::vector<LineSegment>* segments);

/// Outlines as dashed lines in the colours of their channels.
void AppendOutlineLines(const DrawContext& context, const std::vector<Outline>& outlines,
                        DrawList* list);

}  // namespace slip::render
