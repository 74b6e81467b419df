// How a robot begins whose file is opened alone: its pose, what its base does, what holds it.
#pragma once

#include <string>
#include <vector>

#include "engine/control/holding_gains.h"
#include "engine/urdf/robot_description.h"

namespace slip {

struct RobotExtent {
  Vec3 min = Vec3::Constant(kNoLimit), max = Vec3::Constant(-kNoLimit);

  bool empty() const { return min.x() > max.x(); }
  double reach() const { return (max - min).norm(); }
};

struct RobotStand {
  std::vector<double> positions;  ///< of its joints [rad] or [m]
  RobotExtent seen;               ///< with the base at the origin
  double lift = 0;                ///< height of its base above the scene's origin [m]
  double ground = 0;              ///< height of the floor [m]
  double height = 0;              ///< of what collides, from the floor up [m]
  double weight = 0;              ///< [N]
  bool free = false;              ///< the base moves
  bool lacks_floor = false;       ///< an MJCF file has something free, and nothing under it
  int motors = 0;
  /// By joint, of an MJCF file those of motors of torque; empty where there are none.
  std::vector<HoldingGains> gains;
  /// One sentence each, without a full stop: what the base does and why, and how far the centre of
  /// mass is outside of the support where it is.
  std::vector<std::string> remarks;
};

/// Motors hold the joints at zero, or at the middle of their range where that leaves zero out. The
/// base is free where links that joints move stand on the floor, and two joints or more carry them:
/// feet and wheels do, the one joint of an arm does not. What has no joints is free, too. A base
/// that is the world, that weighs nothing, or of which nothing can touch the floor is fixed.
///
/// Of an MJCF file the pose and the base are the file's own. The links are merged already.
RobotStand StandRobot(const RobotDescription& robot, const std::string& name, double time_step);

/// Has it one coordinate of its own, so that a motor can move it?
bool HasMotor(const RobotJoint& joint);

}  // namespace slip
