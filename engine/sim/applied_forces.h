// What a scene does to its bodies over time, whatever the method.
#pragma once

#include "engine/dynamics/kinematics.h"
#include "engine/method/config.h"

namespace slip {

/// Moves the targets of motors to where their paths are at `time` [s].
void FollowPaths(const Model& model, double time, Config* config);

/// Adds to the forces of joints [N m], [N] what carries the weight of robots that do so themselves.
void CompensateWeight(const Model& model, const Config& config, const State& state,
                      Kinematics* kinematics, VectorX* forces);

/// Adds the scene's pushes as they are at `time` [s].
void AddPushes(const Model& model, const Config& config, const State& state, double time,
               Kinematics* kinematics, VectorX* forces);

}  // namespace slip
