// Commands that look at one moment of a run.
#pragma once

#include <optional>
#include <string_view>

#include "engine/run/study/run_plan.h"

namespace slip::app {

/// Runs the first channel up to `at` [s], at least one step. Nothing, with *exit set, when it
/// cannot; `hint` says what to do then.
std::optional<Track> RunFirstChannel(RunPlan plan, double at, std::string_view hint, int* exit);

}  // namespace slip::app
