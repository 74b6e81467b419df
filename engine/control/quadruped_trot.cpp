// Trots on four point feet: joint springs on the inverse kinematics of the feet, and the weight on
// the stance legs. Phases go by the clock, never by contact. Forwards: controller notes, section 1;
// in place: exponential-integration notes, section 5.
#include <cmath>

#include "engine/control/legged_robot.h"
#include "engine/control/recipes.h"
#include "engine/control/smooth.h"
#include "engine/core/numbers.h"

namespace slip {
namespace {

constexpr double kBegin = 0.2;                             // stands until then [s]
constexpr double kRamp = 0.4;                              // in which it gains its speed [s]
constexpr double kTrotStiffness = 10, kTrotDamping = 0.2;  // of the joints [N m/rad], [N m s/rad]
constexpr double kSideGain = 1, kSideMost = 0.1;           // back to its line [1/s], [m/s]
constexpr double kYawGain = 1, kYawMost = 0.5;             // back to its heading [1/s], [rad/s]

// Places in the memory.
enum : int {
  kPhase = 0,
  kOffset = 1,
  kLiftOff = 9,
  kSwung = 17,
  kKnee = 21,
  kAngles = 25,
  kUsed = 37
};
static_assert(kUsed <= kTrotMemory);

class Trot {
 public:
  Trot(const Tick& tick, bool forwards)
      : tick_(tick), drive_(tick.drive), forwards_(forwards), memory_(tick.memory), robot_(tick) {}

  void Run() {
    if (tick_.first) Begin();
    const bool stands = tick_.time < kBegin - 1e-9;
    // away from rounding: a phase of one half is one
    const double phase = memory_[kPhase] + 1e-9;
    for (int leg = 0; leg < robot_.legs(); ++leg) {
      const bool first = leg == 0 || leg == 3;  // FL and HR swing in the first half
      const double start = first ? 0 : 0.5;
      const bool swings = !stands && (first ? phase < 0.5 : phase >= 0.5);
      TickLeg(leg, stands, swings, (phase - start) / 0.5, stands ? 4 : 2);
    }
    if (!stands)
      memory_[kPhase] = std::fmod(memory_[kPhase] + tick_.length / drive_.trot_period, 1.0);
    if (memory_[kPhase] + 1e-9 >= 1) memory_[kPhase] = 0;
  }

 private:
  const LegShape& Shape(int leg) const { return At(tick_.map.legs, leg).shape; }
  std::array<double, 3> Angles(int leg, const Vec2& offset, double height) const {
    const LegShape& shape = Shape(leg);
    const Vec3 foot(offset.x(), shape.side + offset.y(), -height - shape.hip.z());
    return CalcLegAngles(shape, foot, memory_[kKnee + leg]);
  }

  // Knees stay bent the way that they are; straight ones bend inwards.
  void Begin() {
    for (int leg = 0; leg < robot_.legs(); ++leg) {
      const double knee = robot_.q(leg, 2);
      const double inwards = Shape(leg).hip.x() > 0 ? -1 : 1;
      memory_[kKnee + leg] = std::abs(knee) < 0.05 ? inwards : knee < 0 ? -1 : 1;
      const auto q = Angles(leg, Vec2::Zero(), drive_.stand_height);
      for (int j = 0; j < 3; ++j) memory_[kAngles + 3 * leg + j] = At(q, j);
    }
  }

  // Velocity of the hip that the leg works for.
  Vec2 CommandOf(int leg) const {
    if (!forwards_) return Vec2::Zero();
    const double gain = std::clamp((tick_.time - kBegin) / kRamp, 0.0, 1.0);
    const Mat3 R = robot_.R.toRotationMatrix();
    const double yaw = std::atan2(R(1, 0), R(0, 0));
    const double side = std::clamp(-kSideGain * robot_.p.y(), -kSideMost, kSideMost);
    const double turn = std::clamp(-kYawGain * yaw, -kYawMost, kYawMost);
    const LegShape& shape = Shape(leg);
    return {gain * drive_.trot_speed - turn * (shape.hip.y() + shape.side),
            side + turn * shape.hip.x()};
  }

  void TickLeg(int leg, bool stands, bool swings, double w, int carrying) {
    double* offset = memory_ + kOffset + 2 * leg;
    double* lift_off = memory_ + kLiftOff + 2 * leg;
    const Vec2 u = CommandOf(leg);
    double height = drive_.stand_height;
    for (int i = 0; i < 2; ++i) {
      if (stands) {
        offset[i] = 0;
      } else if (swings) {
        if (memory_[kSwung + leg] == 0) lift_off[i] = offset[i];
        // lands half a stance ahead, which is T/4
        const double ahead = u[i] * drive_.trot_period / 4;
        offset[i] = lift_off[i] + (ahead - lift_off[i]) * CubicStep(w, 1).x;
      } else {
        offset[i] -= u[i] * tick_.length;
      }
    }
    memory_[kSwung + leg] = swings;
    if (swings) height -= drive_.trot_lift * Arch(w, 1).x;

    const auto q = Angles(leg, {offset[0], offset[1]}, height);
    for (int j = 0; j < 3; ++j) {
      double& before = memory_[kAngles + 3 * leg + j];
      const double angle = At(q, j);
      const double rate = forwards_ ? (angle - before) / tick_.length : 0;
      before = angle;
      robot_.torque(leg, j) =
          kTrotStiffness * (angle - robot_.q(leg, j)) + kTrotDamping * (rate - robot_.qd(leg, j));
    }
    if (!swings) robot_.Carry(leg, Vec3(0, 0, robot_.mass * robot_.g / carrying));
  }

  const Tick& tick_;
  const RobotDrive& drive_;
  bool forwards_;
  double* memory_;
  LeggedRobot robot_;
};

}  // namespace

void TickTrotInPlace(const Tick& tick) { Trot(tick, false).Run(); }
void TickTrot(const Tick& tick) { Trot(tick, true).Run(); }

}  // namespace slip
