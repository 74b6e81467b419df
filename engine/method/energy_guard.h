// Steps that would make energy from nothing (EnergyGain), or have no solution, are made again in
// halves, or not at all.
#pragma once

#include <vector>

#include "engine/dynamics/kinematics.h"
#include "engine/method/step_sum.h"
#include "engine/method/wrapped.h"

namespace slip {

/// Runs a formulation whose contacts have anchors. A linear law that swings through its anchor
/// within a step, or is left on the way, makes energy that shorter steps do not. They are part of
/// the step: same input, same bits, and the step says how many there were. A method that is
/// unstable at this step is not helped on its way: it is refused.
class EnergyGuarded : public Wrapped {
 public:
  using Wrapped::Wrapped;

  StepStatus Step(const StepInput& input, StepOutput* output) override;
  std::span<const ContactOutcome> Contacts(std::size_t first) override;

 private:
  StepStatus StepInPieces(const StepInput& input, StepOutput* output);
  /// Takes the memory that pieces need, before any is made: few runs ever make one, and late.
  void Reserve(const StepInput& input);
  StepStatus TryPiece(const StepInput& input, double time, double h);

  const Model* reserved_for_ = nullptr;
  Config config_;  // with the piece's length
  Kinematics kinematics_;
  State from_, state_;
  StepOutput piece_;
  std::vector<ContactOutcome> contacts_;  // of the piece
  StepSum sum_;
  bool in_pieces_ = false;  // the last step was
};

}  // namespace slip
