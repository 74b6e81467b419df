#include "engine/run/lockstep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/run/share_steps.h"

namespace slip {
namespace {

// A channel that failed and was helped by a new parameter lags behind; it may take this many extra
// steps per mark to catch up.
constexpr int kMaxCatchUpSteps = 1000;

Telemetry MakeSample(int channel, const Simulation& sim) {
  Telemetry item;
  item.channel = channel;
  item.step = sim.step();
  item.time = sim.time();
  item.values = sim.signals();
  return item;
}

}  // namespace

void Lockstep::Emit(Telemetry item) const {
  if (!sinks.telemetry) return;
  item.session = session;
  sinks.telemetry(item);
}
void Lockstep::Emit(const Event& event) const {
  if (sinks.event) sinks.event(event);
}

void Lockstep::EmitSample(int c) const {
  Emit(MakeSample(c, channels[static_cast<std::size_t>(c)]->sim));
}

void Lockstep::EmitRestart() {
  ++session;
  Telemetry item;
  item.kind = Telemetry::Kind::kRestart;
  item.step = static_cast<int64_t>(channels.size());
  Emit(item);
  for (int c = 0; c < static_cast<int>(channels.size()); ++c) EmitSample(c);
}

void Lockstep::UpdateMarks() {
  double step = 0;
  for (const auto& channel : channels) step = std::max(step, channel->sim.config().step.time_step);
  if (step == mark_step) return;
  mark_base = MarkTime();
  marks = 0;
  mark_step = step;
}
void Lockstep::SetMarkTime(double time) {
  mark_base = time;
  marks = 0;
}

void Lockstep::Restart() {
  trace.reset();
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

void Lockstep::SeekTo(double time) {
  if (channels.empty() || !std::isfinite(time)) return;
  double reached = 0, end = 0;
  for (auto& channel : channels) {
    Timeline& history = channel->history;
    const double h = channel->sim.config().step.time_step;
    const std::size_t i = history.Find(time + 1e-6 * h);
    history.Load(i, &scratch_);
    channel->sim.Restore(scratch_, channel->configs[static_cast<std::size_t>(history.config(i))]);
    reached = std::max(reached, history.time(i));
    end = std::max(end, history.time(history.size() - 1));
  }
  live = reached >= end;
  SetMarkTime(reached);
  UpdateMarks();
}

double Lockstep::HistoryEnd() const {
  double end = 0;
  for (const auto& channel : channels) {
    end = std::max(end, channel->history.time(channel->history.size() - 1));
  }
  return end;
}

void Lockstep::Fork() {
  if (live) return;
  live = true;
  trace.reset();  // the steps that come may have the numbers of those that go
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

void Lockstep::CopyState(const Simulation& lead, Channel* channel) {
  trace.reset();
  State state = lead.state();
  state.time_base = lead.time();
  state.step_base = state.step;
  channel->sim.SetState(state);
  channel->Record(true);
}

void Lockstep::EmitChannels() const {
  Telemetry item;
  item.kind = Telemetry::Kind::kChannels;
  item.channel = -1;
  item.step = static_cast<int64_t>(channels.size());
  Emit(item);
}

Event Lockstep::FailureOf(int c) const {
  const Simulation& sim = channels[static_cast<std::size_t>(c)]->sim;
  Event event;
  event.kind = Event::Kind::kFailure;
  event.channel = c;
  event.step = sim.step();
  event.time = sim.time();
  event.note = sim.failure();
  return event;
}

// One step of one channel with all that hangs on it; false when it failed.
bool Lockstep::StepChannel(int c) {
  Channel& channel = *channels[static_cast<std::size_t>(c)];
  const StepStatus status = channel.sim.Step();
  if (!Advanced(status)) {
    channel.events.push_back(FailureOf(c));
    return false;
  }
  Event event;
  event.channel = c;
  event.step = channel.sim.step();
  event.time = channel.sim.time();
  const bool converged = status == StepStatus::kConverged;
  const double us = channel.sim.StepTimeUs();
  channel.step_us += (channel.step_us > 0 ? 0.02 : 1.0) * (us - channel.step_us);
  channel.Record(!converged);
  channel.samples.push_back(MakeSample(c, channel.sim));
  // one event per run of steps that do not converge
  if (!converged && channel.was_converged) {
    event.kind = Event::Kind::kNotConverged;
    event.note = fmt::format(
        "{} did not converge at t = {:.6g} s (step {}): {} iterations, "
        "residual {:.2g}, tolerance {:.2g}.",
        Info(channel.sim.config().method()).label, event.time, event.step,
        channel.sim.solve().iterations, channel.sim.solve().momentum_residual,
        channel.sim.config().step.solver_tolerance);
    channel.events.push_back(event);
  }
  channel.was_converged = converged;
  return true;
}

void Lockstep::AdvanceChannel(int c, double target) {
  Channel& channel = *channels[static_cast<std::size_t>(c)];
  channel.samples.clear();
  channel.events.clear();
  channel.moved = false;
  const Simulation& sim = channel.sim;
  if (!sim.failure().empty()) return;
  // half a step of tolerance: no drift from round-off, and every channel as near as it can be
  const double h = sim.config().step.time_step;
  const int limit = static_cast<int>(std::min(1e9, mark_step / h + 0.5)) + kMaxCatchUpSteps;
  for (int i = 0; i < limit && sim.time() + 0.5 * h <= target; ++i) {
    if (!StepChannel(c)) break;
    channel.moved = true;
  }
}

bool Lockstep::Advance() {
  if (channels.empty()) return false;
  const int count = static_cast<int>(channels.size());
  const bool all_stand = std::all_of(channels.begin(), channels.end(), [](const auto& channel) {
    return !channel->sim.failure().empty();
  });
  if (all_stand) {
    // whoever asked for a step hears again why there is none
    for (int c = 0; c < count; ++c) Emit(FailureOf(c));
    return false;
  }
  Fork();
  ++marks;
  const double target = MarkTime();
  double all_us = 0, largest_us = 0;
  for (const auto& channel : channels) {
    if (!channel->sim.failure().empty()) continue;
    const double us = channel->step_us * mark_step / channel->sim.config().step.time_step;
    all_us += us;
    largest_us = std::max(largest_us, us);
  }
  // channels share nothing, so who steps them does not show in any result
  ShareSteps(
      workers.get(), count, all_us, largest_us,
      [&](int c) -> Simulation& { return channels[static_cast<std::size_t>(c)]->sim; },
      [&](int c) { AdvanceChannel(c, target); });
  bool moved = false;
  for (const auto& channel : channels) {
    for (const Telemetry& item : channel->samples) Emit(item);
    for (const Event& event : channel->events) Emit(event);
    moved = moved || channel->moved;
  }
  if (!moved) --marks;
  return moved;
}

void Lockstep::Fill(Snapshot* snapshot) const {
  snapshot->session = session;
  snapshot->time = MarkTime();
  snapshot->live = live;
  snapshot->trace = trace;
  snapshot->channels.resize(channels.size());
  snapshot->history_budget = budget;
  snapshot->history_bytes = 0;
  snapshot->history_start = channels.empty() ? 0 : HUGE_VAL;
  snapshot->history_end = 0;
  double slowest = 0, sum = 0;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const Channel& channel = *channels[c];
    channel.sim.Fill(&snapshot->channels[c]);
    snapshot->history_bytes += channel.history.bytes();
    snapshot->history_start = std::min(snapshot->history_start, channel.history.time(0));
    snapshot->history_end =
        std::max(snapshot->history_end, channel.history.time(channel.history.size() - 1));
    sum += channel.step_us;
    // time per simulated second decides who sets the pace, among those that go on
    if (!channel.sim.failure().empty()) continue;
    const double cost = channel.step_us / channel.sim.config().step.time_step;
    if (cost > slowest) {
      slowest = cost;
      snapshot->slowest_channel = static_cast<int>(c);
    }
  }
  if (!channels.empty()) {
    snapshot->step_us = sum / static_cast<double>(channels.size());
    snapshot->gravity_W = CalcGravity(channels.front()->sim.config().step);
  }
}

}  // namespace slip
