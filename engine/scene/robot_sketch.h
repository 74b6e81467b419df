// What stands for robots whose files have no shape at all, as those that are made for dynamics:
// bars from joint to joint, and what turns or slides at these. For the eyes alone.
#pragma once

#include "engine/dynamics/model.h"
#include "engine/urdf/robot_description.h"

namespace slip {

/// Whether some link has a shape, to be drawn or to collide.
bool HasShapes(const RobotDescription& robot);

/// Appends visuals for the links of the model's last robot. `on_world`: the first of them is the
/// world, and no bar.
void SketchRobot(bool on_world, Model* model);

/// Whether a visual is of a sketch and of no file: it is made of no material.
inline bool IsSketched(const Body& visual) { return visual.material < 0; }

}  // namespace slip
