// A biped that stands, or sways from foot to foot: romeo12-shift of the exponential-integration
// notes, section 5, with the load sharing of the walk.
#include <cmath>

#include "engine/control/biped_balance.h"
#include "engine/control/recipes.h"

namespace slip {
namespace {

constexpr double kShiftStiffness = 25, kShiftDamping = 10;  // of the base [1/s^2], [1/s]
constexpr double kGrowth = 1;                               // the sway grows for so long [s]

void Shift(const Tick& tick, double amplitude, double rate) {
  LeggedRobot robot(tick);
  double &forward = tick.memory[0], &side = tick.memory[1], &height = tick.memory[2];
  double& phase = tick.memory[3];
  if (tick.first) {
    // the centre of mass over the feet, at the height above the ground that it has
    const Vec3 middle = 0.5 * (robot.feet[0].center + robot.feet[1].center);
    forward = robot.p.x() + middle.x() - robot.com.x();
    side = middle.y();
    height = robot.p.z() - middle.z();
  }
  // y_r = A r sin θ, r from 0 to 1
  const double r = std::min(tick.time / kGrowth, 1.0), r_d = r < 1 ? 1 / kGrowth : 0;
  const double s = std::sin(phase), c = std::cos(phase);
  const Vec3 x(forward, side + amplitude * r * s, height);
  const Vec3 v(0, amplitude * (r_d * s + r * rate * c), 0);
  const Vec3 a(0, amplitude * (2 * r_d * rate * c - r * rate * rate * s), 0);
  BipedTask task;
  task.a = a + kShiftStiffness * (x - robot.p) + kShiftDamping * (v - robot.v);
  task.angular = -kShiftStiffness * robot.turn - kShiftDamping * robot.w;
  BalanceBiped(task, &robot, tick);
  phase = std::fmod(phase + rate * tick.length, 2 * std::numbers::pi);
}

}  // namespace

void TickBipedStand(const Tick& tick) { Shift(tick, 0, 0); }
void TickShift(const Tick& tick) { Shift(tick, tick.drive.sway_amplitude, tick.drive.sway_rate); }

}  // namespace slip
