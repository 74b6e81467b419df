// What of a channel's steps is worth an event: one for each run of steps that do not converge, one
// for each time that a controller gives up, one for a step that cannot be made.
#pragma once

#include <vector>

#include "engine/run/track/command.h"
#include "engine/sim/simulation.h"

namespace slip {

class StepEvents {
 public:
  /// The channel is in this state now, by no step.
  void Begin(const Simulation& simulation);
  /// Adds the events of the step that ended so.
  void Take(int channel, StepStatus status, const Simulation& simulation,
            std::vector<Event>* events);
  /// The same of a step of the past, as far as it was recorded.
  void Take(int channel, const StepRecord& record, double time, std::vector<Event>* events);

 private:
  bool Ends(bool converged);

  bool converged_ = true;
  bool gave_up_ = false;
};

/// The step that the channel stands before cannot be made.
Event FailureOf(int channel, const Simulation& simulation);

}  // namespace slip
