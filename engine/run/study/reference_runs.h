// The reference runs of a sweep.
#pragma once

#include <memory>
#include <vector>

#include "engine/run/study/made_once.h"
#include "engine/run/study/reference_error.h"
#include "engine/run/study/sweep_plan.h"

namespace slip {

using ReferenceRuns = MadeOnce<std::vector<double>, Trajectory>;

/// What the run is compared with; null when it was stopped on the way.
Sliced<std::shared_ptr<const Trajectory>> ReferenceOf(const SweepPlan& plan, std::size_t run,
                                                      const RunCallbacks& callbacks,
                                                      ReferenceRuns* references);

}  // namespace slip
