// A time plot as an SVG file for papers: text stays text, axes have titles with units, lines keep
// colour, dash and mark.
#pragma once

#include <string>

#include "app/plots/plot.h"

namespace slip::app {

/// The visible range of the plot, `size` in points; on white. Series that the user hid stay out.
std::string PlotSvg(const PlotSpec& spec, const PlotState& state, const LinkedX& x, ImVec2 size);

}  // namespace slip::app
