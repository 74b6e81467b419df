// Newton's method on one island: plain with the exact Hessian, or with the primal-dual Hessian of
// the friction norm (Chan, Golub, Mulet 1999; "CGM"). Both have the exact gradient.
#pragma once

#include <climits>

#include "engine/convex/island.h"
#include "engine/core/numbers.h"
#include "engine/method/solve_record.h"
#include "engine/method/solve_trace.h"

namespace slip {

/// How one island was solved.
struct IslandRecord {
  int iterations = 0, interior_point_iterations = 0, line_search_iterations = 0;
  bool converged = false, helped = false;
  int recorded = 0;
  std::array<IterationRecord, kMaxRecordedIterations> history;
  std::vector<SearchLine> lines;  ///< only with NewtonOptions::trace

  void Clear() {
    iterations = interior_point_iterations = line_search_iterations = recorded = 0,
    converged = helped = false;
    lines.clear();
  }
  IterationRecord* Append() {
    return recorded < kMaxRecordedIterations ? &At(history, recorded++) : nullptr;
  }
};

/// An iterate's cost and balance.
struct IslandPoint : MomentumBalance {
  double cost = 0;  ///< l [J]
  bool finite = true;
};

struct NewtonOptions {
  bool dual = true;               ///< CGM Hessian and loose search, else exact ones
  bool leave_when_slow = false;   ///< give up after two short steps: another method waits
  bool leave_when_stuck = false;  ///< give up after three steps of next to no length
  int hopeless_after = INT_MAX;   ///< give up where the residual is nearly all after so many
  double hopeless = 0.99;         ///< that residual, relative
  int iterations = 100;           ///< at most this many more
  bool trace = false;             ///< records the search lines: many evaluations each
};

enum class NewtonEnd {
  kConverged,
  kLimit,  ///< out of iterations
  kLeft,   ///< leave_when_slow, leave_when_stuck or hopeless_after; or no lower cost along -H^-1
           ///< grad
  kNotFinite,
  kFactorizationFailed,  ///< the inertia is not positive definite
  kStopped               ///< SolverSettings::stop
};

/// Values, impulses and Hessians of the contacts at their velocities.
void EvaluateContacts(IslandSystem* system, const Island& island, bool dual);

/// What follows from the contacts' values: the balance of momentum, and the cost.
IslandPoint GatherPoint(IslandSystem* system, const Island& island);

/// What the last bit of the contact velocities does to the residual: stiff contacts that slip fast
/// and carry little can get no nearer.
double CalcRoundOff(IslandSystem* system, const Island& island);

/// Iterates from system->v(), whose contact velocities are up to date. Leaves *point at the result.
NewtonEnd RunNewton(IslandSystem* system, const Island& island, const SolverSettings& settings,
                    const NewtonOptions& options, IslandRecord* record, IslandPoint* point);

}  // namespace slip
