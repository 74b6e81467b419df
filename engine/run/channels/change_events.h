// What a change to a channel is told as, whoever made it: a window, a plan or a recording.
#pragma once

#include <optional>
#include <string>

#include "engine/dynamics/model.h"
#include "engine/run/track/event.h"
#include "engine/run/track/journal.h"

namespace slip {

/// Nothing of a pull that only moves on. `from` is the value before; of a pull, 1 if there was one.
/// `refused` says why the change was not made, and is empty where it was.
std::optional<EventItem> ItemOf(const Change& change, double from, const Model& model,
                                const std::string& refused = {});

}  // namespace slip
