// Exact Coulomb friction of one island, in stages, cheapest first (engine/README.md section 20):
// Newton on the coupled equations, the fixed point of the bounds of friction with probes, the path
// from the convex member. Where none finds a solution, the step is one of the convex member, with
// what is wrong with it in newtons.
#pragma once

#include <array>

#include "engine/convex/coupled_path.h"
#include "engine/convex/one_contact.h"

namespace slip {

class IslandSolver;

/// What is known of an island's step.
struct CoulombOutcome {
  static constexpr int kNone = 4;  ///< as a stage: none found a solution
  /// Likewise, of an island that something drives: there may be none.
  static constexpr int kNoneDriven = 5;
  int stage = 0;  ///< 1 to 3, or one of these; 0 = nothing was coupled
  int index = 1;  ///< of the solution; 0 = not known
  int folds = 0;
  bool several = false;    ///< there are more solutions: a fold, or one of index -1, was seen
  bool round_off = false;  ///< above the tolerance, but at the last bits of the velocities
  double relative = 0;     ///< residual of the coupled equations
  double newtons = 0;      ///< the same: largest over the coordinates [N] or [N m]
  double mismatch = 0;     ///< where none was found: of the bounds of friction [N]
};

class CoulombSolver {
 public:
  static constexpr double kTolerance = 1e-8;  ///< of a certificate

  void Reserve(int contacts, int rows, int all_rows);
  /// Solves an island with contacts, from system->v(). Leaves velocities and the contacts' values
  /// there. `convex` solves the members.
  NewtonEnd Solve(const ContactTask& task, const Island& island, IslandSystem* system,
                  const SolverSettings& settings, IslandSolver* convex, IslandRecord* record,
                  IslandPoint* point, CoulombOutcome* outcome);

 private:
  enum class Found { kYes, kNo, kStopped, kFailed };

  CoupledRun RunOf(int iterations);
  void SetBounds();
  Found Accept(int stage, IslandPoint* point);
  Found AcceptBest(int stage, IslandPoint* point);
  Found StageOne(IslandPoint* point);
  Found SolveOne(IslandPoint* point);
  Found StageTwo(double stretch, IslandPoint* point);
  Found ProbeFrom(double* near, int outer, IslandPoint* point);
  void UpdateBounds(double stretch, bool first);
  void CalmDown(bool first);
  Found StageThree(IslandPoint* point);
  Found FallBack(IslandPoint* point);
  Found SolveMember(double tolerance);
  void CalcCertificate(const IslandPoint& point);
  bool HasBudget() const { return coupled_.factorizations < budget_; }

  const ContactTask* task_ = nullptr;
  const Island* island_ = nullptr;
  IslandSystem* system_ = nullptr;
  const SolverSettings* settings_ = nullptr;
  IslandSolver* convex_ = nullptr;
  IslandRecord* record_ = nullptr;
  CoulombOutcome* out_ = nullptr;
  double tolerance_ = kTolerance;
  int budget_ = 0;  // factorisations of all stages
  // Of the second fixed point: the largest weight, the smallest lack, outer steps since then.
  double largest_weight_ = 1, least_lack_ = 0;
  int idle_ = 0;

  CoupledSystem coupled_;
  CoupledPath path_;
  OneContact one_;
  CoupledBest best_;
  VectorX kept_, start_;  // start_: before the barrier, where there is one
  // of the island's contacts: Lagged's bounds, those at hand, what they lack, of before, weights
  std::vector<double> n0_, s_, lack_, lacked_, weight_;
};

}  // namespace slip
