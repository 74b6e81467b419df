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
constexpr double kInfinity = std::numeric_limits<double>::infinity();

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
                          .time_stages = false,
                          .stop = input.stop};
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

StepStatus ErrorControlled::Step(const StepInput& input, StepOutput* output) {
  const StepParams& params = input.config.step;
  const double outer = params.time_step, start_time = input.start.Time(outer);
  const double floor = std::min(params.min_step, outer);
  config_ = input.config;
  sum_.Clear();
  int accepted = 0, rejected = 0, solves = 0, at_floor = 0;
  double smallest = outer, last_length = outer, ratio = 0;
  double wish = input.start.inner_step > 0 ? std::min(input.start.inner_step, outer) : outer;
  bool grows = true, converged = true;
  EnergyGain gain;
  double made = 0;
  int pieces = 0;
  const bool has_limit = Info(input.config.method()).stable_step != nullptr;
  State& end = output->end;
  end = input.start;
  output->reason = {};
  output->culprit_body = -1;

  for (double t = 0; t < outer;) {
    if (IsStopped(input.stop)) return StepStatus::kStopped;
    if (accepted + rejected >= params.max_inner) return StepStatus::kInnerLimit;
    // a piece of less than a thousandth is not left over
    const bool last = wish >= (1 - 1e-3) * (outer - t);
    const double h = last ? outer - t : wish;
    const double time = start_time + t;
    from_ = end;
    now_.Update(input.model, from_);
    double error = kInfinity;
    StepStatus status = Try(input, from_, time, h, has_limit, &now_, &whole_);
    ++solves;
    // of the points that touch as it begins; infinite where there is none, or where no inner step
    // would be short enough, so that the accuracy alone decides
    const double longest = 2 * whole_.output.solve.anchors.stable_step;
    const double stable = has_limit && longest >= floor ? longest : kInfinity;
    if (h > stable && h > floor) {
      ++rejected;
      wish = std::max(kStableShare * stable, floor);
      continue;
    }
    if (status == StepStatus::kStopped) return status;
    if (status == StepStatus::kUnable) {
      output->reason = whole_.output.reason;
      output->culprit_body = whole_.output.culprit_body;
      return status;
    }
    const bool good = status == StepStatus::kConverged;
    if (good || h <= floor) {
      status = Try(input, from_, time, h / 2, false, &now_, &first_);
      ++solves;
      if (Advanced(status)) {
        const StepStatus before = status;
        halfway_.Update(input.model, first_.output.end);
        status = Try(input, first_.output.end, time + h / 2, h / 2, last, &halfway_, &second_);
        ++solves;
        if (Advanced(status)) {
          const bool all =
              good && before == StepStatus::kConverged && status == StepStatus::kConverged;
          if (all) {
            error = std::max(
                {CalcDifference(input.model, second_.output.end, whole_.output.end, &difference_),
                 first_.output.hidden_error, second_.output.hidden_error});
          }
          converged &= all || h > floor;
        }
      }
      if (h <= floor && !Advanced(status)) {
        output->culprit_body = (first_.status == status ? first_ : second_).output.culprit_body;
        output->solve = (first_.status == status ? first_ : second_).output.solve;
        output->reason = (first_.status == status ? first_ : second_).output.reason;
        return status;
      }
    }
    // e goes as h², the share of an inner step as h
    const bool shares = params.accuracy_of != 0 && h > kLeastShare * outer;
    const double share = params.accuracy_of == 0 ? 1 : std::max(h / outer, kLeastShare);
    const double scaled = error / (share * params.accuracy);
    double factor = scaled > 0 ? kSafety / (shares ? scaled : std::sqrt(scaled)) : kMostFactor;
    factor = std::clamp(factor, kLeastFactor, grows ? kMostFactor : 1.0);
    if (scaled > 1 && h > floor) {
      ++rejected;
      grows = false;
      wish = std::max(factor * h, floor);
      continue;
    }
    at_floor += scaled > 1;
    converged &= scaled <= 1;
    grows = true;
    ++accepted;
    for (const Part* half : {&first_, &second_}) {
      const SolveSummary& of_half = half->output.solve;
      if (of_half.gain.share > gain.share) gain = of_half.gain;
      made += of_half.gain.energy;
      pieces += of_half.anchors.pieces;
    }
    if (params.local_extrapolation != 0 && error < kInfinity && MayExtrapolate()) {
      sum_.Add(whole_.output, whole_.contacts, -1, h, outer);
      sum_.Add(first_.output, first_.contacts, 2, h / 2, outer);
      sum_.Add(second_.output, second_.contacts, 2, h / 2, outer);
      Extrapolate(input.model);
    } else {
      sum_.Add(first_.output, first_.contacts, 1, h / 2, outer);
      sum_.Add(second_.output, second_.contacts, 1, h / 2, outer);
    }
    std::swap(end, second_.output.end);
    smallest = std::min(smallest, h);
    last_length = h;
    ratio = scaled;
    // a length that was cut to end here is not what the controller wanted
    const double next = std::max(std::fmin(factor * h, kStableShare * stable), floor);
    wish = std::min(last && h < wish ? std::max(wish, next) : next, outer);
    t = last ? outer : t + h;
  }

  end.inner_step = wish;
  output->solve = second_.output.solve;
  SolveSummary& solve = output->solve;
  solve.converged = converged;
  solve.gain = gain;
  solve.gain.energy = made;
  solve.anchors.pieces = pieces;
  solve.inner_steps = accepted;
  solve.rejected_steps = rejected;
  solve.solves = solves;
  solve.floor_steps = at_floor;
  solve.smallest_inner_step = smallest;
  solve.inner_step = last_length;
  solve.inner_error = ratio;
  output->unseen_penetration = second_.output.unseen_penetration;
  output->last_loads.clear();
  for (const ContactOutcome& c : second_.contacts) output->last_loads.push_back({c.key, c.f_C.z()});
  sum_.Finish(input.start, output);
  return converged ? StepStatus::kConverged : StepStatus::kIterationLimit;
}

std::span<const ContactOutcome> ErrorControlled::Contacts(std::size_t first) {
  return std::span<const ContactOutcome>(sum_.contacts()).subspan(first);
}

}  // namespace slip
