#include "engine/sim/simulation.h"
#include "engine/sim/applied_forces.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/contact/knobs.h"
#include "engine/control/controllers.h"
#include "engine/core/stopwatch.h"
#include "engine/dynamics/kinematics.h"
#include "engine/method/energy_guard.h"
#include "engine/method/error_control.h"
#include "engine/method/formulation.h"
#include "engine/sim/energy_gain.h"
#include "engine/sim/failure_words.h"
#include "engine/sim/foot_load.h"
#include "engine/sim/measure.h"
#include "engine/sim/part_signals.h"
#include "engine/sim/step_view.h"

namespace slip {
namespace {

// Stages of short steps are timed now and then: the clocks would cost a tenth of the step.
constexpr int kStagePeriod = 64;
constexpr double kLongStepUs = 50;

}  // namespace

struct Simulation::Impl {
  std::shared_ptr<const Model> model;
  Config config;
  // two records that trade places, so that a finished step is not copied
  StepRecord records[2];
  int current = 0;
  std::unique_ptr<Formulation> formulation;
  Controllers controllers;
  VectorX control, actuation;    // of the step under way
  std::vector<KeyedLoad> loads;  // scratch
  VectorX held;                  // scratch, as are joints
  StepOutput output;
  std::vector<StoredContact> stored;
  std::vector<LeftContact> left;                   // scratch, likewise
  mutable Config braked;                           // InForce
  mutable Kinematics kinematics;                   // of now().state; its scratch is a step's
  bool parts_read = false, momentum_read = false;  // signals of now().state that are asked for
  std::vector<JointFrame> joints;
  WorkerPool* workers = nullptr;
  StopPoll stop;
  bool measure_condition = true, controls_error = false;
  std::unique_ptr<Formulation> (*chosen)() = nullptr;
  std::string failure;  // a sentence, and two parts of it; empty when fine
  FailureWords words;
  StepStatus failed = StepStatus::kConverged;
  double last_limit = kUnknown;     // of the last step that touched [s]
  double exceeded_step = kUnknown;  // longest stable one, where the failed step was longer [s]

  explicit Impl(std::shared_ptr<const Model> of) : model(std::move(of)), controllers(*model) {}

  StepRecord& now() { return records[current]; }
  const StepRecord& now() const { return records[current]; }
  StepRecord& next() { return records[1 - current]; }

  // Longest stable step of the points that touch as the step under way begins [s]; NaN if none is
  // known, as of methods that are stable at any step.
  double StableStepNow() {
    if (Info(config.method()).stable_step == nullptr) return kUnknown;
    if (std::isnan(output.solve.anchors.stable_step) && !measure_condition) {
      StepInput input = Actuate();
      input.measure_condition = true;
      formulation->Step(input, &output);
    }
    return output.solve.anchors.stable_step;
  }

  // That the formulation takes: under controlled error the last inner one's [s].
  double LengthOfSteps() const {
    return controls_error ? output.solve.inner_step : config.step.time_step;
  }

  // Whether the step to next() is garbage of an explicit method: beyond its limit, motion comes
  // from nothing, the more the longer it goes on. What springs hold at the end of so long a step
  // says little and is not counted. Kinematics are those of next(), and stay.
  bool CreatesEnergy() {
    if (Info(config.method()).stable_step == nullptr) return false;
    const double created = CalcCreated(now(), next());
    if (!(created > kRunawayGain * MovingMass(*model))) return false;
    kinematics.Update(*model, now().state);
    const bool beyond = LengthOfSteps() > StableStepNow();
    kinematics.Update(*model, next().state);
    return beyond;
  }

  // Whether the step to next() makes energy from nothing, for methods whose steps are not held to
  // their balance before.
  bool Gains() {
    const MethodInfo& method = Info(config.method());
    if (method.family == Family::kAnchored || (method.knobs & knob::kBalance) == 0) return false;
    next().solve.gain = output.solve.gain = CalcGain(*model, config.step, now(), next());
    // whoever accepts lost steps knows that
    const bool lost = output.solve.worst_residual > kLostResidual;
    return output.solve.gain.share > kGainOfOthers && !lost && config.step.gained_energy == 0;
  }

  // What is said of a step that did not happen.
  void Explain(StepStatus status, int body) {
    exceeded_step = StableStepNow();
    // what flies now was thrown by steps before
    if (std::isnan(exceeded_step) && Info(config.method()).stable_step != nullptr)
      exceeded_step = last_limit;
    if (!(LengthOfSteps() > exceeded_step)) exceeded_step = kUnknown;
    failed = status;
    words = ExplainFailure(status, body, *model, config, output, exceeded_step);
    if (status == StepStatus::kUnable && controllers.AnyGivenUp(now().state.control)) {
      words.cause += "; the robot was out of control before";
      words.advice = "reset, and try a smaller time step or softer gains";
    }
    failure =
        fmt::format("Step {} at t = {:.6g} s ({}, time step {:.3g} s) failed in {}; {}.",
                    now().state.step + 1, now().state.Time(config.step.time_step),
                    Info(config.method()).label, config.step.time_step, words.cause, words.advice);
  }

  void ClearFailure() {
    failure.clear();
    words = {};
    exceeded_step = kUnknown;
    failed = StepStatus::kConverged;
  }

  void GetJoints(const State& state, VectorX* forces, std::vector<JointFrame>* frames) const {
    frames->clear();
    if (model->articulated == 0) return;
    controllers.GetHeldForces(*model, state.control, forces);
    const Config& in_force = InForce(state.control, state.Time(config.step.time_step));
    for (std::size_t b = 0; b < model->bodies.size(); ++b) {
      const Body& body = model->bodies[b];
      if (body.nv != 1 || body.nq != 1) continue;
      const MotorLoad load =
          formulation->LoadOfMotor(body, in_force, state, (*forces)[body.v_start]);
      const double target =
          load.has_target ? in_force.joints[static_cast<std::size_t>(body.drive)].target : kUnknown;
      frames->push_back({.body = static_cast<int>(b),
                         .position = state.q[body.q_start],
                         .rate = state.v[body.v_start],
                         .force = load.force,
                         .limit = load.limit,
                         .target = target});
    }
  }

  // Signals, and those of the parts, when someone asks for them: most steps nobody does.
  const SignalValues& ReadSignals() {
    if (!momentum_read && now().measured) MeasureMomentum(*model, config, &kinematics, &now());
    momentum_read = true;
    return now().signals;
  }
  void ReadParts() {
    if (ReadSignals(); parts_read || !HasParts(*model)) return;
    parts_read = true;
    StepRecord* record = &now();
    GetJoints(record->state, &held, &joints);
    ReadPartSignals(*model, {config, record->state}, joints, record->contacts, record->measured,
                    &record->part_signals);
  }

  // At the distances of the last step, which the ledger counts in; before the first one as found.
  double ElasticEnergy() {
    if (!now().measured) return formulation->ElasticEnergy(Input(config));
    stored.clear();
    for (const ContactFrame& c : now().contacts)
      stored.push_back({c.surface, c.body_a, c.body, c.signed_distance, c.w});
    return formulation->ElasticEnergy(*model, config, stored);
  }
  // The knobs, with the targets that motors have at a time [s], and with the brakes of robots whose
  // controllers have given up.
  const Config& InForce(const VectorX& of_control, double time) const {
    const bool given_up = controllers.AnyGivenUp(of_control);
    if (!model->paths && !given_up) return config;
    braked = config;
    if (model->paths) FollowPaths(*model, time, &braked);
    if (given_up) controllers.Brake(*model, of_control, &braked);
    return braked;
  }
  // Of the step to come.
  double EndTime() const {
    const double h = config.step.time_step;
    return now().state.Time(h) + h;
  }
  StepInput Input(const Config& in_force) const {
    return {.model = *model,
            .config = in_force,
            .start = now().state,
            .V_WB = kinematics.V_WB,
            .trees = kinematics.trees,
            .measure_condition = measure_condition,
            .stop = &stop};
  }

  // After any change of now().state but a step.
  void UpdateKinematics() {
    kinematics.Update(*model, now().state);
    parts_read = momentum_read = false;
  }

  // The same, when controllers have given the joints of robots their forces for this step.
  StepInput Actuate() {
    if (model->robots.empty() && model->pushes.empty()) return Input(config);
    if (model->robots.empty()) {
      actuation.setZero(model->nv);
    } else {
      controllers.Update(*model, config, now().state, kinematics.trees, &control, &actuation);
    }
    CompensateWeight(*model, config, now().state, &kinematics, &actuation);
    AddPushes(*model, config, now().state, EndTime(), &kinematics, &actuation);
    StepInput input = Input(InForce(control, EndTime()));
    input.actuation = &actuation;
    return input;
  }

  // Another formulation goes on from the step that led here.
  void TakeOver() {
    if (!now().measured) return;
    left.clear();
    for (const ContactFrame& c : now().contacts) {
      left.push_back({c.key, c.fn * c.n_W + c.ft_W, c.vn * c.n_W + c.vt_W});
    }
    formulation->TakeOver(*model, config, left, &now().state);
  }

  // Steps are computed by the formulation of the config's method. True when it is another one now.
  bool ChooseFormulation() {
    const auto make = Info(config.method()).make_formulation;
    const bool controls = config.step.error_control != 0;
    if (formulation != nullptr && make == chosen && controls == controls_error) return false;
    output.times = {};  // those of stages that the new one may not have
    output.losses = {};
    output.reason = {};
    output.unseen_penetration = 0;
    formulation = make();
    if (Info(config.method()).family == Family::kAnchored)
      formulation = std::make_unique<EnergyGuarded>(std::move(formulation));
    if (controls) formulation = std::make_unique<ErrorControlled>(std::move(formulation));
    controls_error = controls;
    formulation->SetWorkers(workers);
    chosen = make;
    return true;
  }

  StepStatus Fail(StepStatus status, int body) {
    Explain(status, body);
    return status;
  }
};

Simulation::Simulation(std::shared_ptr<const Model> model, const Config& config)
    : impl_(std::make_unique<Impl>(std::move(model))) {
  impl_->config = config;
  impl_->ChooseFormulation();
  Reset();
}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

StepStatus Simulation::Step() {
  Stopwatch whole;
  Impl& s = *impl_;
  if (IsStopped(&s.stop)) return StepStatus::kStopped;
  StepInput input = s.Actuate();
  input.time_stages = state().step % kStagePeriod == 0 || StepTimeUs() > kLongStepUs;
  const StepStatus status = s.formulation->Step(input, &s.output);
  if (status == StepStatus::kStopped) return status;
  if (!Advanced(status)) return s.Fail(status, s.output.culprit_body);

  // in the spare record: a step that ends badly leaves no trace
  std::swap(s.next().state, s.output.end);
  Stopwatch part(input.time_stages);
  Measure(*s.model, input.config, s.formulation.get(), s.output, s.now(), &s.next(), &s.kinematics);
  if (!s.model->robots.empty()) {
    s.loads.clear();
    for (const ContactFrame& c : s.next().contacts) s.loads.push_back({c.key, c.fn});
    s.controllers.NoteLoads(*s.model, s.controls_error ? s.output.last_loads : s.loads, &s.control);
    s.next().state.control = s.control;
  }
  if (!std::isfinite(s.next().state.energy.mechanical)) {
    s.UpdateKinematics();
    return s.Fail(StepStatus::kNotFinite, -1);
  }
  const int body = FirstRunaway(s.kinematics.V_WB);
  const bool created = body < 0 && s.CreatesEnergy();
  const bool gains = body < 0 && !created && s.Gains();
  // what was asked for to judge the step may have been given up
  const bool stopped = IsStopped(&s.stop);
  if (stopped || body >= 0 || created || gains) {
    s.UpdateKinematics();
    if (stopped) return StepStatus::kStopped;
    return s.Fail(gains ? StepStatus::kGain : StepStatus::kRunaway, body);
  }
  const auto at = [&s](Signal id) -> double& {
    return s.next().signals[static_cast<std::size_t>(id)];
  };
  part.Lap(&s.output.times.measure_us);
  at(Signal::kMeasureTimeUs) = s.output.times.measure_us;
  at(Signal::kStepTimeUs) = whole.Lap();
  if (input.time_stages) s.output.times.step_us = at(Signal::kStepTimeUs);
  at(Signal::kTimedStepUs) = s.output.times.step_us;
  s.last_limit = std::isnan(s.next().solve.anchors.stable_step)
                     ? s.last_limit
                     : s.next().solve.anchors.stable_step;
  s.current = 1 - s.current;
  s.parts_read = s.momentum_read = false;
  s.ClearFailure();
  return status;
}

void Simulation::Reset() {
  impl_->last_limit = kUnknown;
  impl_->now().measured = false;
  impl_->now().state = impl_->formulation->StartState(*impl_->model, impl_->config);
  impl_->UpdateKinematics();
  MeasureStart(*impl_->model, impl_->config, impl_->kinematics.V_WB, impl_->ElasticEnergy(),
               &impl_->now());
  impl_->ClearFailure();
}

void Simulation::Restore(const StepRecord& record, const Config& config) {
  impl_->now() = record;
  impl_->last_limit = record.solve.anchors.stable_step;
  impl_->UpdateKinematics();
  impl_->parts_read = impl_->momentum_read = true;
  impl_->config = config;
  impl_->ChooseFormulation();
  impl_->ClearFailure();
}

void Simulation::SetState(const State& state) {
  impl_->now().state = state;
  impl_->now().measured = false;
  impl_->now().state.contacts.clear();
  impl_->UpdateKinematics();
  MeasureStart(*impl_->model, impl_->config, impl_->kinematics.V_WB, impl_->ElasticEnergy(),
               &impl_->now());
  impl_->ClearFailure();
}

void Simulation::SetConfig(const Config& config) {
  impl_->ReadParts();  // by the knobs that made the step
  State& state = impl_->now().state;
  if (config.step.time_step != impl_->config.step.time_step) {
    state.time_base = state.Time(impl_->config.step.time_step);
    state.step_base = state.step;
  }
  if (config.materials != impl_->config.materials) impl_->last_limit = kUnknown;
  impl_->config = config;
  if (impl_->ChooseFormulation()) {
    impl_->last_limit = kUnknown;
    impl_->TakeOver();
  }
  BookKnobs(*impl_->model, config, impl_->kinematics.V_WB, impl_->ElasticEnergy(), &state);
}

void Simulation::SetMeasureCondition(bool on) { impl_->measure_condition = on; }
void Simulation::SetStop(StopPoll stop) { impl_->stop = std::move(stop); }

void Simulation::SetWorkers(WorkerPool* workers) {
  impl_->workers = workers;
  impl_->formulation->SetWorkers(workers);
}
void Simulation::ClearFailure() { impl_->ClearFailure(); }

const Model& Simulation::model() const { return *impl_->model; }
const Config& Simulation::config() const { return impl_->config; }
const StepRecord& Simulation::now() const {
  impl_->ReadParts();
  return impl_->now();
}
const State& Simulation::state() const { return impl_->now().state; }
const SignalValues& Simulation::signals() const { return impl_->ReadSignals(); }
const std::vector<ContactFrame>& Simulation::contacts() const { return impl_->now().contacts; }
const SolveRecord& Simulation::solve() const { return impl_->now().solve; }
double Simulation::time() const { return impl_->now().state.Time(impl_->config.step.time_step); }
double Simulation::StepTimeUs() const {
  const double us = impl_->now().signals[static_cast<std::size_t>(Signal::kStepTimeUs)];
  return us > 0 ? us : 0;  // NaN at the start
}
int64_t Simulation::step() const { return impl_->now().state.step; }
const std::string& Simulation::failure() const { return impl_->failure; }
const SolveRecord& Simulation::last_solve() const { return impl_->output.solve; }
const Formulation& Simulation::formulation() const { return *impl_->formulation; }

void Simulation::GetJoints(std::vector<JointFrame>* joints) const {
  VectorX held;
  impl_->GetJoints(state(), &held, joints);
}

void Simulation::GetGivenUp(std::vector<char>* given_up) const {
  impl_->controllers.GetGivenUp(state().control, given_up);
}

int Simulation::FirstGivenUp() const {
  if (!impl_->controllers.AnyGivenUp(state().control)) return -1;
  std::vector<char> given_up;
  GetGivenUp(&given_up);
  return static_cast<int>(std::find(given_up.begin(), given_up.end(), 1) - given_up.begin());
}

bool Simulation::Trace(SolveRecord* record, SolveTrace* trace) {
  StepInput input = impl_->Actuate();
  input.measure_condition = false;
  return impl_->formulation->Trace(input, record, trace);
}

bool Simulation::PredictForces(double span, int samples, ForcePrediction* out) {
  if (!impl_->formulation->PredictForces(impl_->Actuate(), span, samples, out)) return false;
  out->begin = time();
  out->step = step();
  SumFeet(*impl_->model, out);
  return true;
}

void Simulation::Fill(ChannelFrame* frame) const {
  const StepRecord& now = impl_->now();
  frame->time = time();
  frame->step = step();
  frame->measured = now.measured;
  frame->config = impl_->config;
  frame->accepted_by = AcceptedBy(impl_->failed, impl_->exceeded_step);
  frame->state = impl_->failure.empty()        ? ChannelState::kRunning
                 : !frame->accepted_by.empty() ? ChannelState::kRefused
                                               : ChannelState::kFailed;
  frame->failure = impl_->failure;
  frame->failure_cause = impl_->words.cause;
  frame->failure_advice = impl_->words.advice;
  frame->exceeded_step = impl_->exceeded_step;
  frame->bodies.resize(now.state.X_WB.size());
  for (std::size_t b = 0; b < frame->bodies.size(); ++b) {
    frame->bodies[b] = {now.state.X_WB[b], impl_->kinematics.V_WB[b]};
  }
  GetJoints(&frame->joints);
  GetGivenUp(&frame->given_up);
  frame->contacts = now.contacts;
  frame->candidates = now.candidates;
  frame->signals = signals();
  frame->solve = now.solve;
  frame->grab_force_W = now.grab_force_W;
}

}  // namespace slip
