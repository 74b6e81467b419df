#include "engine/method/error_control.h"

#include <algorithm>
#include <cmath>

namespace slip {
namespace {

constexpr double kSafety = 0.9, kLeastFactor = 0.2, kMostFactor = 5;
// The least share of a time step's accuracy. At an impact e is in proportion to h: no inner step
// would be short enough for its own share.
constexpr double kLeastShare = 1e-4;
// Halves are at most this share of an explicit method's longest stable step. Longer ones make
// points at rest shake, by less than the accuracy of positions shows, until they throw the robot.
constexpr double kStableShare = 0.9;

double FloorOf(const StepParams& params) { return std::min(params.min_step, params.time_step); }

}  // namespace

StepStatus ErrorControlled::Try(const StepInput& input, const State& from, double time, double h,
                                bool last, Kinematics* kinematics, Part* part) {
  config_.step.time_step = h;
  // the formulation reads the time of its own steps
  state_ = from;
  state_.time_base = time;
  state_.step_base = state_.step;
  const StepInput of_part{.model = input.model,
                          .config = config_,
                          .start = state_,
                          .V_WB = kinematics->V_WB,
                          .trees = kinematics->trees,
                          .actuation = input.actuation,
                          .measure_condition = input.measure_condition && last,
                          .measure_distance = input.measure_distance,
                          .time_stages = false,
                          .stop = input.stop};
  ++tally_.solves;
  part->status = inner_->Step(of_part, &part->output);
  if (!Advanced(part->status)) return part->status;
  part->contacts.clear();
  for (auto block = inner_->Contacts(0); !block.empty();
       block = inner_->Contacts(part->contacts.size())) {
    part->contacts.insert(part->contacts.end(), block.begin(), block.end());
  }
  return part->status;
}

bool ErrorControlled::MayExtrapolate() const {
  if (!whole_.output.end.memory.empty() || !second_.output.end.memory.empty()) return false;
  const std::size_t count = whole_.contacts.size();
  if (first_.contacts.size() != count || second_.contacts.size() != count) return false;
  for (std::size_t i = 0; i < count; ++i) {
    const ContactOutcome &whole = whole_.contacts[i], &first = first_.contacts[i],
                         &second = second_.contacts[i];
    if (first.key != whole.key || second.key != whole.key) return false;
    if (!(first.f_C.z() + second.f_C.z() >= whole.f_C.z())) return false;
  }
  return true;
}

void ErrorControlled::Extrapolate(const Model& model) {
  State& end = second_.output.end;
  state_.v = 2 * end.v - whole_.output.end.v;
  std::swap(end.v, difference_);
  IntegratePositions(model, 1, &end);
  std::swap(end.v, difference_);
  std::swap(end.v, state_.v);
  auto at = sum_.contacts().begin();
  for (const ContactOutcome& whole : whole_.contacts) {
    while (at->key < whole.key) ++at;
    ContactOutcome& c = *at;  // as the second half left it
    const Vec3 v_W = 2 * c.ToWorld(c.v_C) - whole.ToWorld(whole.v_C);
    c.v_C = Vec3(c.t1_W.dot(v_W), c.t2_W.dot(v_W), c.n_W.dot(v_W));
    c.vt = c.v_C.head<2>().norm();
    c.phi = 2 * c.phi - whole.phi;
    c.elastic_energy = 2 * c.elastic_energy - whole.elastic_energy;
    c.damping_force = 2 * c.damping_force - whole.damping_force;
  }
}

ErrorControlled::Trial ErrorControlled::TryInner(const StepInput& input, double t,
                                                 const State& from) {
  const StepParams& params = input.config.step;
  const double outer = params.time_step, time = input.start.Time(outer) + t;
  Trial trial;
  // a piece of less than a thousandth is not left over
  trial.last = wish_.length >= (1 - 1e-3) * (outer - t);
  trial.h = trial.last ? outer - t : wish_.length;
  trial.at_floor = trial.h <= FloorOf(params);
  from_ = from;
  now_.Update(input.model, from_);
  const bool has_limit = Info(input.config.method()).stable_step != nullptr;
  const StepStatus status = Try(input, from_, time, trial.h, has_limit, &now_, &whole_);
  const double longest = 2 * whole_.output.solve.stable_step;
  if (has_limit && longest >= FloorOf(params)) trial.stable = longest;
  if (trial.unstable()) return trial;
  if (status == StepStatus::kStopped || status == StepStatus::kUnable) {
    trial.failed = &whole_;
  } else if (status == StepStatus::kConverged || trial.at_floor) {
    TryHalves(input, time, &trial);
  }
  return trial;
}

void ErrorControlled::TryHalves(const StepInput& input, double time, Trial* trial) {
  const double half = trial->h / 2;
  const Part* failed = nullptr;
  if (!Advanced(Try(input, from_, time, half, false, &now_, &first_))) {
    failed = &first_;
  } else {
    halfway_.Update(input.model, first_.output.end);
    const State& middle = first_.output.end;
    if (!Advanced(Try(input, middle, time + half, half, trial->last, &halfway_, &second_)))
      failed = &second_;
  }
  if (failed != nullptr) {
    if (trial->at_floor) trial->failed = failed;  // no shorter step is left to try
    return;
  }
  for (const Part* part : {&whole_, &first_, &second_})
    if (part->status != StepStatus::kConverged) return;
  trial->error =
      std::max({CalcDifference(input.model, second_.output.end, whole_.output.end, &difference_),
                first_.output.shared_error, second_.output.shared_error});
}

ErrorControlled::Decision ErrorControlled::Decide(const StepParams& params,
                                                  const Trial& trial) const {
  const double outer = params.time_step, floor = FloorOf(params), h = trial.h;
  const double stable = kStableShare * trial.stable;
  if (trial.unstable()) return {.next = {std::max(stable, floor), wish_.grows}};
  // e goes as h², the share of an inner step as h
  const bool shares = params.accuracy_of != 0 && h > kLeastShare * outer;
  const double share = params.accuracy_of == 0 ? 1 : std::max(h / outer, kLeastShare);
  const double scaled = trial.error / (share * params.accuracy);
  double factor = scaled > 0 ? kSafety / (shares ? scaled : std::sqrt(scaled)) : kMostFactor;
  factor = std::clamp(factor, kLeastFactor, wish_.grows ? kMostFactor : 1.0);
  if (scaled > 1 && !trial.at_floor) return {.next = {std::max(factor * h, floor), false}};
  // a length that was cut to end here is not what the controller wanted
  const double next = std::max(std::fmin(factor * h, stable), floor);
  const bool cut = trial.last && h < wish_.length;
  return {.accepted = true,
          .scaled_error = scaled,
          .next = {std::min(cut ? std::max(wish_.length, next) : next, outer), true}};
}

void ErrorControlled::Accept(const StepInput& input, const Trial& trial, double scaled_error,
                             State* end) {
  const StepParams& params = input.config.step;
  const double outer = params.time_step, h = trial.h;
  ++tally_.accepted;
  tally_.at_floor += scaled_error > 1;
  tally_.converged &= scaled_error <= 1;
  tally_.smallest = std::min(tally_.smallest, h);
  tally_.last_length = h;
  tally_.last_error = scaled_error;
  for (const Part* half : {&first_, &second_}) {
    const SolveSummary& of_half = half->output.solve;
    if (of_half.gain.share > tally_.gain.share) tally_.gain = of_half.gain;
    tally_.made += of_half.gain.energy;
    tally_.pieces += of_half.anchors.pieces;
  }
  const bool extrapolates =
      params.local_extrapolation != 0 && trial.error < kInfinity && MayExtrapolate();
  const double weight = extrapolates ? 2 : 1;
  if (extrapolates) sum_.Add(whole_.output, whole_.contacts, -1, h, outer);
  sum_.Add(first_.output, first_.contacts, weight, h / 2, outer);
  sum_.Add(second_.output, second_.contacts, weight, h / 2, outer);
  if (extrapolates) Extrapolate(input.model);
  std::swap(*end, second_.output.end);
}

// Takes over the last half's record, with the sums over all inner steps.
void ErrorControlled::Finish(const StepInput& input, StepOutput* output) {
  output->end.inner_step = wish_.length;
  output->solve = second_.output.solve;
  SolveSummary& solve = output->solve;
  solve.converged = tally_.converged;
  solve.gain = tally_.gain;
  solve.gain.energy = tally_.made;
  solve.anchors.pieces = tally_.pieces;
  solve.inner_steps = tally_.accepted;
  solve.rejected_steps = tally_.rejected;
  solve.solves = tally_.solves;
  solve.floor_steps = tally_.at_floor;
  solve.smallest_inner_step = tally_.smallest;
  solve.inner_step = tally_.last_length;
  solve.inner_error = tally_.last_error;
  output->unseen_penetration = second_.output.unseen_penetration;
  output->last_loads.clear();
  for (const ContactOutcome& c : second_.contacts) output->last_loads.push_back({c.key, c.f_C.z()});
  sum_.Finish(input.start, output);
}

StepStatus ErrorControlled::Step(const StepInput& input, StepOutput* output) {
  const StepParams& params = input.config.step;
  const double outer = params.time_step, kept = input.start.inner_step;
  config_ = input.config;
  sum_.Clear();
  tally_ = {.smallest = outer, .last_length = outer};
  wish_ = {kept > 0 ? std::min(kept, outer) : outer};
  output->end = input.start;
  output->reason = {};
  output->culprit_body = -1;

  for (double t = 0; t < outer;) {
    if (IsStopped(input.stop)) return StepStatus::kStopped;
    if (tally_.accepted + tally_.rejected >= params.max_inner) return StepStatus::kInnerLimit;
    const Trial trial = TryInner(input, t, output->end);
    if (trial.failed != nullptr) {
      const StepOutput& of = trial.failed->output;
      output->reason = of.reason;
      output->culprit_body = of.culprit_body;
      // a method that is unable says so before it solves
      if (trial.failed != &whole_) output->solve = of.solve;
      return trial.failed->status;
    }
    const Decision decision = Decide(params, trial);
    wish_ = decision.next;
    if (!decision.accepted) {
      ++tally_.rejected;
      continue;
    }
    Accept(input, trial, decision.scaled_error, &output->end);
    t = trial.last ? outer : t + trial.h;
  }
  Finish(input, output);
  return tally_.converged ? StepStatus::kConverged : StepStatus::kIterationLimit;
}

std::span<const ContactOutcome> ErrorControlled::Contacts(std::size_t first) {
  return std::span<const ContactOutcome>(sum_.contacts()).subspan(first);
}

}  // namespace slip
