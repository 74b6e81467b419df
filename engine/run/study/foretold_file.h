// foretold.csv: the contact forces that methods foretell from the start of a run, without a step.
#pragma once

#include "engine/core/output_file.h"
#include "engine/run/study/run_plan.h"

namespace slip {

/// Over `span` [s], one row for each time and contact; none of methods that foretell nothing. The
/// first time is the start. False: nothing is foretold.
bool WriteForetold(const RunPlan& plan, double span, OutputFile* file);

}  // namespace slip
