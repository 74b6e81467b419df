// Whether a robot's meshes stand as its masses do.
#pragma once

#include "engine/urdf/robot_description.h"

namespace slip {

/// Links whose centre of mass lies outside of the box around their own shapes: what touches, else
/// what is seen.
int CountMassesOutside(const RobotDescription& robot);

}  // namespace slip
