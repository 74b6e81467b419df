// Acceleration of one tree, its contact forces included, at states that a step tries on its way.
#pragma once

#include <span>
#include <vector>

#include "engine/integrators/tree_motion.h"
#include "engine/method/step_io.h"

namespace slip {

/// A touching point of a state on the way.
struct TrialContact {
  AnchoredTouch at;
  bool old = false;             ///< it touched at the start too
  Vec3 trial_W = Vec3::Zero();  ///< force before the projection [N]
  BristleForce force;           ///< `weight` included
  Vec3 whole_W = Vec3::Zero();  ///< without it [N]
  double weight = 1;            ///< below 1 in the ramp of a point that has just come
  double weight_rate = 0;       ///< derivative of the weight by signed distance [1/m]
};

/// Memory is reused from step to step.
class TrialDynamics {
 public:
  /// The step to come: once before its trees.
  void Begin(const StepInput& input, const MaterialPairs& materials);
  /// One tree and what it touches at the start, ascending by key.
  ///
  /// A damper's force sets in with a jump at the surface. An implicit step that ends there needs a
  /// part of it: with `ramps` it grows over the last thousandth of a new point's way (Filippov's
  /// solution, made thick).
  void Start(const Tree& tree, std::span<const AnchoredTouch> touches, bool ramps = false);
  /// The tree `elapsed` [s] after the start, displaced by `displacement` along its velocity
  /// coordinates, at velocities v. A point that has come on the way has its anchor where it is.
  /// False when the state is not finite or the inertia not positive definite.
  bool Evaluate(const VectorX& displacement, const VectorX& v, double elapsed);

  /// Of the state evaluated last.
  const VectorX& acceleration() const { return acceleration_; }
  const std::vector<TrialContact>& contacts() const { return contacts_; }
  TreeMotion& motion() { return motion_; }

  /// Derivatives of M a - u - Jᵀ λ there, a = acceleration(), by displacements and velocities.
  void Linearize(MatrixX* by_position, MatrixX* by_velocity);

 private:
  const StepInput* input_ = nullptr;
  const MaterialPairs* materials_ = nullptr;
  const Tree* tree_ = nullptr;
  std::span<const AnchoredTouch> touches_;
  bool ramps_ = false;
  State state_;
  Kinematics kinematics_;
  TreeMotion motion_;
  std::vector<Touch> found_;
  std::vector<TrialContact> contacts_;
  MatrixX J_, weighted_, rates_;
  VectorX acceleration_;
};

}  // namespace slip
