#include "engine/scene/robot_stand.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/core/pose.h"
#include "engine/dynamics/footing.h"
#include "engine/dynamics/kinematics.h"
#include "engine/scene/robot_builder.h"

namespace slip {
namespace {

constexpr double kGravity = 9.81;  // [m/s^2]
constexpr double kNarrow = 0.01;   // of its height: a smaller margin of its support is said

void Widen(const Shape& shape, const Pose& X_WB, RobotExtent* extent) {
  Vec3 low, high;
  CalcBounds(shape, X_WB, &low, &high);
  extent->min = extent->min.cwiseMin(low);
  extent->max = extent->max.cwiseMax(high);
}

Pose RideOn(const State& state, const Body& visual) {
  return state.pose(visual.joint.parent) * visual.joint.X_PF;
}

class Stander {
 public:
  Stander(const RobotDescription& robot, const std::string& name, double time_step)
      : robot_(robot), name_(name), time_step_(time_step) {
    SetPositions();
    Build(true);
    Measure();
    if (robot_.world) {
      LookAtWorld(*robot_.world);
    } else {
      stand_.remarks.push_back(ChooseBase());
      if (stand_.free) Build(false);
      if (stand_.free) CheckSupport();
    }
    SetGains();
  }

  RobotStand Take() { return std::move(stand_); }

 private:
  void SetPositions() {
    stand_.positions.assign(robot_.joints.size(), 0);
    for (std::size_t j = 0; j < robot_.joints.size(); ++j) {
      const RobotJoint& joint = robot_.joints[j];
      double& position = stand_.positions[j];
      if (!joint.starts.empty()) position = joint.starts.front().q[0];
      if (!HasMotor(joint)) continue;
      ++stand_.motors;
      if (!joint.starts.empty() || (joint.lower <= 0 && joint.upper >= 0)) continue;
      const double middle = (joint.lower + joint.upper) / 2;
      position = std::isfinite(middle) ? middle : std::clamp(0.0, joint.lower, joint.upper);
    }
  }

  // The robot with its base at the origin.
  void Build(bool fixed) {
    RobotPlacement place;
    place.name = name_;
    place.fixed_base = fixed;
    place.positions = stand_.positions;
    place.rates.assign(robot_.joints.size(), 0);
    model_ = {};
    Config config;
    AppendRobot(robot_, place, &model_, &config);
    model_.Finish();
    SetStart(model_, &state_);
    footing_ = FindFooting(model_, model_.robots.front(), state_);
  }

  void Measure() {
    RobotExtent touching;
    double mass = 0;
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
      const Body& body = model_.bodies[b];
      if (body.shape_of_link >= 0 || (robot_.world && body.collides))
        Widen(body.shape, state_.X_WB[b], &touching);
      mass += body.mass;
    }
    stand_.weight = mass * kGravity;
    RobotExtent& seen = stand_.seen;
    seen = touching;
    for (const Body& visual : model_.visuals) Widen(visual.shape, RideOn(state_, visual), &seen);
    if (seen.empty()) seen.min = seen.max = Vec3::Zero();
    // It is put on the floor; where the file says where in the world it is, the floor is put under
    // it.
    const double lowest = touching.empty() ? seen.min.z() : touching.min.z();
    stand_.height = (touching.empty() ? seen.max.z() : touching.max.z()) - lowest;
    stand_.lift = robot_.on_world ? 0 : -std::round(lowest * 1e9) / 1e9;
    stand_.ground = robot_.on_world ? std::min(0.0, lowest) : 0;
    touches_ = !touching.empty();
    lowest_ = lowest;
  }

  // What floats on the world of an MJCF file is free. Without anything below it would fall for
  // ever.
  void LookAtWorld(const RobotWorld& world) {
    stand_.free = std::any_of(
        robot_.joints.begin(), robot_.joints.end(),
        [](const RobotJoint& joint) { return joint.kind == RobotJointKind::kFloating; });
    stand_.lacks_floor = stand_.free && touches_ && world.gravity > 0 && world.planes.empty() &&
                         robot_.links.front().collisions.empty();
    if (!stand_.lacks_floor) return;
    stand_.ground = lowest_;
    stand_.remarks.emplace_back("its file has no floor: one is put under its lowest point");
  }

  // Says why.
  std::string ChooseBase() {
    const auto carried = std::count_if(robot_.joints.begin(), robot_.joints.end(),
                                       [](const RobotJoint& joint) { return joint.parent == 0; });
    if (robot_.on_world) return "its base is fixed: the file hangs it on the world";
    if (robot_.links.front().mass <= 0)
      return fmt::format("its base is fixed: link '{}' weighs nothing", robot_.links.front().name);
    if (footing_.empty())
      return "its base is fixed: nothing of it collides, so that it would fall for ever";
    if (robot_.joints.empty()) {
      stand_.free = true;
      return "it lies free on the floor: nothing of it is jointed";
    }
    if (carried == 1) return "its base is fixed, as that of an arm: one joint carries all the rest";
    // of the fixed base, which is the first body, nothing is moved by a joint
    std::vector<std::string> feet;
    for (const int link : footing_.links)
      if (model_.body(link).Moves())
        feet.push_back(model_.body(link).name.substr(name_.size() + 1));
    if (feet.empty())
      return "its base is fixed: it stands on that alone, no foot or wheel is on the floor";
    stand_.free = true;
    return fmt::format("its base is free, {:.3g} m above the floor: it stands on {}", stand_.lift,
                       Some(feet));
  }

  static std::string Some(const std::vector<std::string>& names) {
    constexpr std::size_t kMost = 4;
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i)
      text += (i == 0 ? "" : ", ") + names[i];
    if (names.size() > kMost) text += fmt::format(" and {} more", names.size() - kMost);
    return text;
  }

  void CheckSupport() {
    Vec3 sum = Vec3::Zero();
    double mass = 0;
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
      if (!model_.bodies[b].Moves()) continue;
      sum += model_.bodies[b].mass * state_.X_WB[b].p;
      mass += model_.bodies[b].mass;
    }
    const double margin = CalcSupportMargin(footing_.points_W, sum / mass);
    if (margin > kNarrow * stand_.height) return;
    const std::string way =
        fmt::format("{:.{}f} mm", 1e3 * std::abs(margin), margin < -0.01 ? 0 : 1);
    stand_.remarks.push_back(
        margin > 0
            ? fmt::format("its centre of mass is no more than {} inside of what it stands on: "
                          "little tips it over",
                          way)
            : fmt::format("its centre of mass is {} outside of what it stands on: it tips "
                          "over while its joints stay",
                          way));
  }

  // A file with motors of its own says what they hold; those of torque hold nothing by themselves.
  bool IsHeld(const RobotJoint& joint) const {
    return HasMotor(joint) &&
           (!robot_.world || (joint.driven && joint.stiffness == 0 && joint.gain == 0));
  }

  void SetGains() {
    if (std::none_of(robot_.joints.begin(), robot_.joints.end(),
                     [this](const RobotJoint& joint) { return IsHeld(joint); }))
      return;
    const double gravity = robot_.world ? std::max(robot_.world->gravity, 1.0) : kGravity;
    const std::vector<HoldingGains> by_drive =
        CalcHoldingGains(model_, state_, gravity, time_step_);
    stand_.gains.resize(robot_.joints.size());
    for (const Body& body : model_.bodies) {
      if (body.drive < 0) continue;
      const int joint =
          robot_.FindJoint(std::string_view(body.joint.name).substr(name_.size() + 1));
      if (joint >= 0 && IsHeld(At(robot_.joints, joint)))
        At(stand_.gains, joint) = At(by_drive, body.drive);
    }
  }

  const RobotDescription& robot_;
  const std::string& name_;
  double time_step_;
  RobotStand stand_;
  Model model_;
  State state_;
  Footing footing_;
  bool touches_ = false;  // something of it collides
  double lowest_ = 0;     // with the base at the origin [m]
};

}  // namespace

bool HasMotor(const RobotJoint& joint) {
  return !joint.mimic &&
         (joint.kind == RobotJointKind::kRevolute || joint.kind == RobotJointKind::kContinuous ||
          joint.kind == RobotJointKind::kPrismatic);
}

RobotStand StandRobot(const RobotDescription& robot, const std::string& name, double time_step) {
  return Stander(robot, name, time_step).Take();
}

}  // namespace slip
