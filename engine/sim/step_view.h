// What the signals of a channel are read from: a step as it was measured.
#pragma once

#include "engine/core/numbers.h"
#include "engine/method/step_io.h"
#include "engine/sim/snapshot.h"

namespace slip {

struct FootLoad;

/// Sums over the contacts of a step. Those that carry load have a normal force above zero.
struct ContactTotals {
  int contacts = 0, sticking = 0, slipping = 0, without_friction = 0;
  double normal = 0, friction = 0;  ///< sums of the magnitudes [N]
  double support = 0;               ///< vertical, of what is at rest or driven on all bodies [N]
  double penetration = 0;           ///< largest [m]
  double loaded_penetration = 0;    ///< sum of -phi over those that carry load [m]
  double loaded_overlap = 0;        ///< the same of those alone that overlap [m]
  double loaded_tolerance = 0;      ///< sum of their effective stiction tolerances [m/s]
  double largest_tolerance = 0;     ///< of these [m/s]
  /// Approach speed of the fastest that begin to carry load [m/s].
  double impact = kNaN;
  /// Periods of the contact of the fastest of them, in steps, and the share of its speed that its
  /// damping leaves of a free impact.
  double impact_steps = kNaN, impact_restitution = kNaN;
  double elastic = 0;             ///< stored [J]
  double elastic_at_start = 0;    ///< by the same contacts where the step found them [J]
  double unloaded = 0;            ///< of `elastic`, beyond what loads hold [J]
  double unloaded_overlap = 0;    ///< largest, beyond what the load presses [m]
  double near_rigid_overlap = 0;  ///< largest, beyond that of the stiffness asked for [m]
  ContactLosses losses = {};      ///< in the step
  double drive_work = 0;          ///< of driven surfaces, likewise [J]
  /// Largest share of the friction budget and largest torque about the normal [N m] of those that
  /// carry load and know such a thing; of octahedral ones a thousandth of the largest load.
  double largest_budget = kNaN, largest_torque = kNaN;
  /// Distance from Coulomb, its parts, and w-weighted squares of it and of the forces; NaN where it
  /// is not measured. The offset is the largest in size.
  double coulomb_distance = kNaN, coulomb_offset = kNaN, coulomb_lag = kNaN, cone_excess = kNaN;
  double dissipation_deficit = kNaN;  ///< sum [W]
  double weighted_distance = 0, weighted_force = 0;
  int beyond_cone = 0;  ///< contacts whose friction is more than their normal force allows
  double turn = 0;      ///< in the step, of a free body that carries load, the largest [rad]

  int loaded() const { return sticking + slipping; }
};

/// Null pointers stand for what is not known: before the first step there is no solution.
struct StepView {
  const Config& config;
  const State& state;                              ///< at the end, with its ledger
  double kinetic = 0, potential = 0, elastic = 0;  ///< at the end, without overlap [J]
  double momentum = kNaN;                          ///< linear, of all that moves [kg m/s]
  const BodyFrame* lead = nullptr;                 ///< the model's first body that moves
  Vec3 lead_x = Vec3::UnitX();                     ///< x axis of its own frame, in its body's
  const Pose* start = nullptr;                     ///< where it started
  int fallen = 0;                                  ///< bodies that lean by more than 45 degrees
  const ContactTotals* totals = nullptr;
  const ContactFrame* primary = nullptr;  ///< contact with the largest normal force
  const SolveRecord* solve = nullptr;
  const StageTimes* times = nullptr;
  const JointFrame* joint = nullptr;  ///< of the rows of a joint
  const FootLoad* foot = nullptr;     ///< of the rows of a foot
  const BodyFrame* body = nullptr;    ///< of the rows of a free body
};

/// Reads the whole table of signals.
void ReadSignals(const StepView& step, SignalValues* values);
/// Reads the kPartSignals rows of a part.
void ReadPart(SignalPart part, const StepView& step, double* values);

}  // namespace slip
