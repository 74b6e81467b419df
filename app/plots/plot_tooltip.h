// The value table beside the mouse. Internal to app/plots.
#pragma once

#include "app/plots/plot.h"
#include "app/plots/plot_frame.h"

namespace slip::app {

/// Values of every series at the crosshair; between two cursors also their figures.
void PlotTooltip(const PlotSpec& spec, const PlotFrame& frame, const PlotState& state,
                 const LinkedX& x, const PlotEvent* event, bool by_keyboard);

}  // namespace slip::app
