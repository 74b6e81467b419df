// Plots as files and texts: CSV, PNG, SVG, the command that draws them without a window.
#pragma once

#include <string>

#include "app/kit/theme.h"
#include "app/plots/plot_sources.h"
#include "app/session/session.h"
#include "app/state/plots_state.h"
#include "app/state/requests.h"
#include "app/state/view_state.h"
#include "engine/core/result.h"
#include "render/video/frame_writer.h"

namespace slip::app {

/// Does what a plot's menu asked for (PlotsState::wanted), and says where the file is. Files are
/// written to the current folder and never over others. After a frame, with its GL context current.
void ExportPlot(const Session& session, Theme theme, Compare compare, PlotsState* plots,
                PlotSources* sources, Requests* requests);

/// A plot of the window as a picture.
struct PlotFigure {
  std::size_t slot = 0;
  Theme theme = Theme::kDark;
  bool white = false;  ///< on white ground
  float scale = 1;     ///< pixels per design pixel
};
/// Drawn off-screen.
Result<render::Image> DrawPlotPicture(const Session& session, const PlotsState& plots,
                                      const PlotFigure& figure, Compare compare,
                                      PlotSources* sources);

/// Copies the command that draws the plots of this moment without a window.
void CopyFigureCommand(const Session& session, const PlotsState& plots, Theme theme,
                       Requests* requests);

}  // namespace slip::app
