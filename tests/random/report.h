// The summary of many runs.
#pragma once

#include <vector>

#include "tests/random/judge.h"

namespace slip {

/// Thread time of one step of a pile, a limit for usable machines [s].
inline constexpr double kSlowStep = 1;
/// One step in so many may end without a solution and go on; what is refused does no harm.
inline constexpr double kStepsPerUnconverged = 10000;
/// At most one step of exact friction in so many may be one that found no solution.
inline constexpr double kStepsPerLabelled = 1000;

/// Prints a table per method, the ten worst runs by each criterion with their command lines, and
/// every run that broke one. Returns how many criteria are broken over all runs.
int Report(const std::vector<RunVerdict>& verdicts);

}  // namespace slip
