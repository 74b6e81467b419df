// What the contact forces of the channels will be, from their present steps on: the window asks
// while the run stands.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/method/force_prediction.h"
#include "engine/run/channels/channels.h"
#include "engine/run/scope/past.h"

namespace slip {

/// Of the channels that foretell them, over `span` [s] in so many equal intervals.
std::shared_ptr<const std::vector<ForcePrediction>> Foretell(const Channels& channels,
                                                             const Past& past, double span,
                                                             int samples, uint64_t session);

}  // namespace slip
