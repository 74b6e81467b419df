// Knobs that change between two steps, and what that changes of the state: booked from what the
// last step left, whatever came between. Knobs that are set back leave every bit as it was.
#pragma once

#include "engine/dynamics/state.h"
#include "engine/method/config.h"

namespace slip {

class KnobChanges {
 public:
  /// Some were changed behind the last step.
  bool begun() const { return begun_; }
  /// Before the first of them: the knobs and the state as the step left it, and the energy that
  /// these knobs count in its contacts [J].
  void Begin(const Config& config, const State& state, double elastic);
  /// The channel stands elsewhere, by a step or otherwise.
  void Forget() { begun_ = false; }

  /// Would a formulation of the step that led here make the next one?
  bool KeepsFormulation(const Config& config) const;
  /// The state as the step left it, its time going on by the time step of these knobs.
  void TakeBack(const Config& config, State* state) const;
  /// Books what these knobs change of the energy as work: a stiffer spring holds more. `elastic`:
  /// what they count in the same contacts [J].
  void Book(const Model& model, const Config& config, double elastic, State* state) const;

 private:
  bool begun_ = false;
  Config config_;
  double elastic_ = 0;  // by these knobs
  // of the state what changes with knobs
  double time_base_ = 0;
  int64_t step_base_ = 0;
  std::vector<ContactMemory> memory_;
  EnergyLedger energy_;
};

}  // namespace slip
