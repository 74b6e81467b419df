// How expensive the 3-D picture may be: a preset that the user chose, or one that follows the
// machine.
#pragma once

#include "app/state/ui_state.h"

namespace slip::app {

/// Chooses the steps of quality. Automatic ones start low where a processor draws, with every
/// pixel. They go down while frames stay slow and come up again when there has been room for a
/// while, up to where they started. A step up that did not last is tried again ever later, so that
/// the picture does not flip.
class QualityGovernor {
 public:
  /// Sets quality, samples and resolution. Cheap: call it every frame.
  void Apply(Preset preset, bool software_gl, render::ViewStyle* view);
  /// The same of a picture that is kept: as good as the preset can be.
  void ApplyKept(render::ViewStyle* view) const;
  /// A video is made of what is shown: every pixel is drawn.
  void SetFilmed(bool filmed) { filmed_ = filmed; }
  /// Tells whether the picture is another one than in the last frame, apart from its quality, and
  /// the time [s]. One that rests is drawn once more, as a kept one.
  void Look(bool changed, double now);
  bool resting() const { return resting_; }
  /// Tells how long the last frame took [s].
  void Frame(double busy);

 private:
  Preset preset_ = Preset::kAuto;
  bool started_ = false;
  int level_ = 0, best_ = 0;  ///< best_: where it started
  int slow_frames_ = 0, fast_frames_ = 0;
  int wait_ = 0;      ///< fast frames before the next step up
  int since_up_ = 0;  ///< frames since the last one
  bool filmed_ = false, resting_ = false;
  double changed_at_ = 0;  ///< [s]
};

}  // namespace slip::app
