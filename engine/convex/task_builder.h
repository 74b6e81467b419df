// From bodies to numbers: the contact problem of one step (engine/README.md
// section 9, items 1-2).
#pragma once

#include <span>
#include <vector>

#include "engine/convex/contact_problem.h"
#include "engine/convex/convex_params.h"
#include "engine/convex/inverse_inertia.h"
#include "engine/convex/turning.h"
#include "engine/core/numbers.h"
#include "engine/dynamics/motion.h"
#include "engine/method/contact_finder.h"
#include "engine/method/step_io.h"

namespace slip {

/// What the models need of a contact material, for this step.
ContactStart MakeContactStart(double h, const ConvexParams& params, const Material& material);

/// The contact model and its parameters.
ModelChoice ChooseModel(const StepParams& params);

/// How the solver is to work.
SolverSettings ChooseSettings(const StepParams& params, bool estimate_condition);

/// Makes tasks; keeps its memory from step to step and allocates only while the number of contacts
/// grows. What it keeps changes no result.
class TaskBuilder {
 public:
  /// Threads that share the search for contacts, null = the calling thread alone: the same task.
  void SetWorkers(WorkerPool* workers) { finder_.SetWorkers(workers); }

  /// `times` may be null. False when ThreadStop said so: contacts may be missing.
  bool Build(const StepInput& input, ContactTask* task, StageTimes* times = nullptr);

  /// Velocities at the end of the step that the last task is of, from its solution.
  void CalcEndVelocities(const ContactTask& task, const ContactSolution& solution, VectorX* v) {
    *v = solution.v;
    turning_.Finish(task, solution, inverse_, v);
  }

  /// Of the last task's contacts, in their order.
  const std::vector<ContactGeometry>& geometry() const { return geometry_; }

 private:
  /// Trees and their A = M.
  void AddInertia(const Model& model, const State& state, std::span<TreeDynamics> links,
                  ContactTask* task);
  /// Momentum = M v0 + h τ with gravity and the gyroscopic moment explicit, the latter of free
  /// bodies at the mean velocity (turning.h).
  void CalcFreeMomentum(const CommonParams& params, const State& state, ContactTask* task);
  /// The mouse spring in A and the momentum.
  void AddPull(const Model& model, const Config& config, const State& state, ContactTask* task);
  /// v* with A v* = momentum.
  void SolveFreeMotion(const Model& model, const Config& config, ContactTask* task);
  /// A contact of the task for each of geometry_. False when ThreadStop said so.
  bool AddContacts(const Model& model, const Config& config, const State& state, ContactTask* task);

  void AddSpinRow(const Model& model, const ContactGeometry& geometry,
                  const ContactTask::Contact& contact, ContactTask* task);

  const Motion& MotionOf(const Body& body) const { return At(motions_, body.tree); }

  std::vector<Motion> motions_;  // of every tree, in the step at hand
  // scratch of a tree: a full matrix, a row
  MatrixX factor_;
  VectorX row_;
  ContactFinder finder_;
  std::vector<ContactGeometry> geometry_;
  InverseInertia inverse_;
  TurningStep turning_;
};

}  // namespace slip
