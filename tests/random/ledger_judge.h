// Energy of steps that are no single contact problem: those of springs with anchors, and those that
// controlled error makes of inner steps. Their ledger has it:
//     balance = kinetic + potential + stored energy - work of belts, motors and the mouse spring
// never rises beyond its start by more than 1e-6 of the energy turned over (start's kinetic and
// stored, fallen height, work) and of 1/2 M (g h)^2, or a person is told: the step is refused, or a
// note of the run is about it (tell/step_notes.h). What a step of a convex model holds at its end
// says little (judge.h): of these it counts at the start alone, and of them and of
// trees of links, whose forces are explicit, the share is 0.01.
//
// Forms that are there because they are published, and gained_energy = accept, make energy on
// purpose. Quasi-dynamic steps know no inertia, and so no such balance.
#pragma once

#include <cstdint>
#include <string>

#include "engine/sim/simulation.h"
#include "engine/tell/step_notes.h"

namespace slip {

/// The largest value of something, and when it was.
struct Worst {
  double value = 0;
  int64_t step = 0;
  void Take(double candidate, int64_t at) {
    if (candidate > value) *this = {candidate, at};
  }
};

struct LedgerVerdict {
  bool judged = false;    ///< by this balance
  bool expected = false;  ///< a gain, of these knobs
  Worst rise;             ///< of the balance above its start [J]
  Worst rise_ratio;       ///< over its tolerance: above 1 it must be told
  Worst climb;            ///< of the balance above the lowest it was before [J]
  Worst climb_share;      ///< of the energy turned over
  int64_t halved = 0, gained = 0, beyond = 0;  ///< steps, as the notes of the run have them
  std::string told;  ///< of energy: by the run's notes, or by a step's refusal

  bool broken() const { return judged && !expected && rise_ratio.value > 1 && told.empty(); }
};

/// Of the last step.
double SignalOf(const Simulation& sim, Signal signal);
double KineticAndPotential(const Simulation& sim);
/// With overlap that a step has left, which the laws hold all the same [J].
double StoredEnergy(const Simulation& sim);

/// Are the forms or knobs of this channel known to make energy?
bool ExpectsGains(const Config& config);

/// Watches a run from its start state on.
class LedgerJudge {
 public:
  LedgerJudge(const Simulation& sim, LedgerVerdict* verdict);
  /// After each step that advanced; whether it gave so little that it did no harm.
  bool Take(const Simulation& sim);
  /// After one that did not.
  void Fail(const Simulation& sim, StepStatus status);
  double turned() const { return turned_; }            ///< energy turned over so far [J]
  double turned_work() const { return turned_work_; }  ///< of it, by all that drives [J]

 private:
  double Balance(const Simulation& sim) const;

  LedgerVerdict* verdict_;
  bool has_floor_ = true;  // of the potential of contacts
  bool keeps_stored_ = true;
  bool is_exact_ = true;
  double mass_ = 0;
  double start_ = 0, lowest_ = 0, balance_ = 0;  // of the balance [J]
  double start_turned_ = 0, start_potential_ = 0, lowest_potential_ = 0;
  double work_ = 0, turned_work_ = 0, turned_ = 0, handled_ = 0;
  StepNotes notes_;
};

}  // namespace slip
