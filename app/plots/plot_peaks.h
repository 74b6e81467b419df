#pragma once

#include "app/plots/plot_frame.h"

namespace slip::app {

/// The largest value of each curve within the range of time that is shown, in the upper right
/// corner of the well, left of `right`: what has happened stays a number after it is over. Nothing
/// where no curve varies, or where there is no room. Returns where other notes have to end.
float DrawPeaks(const PlotFrame& frame, const PlotSpec& spec, const PlotState& state, float right);

}  // namespace slip::app
