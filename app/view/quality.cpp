// Steps of quality from expensive to cheap. What a processor feels most: samples, then shadows,
// then pixels.
#include "app/view/quality.h"

#include <algorithm>
#include <array>

#include "engine/core/numbers.h"

namespace slip::app {
namespace {

// Thirty more slower than this than faster, and the picture is made cheaper [s].
constexpr double kSlowFrame = 0.045;
constexpr int kPatience = 30;
// So many more faster than this than not, and it is made better again: the next step takes up to
// twice the time [s].
constexpr double kFastFrame = 0.018;
constexpr int kFirstWait = 120, kLongestWait = 4000;
constexpr int kTrial = 300;  // frames that a step up has to last

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
constexpr int kBest = 0, kBalanced = 2, kFast = 4, kSoftwareStart = 3;
constexpr int kLastWhole = kSoftwareStart;  // behind it pixels are left out
// A picture rests when it was the same for so long [s].
constexpr double kRest = 0.25;

void SetLevel(int number, render::ViewStyle* view) {
  const Level& level = At(kLevels, number);
  view->quality = level.quality;
  view->msaa = level.msaa;
  view->resolution = level.resolution;
}

}  // namespace

void QualityGovernor::Apply(Preset preset, bool software_gl, render::ViewStyle* view) {
  if (!started_ || preset != preset_) {
    started_ = true;
    preset_ = preset;
    slow_frames_ = fast_frames_ = 0;
    wait_ = kFirstWait;
    since_up_ = kTrial;
    level_ = preset == Preset::kFast       ? kFast
             : preset == Preset::kBalanced ? kBalanced
             : preset == Preset::kBest     ? kBest
             : software_gl                 ? kSoftwareStart
                                           : kBest;
    best_ = level_;
  }
  if (resting_) return ApplyKept(view);
  SetLevel(filmed_ ? std::min(level_, kLastWhole) : level_, view);
}

void QualityGovernor::ApplyKept(render::ViewStyle* view) const {
  SetLevel(preset_ == Preset::kAuto ? kBest : std::min(level_, kLastWhole), view);
}

void QualityGovernor::Look(bool changed, double now) {
  if (changed) changed_at_ = now;
  resting_ = now - changed_at_ >= kRest;
}

void QualityGovernor::Frame(double busy) {
  // what is drawn once may take its time
  if (preset_ != Preset::kAuto || resting_) return;
  slow_frames_ = std::max(0, slow_frames_ + (busy > kSlowFrame ? 1 : -1));
  fast_frames_ = std::max(0, fast_frames_ + (busy < kFastFrame ? 1 : -2));
  since_up_ = std::min(since_up_ + 1, kTrial);
  if (slow_frames_ >= kPatience) {
    slow_frames_ = fast_frames_ = 0;
    if (since_up_ < kTrial) wait_ = std::min(4 * wait_, kLongestWait);
    level_ = std::min(level_ + 1, static_cast<int>(kLevels.size()) - 1);
  } else if (fast_frames_ >= wait_ && level_ > best_) {
    slow_frames_ = fast_frames_ = since_up_ = 0;
    --level_;
  }
}

}  // namespace slip::app
