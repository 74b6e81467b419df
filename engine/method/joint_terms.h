// What joints add to the equations of a step that hold at its end: motors and damping implicit in
// A, and potentials of one coordinate for limits, dry friction and motors of limited torque.
#pragma once

#include <span>
#include <vector>

#include "engine/method/coordinate_potential.h"
#include "engine/method/joint_motor.h"

namespace slip {

/// A tree's part of A v = momentum [kg m/s] or [kg m^2/s].
struct TreeEquation {
  double* A = nullptr;                   ///< by the rows of the pattern, or in full
  const TreePattern* pattern = nullptr;  ///< null = in full, nv x nv
  double* momentum = nullptr;            ///< nv
};

/// `actuation` holds forces of joints that do not change within the step [N] or [N m], of the whole
/// model; null = none. `regularization` is that of dry friction, relative to the inverse inertia
/// [-].
void AddJoints(const Model& model, const Tree& tree, const Config& config, const State& state,
               const VectorX* actuation, double regularization, const TreeEquation& equation,
               std::vector<CoordinatePotential>* potentials);

/// What joints did in a step that came to `end` [J].
struct JointWork {
  double motors = 0;         ///< done by motors on the links
  double damping_loss = 0;   ///< lost in the joints' damping
  double friction_loss = 0;  ///< lost in their dry friction
};
/// `impulses` are those of the potentials [N s] or [N m s].
JointWork CalcJointWork(const Model& model, const Config& config, const State& end,
                        const VectorX* actuation, std::span<const CoordinatePotential> potentials,
                        std::span<const double> impulses);

}  // namespace slip
