// The convex step: the minimum of the primal cost of any contact model (ICF eq (2)), island by
// island with the fastest method for the model, or by plain Newton on the whole as published
// (engine/README.md section 8).
#pragma once

#include <memory>

#include "engine/convex/contact_problem.h"
#include "engine/core/worker_pool.h"
#include "engine/method/solve_trace.h"

namespace slip {

enum class SolveStatus {
  kConverged,
  kIterationLimit,       ///< the solution is the best iterate
  kNotFinite,            ///< the solution is void
  kInfeasible,           ///< a barrier law met an overlap; the solution is void
  kFactorizationFailed,  ///< an inertia is not positive definite; the solution is void
  kStopped               ///< SolverSettings::stop said so; the solution is void
};

/// Solver with its workspace: allocates only while tasks grow. What it keeps from one solve to
/// the next (orders, patterns) changes speed only, never a result.
class ConvexSolver {
 public:
  ConvexSolver();
  ~ConvexSolver();
  ConvexSolver(ConvexSolver&&) noexcept;
  ConvexSolver& operator=(ConvexSolver&&) noexcept;

  /// Solves the task, from its v0. With a trace also the search lines of the hardest island: slow,
  /// for looking at.
  SolveStatus Solve(const ContactTask& task, const SolverSettings& settings,
                    ContactSolution* solution, SolveTrace* trace = nullptr);
  SolveStatus Solve(ContactProblem* problem, SolveTrace* trace = nullptr) {
    return Solve(problem->task, problem->settings, &problem->solution, trace);
  }

  /// Threads that share the islands, null = the calling thread alone: the same bits.
  void SetWorkers(WorkerPool* workers);

  /// Islands whose factor would take more than this many block products per block of H are solved
  /// with conjugate gradients and an incomplete factor; 0 = all that have fill or a pair.
  void SetExpensiveFill(int products);

  /// Index of the contact that made the last solve infeasible or not finite, or one of the island
  /// that is farthest from its solution; -1 if none.
  int culprit() const;

  /// Exact Hessian at the last solution, dense, for tests.
  const MatrixX& hessian() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// What a model predicts of a contact under its load.
ContactPrediction Predict(const ModelChoice& model, const ContactStart& start,
                          const ContactLoad& load);
/// Elastic energy that it stores at signed distance phi [J].
double CalcElasticEnergy(const ModelChoice& model, const ContactStart& start, double phi);

}  // namespace slip
