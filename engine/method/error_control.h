// Steps of controlled error: a formulation's step of length H is made of inner steps whose lengths
// are chosen by their error, that of one step against two halves (step doubling; Hairer, Norsett,
// Wanner, Solving Ordinary Differential Equations I, II.4).
#pragma once

#include <memory>
#include <vector>

#include "engine/core/numbers.h"
#include "engine/dynamics/kinematics.h"
#include "engine/method/step_sum.h"
#include "engine/method/wrapped.h"

namespace slip {

/// Runs another formulation. Its memory, the length that the controller wants next, is part of the
/// State: same input, same bits. The error is that of positions, in m and rad: velocities jump at
/// impacts whatever the step. What halves do not show, the formulation knows
/// (StepOutput::shared_error).
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
  /// An inner step, as a whole and as two halves.
  struct Trial {
    double h = 0;
    bool last = false;      // ends the time step
    bool at_floor = false;  // not to be shortened
    /// Longest stable step of the points that touch as it begins; infinite where there is none, or
    /// where no inner step would be short enough, so that the accuracy alone decides.
    double stable = kInfinity;
    double error = kInfinity;      // of positions; infinite where a part did not converge
    const Part* failed = nullptr;  // the part that ends the time step; null = none

    bool unstable() const { return h > stable && !at_floor; }
  };
  /// The length that the controller wants, and whether the one after it may be longer.
  struct Wish {
    double length = 0;
    bool grows = true;
  };
  struct Decision {
    bool accepted = false;
    double scaled_error = 0;  // of an accepted one: at most 1, but at the floor
    Wish next;
  };
  /// What the inner steps of a time step have come to.
  struct Tally {
    int accepted = 0, rejected = 0, solves = 0, at_floor = 0, pieces = 0;
    double smallest = 0, last_length = 0, last_error = 0;
    bool converged = true;
    EnergyGain gain = {};
    double made = 0;  ///< by all of them [J]
  };

  StepStatus Try(const StepInput& input, const State& from, double time, double h, bool last,
                 Kinematics* kinematics, Part* part);
  /// The inner step of the wished length, `t` after the start.
  Trial TryInner(const StepInput& input, double t, const State& from);
  void TryHalves(const StepInput& input, double time, Trial* trial);
  Decision Decide(const StepParams& params, const Trial& trial) const;
  /// Goes on to the halves' end.
  void Accept(const StepInput& input, const Trial& trial, double scaled_error, State* end);
  void Finish(const StepInput& input, StepOutput* output);
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
  Tally tally_;
  Wish wish_;
};

}  // namespace slip
