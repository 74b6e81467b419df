// Steps of controlled error: a formulation's step of length H is made of inner steps whose lengths
// are chosen by their error, that of one step against two halves (step doubling; Hairer, Norsett,
// Wanner, Solving Ordinary Differential Equations I, II.4).
#pragma once

#include <memory>
#include <vector>

#include "engine/dynamics/kinematics.h"
#include "engine/method/step_sum.h"
#include "engine/method/wrapped.h"

namespace slip {

/// Runs another formulation. Its memory, the length that the controller wants next, is part of the
/// State: same input, same bits. The error is that of positions, in m and rad: velocities jump at
/// impacts whatever the step. What halves do not show, the formulation knows
/// (StepOutput::hidden_error).
class ErrorControlled : public Wrapped {
 public:
  using Wrapped::Wrapped;

  StepStatus Step(const StepInput& input, StepOutput* output) override;
  std::span<const ContactOutcome> Contacts(std::size_t first) override;

 private:
  /// A step of the formulation itself, and what it came to.
  struct Part {
    StepStatus status = StepStatus::kNotFinite;
    StepOutput output;
    std::vector<ContactOutcome> contacts;
  };
  StepStatus Try(const StepInput& input, const State& from, double time, double h, bool last,
                 Kinematics* kinematics, Part* part);
  /// Whether twice the halves less the whole is a step: the same contacts, all of them pushing,
  /// without anchors.
  bool MayExtrapolate() const;
  /// x₂ (+) (x₂ (-) x₁), of the second half's end and of the contacts, which have been accepted.
  void Extrapolate(const Model& model);

  Config config_;  // with the inner step's length
  Kinematics now_, halfway_;
  State from_, state_;
  VectorX difference_;  // halves (-) whole
  Part whole_, first_, second_;
  StepSum sum_;
};

}  // namespace slip
