// What the card "Record" asks for, and the section of the experiment file that follows from it.
#pragma once

#include <string>

#include "app/session/render_spec.h"

namespace slip::app {

enum class RecordRange : int { kHistory, kSelected, kCount };
enum class RecordRegion : int { kView, kViewPlots, kWindow, kCount };
enum class RecordSize : int { k720, k1080, k2160, kCount };
enum class RecordFormat : int { kMp4, kWebm, kGif, kPictures, kPicture, kCount };

/// Kept from run to run.
struct RecordSettings {
  RecordRange range = RecordRange::kHistory;  ///< of this run only
  RecordRegion region = RecordRegion::kView;
  RecordSize size = RecordSize::k1080;
  int fps = 60;  ///< 30 or 60
  RecordFormat format = RecordFormat::kMp4;
  int picture_scale = 1;     ///< a picture is so many times as large as what is shown
  bool transparent = false;  ///< a picture of the view without its ground
  double speed = 0;  ///< simulated seconds in a second of video; 0 = as it is played in the window
  std::string folder;  ///< empty = the present one, or the home where that cannot be written
};

/// A stretch of simulated time [s].
struct Stretch {
  double from = 0, to = 0;
};

/// What is recorded: region, size, rate and speed of the settings, the rest of `look`.
/// `playback` = the window's speed, which may be infinite: then real time.
RenderSpec SpecOf(const RecordSettings& settings, RenderSpec look, const Stretch& stretch,
                  double playback);

/// Of one picture of this moment; `width` and `height`: of the region as it is shown [px].
RenderSpec PictureSpecOf(const RecordSettings& settings, RenderSpec look, double moment,
                         double width, double height, double scale);

/// Where videos go.
std::string RecordFolder(const RecordSettings& settings);
/// "slipscope-conveyor-2026-11-22-001.mp4" in that folder: a name that is free.
std::string RecordName(const RecordSettings& settings, const std::string& scene);
/// ".mp4"; empty for a folder of pictures.
std::string EndingOf(RecordFormat format);

}  // namespace slip::app
