// The state a channel starts from; heights may depend on its contact model.
#pragma once

#include "engine/dynamics/model.h"
#include "engine/dynamics/state.h"
#include "engine/method/config.h"

namespace slip {

/// Start poses and velocities of the model. Bodies with a StartOffset are moved along the normal of
/// the surface below them (engine/README.md 10.1, 10.3, 10.6).
State MakeStartState(const Model& model, const Config& config);

}  // namespace slip
