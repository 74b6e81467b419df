// A scene for a robot that comes alone: its file, URDF or MJCF, becomes the text of a scene.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/scene/scene.h"
#include "engine/urdf/robot_description.h"

namespace slip {

/// Whether a path names a robot's file, *.urdf or *.xml.
bool IsRobotFile(const std::string& path);
/// The same, and files that belong to robots without being one: they are told what they are.
bool IsOfRobots(const std::string& path);

/// Text of a scene, and what was chosen for it: one sentence each, without a full stop.
struct RobotSceneText {
  std::string text;
  std::vector<std::string> remarks;
  bool chose_gains = false;  ///< see Scene
};

/// Text of a scene beside the file. What an MJCF file says of the world is in it: floors,
/// materials, gravity and time step; where it has no floor, one is put under what is free. Of a
/// URDF file: the robot stands on a floor, which its lowest point touches (robot_stand.h).
/// Lines that are commented out show how to go on.
RobotSceneText MakeRobotScene(const RobotDescription& robot, const std::string& path);

/// The scene that this text makes, with the robot as it was read from its file: the file is not
/// read again.
Result<std::shared_ptr<const Scene>> ReadRobotScene(const RobotDescription& robot,
                                                    const std::string& path);

}  // namespace slip
