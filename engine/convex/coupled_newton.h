// Newton's method on the coupled equations of an island: by the slip directions of Chan, Golub and
// Mulet and a line search on the work F . dv, or exact and full for what is near.
#pragma once

#include "engine/convex/coupled_system.h"

namespace slip {

enum class CoupledEnd {
  kConverged,
  kLeft,  ///< a cycle, out of iterations or of budget, or no direction
  kStopped
};

/// The best iterate that was seen, by its relative residual.
struct CoupledBest {
  VectorX v, start;  ///< with the rows of the whole system; scratch likewise
  double relative = kInfinity;
};

struct CoupledRun {
  double tolerance = 1e-8;
  int iterations = 25;
  int budget = 100;  ///< of CoupledSystem::factorizations
  const StopPoll* stop = nullptr;
  IslandRecord* record = nullptr;
  CoupledBest* best = nullptr;
};

/// Whether the iterate solves the equations to this tolerance.
bool IsSolved(const IslandPoint& point, double tolerance);

/// Stage 1, from system.v() and the contacts' slip directions.
CoupledEnd RunCoupledNewton(CoupledSystem* coupled, const CoupledRun& run, IslandPoint* point);

/// Exact and full steps while the residual halves, at most `run.iterations`.
CoupledEnd Probe(CoupledSystem* coupled, const CoupledRun& run, IslandPoint* point);

}  // namespace slip
