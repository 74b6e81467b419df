// Where curves coincide, the lowest of them shows as a rim about the others. Internal to app/plots.
#pragma once

#include <imgui.h>

#include <span>
#include <vector>

#include "app/plots/plot.h"
#include "app/plots/plot_frame.h"

namespace slip::app {

/// Pixels from .. to along x.
struct HaloRun {
  float from = 0, to = 0;
};

/// For each curve, where it lies under others; curves come in the order in which they are drawn,
/// null = not drawn. Where one lies on another, that one has the rim.
std::vector<std::vector<HaloRun>> CalcHalos(const PlotFrame& frame,
                                            std::span<const PlotSeries* const> drawn);

/// The part of a line [px] within a run, with its ends on the run's borders.
std::vector<ImVec2> CutToRun(std::span<const ImVec2> piece, const HaloRun& run);

/// Under the curves: the rims of all of them.
void DrawHalos(const PlotFrame& frame, std::span<const PlotSeries* const> drawn);

}  // namespace slip::app
