// Projected outlines of the bodies: the second sign, besides colour, of each channel.
#pragma once

#include <vector>

#include "render/draw_list.h"

namespace slip::render {

/// Visible edges of every shown body in pixels: silhouette, and for boxes the edges towards the
/// eye. Pieces hidden behind solid bodies of the lead channel are cut away (up to a few dozen
/// bodies).
std::vector<Outline> BuildOutlines(const DrawContext& context);

/// Cuts a polyline into the dashes of a pattern, running on over the corners.
void DashPolyline(const std::vector<Vec2>& polyline, const Dash& dash,
                  std::vector<LineSegment>* segments);

/// Outlines as dashed lines in the colours of their channels.
void AppendOutlineLines(const DrawContext& context, const std::vector<Outline>& outlines,
                        DrawList* list);

}  // namespace slip::render
