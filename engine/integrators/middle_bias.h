// Free motion through a step: inertia, Coriolis forces and gravity on its way, where they are of
// second order, instead of at its start.
#pragma once

#include "engine/integrators/tree_motion.h"
#include "engine/method/step_io.h"

namespace slip {

/// Where a step takes them.
enum class BiasForm : int { kMidpoint, kFirstOrder };

/// Memory is reused from tree to tree.
class MiddleBias {
 public:
  /// Whether they change at all on the way of this tree.
  static bool Matters(const Model& model, const Tree& tree);

  /// `motion`, at the start, has the free acceleration of the middle from now on. A tree that
  /// touches is taken to keep its velocity: the force of the start is stiff, and says nothing of
  /// half a step.
  void Take(const StepInput& input, const Tree& tree, bool touches, TreeMotion* motion);

 private:
  State state_;
  Kinematics kinematics_;
  TreeMotion way_;
};

}  // namespace slip
