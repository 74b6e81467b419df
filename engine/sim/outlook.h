// What would come of a simulation's present state, computed without going there.
#pragma once

#include "engine/sim/simulation.h"

namespace slip {

struct ForcePrediction;
struct SolveTrace;

class Outlook {
 public:
  /// The simulation stays where it is; only its scratch memory is written.
  explicit Outlook(Simulation* simulation) : sim_(*simulation) {}

  /// The step from here once more with the search lines of its solver. False where the formulation
  /// has none.
  bool Trace(SolveRecord* record, SolveTrace* trace);
  /// Contact forces and their sums over feet from here on, over `span` [s] in so many equal
  /// intervals. False where the formulation foretells none.
  bool PredictForces(double span, int samples, ForcePrediction* out);

 private:
  Simulation& sim_;
};

}  // namespace slip
