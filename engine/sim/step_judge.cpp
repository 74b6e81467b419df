#include "engine/sim/step_judge.h"

#include <fmt/format.h>

#include <cmath>

#include "engine/core/numbers.h"
#include "engine/sim/energy_gain.h"

namespace slip {
namespace {

/// That the formulation takes: under controlled error the last inner one's [s].
double LengthOfSteps(const JudgedStep& step) {
  const StepParams& params = step.config.step;
  return params.error_control != 0 ? step.output.solve.inner_step : params.time_step;
}

/// Whether the step makes energy from nothing; methods without a balance have no gain.
bool Gains(const JudgedStep& step) {
  // whoever accepts lost steps knows that
  const bool lost = step.output.solve.worst_residual > kLostResidual;
  return step.after.solve.gain.share > kGainOfOthers && !lost &&
         step.config.step.gained_energy == 0;
}

}  // namespace

double StepJudge::LimitOf(const JudgedStep& step) const {
  return Info(step.config.method()).stable_step == nullptr ? kNaN : ask_limit_();
}

// Whether the step is garbage of an explicit method: beyond its limit, motion comes from nothing,
// the more the longer it goes on. What springs hold at the end of so long a step says little and is
// not counted.
bool StepJudge::CreatesEnergy(const JudgedStep& step) const {
  if (Info(step.config.method()).stable_step == nullptr) return false;
  const double created = CalcCreated(step.before, step.after);
  if (!(created > kRunawayGain * MovingMass(step.model))) return false;
  const double length = LengthOfSteps(step);
  return length > LimitOf(step);
}

StepVerdict StepJudge::Judge(const JudgedStep& step) const {
  if (!std::isfinite(step.after.state.energy.mechanical)) return {StepStatus::kNotFinite};
  const int body = FirstRunaway(step.V_WB);
  if (body >= 0 || CreatesEnergy(step)) return {StepStatus::kRunaway, body};
  if (Gains(step)) return {StepStatus::kGain};
  return {};
}

void StepJudge::Refuse(StepVerdict verdict, const JudgedStep& step, bool out_of_control) {
  const MethodInfo& method = Info(step.config.method());
  exceeded_step_ = LimitOf(step);
  // what flies now was thrown by steps before
  if (std::isnan(exceeded_step_) && method.stable_step != nullptr) exceeded_step_ = last_limit_;
  if (!(LengthOfSteps(step) > exceeded_step_)) exceeded_step_ = kNaN;
  failed_ = verdict.status;
  words_ = ExplainFailure(verdict.status, verdict.body, step.model, step.config, step.output,
                          exceeded_step_);
  if (verdict.status == StepStatus::kUnable && out_of_control) {
    words_.cause += "; the robot was out of control before";
    words_.advice = "reset, and try a smaller time step or softer gains";
  }
  const double h = step.config.step.time_step;
  const State& start = step.before.state;
  failure_ =
      fmt::format("Step {} at t = {:.6g} s ({}, time step {:.3g} s) failed in {}; {}.",
                  start.step + 1, start.Time(h), method.label, h, words_.cause, words_.advice);
}

void StepJudge::Accept(const SolveRecord& solve) {
  if (!std::isnan(solve.stable_step)) last_limit_ = solve.stable_step;
  ForgetFailure();
}

void StepJudge::Begin(const SolveRecord& solve) {
  last_limit_ = solve.stable_step;
  ForgetFailure();
}

void StepJudge::ForgetFailure() {
  failure_.clear();
  words_ = {};
  exceeded_step_ = kNaN;
  failed_ = StepStatus::kConverged;
}

}  // namespace slip
