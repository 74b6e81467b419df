// The metric table of a comparison: one row per channel.
#pragma once

#include <string>
#include <vector>

#include "engine/run/study/recorder.h"

namespace slip::app {

std::string FormatMetricTable(const RunPlan& plan, const std::vector<ChannelMetrics>& metrics,
                              const RunResult& result);

}  // namespace slip::app
