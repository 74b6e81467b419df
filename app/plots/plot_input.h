// Mouse and context menu of the time plot. Internal to app/plots.
#pragma once

#include "app/plots/plot.h"
#include "app/plots/plot_frame.h"

namespace slip::app {

/// Running gesture, kept in PlotState::drag.
enum class PlotGesture : int { kNone, kPan, kScrub, kBox };

/// Handles the mouse over the well (an ImGui item is made there) and the context menu; changes
/// *state, *x and *result. frame->x and frame->y follow.
void HandlePlotInput(const PlotSpec& spec, PlotFrame* frame, PlotState* state, LinkedX* x,
                     PlotResult* result);
/// The same over a plot that is not over time: the wheel zooms both axes about the cursor, with
/// Ctrl only y; a drag moves both; a double click fits. Histograms have the menu alone.
void HandleAcrossInput(const PlotSpec& spec, PlotFrame* frame, PlotState* state,
                       PlotResult* result);
/// The export items of the context menu.
void ExportMenu(PlotResult* result);
/// The rubber band of a box zoom.
void DrawRubberBand(const PlotFrame& frame, const PlotState& state);

}  // namespace slip::app
