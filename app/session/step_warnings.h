// What is said of steps that did not converge, were not made, or were too long for what turned.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/session/param_edits.h"
#include "engine/tell/step_notes.h"

namespace slip::app {

class StepWarnings {
 public:
  StepWarnings(SessionCore* core, const ChannelLooks& looks, const ParamEdits& params)
      : core_(*core), looks_(looks), params_(params) {}

  /// The cards of channels that have stopped come up again.
  void SayAgain() { failures_said_.clear(); }

  // Called by the session.
  void Count(const Sample& sample);  ///< of one step
  void PostUnconverged();            ///< after the samples of a frame
  void PostNotes();                  ///< likewise
  void PostFailures();               ///< once per frame
  /// A step of the channel failed: said again if somebody asked again.
  void TakeFailure(int channel) { failures_said_.erase(channel); }
  /// What was said of steps later than this [s], which are void now.
  void Forget(double after = -1);

 private:
  /// Steps of one channel that did not converge, since the run began.
  struct Unconverged {
    MethodId model{};
    int64_t steps = 0, last_step = 0;
    double last_time = 0, worst_time = 0;
    double worst = 0;  ///< residual, or mismatch [N]
    bool mismatch = false;
    bool fresh = false;  ///< more of them since it was last said
  };
  /// What the steps of one channel did that their numbers do not tell.
  struct ChannelNotes {
    MethodId model{};
    std::shared_ptr<const Model> of;
    StepNotes notes;
    bool fresh = false;  ///< one is new, or says more
  };
  void TakeNotes(const Sample& sample);
  std::optional<MessageAction> RaiseLimit(int channel, bool go_on) const;

  SessionCore& core_;
  const ChannelLooks& looks_;
  const ParamEdits& params_;
  std::vector<Unconverged> unconverged_;  ///< per channel
  std::vector<ChannelNotes> notes_;       ///< per channel
  std::set<int> failures_said_;           ///< channels whose failure has its message
  int stopped_said_ = 0;                  ///< how many there were then
};

}  // namespace slip::app
