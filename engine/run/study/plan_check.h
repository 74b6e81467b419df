// What of a plan could not take effect, told before anything runs.
#pragma once

#include <cstdint>

#include "engine/run/study/run_plan.h"
#include "engine/sim/expression.h"

namespace slip {

/// Length of one channel's run, changes of its time step included.
struct RunLength {
  int64_t steps = 0;
  double end = 0;  ///< [s]
};
RunLength CalcLength(const RunPlan& plan, const Config& config);

/// Error: this channel would end before its first step, as of a duration below half a step.
Status CheckLength(const RunPlan& plan, const Config& config);
/// The same of all channels.
Status CheckLength(const RunPlan& plan);

/// End of the channel that runs longest [s].
double LatestEnd(const RunPlan& plan);

/// Error: a change that is not before `end` [s].
Status CheckChanges(const RunPlan& plan, double end);

/// Error: a controller, at the start or by a change, that does not fit its robot.
Status CheckControllers(const RunPlan& plan);

/// Error: torsional friction without friction, at the start or by a change.
Status CheckFriction(const RunPlan& plan);

/// Tries the first step of every channel, and forgets it. Error, one for each channel that makes
/// none: its method is unable to step this model, or the step fails for another reason. What a run
/// would say of them is added to `notes`.
Status CheckFirstSteps(const RunPlan& plan, std::vector<ToldNote>* notes);

/// Error: a channel has fewer than `every` steps, so that none would be written.
Status CheckEvery(const RunPlan& plan, int64_t every);

/// Error: the condition names a channel or a parameter that the plan does not have.
Status CheckCondition(const RunPlan& plan, const Expression& condition);

}  // namespace slip
