// What is said of a channel's step, by the report of its formulation.
#pragma once

#include "engine/method/step_report.h"
#include "engine/sim/snapshot.h"

namespace slip {

/// Without figures before the first step.
StepReport ReportOf(const Model& model, const ChannelFrame& frame);

/// "12", "1.26", "12 × 40".
std::string NumberText(const Figure& figure);

}  // namespace slip
