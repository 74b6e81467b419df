#include "engine/run/scope.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/formulation/build_problem.h"
#include "engine/sim/timeline.h"

namespace slip {
namespace {

// A channel that failed and was helped by a new parameter lags behind; it may take this many extra
// steps per mark to catch up.
constexpr int kMaxCatchUpSteps = 1000;

struct Channel {
  Simulation sim;
  Timeline history;
  std::vector<Config> configs;  // every set of knobs that a recorded step was made under
  double step_us = 0;           // moving average
  bool was_converged = true;

  Channel(std::shared_ptr<const Model> model, const Config& config, std::size_t budget)
      : sim(std::move(model), config), history(budget), configs{config} {}

  void Record(bool flagged) {
    history.Append(sim.now(), sim.time(), static_cast<int>(configs.size()) - 1, flagged);
  }
};

}  // namespace

struct Scope::Impl {
  Sinks sinks;
  std::size_t budget;
  std::shared_ptr<const Scene> scene;
  std::vector<std::unique_ptr<Channel>> channels;
  uint64_t generation = 0, session = 0;
  double mark_base = 0;  // common time = mark_base + marks * mark_step
  int64_t marks = 0;
  double mark_step = 0;
  bool live = true;
  StepRecord scratch;

  double MarkTime() const { return mark_base + static_cast<double>(marks) * mark_step; }

  void Emit(Telemetry item) const {
    if (!sinks.telemetry) return;
    item.session = session;
    sinks.telemetry(item);
  }
  void Emit(const Event& event) const {
    if (sinks.event) sinks.event(event);
  }

  void EmitSample(int c) const {
    const Simulation& sim = channels[static_cast<std::size_t>(c)]->sim;
    Telemetry item;
    item.channel = c;
    item.step = sim.step();
    item.time = sim.time();
    item.values = sim.signals();
    Emit(item);
  }

  void EmitRestart() {
    ++session;
    Telemetry item;
    item.kind = Telemetry::Kind::kRestart;
    item.step = static_cast<int64_t>(channels.size());
    Emit(item);
    for (int c = 0; c < static_cast<int>(channels.size()); ++c) EmitSample(c);
  }

  // The largest time step sets the marks; a change of it starts a new count from here.
  void UpdateMarks() {
    double step = 0;
    for (const auto& channel : channels)
      step = std::max(step, channel->sim.config().step.time_step);
    if (step == mark_step) return;
    mark_base = MarkTime();
    marks = 0;
    mark_step = step;
  }
  void SetMarkTime(double time) {
    mark_base = time;
    marks = 0;
  }

  std::size_t BudgetPerChannel() const { return budget / kMaxChannels; }

  void Load(const LoadScene& command) {
    if (command.scene == nullptr) return;
    scene = command.scene;
    channels.clear();
    for (const ChannelSpec& spec : scene->channels) {
      if (channels.size() == kMaxChannels) break;
      channels.push_back(std::make_unique<Channel>(scene->model, spec.config, BudgetPerChannel()));
    }
    ++generation;
    Restart();
    Event event;
    event.kind = Event::Kind::kLoaded;
    event.note = scene->title;
    Emit(event);
  }

  void Restart() {
    for (auto& channel : channels) {
      channel->sim.Reset();
      channel->history.Clear();
      channel->configs = {channel->sim.config()};
      channel->was_converged = true;
      channel->Record(true);
    }
    live = true;
    mark_step = 0;
    SetMarkTime(0);
    UpdateMarks();
    EmitRestart();
  }

  // Every channel goes to its last recorded step at or before `time`.
  void SeekTo(double time) {
    if (channels.empty() || !std::isfinite(time)) return;
    double reached = 0, end = 0;
    for (auto& channel : channels) {
      Timeline& history = channel->history;
      const double h = channel->sim.config().step.time_step;
      const std::size_t i = history.Find(time + 1e-6 * h);
      history.Load(i, &scratch);
      channel->sim.Restore(scratch, channel->configs[static_cast<std::size_t>(history.config(i))]);
      reached = std::max(reached, history.time(i));
      end = std::max(end, history.time(history.size() - 1));
    }
    live = reached >= end;
    SetMarkTime(reached);
    UpdateMarks();
  }

  double HistoryEnd() const {
    double end = 0;
    for (const auto& channel : channels) {
      end = std::max(end, channel->history.time(channel->history.size() - 1));
    }
    return end;
  }

  // The run goes on from here: what was recorded later is void.
  void Fork() {
    if (live) return;
    live = true;
    for (auto& channel : channels) {
      const std::size_t keep = channel->history.Find(channel->sim.time()) + 1;
      channel->history.Truncate(keep);
      // the knobs of now become the newest set again
      if (!(channel->configs.back() == channel->sim.config())) {
        channel->configs.push_back(channel->sim.config());
      }
    }
    Telemetry item;
    item.kind = Telemetry::Kind::kTruncate;
    item.time = MarkTime();
    Emit(item);
  }

  void ChangeConfig(Channel* channel, const Config& config) {
    channel->sim.SetConfig(config);
    channel->sim.ClearFailure();
    channel->configs.push_back(config);
  }

  void Set(const SetParamCommand& command) {
    const int count = static_cast<int>(channels.size());
    if (command.channel >= count) return;
    const int first = command.channel < 0 ? 0 : command.channel;
    const int last = command.channel < 0 ? count - 1 : command.channel;
    Event event;
    event.channel = command.channel;
    event.time = MarkTime();
    event.path = command.path;
    event.to = command.value;
    bool changed = false;
    for (int c = first; c <= last; ++c) {
      Channel& channel = *channels[static_cast<std::size_t>(c)];
      Config config = channel.sim.config();
      const std::optional<double> from = GetParam(config, command.path);
      const Status status = SetParam(&config, command.path, command.value);
      if (!status.ok()) {
        event.kind = Event::Kind::kRefused;
        event.note = status.error().Text();
        Emit(event);
        return;
      }
      if (config == channel.sim.config()) continue;
      if (!changed) {
        Fork();
        event.from = from.value_or(0);
        event.step = channel.sim.step();
        changed = true;
      }
      ChangeConfig(&channel, config);
    }
    if (!changed) return;
    UpdateMarks();
    event.kind = Event::Kind::kParameter;
    Emit(event);
  }

  void Pull(const Grab& grab) {
    Grab checked = grab;
    const bool sane = grab.p_BP.allFinite() && grab.p_WA.allFinite() &&
                      std::isfinite(grab.stiffness) && std::isfinite(grab.damping) &&
                      std::isfinite(grab.force_limit) && grab.stiffness >= 0 && grab.damping >= 0 &&
                      grab.force_limit >= 0;
    if (!sane || scene == nullptr || grab.body >= static_cast<int>(scene->model->bodies.size())) {
      checked = Grab{};
    }
    bool begins = false;
    for (auto& channel : channels) {
      const Config& old = channel->sim.config();
      if (old.grab == checked) continue;
      begins = begins || (old.grab.body < 0) != (checked.body < 0);
      Fork();
      Config config = old;
      config.grab = checked;
      // moving the anchor is no new set of knobs in the history: the last set follows the mouse
      channel->sim.SetConfig(config);
      if (begins) channel->configs.push_back(config);
      channel->configs.back() = config;
    }
    if (!begins) return;
    Event event;
    event.kind = Event::Kind::kGrab;
    event.time = MarkTime();
    event.to = checked.body >= 0 ? 1 : 0;
    if (checked.body >= 0) {
      event.path = scene->model->bodies[static_cast<std::size_t>(checked.body)].name;
    }
    Emit(event);
  }

  void Add(const AddChannel& command) {
    if (channels.empty() || channels.size() == kMaxChannels) return;
    Fork();
    Config config = command.config;
    if (config.materials.size() != scene->config.materials.size() ||
        config.surfaces.size() != scene->config.surfaces.size()) {
      return;
    }
    auto channel = std::make_unique<Channel>(scene->model, config, BudgetPerChannel());
    CopyState(channels.front()->sim, channel.get());
    channels.push_back(std::move(channel));
    UpdateMarks();
    EmitChannels();
    EmitSample(static_cast<int>(channels.size()) - 1);
  }

  void CopyState(const Simulation& lead, Channel* channel) {
    State state = lead.state();
    state.time_base = lead.time();
    state.step_base = state.step;
    channel->sim.SetState(state);
    channel->Record(true);
  }

  void Remove(const RemoveChannel& command) {
    if (command.channel < 0 || command.channel >= static_cast<int>(channels.size()) ||
        channels.size() == 1) {
      return;
    }
    Telemetry item;
    item.kind = Telemetry::Kind::kChannels;
    item.channel = command.channel;
    channels.erase(channels.begin() + command.channel);
    item.step = static_cast<int64_t>(channels.size());
    UpdateMarks();
    Emit(item);
  }

  void EmitChannels() const {
    Telemetry item;
    item.kind = Telemetry::Kind::kChannels;
    item.channel = -1;
    item.step = static_cast<int64_t>(channels.size());
    Emit(item);
  }

  void SyncTo(int lead_index) {
    if (lead_index < 0 || lead_index >= static_cast<int>(channels.size())) return;
    Fork();
    const Simulation& lead = channels[static_cast<std::size_t>(lead_index)]->sim;
    for (auto& channel : channels) {
      if (&channel->sim != &lead) CopyState(lead, channel.get());
    }
    SetMarkTime(lead.time());
    Event event;
    event.kind = Event::Kind::kResync;
    event.channel = lead_index;
    event.time = MarkTime();
    Emit(event);
  }

  // One step of one channel with all that hangs on it; false when it failed.
  bool StepChannel(int c) {
    Channel& channel = *channels[static_cast<std::size_t>(c)];
    const StepStatus status = channel.sim.Step();
    Event event;
    event.channel = c;
    event.step = channel.sim.step();
    event.time = channel.sim.time();
    if (!Advanced(status)) {
      event.kind = Event::Kind::kFailure;
      event.note = channel.sim.failure();
      Emit(event);
      return false;
    }
    const bool converged = status == StepStatus::kConverged;
    const double us = channel.sim.signals()[static_cast<std::size_t>(Signal::kStepTimeUs)];
    channel.step_us += (channel.step_us > 0 ? 0.02 : 1.0) * (us - channel.step_us);
    channel.Record(!converged);
    EmitSample(c);
    // one event per run of steps that do not converge
    if (!converged && channel.was_converged) {
      event.kind = Event::Kind::kNotConverged;
      event.note = fmt::format(
          "{} did not converge at t = {:.6g} s (step {}): {} iterations, "
          "residual {:.2g}, tolerance {:.2g}.",
          Info(channel.sim.config().model()).label, event.time, event.step,
          channel.sim.solve().iterations, channel.sim.solve().momentum_residual,
          channel.sim.config().step.solver_tolerance);
      Emit(event);
    }
    channel.was_converged = converged;
    return true;
  }

  bool Advance() {
    if (channels.empty()) return false;
    Fork();
    ++marks;
    const double target = MarkTime();
    bool moved = false;
    for (int c = 0; c < static_cast<int>(channels.size()); ++c) {
      Simulation& sim = channels[static_cast<std::size_t>(c)]->sim;
      if (!sim.failure().empty()) continue;
      // half a step of tolerance: no drift from round-off, and every channel as near as it can be
      const double h = sim.config().step.time_step;
      const int limit = static_cast<int>(std::min(1e9, mark_step / h + 0.5)) + kMaxCatchUpSteps;
      for (int i = 0; i < limit && sim.time() + 0.5 * h <= target; ++i) {
        if (!StepChannel(c)) break;
        moved = true;
      }
    }
    if (!moved) --marks;
    return moved;
  }

  void Forward(int count) {
    for (int i = 0; i < count; ++i) {
      if (live) {
        if (!Advance()) return;
      } else {
        SeekTo(MarkTime() + mark_step);
      }
    }
  }

  void Handle(const Command& command) {
    if (const auto* load = std::get_if<LoadScene>(&command)) return Load(*load);
    if (scene == nullptr) return;
    if (const auto* forward = std::get_if<StepForward>(&command)) return Forward(forward->count);
    if (const auto* back = std::get_if<StepBack>(&command)) {
      return SeekTo(MarkTime() - std::max(back->count, 0) * mark_step);
    }
    if (const auto* seek = std::get_if<Seek>(&command)) return SeekTo(seek->time);
    if (std::holds_alternative<GoLive>(command)) {
      if (!live) SeekTo(HistoryEnd());
      return;
    }
    if (std::holds_alternative<Reset>(command)) {
      Restart();
      Event event;
      event.kind = Event::Kind::kReset;
      return Emit(event);
    }
    if (const auto* set = std::get_if<SetParamCommand>(&command)) return Set(*set);
    if (const auto* grab = std::get_if<SetGrab>(&command)) return Pull(grab->grab);
    if (const auto* add = std::get_if<AddChannel>(&command)) return Add(*add);
    if (const auto* remove = std::get_if<RemoveChannel>(&command)) return Remove(*remove);
    if (const auto* sync = std::get_if<Resync>(&command)) return SyncTo(sync->lead);
  }
};

Scope::Scope(Sinks sinks, std::size_t history_budget_bytes) : impl_(std::make_unique<Impl>()) {
  impl_->sinks = std::move(sinks);
  impl_->budget = history_budget_bytes;
}
Scope::~Scope() = default;

void Scope::Apply(const Command& command) { impl_->Handle(command); }
bool Scope::Advance() { return impl_->Advance(); }
bool Scope::loaded() const { return impl_->scene != nullptr; }
const Scene& Scope::scene() const { return *impl_->scene; }
int Scope::channel_count() const { return static_cast<int>(impl_->channels.size()); }
const Simulation& Scope::channel(int i) const {
  return impl_->channels[static_cast<std::size_t>(i)]->sim;
}
double Scope::time() const { return impl_->MarkTime(); }
double Scope::mark_step() const { return impl_->mark_step; }
bool Scope::live() const { return impl_->live; }

void Scope::Fill(Snapshot* snapshot) const {
  const Impl& s = *impl_;
  snapshot->model = s.scene ? s.scene->model : nullptr;
  snapshot->scene_generation = s.generation;
  snapshot->session = s.session;
  snapshot->time = s.MarkTime();
  snapshot->live = s.live;
  snapshot->channels.resize(s.channels.size());
  snapshot->history_budget = s.budget;
  snapshot->history_bytes = 0;
  snapshot->history_start = s.channels.empty() ? 0 : HUGE_VAL;
  snapshot->history_end = 0;
  double slowest = 0, sum = 0;
  for (std::size_t c = 0; c < s.channels.size(); ++c) {
    const Channel& channel = *s.channels[c];
    channel.sim.Fill(&snapshot->channels[c]);
    snapshot->history_bytes += channel.history.bytes();
    snapshot->history_start = std::min(snapshot->history_start, channel.history.time(0));
    snapshot->history_end =
        std::max(snapshot->history_end, channel.history.time(channel.history.size() - 1));
    sum += channel.step_us;
    // time per simulated second decides who sets the pace
    const double cost = channel.step_us / channel.sim.config().step.time_step;
    if (cost > slowest) {
      slowest = cost;
      snapshot->slowest_channel = static_cast<int>(c);
    }
  }
  if (!s.channels.empty()) {
    snapshot->step_us = sum / static_cast<double>(s.channels.size());
    snapshot->gravity_W = CalcGravity(s.channels.front()->sim.config().step);
  }
}

}  // namespace slip
