// [robot.NAME] of a scene file.
#pragma once

#include "engine/scene/scene.h"
#include "engine/scene/table_reader.h"
#include "engine/urdf/robot_description.h"

namespace slip {

/// Adds it to the scene's `base`, `config` and `robots`. Keys: robot_keys.h. `known`: what the file
/// holds, where it was read already.
void ReadRobot(const TomlNode& node, const RobotDescription* known, Scene* scene,
               Reporter* reporter);

}  // namespace slip
