// One step of exponential integration of a tree and the points that it stands on: within the step
// the contacts are linear springs and dampers, whose motion is integrated exactly (Hammoud et al.,
// Exponential integration for efficient and accurate multi-body simulation with stiff viscoelastic
// contacts, sections III and IV).
#pragma once

#include <span>

#include "engine/integrators/tree_motion.h"
#include "engine/solver/matrix_exponential.h"

namespace slip {

/// What the linear system knows of a point that slips at the start of the step.
enum class SlipPrediction : int {
  kCone,   ///< friction follows the normal force, as long as the point keeps sliding
  kStick,  ///< it is taken as sticking, and its force clipped afterwards
  kAnchor  ///< likewise, with an anchor that moves along
};

struct ExponentialSettings {
  double h = 1e-3;                               ///< [s]
  int products = MatrixExponential::kAutomatic;  ///< of matrices, at most
  /// Relative error of the mean forces that the fewest products are taken for; 0 = as many as
  /// permitted.
  double tolerance = 0;
  SlipPrediction slip = SlipPrediction::kCone;
};

struct ExponentialOutcome {
  VectorX acceleration;      ///< mean over the step
  VectorX drift;             ///< mean of the mean: q+ = q (+) (h v + h²/2 drift)
  std::vector<Vec3> forces;  ///< on each point, mean over the step [N]
  ExponentialReport report;
  int clipped = 0;       ///< points whose mean force left the cone
  int guard_passes = 0;  ///< how often points left the prediction that they keep sliding
};

/// Memory is reused from step to step.
class ExponentialStep {
 public:
  /// False where the exponential is out of reach (MatrixExponential::Apply) or the inertia is not
  /// positive definite.
  bool Solve(TreeMotion* motion, std::span<const AnchoredTouch> touches,
             const ExponentialSettings& settings, ExponentialOutcome* out);

 private:
  void MakeSystem(std::span<const AnchoredTouch> touches, const ExponentialSettings& settings);
  bool Integrate(std::span<const AnchoredTouch> touches, const ExponentialSettings& settings);
  bool MayCollapse(std::span<const AnchoredTouch> touches);
  /// Force of a point at this stretch and velocity, by the prediction in use.
  Vec3 Predicted(std::size_t i, const BristleParams& params, const Vec3& stretch,
                 const Vec3& v) const;

  MatrixX J_, X_;     // X = M⁻¹ Jᵀ
  MatrixX delassus_;  // J M⁻¹ Jᵀ
  MatrixX augmented_, columns_;
  VectorX stretch_, speed_, pull_;  // p - anchor, ṗ, and their free acceleration
  std::vector<Mat3> C_;             // of each point's force: 1, or the cone's
  std::vector<char> slides_;
  std::vector<Vec3> direction_;
  VectorX l1_, l2_, end_speed_;
  MatrixX normal_;
  Eigen::EigenSolver<MatrixX> eigen_;
  MatrixExponential exponential_;
};

}  // namespace slip
