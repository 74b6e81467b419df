// A link of a robot's description, URDF or MJCF, as a body of a model.
#pragma once

#include "engine/dynamics/model.h"
#include "engine/urdf/robot_description.h"

namespace slip {

/// Mass, principal moments and X_BL of the body. Returns X_LB.
Pose SetMass(const RobotLink& link, Body* body);
/// The joint that carries it: its kind, frames and armature. Both bodies have their masses.
void SetJoint(const RobotJoint& from, const Body& parent, Body* body);
/// q0 of a ball joint, or of one that floats, from how the file says that it begins.
void SetStartTurn(const RobotJoint& from, const RobotStart& start, Body* body);

}  // namespace slip
