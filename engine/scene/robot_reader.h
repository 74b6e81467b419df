// [robot.NAME] of a scene file.
#pragma once

#include "engine/dynamics/model.h"
#include "engine/method/config.h"
#include "engine/scene/table_reader.h"
#include "engine/urdf/robot_description.h"

namespace slip {

/// Keys: robot_keys.h. `known`: what the file holds, where it was read already.
void ReadRobot(const TomlNode& node, const RobotDescription* known, Model* model, Config* config,
               Reporter* reporter);

}  // namespace slip
