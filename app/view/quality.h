// How expensive the 3-D picture may be: a preset that the user chose, or one that follows the
// machine.
#pragma once

#include "app/state/ui_state.h"

namespace slip::app {

/// Chooses the steps of quality. Automatic ones start low where a processor draws, and go down
/// while frames stay slow; they do not come up again by themselves.
class QualityGovernor {
 public:
  /// Sets quality, samples and resolution. Cheap: call it every frame.
  void Apply(Preset preset, bool software_gl, render::ViewStyle* view);
  /// Tells how long the last frame took [s].
  void Frame(double busy);

 private:
  Preset preset_ = Preset::kAuto;
  bool started_ = false;
  int level_ = 0;
  int slow_frames_ = 0;
};

}  // namespace slip::app
