// Standing and squatting on four point feet: inverse dynamics towards a height that swings
// (exponential-integration notes, section 5; gains as verified there).
#include <cmath>

#include "engine/control/legged_robot.h"
#include "engine/control/recipes.h"
#include "engine/core/numbers.h"

namespace slip {
namespace {

constexpr double kSquatStiffness = 20, kSquatDamping = 9;  // of the base [1/s^2], [1/s]
// of the joints where no foot touches [1/s^2], [1/s]
constexpr double kHangStiffness = 100, kHangDamping = 20;

void Squat(const Tick& tick, double amplitude, double rate, double phase) {
  LeggedRobot robot(tick);
  if (robot.feet_on == 0) {
    // in the hand: back to the posture that it stands in
    for (int leg = 0; leg < robot.legs(); ++leg) {
      const LegShape& shape = At(tick.map.legs, leg).shape;
      const double knee = robot.q(leg, 2) < 0 ? -1 : 1;
      const auto q =
          CalcLegAngles(shape, Vec3(0, shape.side, -tick.drive.stand_height - shape.hip.z()), knee);
      for (int j = 0; j < 3; ++j) {
        robot.wanted(leg, j) =
            kHangStiffness * (At(q, j) - robot.q(leg, j)) - kHangDamping * robot.qd(leg, j);
      }
    }
    robot.Fly();
    return;
  }
  // z_r = z₀ + A sin θ
  const double z = tick.drive.stand_height + amplitude * std::sin(phase);
  const double v = amplitude * rate * std::cos(phase),
               a = -amplitude * rate * rate * std::sin(phase);
  Balance(Vec3(0, 0, a) + kSquatStiffness * (Vec3(0, 0, z) - robot.p) +
              kSquatDamping * (Vec3(0, 0, v) - robot.v),
          -kSquatStiffness * robot.turn - kSquatDamping * robot.w, &robot);
}

}  // namespace

void TickStand(const Tick& tick) { Squat(tick, 0, 0, 0); }

void TickSquat(const Tick& tick) {
  // the angle is remembered, not computed from the time: a new rate does not make it jump
  double& phase = tick.memory[0];
  Squat(tick, tick.drive.squat_amplitude, tick.drive.squat_rate, phase);
  phase = std::fmod(phase + tick.drive.squat_rate * tick.length, 2 * std::numbers::pi);
}

}  // namespace slip
