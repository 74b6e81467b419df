// A plan as a scene that the window opens.
#pragma once

#include <memory>

#include "engine/run/study/run_plan.h"

namespace slip::app {

/// A plan's scene with the plan's channels in place of its own.
std::shared_ptr<const Scene> SceneOf(const RunPlan& plan);

}  // namespace slip::app
