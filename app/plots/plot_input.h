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
/// The rubber band of a box zoom.
void DrawRubberBand(const PlotFrame& frame, const PlotState& state);

}  // namespace slip::app
