// Work that takes long asks whether anybody still waits for it.
#pragma once

#include <functional>

namespace slip {

/// True from the moment on when nobody waits for the result any more; empty: somebody always does.
/// Cheap, and callable on any thread.
using StopPoll = std::function<bool()>;

inline bool IsStopped(const StopPoll* poll) { return poll != nullptr && *poll && (*poll)(); }

}  // namespace slip
