// Plots that are not over time: a signal against another one, and how often a signal had which
// value. Internal to app/plots; Plot draws them.
#pragma once

#include <string>
#include <vector>

#include "app/plots/across_path.h"
#include "app/plots/plot.h"
#include "app/plots/plot_frame.h"

namespace slip::app {

/// As Plot, of PlotSpec::kind kAgainst and kHistogram, over the times of `x`.
PlotResult PlotAcross(const PlotSpec& spec, PlotState* state, LinkedX* x, ImVec2 size);

/// One series of a histogram.
struct HistogramBars {
  const PlotSeries* series;
  Bins bins;
};
/// Bins of all shown series over these times.
struct Histogram {
  BinAxis axis;
  std::vector<HistogramBars> bars;
  double highest = 0;  ///< share
};
Histogram MakeHistogram(const PlotSpec& spec, const PlotState& state, const AxisRange& times);
/// Where a bar stands between the borders of its bin, 0 to 1: side by side, with room between bins.
struct BarPlace {
  double from = 0, to = 1;
};
BarPlace PlaceBar(std::size_t index, std::size_t count);

/// Both axes have one unit and are linear: a length of one is as long as of the other, if the user
/// says so.
bool MayBeEqual(const PlotSpec& spec, const PlotFrame& frame);
bool HasEqualAxes(const PlotSpec& spec, const PlotState& state, const PlotFrame& frame);
/// Widens one range about its middle, so that both have as many pixels for a unit.
void EqualizeAxes(PlotFrame* frame);
/// Ranges, scales and units of both axes for the samples of these times; keeps what the user chose.
void FitAcross(const PlotSpec& spec, const AxisRange& times, PlotState* state, PlotFrame* frame);
/// "Slip speed [mm/s]", rich text.
std::string AcrossTitle(const PlotSpec& spec, const PlotFrame& frame);
std::string AcrossCsv(const PlotSpec& spec, const AxisRange& times);

}  // namespace slip::app
