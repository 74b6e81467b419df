// What several steps of a formulation, one after another, come to as one.
#pragma once

#include <span>
#include <vector>

#include "engine/method/step_io.h"

namespace slip {

/// Memory is reused from step to step.
class StepSum {
 public:
  /// Room for so many contacts.
  void Reserve(std::size_t contacts);
  void Clear();
  /// `weight` of the part's work and forces; `h` is its length, `outer` that of the whole [s].
  void Add(const StepOutput& part, std::span<const ContactOutcome> contacts, double weight,
           double h, double outer);
  /// Forces become their means, and all that was added stands in the output, whose end is that of
  /// the last part but for its place in the step of this length from `start` on.
  void Finish(const State& start, StepOutput* output);

  /// Ascending by key, as the last part that has them left them; their forces are the means once it
  /// is finished.
  std::vector<ContactOutcome>& contacts() { return contacts_; }

 private:
  void AddContacts(std::span<const ContactOutcome> contacts, double weight, double share);

  ContactLosses losses_;
  double motor_work_ = 0;
  PullOutcome pull_;
  double joint_damping_loss_ = 0, joint_friction_loss_ = 0;
  std::vector<ContactOutcome> contacts_, merged_;
  std::vector<Vec3> forces_, merged_forces_;  // theirs, mean over the whole [N]
};

}  // namespace slip
