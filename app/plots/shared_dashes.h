// Dashed curves that lie on each other: where they do, their dashes take turns, so that none hides
// another.
#pragma once

#include <imgui.h>

#include <span>
#include <vector>

#include "app/plots/plot.h"
#include "app/plots/plot_frame.h"

namespace slip::app {

/// What a curve draws in one cell of the well.
enum class Turn : char { kOwnDashes, kMine, kOthers };
/// By cell, from the left; empty = its own dashes everywhere.
using Turns = std::vector<Turn>;

/// Of the curve `index` among those that are dashed; null = not one of them.
Turns CalcTurns(const PlotFrame& frame, std::span<const PlotSeries* const> dashed,
                std::size_t index);

/// A piece of line [px] with its turns; *phase as in DrawPolyline.
void DrawInTurns(const PlotFrame& frame, std::span<const ImVec2> piece, const ChannelStyle& style,
                 const Turns& turns, float* phase);

}  // namespace slip::app
