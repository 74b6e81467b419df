#include "engine/sim/simulation.h"
#include "engine/sim/applied_forces.h"

#include <algorithm>

#include "engine/contact/knobs.h"
#include "engine/control/controllers.h"
#include "engine/core/numbers.h"
#include "engine/core/stopwatch.h"
#include "engine/dynamics/kinematics.h"
#include "engine/method/energy_guard.h"
#include "engine/method/error_control.h"
#include "engine/method/formulation.h"
#include "engine/sim/energy_gain.h"
#include "engine/sim/foot_load.h"
#include "engine/sim/knob_changes.h"
#include "engine/sim/measure.h"
#include "engine/sim/outlook.h"
#include "engine/sim/part_signals.h"
#include "engine/sim/step_judge.h"
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
  int64_t config_version = 0;
  // two records that trade places, so that a finished step is not copied
  StepRecord records[2];
  int current = 0;
  std::unique_ptr<Formulation> formulation;
  Controllers controllers;
  bool has_parts;
  VectorX control, actuation;    // of the step under way
  std::vector<KeyedLoad> loads;  // scratch
  VectorX held;                  // scratch, as are joints
  StepOutput output;
  KnobChanges changes;
  std::vector<StoredContact> stored;
  std::vector<PreviousContact> previous;           // scratch, likewise
  mutable Config braked;                           // InForce
  mutable Kinematics kinematics;                   // of now().state; its scratch is a step's
  Kinematics spare;                                // AskLimit
  bool parts_read = false, momentum_read = false;  // signals of now().state that are asked for
  std::vector<JointFrame> joints;
  WorkerPool* workers = nullptr;
  StopPoll stop;
  bool measure_condition = true, measure_distance = true, controls_error = false;
  bool times_every_step = false;
  std::unique_ptr<Formulation> (*chosen)() = nullptr;
  StepJudge judge{[this] { return AskLimit(); }};

  explicit Impl(std::shared_ptr<const Model> of)
      : model(std::move(of)), controllers(*model), has_parts(HasParts(*model)) {}

  StepRecord& now() { return records[current]; }
  const StepRecord& now() const { return records[current]; }
  StepRecord& next() { return records[1 - current]; }

  // Longest stable step of the points that touch as the step under way begins [s]; NaN where
  // nothing does. Kinematics stay.
  double AskLimit() {
    if (std::isnan(output.solve.stable_step) && !measure_condition) {
      std::swap(kinematics, spare);
      kinematics.Update(*model, now().state);
      StepInput input = Actuate();
      input.measure_condition = true;
      formulation->Step(input, &output);
      std::swap(kinematics, spare);
    }
    return output.solve.stable_step;
  }

  JudgedStep Judged() {
    return {.model = *model,
            .config = config,
            .before = now(),
            .after = next(),
            .V_WB = kinematics.V_WB,
            .output = output};
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
      const double target = load.has_target ? At(in_force.joints, body.drive).target : kNaN;
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
    if (ReadSignals(); parts_read || !has_parts) return;
    parts_read = true;
    StepRecord* record = &now();
    GetJoints(record->state, &held, &joints);
    ReadPartSignals(*model, {config, record->state}, joints, record->contacts, record->measured,
                    &record->part_signals);
  }

  // As the last step counts it, which the ledger does; before the first one as found.
  double ElasticEnergy() {
    if (!now().measured) return formulation->ElasticEnergy(Input(config));
    stored.clear();
    for (const ContactFrame& c : now().contacts)
      stored.push_back({c.surface, c.body_a, c.body, c.signed_distance, c.w});
    return formulation->ElasticEnergy(Input(config), stored);
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
            .measure_distance = measure_distance,
            .stop = &stop};
  }

  // The state is another one, by no step.
  void Arrive() {
    changes.Forget();
    UpdateKinematics();
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
    previous.clear();
    for (const ContactFrame& c : now().contacts) {
      previous.push_back({c.key, c.fn * c.n_W + c.ft_W, c.vn * c.n_W + c.vt_W});
    }
    formulation->TakeOver(*model, config, previous, &now().state);
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

  // Measures the step that the formulation made, in the spare record: one that ends badly leaves no
  // trace. Kinematics become those of its end.
  void MeasureStep(const StepInput& input) {
    swap(next().state, output.end);
    Measure(*model, input.config, formulation.get(), output, now(), &next(), &kinematics);
    const MethodInfo& method = Info(config.method());
    if ((method.knobs & knob::kBalance) != 0) {
      // Springs with anchors were held to the balance of their contacts. The gain of a body that
      // turns far within the step can hide there, but not in the energy of the whole model.
      const EnergyGain gain = CalcGain(*model, config.step, now(), next());
      EnergyGain& kept = output.solve.gain;
      if (method.family != Family::kAnchored || gain.share > std::max(kGainOfOthers, kept.share))
        kept = gain;
      next().solve.gain = kept;
      next().solve.made =
          method.family == Family::kAnchored ? CalcMade(now(), next()) : gain.energy;
    }
    if (model->robots.empty()) return;
    loads.clear();
    for (const ContactFrame& c : next().contacts) loads.push_back({c.key, c.fn});
    controllers.NoteLoads(*model, controls_error ? output.last_loads : loads, &control);
    next().state.control = control;
  }

  // The step does not happen. Kinematics are those of its start.
  StepStatus Refuse(const StepVerdict& verdict) {
    judge.Refuse(verdict, Judged(), controllers.AnyGivenUp(now().state.control));
    return verdict.status;
  }

  // The record that was measured becomes the present one.
  void Swap() {
    current = 1 - current;
    changes.Forget();
    parts_read = momentum_read = false;
    judge.Accept(now().solve);
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
  input.time_stages =
      s.times_every_step || state().step % kStagePeriod == 0 || StepTimeUs() > kLongStepUs;
  const StepStatus status = s.formulation->Step(input, &s.output);
  if (status == StepStatus::kStopped) return status;
  if (!Advanced(status)) return s.Refuse({status, s.output.culprit_body});

  Stopwatch part(input.time_stages);
  s.MeasureStep(input);
  const StepVerdict verdict = s.judge.Judge(s.Judged());
  // what was asked for to judge the step may have been given up
  const bool stopped = IsStopped(&s.stop);
  if (stopped || !Advanced(verdict.status)) {
    s.UpdateKinematics();
    return stopped ? StepStatus::kStopped : s.Refuse(verdict);
  }

  const auto at = [&s](Signal id) -> double& { return At(s.next().signals, id); };
  part.Lap(&s.output.times.measure_us);
  at(Signal::kMeasureTimeUs) = s.output.times.measure_us;
  at(Signal::kStepTimeUs) = whole.Lap();
  if (input.time_stages) s.output.times.step_us = at(Signal::kStepTimeUs);
  at(Signal::kTimedStepUs) = s.output.times.step_us;
  s.Swap();
  return status;
}

void Simulation::Reset() {
  impl_->judge.ForgetLimit();
  impl_->now().measured = false;
  impl_->now().state = impl_->formulation->StartState(*impl_->model, impl_->config);
  impl_->Arrive();
  MeasureStart(*impl_->model, impl_->config, impl_->kinematics.V_WB, impl_->ElasticEnergy(),
               &impl_->now());
  impl_->judge.ForgetFailure();
}

void Simulation::Restore(const StepRecord& record, const Config& config) {
  impl_->now() = record;
  impl_->Arrive();
  impl_->parts_read = impl_->momentum_read = true;
  impl_->config = config;
  ++impl_->config_version;
  impl_->ChooseFormulation();
  impl_->judge.Begin(record.solve);
}

void Simulation::SetState(const State& state) {
  impl_->now().state = state;
  impl_->now().measured = false;
  impl_->now().state.contacts.clear();
  impl_->Arrive();
  MeasureStart(*impl_->model, impl_->config, impl_->kinematics.V_WB, impl_->ElasticEnergy(),
               &impl_->now());
  impl_->judge.ForgetFailure();
}

void Simulation::SetConfig(const Config& config) {
  Impl& s = *impl_;
  s.ReadParts();  // by the knobs that made the step
  if (config == s.config) return;
  State& state = s.now().state;
  if (!s.changes.begun())
    s.changes.Begin(s.config, state, s.now().measured ? s.ElasticEnergy() : state.energy.elastic);
  s.changes.TakeBack(config, &state);
  if (config.materials != s.config.materials) s.judge.ForgetLimit();
  s.config = config;
  ++s.config_version;
  if (s.ChooseFormulation()) s.judge.ForgetLimit();
  if (!s.changes.KeepsFormulation(config)) s.TakeOver();
  s.changes.Book(*s.model, config, s.ElasticEnergy(), &state);
}

void Simulation::SetMeasureCondition(bool on, bool distance, bool all_times) {
  impl_->times_every_step = all_times;
  impl_->measure_condition = on;
  impl_->measure_distance = distance;
}
void Simulation::SetStop(StopPoll stop) { impl_->stop = std::move(stop); }

void Simulation::SetWorkers(WorkerPool* workers) {
  impl_->workers = workers;
  impl_->formulation->SetWorkers(workers);
}
void Simulation::ClearFailure() { impl_->judge.ForgetFailure(); }

const Model& Simulation::model() const { return *impl_->model; }
const Config& Simulation::config() const { return impl_->config; }
int64_t Simulation::config_version() const { return impl_->config_version; }
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
  const double us = At(impl_->now().signals, Signal::kStepTimeUs);
  return us > 0 ? us : 0;  // NaN at the start
}
int64_t Simulation::step() const { return impl_->now().state.step; }
const std::string& Simulation::failure() const { return impl_->judge.failure(); }
const SolveRecord& Simulation::last_solve() const { return impl_->output.solve; }
const Formulation& Simulation::formulation() const { return *impl_->formulation; }

void Simulation::GetJoints(std::vector<JointFrame>* joints) const {
  VectorX held;
  impl_->GetJoints(state(), &held, joints);
}

int Simulation::NextGivenUp(int robot) const {
  if (!impl_->controllers.AnyGivenUp(state().control)) return -1;
  std::vector<char> given_up;
  impl_->controllers.GetGivenUp(state().control, &given_up);
  const auto next = std::find(given_up.begin() + robot + 1, given_up.end(), 1);
  return next != given_up.end() ? static_cast<int>(next - given_up.begin()) : -1;
}

bool Outlook::Trace(SolveRecord* record, SolveTrace* trace) {
  StepInput input = sim_.impl_->Actuate();
  input.measure_condition = false;
  return sim_.impl_->formulation->Trace(input, record, trace);
}

bool Outlook::PredictForces(double span, int samples, ForcePrediction* out) {
  Simulation::Impl& s = *sim_.impl_;
  if (!s.formulation->PredictForces(s.Actuate(), span, samples, out)) return false;
  out->begin = sim_.time();
  out->step = sim_.step();
  SumFeet(*s.model, out);
  return true;
}

void Simulation::Fill(ChannelFrame* frame) const {
  const StepRecord& now = impl_->now();
  frame->time = time();
  frame->step = step();
  frame->measured = now.measured;
  frame->config = impl_->config;
  const StepJudge& judge = impl_->judge;
  frame->accepted_by = judge.accepted_by();
  frame->state = judge.failure().empty()       ? ChannelState::kRunning
                 : !frame->accepted_by.empty() ? ChannelState::kRefused
                                               : ChannelState::kFailed;
  frame->failure = judge.failure();
  frame->failure_cause = judge.words().cause;
  frame->failure_advice = judge.words().advice;
  frame->exceeded_step = judge.exceeded_step();
  frame->bodies.resize(now.state.X_WB.size());
  for (std::size_t b = 0; b < frame->bodies.size(); ++b) {
    frame->bodies[b] = {now.state.X_WB[b], impl_->kinematics.V_WB[b]};
  }
  GetJoints(&frame->joints);
  impl_->controllers.GetGivenUp(state().control, &frame->given_up);
  frame->contacts = now.contacts;
  frame->candidates = now.candidates;
  frame->signals = signals();
  frame->solve = now.solve;
  frame->grab_force_W = now.grab_force_W;
}

}  // namespace slip
