// [robot.NAME] of a scene file.
#pragma once

#include "engine/dynamics/model.h"
#include "engine/method/config.h"
#include "engine/scene/table_reader.h"

namespace slip {

/// Keys: robot_keys.h.
void ReadRobot(const TomlNode& node, Model* model, Config* config, Reporter* reporter);

}  // namespace slip
