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

}  // namespace

RenderSpec SpecOf(const RecordSettings& settings, RenderSpec look, const Stretch& stretch,
                  double playback) {
  static constexpr int kHeights[] = {720, 1080, 2160};
  look.region = kRecordRegions[static_cast<int>(settings.region)];
  look.height = kHeights[static_cast<int>(settings.size)];
  look.width = look.height * 16 / 9;
  look.scale = std::max(1.0, look.height / kUsualHeight);
  look.fps = settings.format == RecordFormat::kGif ? kGifRate : settings.fps;
  const double played = std::isfinite(playback) && playback > 0 ? playback : 1;
  look.speed = settings.speed > 0 ? settings.speed : played;
  look.from = stretch.from;
  look.to = stretch.to;
  return look;
}

RenderSpec PictureSpecOf(const RecordSettings& settings, RenderSpec look, double moment,
                         double width, double height, double scale) {
  // what a picture can be, as of a file
  constexpr double kMost = 8192;
  double times = settings.picture_scale;
  times = std::min({times, kMost / std::max(width, 1.0), kMost / std::max(height, 1.0)});
  look.region = kRecordRegions[static_cast<int>(settings.region)];
  look.width = static_cast<int>(std::lround(times * width));
  look.height = static_cast<int>(std::lround(times * height));
  look.scale = std::clamp(times * scale, 0.25, 8.0);
  look.transparent = settings.transparent && settings.region == RecordRegion::kView;
  look.from = moment;
  look.to = moment;
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
  const std::string ending = EndingOf(settings.format);
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
