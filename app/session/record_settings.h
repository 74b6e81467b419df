// What the card "Record" asks for, and the section of the experiment file that follows from it.
#pragma once

#include <string>

#include "app/session/render_spec.h"

namespace slip::app {

/// The shown frames as they come, or the run once more from the history.
enum class RecordSource : int { kHistory, kLive, kCount };
enum class RecordRange : int { kHistory, kSelected, kCount };
enum class RecordRegion : int { kView, kViewPlots, kWindow, kCount };
enum class RecordSize : int { k720, k1080, k2160, kShown, kCount };
enum class RecordFormat : int { kMp4, kWebm, kGif, kPictures, kPicture, kCount };

/// Kept from run to run.
struct RecordSettings {
  static constexpr double kPlayed = 0, kEveryStep = -1;  ///< of `speed`

  RecordSource source = RecordSource::kHistory;
  RecordRange range = RecordRange::kHistory;  ///< of this run only
  RecordRegion region = RecordRegion::kViewPlots;
  RecordSize size = RecordSize::k1080;
  int fps = 60;  ///< 30 or 60
  RecordFormat format = RecordFormat::kMp4;
  int picture_scale = 1;     ///< a picture is so many times as large as what is shown
  bool transparent = false;  ///< a picture of the view without its ground
  /// Simulated seconds in a second of video of the history; 0 = as it is played in the window, -1 =
  /// every step is a frame.
  double speed = kPlayed;
  bool keys = false;      ///< in a live video: the keys and clicks of who made it
  bool end_card = false;  ///< a video ends with the command that repeats it
  std::string folder;     ///< empty = the present one, or the home where that cannot be written
};

/// A stretch of simulated time [s].
struct Stretch {
  double from = 0, to = 0;
};

/// What the window shows at this moment.
struct ShownFrame {
  double time = 0;               ///< [s]
  double playback = 1;           ///< its speed; may be infinite: then real time
  double time_step = 1e-3;       ///< of the lead [s]
  double width = 0, height = 0;  ///< of the region that is recorded [px]
  double scale = 1;              ///< of the user interface
};

/// What is recorded of the history: region, size, rate and speed of the settings, the rest of
/// `look`.
RenderSpec SpecOf(const RecordSettings& settings, RenderSpec look, const Stretch& stretch,
                  const ShownFrame& shown);
/// Of one picture of this moment.
RenderSpec PictureSpecOf(const RecordSettings& settings, RenderSpec look, const ShownFrame& shown);
/// Of what is shown from now on; its end is not known yet.
RenderSpec LiveSpecOf(const RecordSettings& settings, RenderSpec look, const ShownFrame& shown);
/// Live there are no pictures and no folders of them.
RecordFormat FormatOf(const RecordSettings& settings);

/// Where videos go.
std::string RecordFolder(const RecordSettings& settings);
/// "slipscope-conveyor-2026-11-22-001.mp4" in that folder: a name that is free.
std::string RecordName(const RecordSettings& settings, const std::string& scene);
/// ".mp4"; empty for a folder of pictures.
std::string EndingOf(RecordFormat format);

}  // namespace slip::app
