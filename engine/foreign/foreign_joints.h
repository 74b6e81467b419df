// Coordinates of joints from the poses and velocities of the bodies that they link.
#pragma once

#include <span>
#include <vector>

#include "engine/dynamics/model.h"
#include "engine/dynamics/state.h"
#include "engine/sim/snapshot.h"

namespace slip {

/// Sets q and v: what of a body's pose and velocity against its parent its joint lets happen; what
/// it forbids, and a recording has all the same, is left out.
void ProjectJoints(const Model& model, std::span<const Pose> X_WB, std::span<const Vec6> V_WB,
                   State* state);

/// The joints of one coordinate, in the order of their bodies, without forces and targets.
void ListJoints(const Model& model, const State& state, std::vector<JointFrame>* joints);

}  // namespace slip
