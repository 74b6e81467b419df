// Two steps of a biped (controller notes, section 3): the centre of mass goes over one foot, the
// other one steps, and so again; feedback on the centre of mass; feet come down slowly at the end.
#include <cmath>

#include "engine/control/biped_balance.h"
#include "engine/control/recipes.h"
#include "engine/control/smooth.h"
#include "engine/core/numbers.h"

namespace slip {
namespace {

struct WalkPhase {
  double length;  // [s]
  int swinging;   // foot; -1 = none
  double steps;   // the centre of mass goes forwards by so many
  double side;    // and to this side: +1 left
};
constexpr WalkPhase kPhases[] = {
    {1.0, -1, 0, 1}, {0.7, 1, 0, 1}, {1.4, -1, 1, -1}, {0.7, 0, 1, -1}, {1.0, -1, 1, 0}};
constexpr int kPhaseCount = 5;

constexpr double kWalkStiffness = 25, kWalkDamping = 10;     // of the base [1/s^2], [1/s]
constexpr double kSwingStiffness = 100, kSwingDamping = 20;  // of the foot [1/s^2], [1/s]
constexpr double kInside = 0.011;     // the centre of mass stays inside of the foot's middle [m]
constexpr double kHover = 0.002;      // a swing ends above the ground [m],
constexpr double kLowering = 0.03;    // the foot comes down with this speed [m/s]
constexpr double kLongestWait = 0.3;  // for the landing [s]
constexpr double kEarliest = 0.6;     // landing, as a share of the swing

// Places in the memory.
enum : int {
  kIndex,       // of the phase
  kPhaseBegin,  // [s]
  kLanded,      // the phase's foot is down
  kLifted,      // the swing has begun
  kFrom,        // where it began (x, y, z)
  kComBegin = kFrom + 3,
  kStep = kComBegin + 2,  // length [m]
  kHeight,                // of the base above the ground
  kAnkle,                 // at the start (x of both, mean; y left, y right; height)
  kCenter = kAnkle + 4,   // of the feet in x; middle in y; half the distance
  kWalkUsed = kCenter + 3
};
static_assert(kWalkUsed <= kWalkMemory);

class Walk {
 public:
  explicit Walk(const Tick& tick) : tick_(tick), m_(tick.memory), robot_(tick) {}

  void Run() {
    if (tick_.first) Begin();
    ChangePhase();
    const WalkPhase phase = Phase();
    // at its end a swing is over, however the times are rounded
    const double passed = tick_.time - m_[kPhaseBegin];
    const double u =
        passed > phase.length - kOnTime ? 1 : std::clamp(passed / phase.length, 0.0, 1.0);
    BipedTask task;
    const SmoothValue s = QuinticStep(u, phase.length);
    for (int i = 0; i < 2; ++i) {
      const double from = m_[kComBegin + i], way = Target()[i] - from;
      task.a[i] = way * s.a + kWalkStiffness * (from + way * s.x - robot_.com[i]) +
                  kWalkDamping * (way * s.v - robot_.com_v[i]);
    }
    task.a.z() = kWalkStiffness * (m_[kHeight] - robot_.p.z()) - kWalkDamping * robot_.v.z();
    task.angular = -kWalkStiffness * robot_.turn - kWalkDamping * robot_.w;
    if (phase.swinging >= 0 && m_[kLanded] == 0) Swing(phase, u, &task);
    BalanceBiped(task, &robot_, tick_);
  }

 private:
  // After the last phase it stands for ever.
  bool Over() const { return m_[kIndex] >= kPhaseCount; }
  WalkPhase Phase() const {
    if (Over()) return {1, -1, 1, 0};
    return At(kPhases, std::clamp(m_[kIndex], 0.0, kPhaseCount - 1.0));
  }
  Vec2 Target() const {
    const WalkPhase phase = Phase();
    return {m_[kCenter] + phase.steps * m_[kStep], m_[kCenter + 1] + phase.side * m_[kCenter + 2]};
  }

  void Begin() {
    const LeggedRobot::Foot &left = robot_.feet[0], &right = robot_.feet[1];
    const Vec3 middle = 0.5 * (left.center + right.center);
    m_[kHeight] = robot_.p.z() - middle.z();
    m_[kAnkle] = 0.5 * (left.p.x() + right.p.x());
    m_[kAnkle + 1] = left.p.y();
    m_[kAnkle + 2] = right.p.y();
    m_[kAnkle + 3] = 0.5 * (left.p.z() + right.p.z()) - middle.z();
    m_[kCenter] = middle.x();
    m_[kCenter + 1] = middle.y();
    m_[kCenter + 2] = 0.5 * std::abs(left.p.y() - right.p.y()) - kInside;
    m_[kStep] = tick_.drive.step_length;
    m_[kComBegin] = robot_.com.x();
    m_[kComBegin + 1] = robot_.com.y();
  }

  void ChangePhase() {
    if (Over()) return;
    const WalkPhase phase = Phase();
    const double late = tick_.time - m_[kPhaseBegin] - phase.length;
    if (late < -kOnTime) return;
    const bool waits = phase.swinging >= 0 && m_[kLanded] == 0;
    if (waits && late < kLongestWait - kOnTime) return;
    const Vec2 target = Target();
    m_[kComBegin] = target.x();
    m_[kComBegin + 1] = target.y();
    // what a late foot costs delays all that follows
    m_[kPhaseBegin] = phase.swinging >= 0 ? tick_.time : m_[kPhaseBegin] + phase.length;
    m_[kIndex] += 1;
    m_[kLanded] = m_[kLifted] = 0;
  }

  void Swing(const WalkPhase& phase, double u, BipedTask* task) {
    LeggedRobot::Foot& foot = At(robot_.feet, phase.swinging);
    if (m_[kLifted] == 0) {
      m_[kLifted] = 1;
      for (int i = 0; i < 3; ++i) m_[kFrom + i] = foot.p[i];
    }
    if (u > kEarliest && foot.touching >= 3) {
      m_[kLanded] = 1;
      return;
    }
    const Vec3 from(m_[kFrom], m_[kFrom + 1], m_[kFrom + 2]);
    const Vec3 to(m_[kAnkle] + m_[kStep], m_[kAnkle + 1 + phase.swinging], m_[kAnkle + 3] + kHover);
    const SmoothValue s = QuinticStep(u, phase.length), arch = Arch(u, phase.length);
    Vec3 x = from + (to - from) * s.x, v = (to - from) * s.v, a = (to - from) * s.a;
    const double lift = tick_.drive.step_lift;
    x.z() += lift * arch.x;
    v.z() += lift * arch.v;
    a.z() += lift * arch.a;
    if (u >= 1) {
      x.z() -= kLowering * (tick_.time - m_[kPhaseBegin] - phase.length);
      v.z() = -kLowering;
    }
    foot.acceleration = a + kSwingStiffness * (x - foot.p) + kSwingDamping * (v - foot.v);
    foot.angular = -kSwingStiffness * foot.turn - kSwingDamping * foot.w;
    task->swinging = phase.swinging;
  }

  const Tick& tick_;
  double* m_;
  LeggedRobot robot_;
};

}  // namespace

void TickWalk(const Tick& tick) { Walk(tick).Run(); }

}  // namespace slip
