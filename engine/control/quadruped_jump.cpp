// Jumps on four point feet: crouch, push, flight and landing. The high one is section 2 of the
// controller notes, the low one a row of the exponential-integration notes, section 5.
#include <cmath>

#include "engine/control/legged_robot.h"
#include "engine/control/recipes.h"
#include "engine/control/smooth.h"
#include "engine/core/numbers.h"

namespace slip {
namespace {

constexpr double kPushTime = 0.4;    // [s]
constexpr double kCrouchTime = 0.3;  // [s]
// Of feet that slide after landing [1/s]: a model whose friction follows the load of the step
// before gives none in the step of the impact, and the legs would go on spreading.
constexpr double kBrake = 40;
constexpr double kCrouch = 0.17;  // height of the base [m]

struct JumpPlan {
  double push;          // upwards acceleration [m/s^2]
  double leave_speed;   // the push ends at [m/s],
  double leave_height;  // or at this height [m],
  double look_ahead;    // so much ahead [s]
  double flight_time;   // shortest [s]
  int landing_feet;     // that touch when the flight ends
  bool sinking;         // the flight ends on the way down alone
  double brake_time;    // in which the legs stop first [s]
  double tuck_height;   // whose posture the legs take in flight [m]; 0 = that of standing
  double land_stiffness, land_damping, land_most;  // [1/s^2], [1/s], [m/s^2]
};
// The low push gains 0.2 m/s a tick: its speed of leaving lies between two ticks, or rounding would
// choose how high it jumps.
constexpr JumpPlan kLow = {20, 1.1, 0.285, 0, 0.06, 3, false, 0, 0, 60, 14, 25};
constexpr JumpPlan kHigh = {60, 3.0, 0.29, 0.01, 0.1, 1, true, 0.025, 0.27, 100, 20, 60};

// As numbers in the memory.
constexpr double kInCrouch = 0, kInPush = 1, kInFlight = 2, kOnLanding = 3;

class Jump {
 public:
  Jump(const Tick& tick, const JumpPlan& plan)
      : tick_(tick), plan_(plan), memory_(tick.memory), robot_(tick) {}

  void Run() {
    if (tick_.first) {
      for (int leg = 0; leg < robot_.legs(); ++leg)
        memory_[4 + leg] = robot_.q(leg, 2) < 0 ? -1 : 1;
    }
    ChangeStage();
    const double stage = memory_[0];
    if (stage == kInFlight) return Fly();
    if (stage == kOnLanding) return Land();
    const SmoothValue s = CubicStep(tick_.time / kCrouchTime, kCrouchTime);
    const double z0 = tick_.drive.stand_height, z = z0 + (kCrouch - z0) * s.x;
    Vec3 a = -30 * robot_.p - 10 * robot_.v;
    a.z() = stage == kInPush ? plan_.push
                             : (kCrouch - z0) * s.a + 100 * (z - robot_.p.z()) +
                                   20 * ((kCrouch - z0) * s.v - robot_.v.z());
    Balance(a, -100 * robot_.turn - 20 * robot_.w, &robot_);
  }

 private:
  // Several changes may fall on one tick.
  void ChangeStage() {
    double &stage = memory_[0], &left = memory_[1];
    if (stage == kInCrouch && tick_.time >= kPushTime - 1e-9) stage = kInPush;
    if (stage == kInPush && (robot_.v.z() >= plan_.leave_speed || robot_.feet_on < 3 ||
                             robot_.p.z() + plan_.look_ahead * robot_.v.z() > plan_.leave_height)) {
      stage = kInFlight;
      left = tick_.time;
    }
    const bool down = !plan_.sinking || robot_.v.z() < 0;
    if (stage == kInFlight && tick_.time - left > plan_.flight_time + 1e-9 &&
        robot_.feet_on >= plan_.landing_feet && down) {
      stage = kOnLanding;
      Vec3 middle = Vec3::Zero();
      for (int leg = 0; leg < robot_.legs(); ++leg)
        middle += At(robot_.feet, leg).p / robot_.legs();
      memory_[2] = middle.x();
      memory_[3] = middle.y();
    }
  }

  void Tuck() {
    const bool braking =
        tick_.time - memory_[1] < plan_.brake_time - 1e-9 && memory_[0] == kInFlight;
    const double height = plan_.tuck_height > 0 ? plan_.tuck_height : tick_.drive.stand_height;
    for (int leg = 0; leg < robot_.legs(); ++leg) {
      const LegShape& shape = At(tick_.map.legs, leg).shape;
      const auto q =
          CalcLegAngles(shape, Vec3(0, shape.side, -height - shape.hip.z()), memory_[4 + leg]);
      for (int j = 0; j < 3; ++j) {
        const double error = At(q, j) - robot_.q(leg, j);
        const double rate = robot_.qd(leg, j);
        robot_.wanted(leg, j) = braking ? -60 * rate : 400 * error - 36 * rate;
      }
    }
  }

  void Fly() {
    Tuck();
    robot_.Fly();
  }

  void Land() {
    const double a_z = std::clamp(plan_.land_stiffness * (tick_.drive.stand_height - robot_.p.z()) -
                                      plan_.land_damping * robot_.v.z(),
                                  -6.0, plan_.land_most);
    if (robot_.feet_on >= 3) {
      Vec3 a(0, 0, a_z);
      for (int i = 0; i < 2; ++i) {
        const double back = 30 * (memory_[2 + i] - robot_.p[i]);
        a[i] = std::clamp(back - 10 * robot_.v[i], -10.0, 10.0);
      }
      return Balance(a, -60 * robot_.turn - 14 * robot_.w, &robot_, kBrake);
    }
    // inverse dynamics on less than three feet asks them for what they cannot give
    Fly();
    const double share = robot_.mass * std::max(0.0, a_z + robot_.g) / 4;
    for (int leg = 0; leg < robot_.legs(); ++leg) {
      if (At(robot_.feet, leg).touching > 0) robot_.Carry(leg, Vec3(0, 0, share));
    }
  }

  const Tick& tick_;
  const JumpPlan& plan_;
  double* memory_;  // stage, time of leaving, (x, y) of landing, signs of the knees
  LeggedRobot robot_;
};

}  // namespace

void TickJump(const Tick& tick) { Jump(tick, kLow).Run(); }
void TickJumpHigh(const Tick& tick) { Jump(tick, kHigh).Run(); }

}  // namespace slip
