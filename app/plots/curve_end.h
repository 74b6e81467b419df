// Where a curve of foretold values ends, and what it is. Internal to app/plots.
#pragma once

#include <string_view>

#include "app/plots/plot.h"
#include "app/plots/plot_frame.h"

namespace slip::app {

/// A dot at the end of the series, and its end_note at a short leader from its middle, where the
/// curve is long enough on screen. Registers "plot/<id>/end".
void DrawCurveEnd(const PlotFrame& frame, std::string_view id, const PlotSeries& series);

}  // namespace slip::app
