// What the dimmed curves of a plot are. Internal to app/plots.
#pragma once

#include "app/plots/plot.h"
#include "app/plots/plot_frame.h"

namespace slip::app {

/// Writes PlotSpec::along_note in a corner of the well where no curve is. Returns where the room of
/// what stands at the top of the well ends [px].
float DrawAlongNote(const PlotFrame& frame, const PlotSpec& spec);

}  // namespace slip::app
