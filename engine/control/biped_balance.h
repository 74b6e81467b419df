// A biped on flat feet: which foot carries how much of what its base needs (controller notes,
// section 3). A share by the wanted centre of pressure and a clamped rest moment: sharing by least
// squares alone would pull at the outer points of the lighter foot.
#pragma once

#include "engine/control/legged_robot.h"

namespace slip {

struct BipedTask {
  Vec3 a, angular;    ///< of the base
  int swinging = -1;  ///< foot in the air, 0 left and 1 right, whose acceleration is in the robot
};

/// Joint forces of this. A foot that should stand and touches nothing sinks back without load.
void BalanceBiped(const BipedTask& task, LeggedRobot* robot, const Tick& tick);

}  // namespace slip
