#include "engine/control/biped_balance.h"

#include "engine/core/numbers.h"

namespace slip {
namespace {

constexpr double kBipedSinkSpeed = 0.03, kBipedSinkGain = 20;  // [m/s], [1/s]
constexpr double kFootStiffness = 100, kFootDamping = 20;      // of its tilt [1/s^2], [1/s]
// A foot that has landed carries a little at once: without load it would bounce.
constexpr double kLeastShare = 0.05;
// Rest moments over the normal force: inside of the sole [m].
constexpr double kMostRoll = 0.045, kMostPitch = 0.07;

// The foot's points share its force evenly, and its moment about their mean by least squares.
void CarryOnSole(int leg, const Vec3& f, const Vec3& moment, LeggedRobot* robot,
                 const LegMap& map) {
  const auto n = static_cast<std::size_t>(std::min(map.points, LeggedRobot::kMostPoints));
  const LeggedRobot::Foot& foot = At(robot->feet, leg);
  std::array<Vec3, LeggedRobot::kMostPoints> r, rest;
  for (std::size_t i = 0; i < n; ++i)
    r[i] = robot->ContactPoint(leg, static_cast<int>(i)) - foot.center;
  CalcLeastForces({r.data(), n}, Vec3::Zero(), moment, {rest.data(), n});
  Vec3 force = Vec3::Zero(), about_frame = Vec3::Zero();
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 fi = f / static_cast<double>(n) + rest[i];
    force += fi;
    about_frame += (foot.center + r[i] - foot.p).cross(fi);
  }
  robot->Carry(leg, force, about_frame);
}

}  // namespace

void BalanceBiped(const BipedTask& task, LeggedRobot* robot, const Tick& tick) {
  bool carries[2];
  for (int f = 0; f < 2; ++f) {
    LeggedRobot::Foot& foot = At(robot->feet, f);
    carries[f] = f != task.swinging && foot.touching > 0;
    if (f == task.swinging) continue;
    foot.acceleration.setZero();
    foot.angular.setZero();
    if (carries[f]) continue;
    foot.acceleration = kBipedSinkGain * (Vec3(0, 0, -kBipedSinkSpeed) - foot.v);
    foot.angular = -kFootStiffness * foot.turn - kFootDamping * foot.w;
  }
  if (!carries[0] && !carries[1]) carries[0] = carries[1] = true;
  robot->Accelerate(task.a, task.angular);

  const Vec3 F = robot->force, N = robot->moment, p = robot->p;
  const Vec3 c[2] = {robot->feet[0].center, robot->feet[1].center};
  double share[2] = {carries[0] ? 1.0 : 0.0, carries[1] ? 1.0 : 0.0};
  if (carries[0] && carries[1]) {
    const Vec2 cop = p.head<2>() + Vec2(-p.z() * F.x() - N.y(), N.x() - p.z() * F.y()) / F.z();
    const Vec2 d = (c[0] - c[1]).head<2>();
    const double s = (cop - c[1].head<2>()).dot(d) / d.squaredNorm();
    // where the base falls freely there is no such centre
    share[0] = std::isfinite(s) ? std::clamp(s, kLeastShare, 1 - kLeastShare) : 0.5;
    share[1] = 1 - share[0];
  }
  Vec3 rest = N;
  for (int f = 0; f < 2; ++f) rest -= share[f] * (c[f] - p).cross(F);
  const double normal = std::max(F.z(), 0.0);
  rest.x() = std::clamp(rest.x(), -kMostRoll * normal, kMostRoll * normal);
  rest.y() = std::clamp(rest.y(), -kMostPitch * normal, kMostPitch * normal);
  for (int f = 0; f < 2; ++f) {
    if (share[f] <= 0) continue;
    CarryOnSole(f, share[f] * F, share[f] * rest, robot, At(tick.map.legs, f));
  }
}

}  // namespace slip
