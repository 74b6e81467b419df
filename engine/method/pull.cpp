#include "engine/method/pull.h"

#include "engine/dynamics/kinematics.h"
#include "engine/method/mouse_spring.h"

namespace slip {

Pull CalcPull(const Model& model, const Grab& grab, const State& state) {
  Pull pull;
  if (grab.body < 0 || grab.body >= static_cast<int>(model.bodies.size())) return pull;
  const auto b = static_cast<std::size_t>(grab.body);
  if (!model.bodies[b].Moves()) return pull;
  const Pose& X = state.X_WB[b];
  pull.body = grab.body;
  pull.twist = grab.twist;
  pull.p_W = X * grab.p_BP;
  pull.damping = grab.damping;
  pull.force = grab.stiffness * CalcGrabStretch(grab, X);
  const double magnitude = pull.force.norm();
  pull.capped = magnitude > grab.force_limit;
  if (pull.capped) {
    pull.force *= grab.force_limit / magnitude;
  } else {
    pull.stiffness = grab.stiffness;
  }
  return pull;
}

void CalcPullRow(const Motion& motion, const Pull& pull, int axis, double* row) {
  if (pull.twist) return motion.CalcTurnRow(pull.body, Vec3::Unit(axis), row);
  motion.CalcPointRow(pull.body, pull.p_W, Vec3::Unit(axis), row);
}

PullOutcome CalcImplicitPull(const StepInput& input, const State& end) {
  const Pull pull = CalcPull(input.model, input.config.grab, input.start);
  if (!pull.pulls()) return {};
  const double h = input.config.step.time_step;
  const Vec3 v =
      pull.CalcVelocity(input.start.pose(pull.body), CalcVelocity(input.model, end, pull.body));
  PullOutcome out{.force_W = pull.force};
  if (!pull.capped) out.force_W -= h * pull.stiffness * v;
  out.force_W -= pull.damping * v;
  out.work = h * out.force_W.dot(v);
  return out;
}

}  // namespace slip
