#pragma once

#include "app/plots/plot_frame.h"

namespace slip::app {

struct PlotSpec;
struct PlotState;

/// What is free at the top of the well for the names of events [px].
struct TopRoom {
  float left, right;
};

/// The largest value of each curve within the range of time that is shown, in an upper corner of
/// the well, left of `right`: what has happened stays a number after it is over. It stands at the
/// right, or at the left where less is covered there. Nothing where no curve varies, or where there
/// is no room.
TopRoom DrawPeaks(const PlotFrame& frame, const PlotSpec& spec, PlotState* state, float right);

}  // namespace slip::app
