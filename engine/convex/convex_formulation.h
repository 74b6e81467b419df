// The convex step behind the seam: contacts, problem, solution, new poses (engine/README.md
// section 9).
#pragma once

#include <memory>
#include <vector>

#include "engine/convex/convex.h"
#include "engine/convex/task_builder.h"
#include "engine/method/formulation.h"

namespace slip {

class ConvexFormulation : public Formulation {
 public:
  static void Report(const SolvedStep& step, StepReport* report);

  StepStatus Step(const StepInput& input, StepOutput* output) override;
  std::span<const ContactOutcome> Contacts(std::size_t first) override;
  void SetWorkers(WorkerPool* workers) override;
  State StartState(const Model& model, const Config& config) const override;
  double ElasticEnergy(const StepInput& input) const override;
  double ElasticEnergy(const StepInput& input, std::span<const StoredContact> left) const override;
  bool Trace(const StepInput& input, SolveRecord* record, SolveTrace* trace) const override;

  /// The problem of the last step, with its solution.
  const ContactProblem& problem() const { return problem_; }

 private:
  TaskBuilder builder_;
  ContactProblem problem_;
  ConvexSolver solver_;
  std::vector<ContactOutcome> block_;
  bool measure_distance_ = true;  // in the last step
};

/// The problem of the last step, with its solution; null where the formulation is another.
const ContactProblem* ProblemOf(const Formulation& formulation);

}  // namespace slip
