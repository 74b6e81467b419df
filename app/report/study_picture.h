// Frames of a study's run, side by side in one picture. Who draws them is given: the command has a
// picture without a screen.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/report/canvas.h"
#include "app/report/figure.h"

namespace slip::app {

/// Size of a frame, and how many lie side by side.
struct FrameLayout {
  static constexpr double kGap = 6;  ///< between them [points]
  std::size_t columns = 1, rows = 1;
  int width = 0, height = 0;  ///< of a frame [px]
};
FrameLayout LayOutFrames(const StudyPicture& picture);

/// The first cell of a run at each of the times, in frames of that size. Error: there is no
/// graphics, or it was stopped.
using DrawFrames = std::function<Result<std::vector<render::Image>>(
    const StudyRun& run, const std::vector<double>& times, int width, int height)>;

/// All of them with their title and times, for print.
render::Image FramesPng(const StudyPicture& picture, const std::vector<render::Image>& frames,
                        const WordFonts& fonts);

/// A figure for print, on white.
render::Image FigurePng(const Figure& figure, const WordFonts& fonts);

}  // namespace slip::app
