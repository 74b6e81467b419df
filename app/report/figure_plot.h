// A figure in the window, in the style of the plots and in the theme in force.
#pragma once

#include <imgui.h>

#include <optional>
#include <string>

#include "app/kit/theme.h"
#include "app/report/figure_axes.h"

namespace slip::app {

/// The line and mark of a curve.
ChannelStyle StyleOf(const FigureCurve& curve);

/// The names of all curves in rows of at most `width`, as an ImGui item. [px]
void FigureLegend(const std::string& id, const Figure& figure, float width);

/// One panel at the cursor; size in pixels. Returns the x of a point that was clicked. `marked`: a
/// value of x that is marked. Registers "<id>/well" and "<id>/title".
std::optional<double> FigurePanelPlot(const std::string& id, const Figure& figure,
                                      const FigureAxes& axes, std::size_t panel,
                                      std::optional<double> marked, ImVec2 size);

}  // namespace slip::app
