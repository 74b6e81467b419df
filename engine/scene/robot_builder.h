// From a robot's description to bodies: links with their joints, and the shapes that hang on them.
#pragma once

#include <map>
#include <string>

#include "engine/core/result.h"
#include "engine/dynamics/model.h"
#include "engine/method/config.h"
#include "engine/urdf/robot_description.h"

namespace slip {

/// Where a robot stands, and how it begins.
struct RobotPlacement {
  std::string name;
  bool fixed_base = false;
  bool self_collision = false, weightless = false;
  int material = 0;
  Pose X_WL;                               ///< of the base link
  Vec3 v_WL = Vec3::Zero();                ///< of its origin [m/s]
  Vec3 w_WL = Vec3::Zero();                ///< [rad/s]
  RobotDrive drive;                        ///< its controller
  int start = 0;                           ///< which of the starts that its file has
  std::vector<double> positions, rates;    ///< per joint of the description [rad] or [m]
  std::vector<JointDrive> motors;          ///< likewise: gains, see JointDrive; none = no motors
  std::vector<Path<double>> target_paths;  ///< likewise, see Body; none = constant targets
  /// Points instead of shapes, by link or frame [m].
  std::map<std::string, std::vector<Vec3>> contact_points;
};

/// Appends bodies "name/link", a Robot with its RobotDrive, and a JointDrive "name/joint" for every
/// joint with one coordinate that follows no other.
void AppendRobot(const RobotDescription& robot, const RobotPlacement& placement, Model* model,
                 Config* config);

}  // namespace slip
