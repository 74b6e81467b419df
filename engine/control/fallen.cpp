#include "engine/control/fallen.h"

#include <algorithm>
#include <cmath>

#include "engine/control/tick.h"
#include "engine/core/numbers.h"
#include "engine/dynamics/robot_size.h"

namespace slip {
namespace {

// No recipe leans half as far [rad].
constexpr double kFallenTilt = 1.05;
// A deep crouch keeps nearly half.
constexpr double kFallenHeight = 0.3;
// What turns farther between two ticks follows no controller [rad] or [m].
constexpr double kMostTurn = 0.5;
constexpr double kBrakeRate = 0.5;  // [rad/s] or [m/s]
constexpr double kGravity = 9.81;   // [m/s^2]

std::size_t Place(int i) { return static_cast<std::size_t>(i); }

/// Height of the base above the lowest link, with the poses from `pose` [m].
template <class PoseOf>
double CalcClearance(const Robot& robot, const PoseOf& pose) {
  double lowest = kInfinity;
  for (int b = robot.first_body; b < robot.first_body + robot.bodies; ++b)
    lowest = std::min(lowest, pose(b).p.z());
  return pose(robot.first_body).p.z() - lowest;
}

}  // namespace

bool IsFallen(const Model& model, const Robot& robot, std::span<const Pose> X_WB) {
  const int base = robot.first_body;
  if (model.bodies[Place(base)].joint.kind != JointKind::kFree) return false;
  const auto start = [&](int b) -> const Pose& { return model.bodies[Place(b)].X_WB; };
  const auto now = [&](int b) -> const Pose& { return X_WB[Place(b)]; };
  const Vec3 up_B = start(base).q.conjugate() * Vec3::UnitZ();
  if ((now(base).q * up_B).z() < std::cos(kFallenTilt)) return true;
  return CalcClearance(robot, now) < kFallenHeight * CalcClearance(robot, start);
}

bool IsOutOfControl(const Tick& tick) {
  const Tree& tree = tick.tree();
  for (int k = tick.map.base_nv; k < tree.nv; ++k) {
    if (std::abs(tick.state.v[tree.v_start + k]) * tick.length > kMostTurn) return true;
  }
  return IsFallen(tick.model, tick.robot, tick.state.X_WB);
}

void ApplyBrakes(const Model& model, const Robot& robot, std::span<JointDrive> joints) {
  const RobotSize size = SizeOf(model, robot);
  for (int b = robot.first_body; b < robot.first_body + robot.bodies; ++b) {
    const Body& body = model.bodies[Place(b)];
    if (body.drive < 0) continue;
    const double lever = body.joint.kind == JointKind::kPrismatic ? 1 : size.reach;
    double& damping = joints[Place(body.drive)].damping;
    damping = std::max(damping, size.mass * kGravity * lever / kBrakeRate);
  }
}

}  // namespace slip
