// Plots as files and texts: CSV, PNG, SVG, the command that draws them without a window.
#pragma once

#include <string>

#include "app/kit/theme.h"
#include "engine/core/result.h"
#include "render/frame_writer.h"

namespace slip::app {

struct Ui;

/// Does what a plot's menu asked for (UiState::plot_export), and says where the file is. Files are
/// written to the current folder and never over others. After a frame, with its GL context current.
void FinishPlotExport(Ui* ui);

/// One plot of the window, drawn off-screen at `scale` pixels per design pixel.
Result<render::Image> DrawPlotPicture(Ui* ui, std::size_t slot, Theme theme, bool white,
                                      float scale);

/// Copies the command that draws the plots of this moment without a window.
void CopyFigureCommand(Ui* ui);

}  // namespace slip::app
