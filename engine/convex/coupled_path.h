// The path from the convex member at a bound s to the coupled law: friction is bounded by
// (1 - lambda) s + lambda n(v), from lambda = 0 to 1 (engine/README.md section 20). Lambda may fall
// on the way, which is a fold.
#pragma once

#include "engine/convex/coupled_newton.h"

namespace slip {

class CoupledPath {
 public:
  enum class End { kSolved, kLost, kStopped };

  void Reserve(int rows, int all_rows);
  /// Follows it from system->v(), the member's solution at the bounds s (one per contact), and
  /// leaves the coupled solution there. `folds` counts up.
  End Follow(CoupledSystem* coupled, const CoupledRun& run, const double* s, int* folds);

 private:
  /// Place on the path: the velocities of the island, scaled to unit inertia and to the size of the
  /// problem, and lambda behind them.
  using Place = VectorX;

  bool Look(const Place& x, IslandPoint* point);
  bool Factorize(const VectorX& border);
  bool FindTangent(const Place& at, const VectorX& border, bool positive, VectorX* tangent);
  /// Newton orthogonal to the border from a predicted place; how many iterations, -1 = lost.
  int Correct(const VectorX& border, double tolerance, Place* x);
  bool Advance(int* folds);

  CoupledSystem* c_ = nullptr;
  const CoupledRun* run_ = nullptr;
  const double* bounds_ = nullptr;
  int n_ = 0;
  double v_ref_ = 1;
  Place x_, next_;
  VectorX tangent_, turned_, border_, right_, by_lambda_;
  double ds_ = 0.3;
  DenseLu lu_;
};

}  // namespace slip
