// Steps of quality from expensive to cheap. What a processor feels most: samples, then shadows,
// then pixels.
#include "app/view/quality.h"

#include <algorithm>
#include <array>

namespace slip::app {
namespace {

// Thirty more slower than this than faster, and the picture is made cheaper [s].
constexpr double kSlowFrame = 0.045;
constexpr int kPatience = 30;

struct Level {
  render::Quality quality;
  int msaa;
  double resolution;
};
constexpr std::array<Level, 6> kLevels{{{render::Quality::kHigh, 4, 1},
                                        {render::Quality::kMedium, 4, 1},
                                        {render::Quality::kMedium, 1, 1},
                                        {render::Quality::kLow, 1, 1},
                                        {render::Quality::kLow, 1, 0.75},
                                        {render::Quality::kLow, 1, 0.55}}};
constexpr int kBest = 0, kBalanced = 2, kFast = 4, kSoftwareStart = 4;

}  // namespace

void QualityGovernor::Apply(Preset preset, bool software_gl, render::ViewStyle* view) {
  if (!started_ || preset != preset_) {
    started_ = true;
    preset_ = preset;
    slow_frames_ = 0;
    level_ = preset == Preset::kFast       ? kFast
             : preset == Preset::kBalanced ? kBalanced
             : preset == Preset::kBest     ? kBest
             : software_gl                 ? kSoftwareStart
                                           : kBest;
  }
  const Level& level = kLevels[static_cast<std::size_t>(level_)];
  view->quality = level.quality;
  view->msaa = level.msaa;
  view->resolution = level.resolution;
}

void QualityGovernor::Frame(double busy) {
  if (preset_ != Preset::kAuto) return;
  slow_frames_ = std::max(0, slow_frames_ + (busy > kSlowFrame ? 1 : -1));
  if (slow_frames_ < kPatience) return;
  slow_frames_ = 0;
  level_ = std::min(level_ + 1, static_cast<int>(kLevels.size()) - 1);
}

}  // namespace slip::app
