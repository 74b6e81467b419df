// Everything that the future of a channel depends on. A plain value: copy it to go back in time.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/core/numbers.h"
#include "engine/core/types.h"
#include "engine/dynamics/contact_key.h"

namespace slip {

/// Running sums of one channel's energy balance [J]:
/// kinetic + potential + elastic = start value + drive_work - friction - damping - numerical.
struct EnergyLedger {
  double drive_work = 0;  ///< done by belts, controllers and the mouse spring
  double friction = 0;    ///< lost in slip
  double damping = 0;     ///< lost in the normal damper
  double numerical = 0;   ///< lost in (negative: created by) the time stepping itself
  double mechanical = 0;  ///< kinetic + potential + elastic - overlap after the last step
  double elastic = 0;     ///< stored by the laws of the contacts after the last step
  /// Of it what no load has put there: a step finds its contacts where they were at its start, and
  /// what turns or slides far within it overlaps at its end.
  double overlap = 0;
  double found = 0;  ///< what the last step's contacts stored where it found them

  bool operator==(const EnergyLedger&) const = default;
};

/// What a contact with an anchor keeps from step to step.
struct ContactMemory {
  ContactKey key = 0;
  Vec3 anchor_W = Vec3::Zero();  ///< [m]
  bool slips = false;
};

struct State {
  int64_t step = 0;
  double time_base = 0;  ///< time at step_base: where the present time step came into force
  int64_t step_base = 0;
  std::vector<Pose> X_WB;  ///< per body; unit quaternions; of links what q makes of them
  VectorX q;               ///< position coordinates of joints, Model::nq
  VectorX v;               ///< velocity coordinates, Model::nv
  VectorX control;         ///< what controllers remember, torques included
  std::vector<ContactKey>
      contacts;  ///< of the last step, ascending: they choose the next one's method
  std::vector<ContactMemory> memory;  ///< of contacts with anchors, ascending by key
  std::vector<double> warm_start;     ///< accelerations with which a foreign engine's solver begins
  double inner_step = 0;              ///< that controlled error wants next [s]; 0 = none yet
  EnergyLedger energy;

  const Pose& pose(int body) const { return At(X_WB, body); }
  Pose& pose(int body) { return At(X_WB, body); }

  /// Copies all but what a step computes anew: v, contacts and what is kept for the next
  /// one's, which is cleared.
  void TakeUnsolved(const State& start) {
    step = start.step;
    time_base = start.time_base;
    step_base = start.step_base;
    X_WB = start.X_WB;
    q = start.q;
    control = start.control;
    energy = start.energy;
    memory.clear();
    warm_start.clear();
  }

  /// Trades the members, which is less work than three moves.
  friend void swap(State& a, State& b) noexcept {
    // names all of them: a new one that is not here does not compile
    auto& [step_a, base_a, from_a, X_a, q_a, v_a, control_a, contacts_a, memory_a, warm_a, inner_a,
           energy_a] = a;
    auto& [step_b, base_b, from_b, X_b, q_b, v_b, control_b, contacts_b, memory_b, warm_b, inner_b,
           energy_b] = b;
    std::swap(step_a, step_b);
    std::swap(base_a, base_b);
    std::swap(from_a, from_b);
    X_a.swap(X_b);
    q_a.swap(q_b);
    v_a.swap(v_b);
    control_a.swap(control_b);
    contacts_a.swap(contacts_b);
    memory_a.swap(memory_b);
    warm_a.swap(warm_b);
    std::swap(inner_a, inner_b);
    std::swap(energy_a, energy_b);
  }

  /// Time comes from the step count, so it does not drift [s].
  double Time(double time_step) const {
    return time_base + static_cast<double>(step - step_base) * time_step;
  }
};

/// FNV-1a over every bit of the state.
uint64_t Hash(const State& state);
bool Equal(const State& a, const State& b);

}  // namespace slip
