// The summary of many runs.
#pragma once

#include <vector>

#include "tests/random/judge.h"

namespace slip {

/// Contacts per body that a step of a large pile may have: beyond, a step takes seconds.
inline constexpr double kContactsPerBody = 30;
inline constexpr int64_t kLargePile = 200;  ///< bodies from which that counts
/// One step in so many may end without a solution.
inline constexpr double kStepsPerUnconverged = 10000;

/// Prints a table per model, the ten worst runs by each criterion with their command lines, and
/// every run that broke one. Returns how many criteria are broken over all runs.
int Report(const std::vector<Verdict>& verdicts);

}  // namespace slip
