// Poses and velocities of bodies from the coordinates of their joints.
#pragma once

#include <vector>

#include "engine/dynamics/model.h"
#include "engine/dynamics/state.h"
#include "engine/dynamics/tree_dynamics.h"

namespace slip {

/// Start positions and velocities of the model: poses, q and v.
void SetStart(const Model& model, State* state);

/// Poses of all links from q; bodies that keep their pose as position keep it.
void UpdatePoses(const Model& model, State* state);

/// Spatial velocity of every body at its own origin.
void CalcVelocities(const Model& model, const State& state, std::vector<Vec6>* V_WB);

/// That of one body; of a link by way of its ancestors.
Vec6 CalcVelocity(const Model& model, const State& state, int body);

/// What the velocities and poses of a state make of its bodies, once for all who ask.
struct Kinematics {
  std::vector<Vec6> V_WB;           ///< spatial velocities of the bodies at their own origins
  std::vector<TreeDynamics> trees;  ///< of the articulated ones; what they compute is scratch

  void Update(const Model& model, const State& state);
  /// That of one tree alone; the rest stays as it was.
  void UpdateTree(const Model& model, const Tree& tree, const State& state);
  /// tau += Jᵀ w: torque and force on a body at its own origin, in world axes, as forces on the
  /// velocity coordinates [N m], [N].
  void AddWrench(const Model& model, const State& state, int body, const Vec3& torque_W,
                 const Vec3& force_W, VectorX* tau);

  VectorX row;  ///< scratch
};

/// a (-) b, the velocity coordinates that lead from b to a in one second, and the largest of them
/// [m], [rad]; infinite where one is not finite.
double CalcDifference(const Model& model, const State& a, const State& b, VectorX* difference);

/// Positions := positions (+) h v, with the state's own velocities.
void IntegratePositions(const Model& model, double h, State* state);
/// Those of one tree alone.
void IntegratePositions(const Model& model, const Tree& tree, double h, State* state);

}  // namespace slip
