// One step of exponential integration of a tree and the points that it stands on: within the step
// the contacts are linear springs and dampers, whose motion is integrated exactly (Hammoud et al.,
// Exponential integration for efficient and accurate multi-body simulation with stiff viscoelastic
// contacts, sections III and IV).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/integrators/tree_motion.h"
#include "engine/solver/matrix_exponential.h"

namespace slip {

struct StageTimes;

/// What the linear system knows of a point that slips at the start of the step.
enum class SlipPrediction : int {
  kCone,   ///< friction follows the normal force, as long as the point keeps sliding
  kStick,  ///< it is taken as sticking, and its force clipped afterwards
  kAnchor  ///< likewise, with an anchor that moves along
};

/// Who slides or is open in a step.
enum class SlipSet : int {
  kConsistent,  ///< solved again until what each point is taken for agrees with its force
  kPublished    ///< as they begin; forces are cut to their cones afterwards
};

struct ExponentialSettings {
  double h = 1e-3;                               ///< [s]
  int products = MatrixExponential::kAutomatic;  ///< of matrices, at most
  /// Relative error of the mean forces that the fewest products are taken for; 0 = as many as
  /// permitted.
  double tolerance = 0;
  SlipPrediction slip = SlipPrediction::kCone;
  SlipSet set = SlipSet::kConsistent;
  StageTimes* times = nullptr;  ///< gets those of the solve; null = they are not asked for
};

struct ExponentialOutcome {
  VectorX acceleration;      ///< mean over the step
  VectorX drift;             ///< mean of the mean: q+ = q (+) (h v + h²/2 drift)
  std::vector<Vec3> forces;  ///< on each point, mean over the step [N]
  ExponentialReport report;
  int clipped = 0;       ///< points whose mean force left the cone
  int guard_passes = 0;  ///< how often it was solved again with other points sliding or open
};

/// Memory is reused from step to step: one system for each number of points that there was.
class ExponentialStep {
 public:
  ExponentialStep();
  ~ExponentialStep();

  /// False where the exponential is out of reach (MatrixExponential::Apply) or the inertia is not
  /// positive definite.
  bool Solve(TreeMotion* motion, std::span<const AnchoredTouch> touches,
             const ExponentialSettings& settings, ExponentialOutcome* out);

  /// Forces of the step's linear system at 0, span / samples, ..., span [s], each within its cone:
  /// three rows per point, a column per time [N]. All that the step freezes stays frozen, points
  /// that slide under the prediction keep sliding. At full accuracy, for at least one point.
  bool Predict(TreeMotion* motion, std::span<const AnchoredTouch> touches,
               const ExponentialSettings& settings, double span, int samples, MatrixX* forces);

 private:
  class System;
  System* Reserve(std::size_t points);
  std::vector<std::unique_ptr<System>> systems_;  // by their points
};

}  // namespace slip
