// How a video of a recording is made: the section "render" of an experiment file. It stands beside
// every video, so that the same frames can be made again.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"
#include "engine/sim/camera_spec.h"

namespace slip::app {

struct RenderSpec {
  std::string region = "window";  ///< view, plots, view-plots, window
  int width = 1600, height = 900;
  double fps = 60;           ///< frames of a second of video
  double speed = 1;          ///< simulated seconds in a second of video
  double from = 0;           ///< [s], simulated
  std::optional<double> to;  ///< [s], simulated; nothing = the end
  std::string theme = "dark";
  double scale = 1;                ///< of the user interface
  std::vector<std::string> plots;  ///< signals; empty = the scene's
  /// Of each plot auto, linear, log or symlog, where the user chose one; empty = auto all.
  std::vector<std::string> plot_scales;
  /// Of the plots' time axis: all, last, free, centred; empty = as a new window has it.
  std::string time_axis;
  /// Its ends when free; of the others the second one is the width [s].
  std::array<double, 2> time_range = {0, 0};
  std::string left_tab, inspect_tab;  ///< of the side panels; empty = as a new window has them
  std::optional<CameraSpec> camera;   ///< at the start, as if no body were followed
  bool orthographic = false;
  bool transparent = false;  ///< a picture of the view without its ground, with alpha
  int follow_body = -1;      ///< the camera goes along with it; -1 = as the scene asks
  std::string compare;  ///< single, ghosts, split-2, split-4, difference; empty = as the scene asks
  int lead = 0;
  std::vector<int> hidden;  ///< channels
  /// best, balanced, fast; empty = best, but fast for a video that a processor draws.
  std::string quality;
  /// Behind a video, for two seconds: what it shows, the command that repeats it, the program.
  std::vector<std::string> end_card;
  /// What is switched on, by the names of the actions; nothing = as a new window has it.
  std::optional<std::vector<std::string>> show;

  bool operator==(const RenderSpec&) const = default;
  /// Frames of the video without its end card; at least one.
  int64_t Frames(double end) const;
  int64_t EndFrames() const;  ///< that the end card stands
  /// When frame i is [s].
  double TimeOf(int64_t frame) const { return from + static_cast<double>(frame) * speed / fps; }
};

inline constexpr double kEndCardTime = 2;  ///< [s]

/// Words of `region`, `compare`, `quality` and `plot_scales`; the last in the order of AxisScale,
/// behind "auto".
const std::vector<std::string>& RegionNames();
const std::vector<std::string>& CompareNames();
const std::vector<std::string>& QualityNames();
const std::vector<std::string>& PlotScaleNames();
/// Of `time_axis`, in the order of FollowMode. Those of tabs: TabIds().
const std::vector<std::string>& TimeAxisNames();

/// One JSON object.
std::string FormatRenderSpec(const RenderSpec& spec);
/// From the seven numbers of a file: target (3) [m], distance [m], azimuth, elevation, field of
/// view [rad]; distance and field of view are kept within what can be drawn.
CameraSpec MakeCamera(std::span<const double> c);
/// Keys that are not there are as above. `file` is named in messages. All errors at once, each with
/// its key and what was expected.
Result<RenderSpec> ReadRenderSpec(std::string_view text, const std::string& file);

}  // namespace slip::app
