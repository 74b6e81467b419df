// JSON of a run: outcome, notes, metrics.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/json_writer.h"
#include "engine/run/study/recorder.h"

namespace slip {

/// metrics.json
std::string FormatMetrics(const RunPlan& plan, const std::vector<ChannelMetrics>& metrics,
                          const RunResult& result);
/// "status" and "failure" (null unless a step was refused).
void WriteOutcome(const ChannelResult& channel, JsonWriter* json);
/// What nobody would read off the numbers of a channel of this label.
void WriteNotes(const ChannelResult& channel, std::string_view label, JsonWriter* json);
/// What the formulation reports of the last step.
void WriteReport(const Simulation& simulation, JsonWriter* json);

}  // namespace slip
