// The curve that the channels are compared with: Lagged (Exponential, where contacts have anchors)
// with a hundredth of the lead's time step, from the start of what is recorded, with the same
// parameter changes. In a scene that has a closed form that one, without being asked.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/plots/series.h"
#include "app/session/channel_looks.h"
#include "app/session/session_core.h"
#include "engine/run/record/recording.h"

namespace slip {
class ReferenceRun;
}

namespace slip::app {

class ReferenceCurve {
 public:
  using UseRecording = std::function<void(std::shared_ptr<const Recording>)>;
  /// `ask` calls what it is given, once the engine has sent all that was done.
  ReferenceCurve(SessionCore* core, const ChannelLooks& looks,
                 std::function<void(UseRecording)> ask);
  ~ReferenceCurve();

  void Make();  ///< beside the run; the curve grows
  void Drop();  ///< also while it is being made
  bool Exists() const { return asked_ || run_ != nullptr || curve_.channels() > 0; }
  /// Part of it that is made; nothing when no run is being made.
  std::optional<double> Progress() const;
  /// What it shows is the scene's closed form, not a run.
  bool ShowsClosedForm() const { return shows_closed_form_; }
  const SeriesStore& series() const { return curve_; }  ///< its channel 0

  // Called by the session.
  bool Update();  ///< once per frame; true when the curve has grown
  /// From there on it would be that of other parameters; channel -1 = all.
  void TakeParamChange(int channel, double time);
  /// The run starts again. A curve that knew changes of parameters belongs to the run before.
  void Restart();
  void Forget();  ///< another scene

 private:
  void StartRun(const Recording& recording);
  bool MakeClosedForm();
  void Truncate(double time);
  void Leave();

  SessionCore& core_;
  const ChannelLooks& looks_;
  std::function<void(UseRecording)> ask_;
  SeriesStore curve_;
  bool shows_closed_form_ = false;
  std::optional<uint64_t> closed_form_of_;  ///< run (Snapshot::session) whose closed form was made
  bool asked_ = false;                      ///< it starts when the engine has sent what was done
  bool params_changed_ = false;             ///< since the run began
  std::unique_ptr<ReferenceRun> run_;
  std::vector<std::unique_ptr<ReferenceRun>> leaving_;  ///< cancelled, not yet at their ends
};

}  // namespace slip::app
