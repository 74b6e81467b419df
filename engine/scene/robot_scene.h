// A scene for a robot that comes alone: its URDF file becomes the text of a scene.
#pragma once

#include <string>

#include "engine/core/result.h"

namespace slip {

/// Whether a path names a robot's file, *.urdf.
bool IsRobotFile(const std::string& path);

/// Text of a scene beside the file: the robot stands on a floor, which its lowest point touches.
/// Motors hold the joints at zero, or at the middle of their range where that leaves zero out. The
/// base is free where it has a mass, carries two joints or more, and something can touch the floor.
Result<std::string> MakeRobotScene(const std::string& path);

}  // namespace slip
