// The steps in which all forces but those of contacts stay as they are at the start: explicit
// Euler's and exponential integration's.
#include "engine/integrators/integrator_formulation.h"
#include "engine/integrators/integrator_params.h"

namespace slip {

PullOutcome IntegratorFormulation::CalcConstantPull(const StepInput& input, const TreeStep& step) {
  const TreeMotion& motion = *step.motion;
  const auto v = input.start.v.segment(step.tree->v_start, step.tree->nv);
  const double work = motion.CalcPullPower(v) + 0.5 * step.h * motion.CalcPullPower(step.drift);
  return {motion.pull_W(), step.h * work};
}

bool ExplicitEuler::Integrate(const StepInput& input, TreeStep* step, SolveRecord*) {
  TreeMotion& motion = *step->motion;
  if (!motion.positive()) return false;
  step->acceleration.setZero(motion.nv());
  J_.resize(3, motion.nv());
  for (const auto& [touch, anchor_W, slid_] : step->touches) {
    const Vec3 trial =
        CalcTrialForce(touch.params, touch.p_W - anchor_W, motion.CalcVelocity(touch));
    const Vec3 f_W = ProjectOnCone(touch.params.friction, touch.n_W, trial).f_W;
    step->forces.push_back({touch, f_W});
    motion.CalcRows(touch, J_);
    step->acceleration.noalias() += J_.transpose() * f_W;
  }
  motion.SolveInPlace(step->acceleration);
  step->acceleration += motion.free_acceleration();
  step->drift = step->acceleration;
  step->pull = CalcConstantPull(input, *step);
  return true;
}

ExponentialSettings Exponential::Settings(const StepParams& params) {
  const auto& own = params.part<ExponentialParams>();
  return {.h = params.time_step,
          .products = own.matrix_multiplications,
          .tolerance = own.product_tolerance,
          .slip = static_cast<SlipPrediction>(own.slip_prediction),
          .set = static_cast<SlipSet>(own.slip_set)};
}

bool Exponential::Integrate(const StepInput& input, TreeStep* step, SolveRecord* record) {
  ExponentialSettings settings = Settings(input.config.step);
  settings.h = step->h;
  settings.times = step->times;
  if (!step_.Solve(step->motion, step->touches, settings, &out_)) {
    step->beyond_digits = out_.report.norm > MatrixExponential::kLargestNorm;
    return false;
  }
  step->acceleration = out_.acceleration;
  step->drift = out_.drift;
  step->pull = CalcConstantPull(input, *step);
  for (std::size_t i = 0; i < step->touches.size(); ++i)
    step->forces.push_back({step->touches[i].touch, out_.forces[i]});
  const ExponentialOutcome& out = out_;
  record->iterations += out.guard_passes;
  AnchorSummary& summary = record->anchors;
  summary.clipped += out.clipped;
  summary.guard_passes += out.guard_passes;
  if (!(out.report.norm > summary.norm)) return true;
  summary.raw_norm = out.report.raw_norm;
  summary.norm = out.report.norm;
  summary.order = out.report.order;
  summary.squarings = out.report.squarings;
  summary.products = out.report.products;
  return true;
}

}  // namespace slip
