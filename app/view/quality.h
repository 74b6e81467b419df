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
  /// Tells how long the last frame took [s].
  void Frame(double busy);

 private:
  Preset preset_ = Preset::kAuto;
  bool started_ = false;
  int level_ = 0, best_ = 0;  ///< best_: where it started
  int slow_frames_ = 0, fast_frames_ = 0;
  int wait_ = 0;      ///< fast frames before the next step up
  int since_up_ = 0;  ///< frames since the last one
};

}  // namespace slip::app
