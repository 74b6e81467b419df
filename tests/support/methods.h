// Methods by name, for tests.
#pragma once

#include "engine/scene/scene.h"
#include "engine/sim/method_list.h"

namespace slip::method_id {

inline constexpr MethodId kSap = MethodNamed("sap"), kLagged = MethodNamed("lagged"),
                          kLaggedRegularized = MethodNamed("lagged-regularized"),
                          kSimilar = MethodNamed("similar"), kAnitescu = MethodNamed("anitescu"),
                          kTodorov = MethodNamed("todorov"), kCoulomb = MethodNamed("coulomb");

}  // namespace slip::method_id

namespace slip {

/// A channel of it is an engine that this build lacks.
inline bool LacksAnEngine(const Scene& scene) {
  for (const ChannelSpec& channel : scene.channels)
    if (!Info(channel.config.method()).WhyMissing().empty()) return true;
  return false;
}

}  // namespace slip
