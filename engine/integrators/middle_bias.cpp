#include "engine/integrators/middle_bias.h"

#include "engine/core/numbers.h"
#include "engine/dynamics/rigid_dynamics.h"

namespace slip {

bool MiddleBias::Matters(const Model& model, const Tree& tree) {
  if (tree.articulated >= 0) return true;
  const Body& body = model.body(tree.first_body);
  for (int i = 0; i < body.nv; ++i) {
    if (body.dof[i] < 3) return true;
  }
  return false;
}

void MiddleBias::Take(const StepInput& input, const Tree& tree, bool touches, TreeMotion* motion) {
  if (!motion->positive()) return;
  const Model& model = input.model;
  const State& start = input.start;
  const double half = 0.5 * input.config.step.time_step;
  // sizes and what stands: once per model, and cheap beside a step
  state_.X_WB.resize(start.X_WB.size());
  state_.q.resize(start.q.size());
  state_.v.resize(start.v.size());
  for (int b = tree.first_body; b < tree.first_body + tree.bodies; ++b) {
    // what it hangs on may stand outside
    for (const int of : {b, model.body(b).joint.parent}) {
      if (of < 0) continue;
      state_.pose(of) = start.pose(of);
    }
  }
  state_.q.segment(tree.q_start, tree.nq) = start.q.segment(tree.q_start, tree.nq);
  auto v = state_.v.segment(tree.v_start, tree.nv);
  v = half * start.v.segment(tree.v_start, tree.nv);
  IntegratePositions(model, tree, 1, &state_);
  v = start.v.segment(tree.v_start, tree.nv);
  if (!touches) v += half * motion->free_acceleration();
  kinematics_.UpdateTree(model, tree, state_);
  TreeDynamics* links = tree.articulated >= 0 ? &At(kinematics_.trees, tree.articulated) : nullptr;
  way_.UpdateInertia(model, input.config, tree, links, state_, kinematics_.V_WB);
  motion->TakeFreeMotion(&way_);
}

}  // namespace slip
