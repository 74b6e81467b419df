#include "app/session/record_settings.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>

namespace slip::app {
namespace {

// Height at which the user interface has its usual size [px]. Smaller videos keep it: text must be
// readable.
constexpr double kUsualHeight = 900;
// GIFs count in hundredths of a second, and get large.
constexpr double kGifRate = 25;
constexpr const char* kRecordRegions[] = {"view", "view-plots", "window"};

// A video has even numbers of pixels.
int Even(double pixels) { return std::max(2, static_cast<int>(std::lround(pixels)) / 2 * 2); }

/// Region, size and rate.
void SetFrames(const RecordSettings& settings, const ShownFrame& shown, RenderSpec* spec) {
  static constexpr int kHeights[] = {720, 1080, 2160};
  spec->region = kRecordRegions[static_cast<int>(settings.region)];
  if (settings.size == RecordSize::kShown) {
    spec->width = Even(shown.width);
    spec->height = Even(shown.height);
    spec->scale = shown.scale;
  } else {
    spec->height = kHeights[static_cast<int>(settings.size)];
    spec->width = spec->height * 16 / 9;
    spec->scale = std::max(1.0, spec->height / kUsualHeight);
  }
  spec->fps = FormatOf(settings) == RecordFormat::kGif ? kGifRate : settings.fps;
}

/// The largest even size within the video's to which pictures of this shape (width over height) are
/// scaled without a rest.
void FitShape(double shape, RenderSpec* spec) {
  const int most = spec->width;
  for (int height = Even(std::min<double>(spec->height, most / shape)); height >= 2; height -= 2) {
    const int width = static_cast<int>(std::lround(height * shape));
    if (width % 2 != 0 || width > most || std::lround(width / shape) < height) continue;
    spec->width = width;
    spec->height = height;
    return;
  }
}

double PlayedSpeed(const ShownFrame& shown) {
  return std::isfinite(shown.playback) && shown.playback > 0 ? shown.playback : 1;
}

}  // namespace

RecordFormat FormatOf(const RecordSettings& settings) {
  const bool files =
      settings.format == RecordFormat::kPictures || settings.format == RecordFormat::kPicture;
  return settings.source == RecordSource::kLive && files ? RecordFormat::kMp4 : settings.format;
}

RenderSpec SpecOf(const RecordSettings& settings, RenderSpec look, const Stretch& stretch,
                  const ShownFrame& shown) {
  SetFrames(settings, shown, &look);
  look.speed = settings.speed > 0                             ? settings.speed
               : settings.speed == RecordSettings::kEveryStep ? shown.time_step * look.fps
                                                              : PlayedSpeed(shown);
  look.from = stretch.from;
  look.to = stretch.to;
  return look;
}

RenderSpec LiveSpecOf(const RecordSettings& settings, RenderSpec look, const ShownFrame& shown) {
  SetFrames(settings, shown, &look);
  // as much of that size as what is shown fills: bars at its borders would show nothing
  const double shape = shown.width / shown.height;
  if (settings.size != RecordSize::kShown && std::isfinite(shape) && shape > 0)
    FitShape(shape, &look);
  look.speed = PlayedSpeed(shown);
  look.from = shown.time;
  look.to = shown.time;
  return look;
}

RenderSpec PictureSpecOf(const RecordSettings& settings, RenderSpec look, const ShownFrame& shown) {
  // what a picture can be, as of a file
  constexpr double kMost = 8192;
  double times = settings.picture_scale;
  times =
      std::min({times, kMost / std::max(shown.width, 1.0), kMost / std::max(shown.height, 1.0)});
  look.region = kRecordRegions[static_cast<int>(settings.region)];
  look.width = static_cast<int>(std::lround(times * shown.width));
  look.height = static_cast<int>(std::lround(times * shown.height));
  look.scale = std::clamp(times * shown.scale, 0.25, 8.0);
  look.transparent = settings.transparent && settings.region == RecordRegion::kView;
  look.from = shown.time;
  look.to = shown.time;
  return look;
}

std::string RecordFolder(const RecordSettings& settings) {
  if (!settings.folder.empty()) return settings.folder;
  std::error_code ignored;
  const std::string here = std::filesystem::current_path(ignored).string();
  if (!here.empty() && access(here.c_str(), W_OK) == 0) return here;
  const char* home = std::getenv("HOME");
  return home != nullptr && home[0] != '\0' ? home : here;
}

std::string EndingOf(RecordFormat format) {
  static constexpr const char* kEndings[] = {".mp4", ".webm", ".gif", "", ".png"};
  return kEndings[static_cast<int>(format)];
}

std::string RecordName(const RecordSettings& settings, const std::string& scene) {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  const std::string ending = EndingOf(FormatOf(settings));
  const std::filesystem::path folder = RecordFolder(settings);
  for (int i = 1;; ++i) {
    const std::string name =
        fmt::format("slipscope-{}-{:04d}-{:02d}-{:02d}-{:03d}{}", scene, local.tm_year + 1900,
                    local.tm_mon + 1, local.tm_mday, i, ending);
    std::error_code ignored;
    // what a run that was cut off has left keeps its name, too
    const auto there = [&](const char* more) {
      return std::filesystem::exists(folder / (name + more), ignored);
    };
    if (!there("") && !there(".part") && !there(".json") && !there(".json.part")) return name;
  }
}

}  // namespace slip::app
