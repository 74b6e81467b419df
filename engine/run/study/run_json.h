// JSON of a run: outcome, notes, metrics.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/json_writer.h"
#include "engine/run/study/recorder.h"

namespace slip {

/// metrics.json
/// A recorded run as one of the channels: where it is from, and what there is to say of it.
void WriteForeign(const ForeignReport& report, JsonWriter* json);
std::string FormatMetrics(const RunPlan& plan, const std::vector<ChannelMetrics>& metrics,
                          const RunResult& result);
/// "status" and "failure" (null unless a step was refused).
void WriteOutcome(const ChannelResult& channel, JsonWriter* json);
/// Entries of "notes": what the plan asks for and the channel leaves out; -1 = of the scene.
void WritePlanNotes(const RunPlan& plan, int channel, JsonWriter* json);
/// "notes": those, and what nobody would read off the numbers of a channel.
void WriteNotes(const RunPlan& plan, std::size_t channel, const ChannelResult& result,
                JsonWriter* json);
/// What the formulation reports of the last step.
void WriteReport(const Simulation& simulation, JsonWriter* json);

}  // namespace slip
