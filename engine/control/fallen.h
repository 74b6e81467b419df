// Whether a robot lies on the ground, from where no controller gets up.
#pragma once

#include <span>

#include "engine/dynamics/model.h"
#include "engine/method/config.h"

namespace slip {

struct Tick;

/// Against its start: the base leans by more than 1.05 rad, or stands over its lowest link at less
/// than 0.3 of the height. False for robots with a fixed base. `X_WB` as in State.
bool IsFallen(const Model& model, const Robot& robot, std::span<const Pose> X_WB);

/// The robot has fallen, or a joint moves by more than 0.5 rad (or 0.5 m) from one tick to the
/// next: its controller gives up.
bool IsOutOfControl(const Tick& tick);

/// What its motors do then: they only brake, so strongly that the robot's weight at its reach turns
/// a joint by 0.5 rad/s (or moves one by 0.5 m/s). Raises the damping in `joints`, Config::joints.
void ApplyBrakes(const Model& model, const Robot& robot, std::span<JointDrive> joints);

}  // namespace slip
