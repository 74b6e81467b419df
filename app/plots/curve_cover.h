// Where curves run: what is written over a plot keeps clear of them. Internal to app/plots.
#pragma once

#include "app/plots/plot.h"
#include "app/plots/plot_frame.h"

namespace slip::app {

/// Of what is drawn of a series between two places on the x axis [px], the lines between samples
/// too.
MinMax ExtentBetween(const PlotFrame& frame, const SeriesView& data, float from, float to);

/// Whether one of the curves passes between these corners.
bool AnyCurveIn(const PlotFrame& frame, std::span<const PlotSeries> all, ImVec2 min, ImVec2 max);

/// How much would be covered there: columns of a few pixels through which a shown curve passes.
int CountCovered(const PlotFrame& frame, const PlotSpec& spec, const PlotState& state, ImVec2 min,
                 ImVec2 max);

}  // namespace slip::app
