// Where a robot's legs or arm are in a model, found by the names of its joints and frames.
#pragma once

#include <array>
#include <vector>

#include "engine/core/result.h"
#include "engine/dynamics/model.h"

namespace slip {

enum class RobotKind {
  kQuadruped,  ///< four legs of three joints on point feet: FL, FR, HL, HR with HAA, HFE, KFE
  kBiped,      ///< two legs of six joints on flat feet: L, R with HipYaw to AnkleRoll
  kArm         ///< one chain of seven joints on a base that stands still
};

/// Of a leg with three joints, at zero angles: x forwards, z upwards, in the base's axes.
struct LegShape {
  Vec3 hip = Vec3::Zero();          ///< origin of the first joint in the base frame [m]
  double side = 0;                  ///< foot beyond the hip, to the left [m]
  double thigh = 0.1, shank = 0.1;  ///< [m]
};

struct LegMap {
  int joints = 0;
  std::array<int, 6> links{};        ///< bodies that the joints move
  std::array<int, 6> coordinates{};  ///< in the tree
  std::array<int, 6> positions{};    ///< in State::q
  int foot = 0;                      ///< body
  Pose X_BF;                         ///< foot frame: the contact point, or the last joint's link
  int first_point = 0, points = 0;   ///< of Body::points_B
  int first_load = 0;                ///< of the robot's contact points
  LegShape shape;
};

struct RobotMap {
  int tree = -1;    ///< that moves; -1 = none
  int base = -1;    ///< body that the tree begins with
  int base_nv = 0;  ///< coordinates without motor: six of a free base
  int joints = 0;   ///< coordinates after those
  int loads = 0;    ///< contact points of all bodies
  double sole = 0;  ///< radius of the contact points of its feet [m]
  std::vector<LegMap> legs;
  int tool = -1;             ///< body at an arm's end
  Vec3 p_BT = Vec3::Zero();  ///< on it
};

/// What every robot has.
RobotMap CountRobot(const Model& model, const Robot& robot);
/// Says which joint or foot is missing.
Result<RobotMap> MapRobot(const Model& model, const Robot& robot, RobotKind kind);

/// Angles that put the foot at p, from the hip in the base's axes; `knee` is the sign of the last.
std::array<double, 3> CalcLegAngles(const LegShape& leg, const Vec3& p, double knee);

}  // namespace slip
