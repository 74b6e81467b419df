// What a recipe is given at a tick: the robot, its state, what it remembers and where its forces
// go.
#pragma once

#include "engine/control/robot_map.h"
#include "engine/core/numbers.h"
#include "engine/dynamics/state.h"
#include "engine/dynamics/tree_dynamics.h"
#include "engine/method/config.h"

namespace slip {

/// A tick may be early by so much [s].
inline constexpr double kOnTime = 1e-9;

/// Memory of one robot that is reused from tick to tick; nothing in it outlives a tick.
struct RobotScratch {
  VectorX acceleration, tau;  ///< of the tree's coordinates
  MatrixX mass_matrix;
  std::array<Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::RowMajor>, 4> rows;
};

struct Tick {
  const Model& model;
  const Robot& robot;
  const State& state;
  const RobotMap& map;
  const RobotDrive& drive;
  Vec3 gravity_W;
  double time;    ///< since the controller began [s]
  double length;  ///< until the next tick [s]
  bool first;     ///< `memory` is zero
  /// Home frame H: upright, below the base's place and along its heading when the controller began;
  /// the height of point feet on the ground is zero in it.
  Pose X_WH;
  const double* loads;     ///< normal forces of the last step, per contact point [N]
  double* memory;          ///< of the recipe
  TreeDynamics* dynamics;  ///< of the tree in this state
  RobotScratch* scratch;

  const Tree& tree() const { return At(model.trees, map.tree); }
};

}  // namespace slip
