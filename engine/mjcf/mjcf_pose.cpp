// Positions and the five ways to say a turn.
#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <numbers>

#include "engine/mjcf/mjcf_model.h"

namespace slip {
namespace {

constexpr std::string_view kTurnNames[] = {"quat", "axisangle", "xyaxes", "zaxis", "euler"};
constexpr double kLeastAxis = 1e-10;

Quat TurnAbout(const Vec3& axis, double angle) { return Quat(Eigen::AngleAxisd(angle, axis)); }

Quat FailTurn(const MjcfItem& item, const MjcfNode& at, std::string_view name) {
  item.FailAt(at, fmt::format("{} of <{}> is zero, or its axes are parallel", name, at.name),
              "give it a direction");
  return Quat::Identity();
}

Quat ReadTurn(const MjcfItem& item, const MjcfNode& at, std::string_view name,
              const MjcfSettings& settings) {
  std::array<double, 6> n{};
  const std::size_t count = name == "xyaxes" ? 6 : name == "quat" || name == "axisangle" ? 4 : 3;
  const double unit = settings.degrees ? std::numbers::pi / 180 : 1;
  if (item.NumbersOf(at, name, count, std::span(n.data(), count)) == 0) return Quat::Identity();
  const Vec3 first(n[0], n[1], n[2]);
  if (name == "quat") {
    const Quat q(n[0], n[1], n[2], n[3]);
    return q.norm() > kLeastAxis ? q.normalized() : FailTurn(item, at, name);
  }
  if (name == "axisangle")
    return first.norm() > kLeastAxis ? TurnAbout(first.normalized(), n[3] * unit)
                                     : FailTurn(item, at, name);
  if (name == "zaxis")
    return first.norm() > kLeastAxis ? TurnToAxis(first) : FailTurn(item, at, name);
  if (name == "xyaxes") {
    const Vec3 second(n[3], n[4], n[5]);
    if (first.norm() < kLeastAxis) return FailTurn(item, at, name);
    const Vec3 x = first.normalized(), along = second - second.dot(x) * x;
    if (along.norm() < kLeastAxis) return FailTurn(item, at, name);
    Mat3 axes;
    axes.col(0) = x;
    axes.col(1) = along.normalized();
    axes.col(2) = axes.col(0).cross(axes.col(1));
    return Quat(axes).normalized();
  }
  return TurnByEuler(first, settings);
}

}  // namespace

Quat TurnByEuler(const Vec3& angles, const MjcfSettings& settings) {
  const double unit = settings.degrees ? std::numbers::pi / 180 : 1;
  // small letters turn about axes that went along, capitals about those that stayed
  Quat q = Quat::Identity();
  for (int i = 0; i < 3; ++i) {
    const char axis = settings.eulerseq[static_cast<std::size_t>(i)];
    const bool moves = axis >= 'a';
    const Quat turn = TurnAbout(Vec3::Unit((moves ? axis - 'x' : axis - 'X')), angles[i] * unit);
    q = moves ? q * turn : turn * q;
  }
  return q.normalized();
}

Quat TurnToAxis(const Vec3& axis) {
  const Vec3 z = axis.normalized();
  const Vec3 across = Vec3::UnitZ().cross(z);
  const double sine = across.norm();
  if (sine < kLeastAxis)
    return z.z() > 0 ? Quat::Identity() : TurnAbout(Vec3::UnitX(), std::numbers::pi);
  return TurnAbout(across / sine, std::atan2(sine, z.z()));
}

Pose ReadMjcfPose(const MjcfItem& item, const MjcfSettings& settings) {
  Pose pose;
  Vec3 p = Vec3::Zero();
  if (item.Numbers("pos", 3, std::span(p.data(), 3), kPosition) == 3) pose.p = p;
  // the element that is nearest says it
  for (const MjcfNode* level : item.levels()) {
    std::string_view found;
    for (const std::string_view name : kTurnNames) {
      if (level->Find(name) == nullptr) continue;
      if (!found.empty()) {
        item.FailAt(*level, fmt::format("both {} and {}", found, name), "keep one");
        return pose;
      }
      found = name;
    }
    if (found.empty()) continue;
    pose.q = ReadTurn(item, *level, found, settings);
    break;
  }
  return pose;
}

}  // namespace slip
