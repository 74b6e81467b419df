#include "engine/control/robot_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"
#include "engine/dynamics/kinematics.h"

namespace slip {
namespace {

constexpr const char* kQuadrupedLegs[] = {"FL", "FR", "HL", "HR"};
constexpr const char* kQuadrupedJoints[] = {"HAA", "HFE", "KFE"};
constexpr const char* kBipedLegs[] = {"L", "R"};
constexpr const char* kBipedJoints[] = {"HipYaw",    "HipRoll",    "HipPitch",
                                        "KneePitch", "AnklePitch", "AnkleRoll"};
constexpr int kArmJoints = 7;

Error Refuse(const Robot& robot, const std::string& why) {
  return Error{.message = fmt::format("robot '{}' {}", robot.name, why)};
}

// The body whose joint has this name; -1 = none.
int FindJoint(const Model& model, const Robot& robot, const std::string& name) {
  const std::string full = robot.name + "/" + name;
  for (int b = robot.first_body; b < robot.first_body + robot.bodies; ++b) {
    if (model.body(b).joint.name == full && model.body(b).nv == 1 && model.body(b).nq == 1)
      return b;
  }
  return -1;
}

int FirstLoad(const Model& model, const Robot& robot, int body) {
  int load = 0;
  for (int b = robot.first_body; b < body; ++b)
    load += static_cast<int>(model.body(b).points_B.size());
  return load;
}

// Where the legs' joints and feet are when all angles are zero, seen from the base frame.
State ZeroPosture(const Model& model, const RobotMap& map) {
  State state;
  SetStart(model, &state);
  const Pose& X_BL = model.body(map.base).X_BL;
  const Quat R_LB = X_BL.q.conjugate();
  state.pose(map.base) = {-(R_LB * X_BL.p), R_LB};
  for (const LegMap& leg : map.legs) {
    for (int j = 0; j < leg.joints; ++j) state.q[At(leg.positions, j)] = 0;
  }
  UpdatePoses(model, &state);
  return state;
}

Status AddLeg(const Model& model, const Robot& robot, const std::string& name,
              std::span<const char* const> joints, RobotMap* map) {
  LegMap leg;
  const int v_start = At(model.trees, map->tree).v_start;
  for (const char* joint : joints) {
    const std::string full = name + "_" + joint;
    const int b = FindJoint(model, robot, full);
    if (b < 0) return Refuse(robot, fmt::format("has no joint '{}' that turns", full));
    if (model.body(b).tree != map->tree) return Refuse(robot, "falls into several parts");
    const auto j = static_cast<std::size_t>(leg.joints++);
    leg.coordinates[j] = model.body(b).v_start - v_start;
    leg.positions[j] = model.body(b).q_start;
    leg.links[j] = leg.foot = b;
  }
  leg.points = static_cast<int>(model.body(leg.foot).points_B.size());
  leg.X_BF = model.body(leg.foot).X_BL;
  map->legs.push_back(leg);
  return Ok{};
}

// The contact point nearest to the frame that the file names, which may have another body.
Status PlacePointFoot(const Model& model, const Robot& robot, const std::string& name,
                      LegMap* leg) {
  if (const Robot::Frame* frame = robot.FindFrame(name)) {
    leg->foot = frame->body;
    leg->X_BF = frame->X_BF;
  } else if (leg->points != 1) {
    return Refuse(robot, fmt::format("has no frame '{}'", name));
  }
  const std::vector<Vec3>& points = model.body(leg->foot).points_B;
  if (points.empty()) return Refuse(robot, fmt::format("has no contact point at '{}'", name));
  const Vec3 foot = robot.FindFrame(name) != nullptr ? leg->X_BF.p : points.front();
  const auto nearest = std::min_element(points.begin(), points.end(), [&](auto& a, auto& b) {
    return (a - foot).squaredNorm() < (b - foot).squaredNorm();
  });
  leg->first_point = static_cast<int>(nearest - points.begin());
  leg->points = 1;
  leg->X_BF.p = *nearest;
  return Ok{};
}

Result<RobotMap> MapLegs(const Model& model, const Robot& robot, RobotMap map, bool quadruped) {
  if (model.body(map.base).joint.kind != JointKind::kFree)
    return Refuse(robot, "stands on a base that is not free");
  for (const char* leg : quadruped ? std::span<const char* const>(kQuadrupedLegs)
                                   : std::span<const char* const>(kBipedLegs)) {
    const Status status = quadruped ? AddLeg(model, robot, leg, kQuadrupedJoints, &map)
                                    : AddLeg(model, robot, leg, kBipedJoints, &map);
    if (!status) return status.error();
    LegMap& last = map.legs.back();
    if (quadruped) {
      const Status foot = PlacePointFoot(model, robot, std::string(leg) + "_FOOT", &last);
      if (!foot) return foot.error();
    } else if (last.points < 3) {
      return Refuse(robot, fmt::format("has {} contact points on foot '{}', not three or more",
                                       last.points, leg));
    }
    last.first_load = FirstLoad(model, robot, last.foot) + last.first_point;
    map.sole = model.body(last.foot).point_radius;
  }
  if (!quadruped) return map;
  const State zero = ZeroPosture(model, map);
  for (LegMap& leg : map.legs) {
    Vec3 origin[3];
    for (std::size_t k = 0; k < 3; ++k) {
      const int b = leg.links[k];
      origin[k] = zero.pose(b) * model.body(b).joint.X_BM.p;
    }
    const Vec3 foot = zero.pose(leg.foot) * leg.X_BF.p;
    leg.shape.hip = origin[0];
    leg.shape.side = foot.y() - origin[0].y();
    leg.shape.thigh = origin[1].z() - origin[2].z();
    leg.shape.shank = origin[2].z() - foot.z();
    if (!(leg.shape.thigh > 0 && leg.shape.shank > 0))
      return Refuse(robot, "has legs that do not hang down at zero angles");
  }
  return map;
}

Result<RobotMap> MapArm(const Model& model, const Robot& robot, RobotMap map) {
  const Tree& tree = At(model.trees, map.tree);
  if (tree.nv != kArmJoints || tree.nq != kArmJoints)
    return Refuse(robot, fmt::format("is no arm of {} joints on a fixed base", kArmJoints));
  // every joint hangs on the one before, and what carries the tool hangs on the last
  int last = -1;
  for (int b = tree.first_body; b < tree.first_body + tree.bodies; ++b) {
    const Body& body = model.body(b);
    if (body.nv == 0) continue;
    if (last >= 0 && body.parent_group != last)
      return Refuse(robot, "is no single chain of joints");
    last = body.group;
  }
  map.tool = last;
  for (int b = tree.first_body; b < tree.first_body + tree.bodies; ++b) {
    const Body& body = model.body(b);
    if (body.group != last || body.points_B.empty()) continue;
    map.tool = b;
    for (const Vec3& p : body.points_B) map.p_BT += p / static_cast<double>(body.points_B.size());
  }
  for (const char* name : {"tool", "TOOL"}) {
    const Robot::Frame* frame = robot.FindFrame(name);
    if (frame == nullptr) continue;
    map.tool = frame->body;
    map.p_BT = frame->X_BF.p;
  }
  return map;
}

}  // namespace

RobotMap CountRobot(const Model& model, const Robot& robot) {
  RobotMap map;
  for (int b = robot.first_body; b < robot.first_body + robot.bodies; ++b) {
    const Body& body = model.body(b);
    map.loads += static_cast<int>(body.points_B.size());
    if (map.tree >= 0 || !body.Moves()) continue;
    map.tree = body.tree;
    map.base = b;
    map.base_nv = body.nq == 0 ? body.nv : 0;
    map.joints = model.TreeOf(body).nv - map.base_nv;
  }
  return map;
}

Result<RobotMap> MapRobot(const Model& model, const Robot& robot, RobotKind kind) {
  const RobotMap map = CountRobot(model, robot);
  if (map.tree < 0) return Refuse(robot, "has nothing that moves");
  if (kind == RobotKind::kArm) return MapArm(model, robot, map);
  return MapLegs(model, robot, map, kind == RobotKind::kQuadruped);
}

// HAA = atan2(z d + y L, y d - z L), L² = y² + z² - d²; the law of cosines gives the knee
// (exponential-integration notes, section 4). A foot out of reach is put as far as the leg goes.
std::array<double, 3> CalcLegAngles(const LegShape& leg, const Vec3& p, double knee) {
  const double d = leg.side;
  const double L = std::sqrt(std::max(p.y() * p.y() + p.z() * p.z() - d * d, 1e-6));
  const double cosine = (p.x() * p.x() + L * L - leg.thigh * leg.thigh - leg.shank * leg.shank) /
                        (2 * leg.thigh * leg.shank);
  const double kfe = knee * std::acos(std::clamp(cosine, -1.0, 1.0));
  const double hfe = std::atan2(-p.x(), L) -
                     std::atan2(leg.shank * std::sin(kfe), leg.thigh + leg.shank * std::cos(kfe));
  return {std::atan2(p.z() * d + p.y() * L, p.y() * d - p.z() * L), hfe, kfe};
}

}  // namespace slip
