// The present step of a channel solved once more, from its recorded start, with its search lines.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/method/solve_trace.h"
#include "engine/run/channels/channels.h"

namespace slip {

std::shared_ptr<const SolveTrace> TraceStep(const Channels& channels, int channel,
                                            uint64_t session);

}  // namespace slip
