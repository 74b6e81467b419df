// What joints add to the task of a step: motors and damping implicit in A, and potentials of one
// coordinate for limits, dry friction and motors of limited torque.
#pragma once

#include "engine/convex/contact_problem.h"
#include "engine/dynamics/model.h"
#include "engine/dynamics/state.h"
#include "engine/method/config.h"
#include "engine/method/joint_motor.h"

namespace slip {

/// `momentum` is A v* so far [kg m/s] or [kg m^2/s]; `actuation` holds forces of joints that do not
/// change within the step [N] or [N m], null = none.
void AddJoints(const Model& model, const Config& config, const State& state,
               const VectorX* actuation, VectorX* momentum, ContactTask* task);

/// What joints did in a step that came to `end` [J].
struct JointWork {
  double motors = 0;         ///< done by motors on the links
  double damping_loss = 0;   ///< lost in the joints' damping
  double friction_loss = 0;  ///< lost in their dry friction
};
JointWork CalcJointWork(const Model& model, const Config& config, const State& end,
                        const VectorX* actuation, const ContactTask& task,
                        const ContactSolution& solution);

}  // namespace slip
