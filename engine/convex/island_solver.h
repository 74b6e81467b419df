// One thread's side of a convex step: islands one by one, each with the method for its model.
#pragma once

#include "engine/convex/cone_interior_point.h"
#include "engine/convex/convex.h"
#include "engine/convex/coulomb_solver.h"
#include "engine/convex/newton.h"

namespace slip {

/// What the solution of one island came to.
struct IslandResult {
  /// kConverged, unless there is no solution; then the rest is void.
  SolveStatus failure = SolveStatus::kConverged;
  int culprit = -1;  ///< contact of the problem that failed it, or the first of the unconverged
  double cost = 0;   ///< [J]
  double residual = 0, momentum = 0, impulse = 0;  ///< of its IslandPoint
  int iterations = 0;
  double relative = 0;  ///< residual relative to the island's own momentum
  bool converged = true;
  bool helped = false;     ///< a factorisation needed help
  bool fell_back = false;  ///< came to plain Newton
  bool exact = true;       ///< its contacts hold the exact Hessians of the solution
  CoulombOutcome coulomb;  ///< of a law without a potential
};

/// Islands share no memory of the system, so several of these may work on it at the same time.
class IslandSolver {
 public:
  struct Options {
    bool plain = false;  ///< the plain method, as published
    bool trace = false;  ///< records search lines
  };

  /// Room for islands of so many contacts and scalars, so that Solve need not ask for it.
  void Reserve(int contacts, int scalars) { interior_point_.Reserve(contacts, scalars); }
  void ReserveCoupled(int contacts, int rows, int all_rows) {
    coulomb_.Reserve(contacts, rows, all_rows);
  }

  /// Forgets the hardest island.
  void Begin() { hardest_ = -1; }
  /// Solves an island that has contacts; leaves system->v() and the impulses there. `index` is its
  /// place in the order of islands; `best` has the system's rows, and only the island's are used.
  IslandResult Solve(const ContactTask& task, const SolverSettings& settings, const Island& island,
                     int index, const Options& options, IslandSystem* system, VectorX* best);

  /// The convex member at the bounds of friction at hand, from system->v(), while Solve is at work.
  NewtonEnd SolveMember(const ContactTask& task, const Island& island, double tolerance,
                        int* iterations);

  /// Of the islands since Begin, the first one in order of those with the most iterations; -1 if
  /// there was none. `other` decides likewise between two solvers.
  int hardest() const { return hardest_; }
  const IslandRecord& hardest_record() const { return records_[at_]; }
  bool HarderThan(const IslandSolver& other) const;

 private:
  bool FeasibleStart(const Island& island, int* culprit);
  void StartDuals(const ContactTask& task, const Island& island, bool warm);
  bool IsWarm(const ContactTask& task, const Island& island) const;
  bool IsMoving(const Island& island) const;
  NewtonEnd SolvePlain(const Island& island, IslandPoint* point);
  NewtonEnd SolveInterior(const Island& island, double gap_factor, double best_cost,
                          IslandPoint* point);
  NewtonEnd SolveAuto(const ContactTask& task, const Island& island, IslandPoint* point,
                      IslandResult* result);
  NewtonEnd SolveBy(const ContactTask& task, const Island& island, const Options& options,
                    IslandPoint* point, IslandResult* result);
  int FindCulprit(const Island& island) const;

  // of the solve at hand
  const SolverSettings* settings_ = nullptr;
  IslandSystem* system_ = nullptr;
  VectorX* best_ = nullptr;
  IslandRecord* record_ = nullptr;
  bool trace_ = false;

  ConeInteriorPoint interior_point_;
  CoulombSolver coulomb_;
  SolverSettings tight_, member_settings_;  // of a law without a potential, and of its members
  IslandRecord member_record_;
  IslandRecord records_[2];  // the hardest so far, and the one at work
  int at_ = 0;               // the hardest one's
  int hardest_ = -1;         // its island
};

}  // namespace slip
