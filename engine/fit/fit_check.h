// Before a fit: whether the recorded runs are of this scene, and which of them depend on what is
// sought at all.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/fit/fit_plan.h"

namespace slip {

/// Why a recorded run cannot be of the plan's scene: its bodies move where their joints hold them,
/// lie deep in others, bend their way in mid-air, or fall otherwise than by the scene's gravity.
std::optional<Error> FindMisfit(const ForeignRun& run, const Config& config);

/// Takes runs out of the plan that no parameter of the search moves under any method, such as one
/// in free flight, and says so: a sentence each. Errors: runs of another scene; none is left.
Result<std::vector<std::string>> CheckFitRuns(FitPlan* plan, int jobs);

}  // namespace slip
