#include "engine/run/lockstep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/run/change_events.h"
#include "engine/run/foot_trails.h"
#include "engine/run/share_steps.h"

namespace slip {
namespace {

// A channel that failed and was helped by a new parameter lags behind; it may take this many extra
// steps per mark to catch up.
constexpr int kMaxCatchUpSteps = 1000;
// Of a branch with another number of bodies, a run that is worth keeping [s].
constexpr double kShortRun = 1;
// The memory of all branches is looked at this often.
constexpr int kBudgetPeriod = 64;

void Set(int channel, const Simulation& sim, Sample* sample) {
  sample->channel = channel;
  sample->step = sim.step();
  sample->time = sim.time();
  sample->values = sim.signals();
  sample->part_values = sim.part_signals();
  sample->method = sim.config().method();
  sample->guard = TellStep(sim).guard;
}

}  // namespace

void Lockstep::Emit(const Event& event) const {
  if (IsInTree(event)) tree_.reset();
  if (sinks.event) sinks.event(event);
}

void Lockstep::EmitSample(int c) const {
  Sample sample;
  Set(c, channels[static_cast<std::size_t>(c)]->sim(), &sample);
  EmitItem(sample);
}

void Lockstep::EmitRestart() {
  ++session;
  EmitItem(RestartSamples{});
}

void Lockstep::UpdateMarks() {
  double step = 0;
  for (const auto& channel : channels)
    step = std::max(step, channel->sim().config().step.time_step);
  if (step == mark_step) return;
  mark_base = MarkTime();
  marks = 0;
  mark_step = step;
}
void Lockstep::SetMarkTime(double time) {
  mark_base = time;
  marks = 0;
}

std::shared_ptr<Channel> Lockstep::MakeChannel(const Config& config,
                                               std::shared_ptr<const State> start) {
  return Take(Track(model, config, budget / kMaxChannels, branch, std::move(start)));
}

std::shared_ptr<Channel> Lockstep::Take(Track track) {
  auto channel = std::make_shared<Channel>(Channel{std::move(track)});
  channel->track.SetStop(stop);
  pool.push_back(channel);
  return channel;
}

double Lockstep::LatestTime() const {
  double time = 0;
  for (const auto& channel : channels) time = std::max(time, channel->sim().time());
  return time;
}

void Lockstep::Begin(const std::vector<Config>& configs, const std::vector<RecordedPath>* paths,
                     std::vector<Track>* made) {
  LeaveBranch();
  ParkOthers({});
  OpenBranch(-1, 0);
  channels.clear();
  for (std::size_t c = 0; c < configs.size(); ++c) {
    const RecordedPath* path = paths != nullptr && c < paths->size() ? &(*paths)[c] : nullptr;
    if (made != nullptr) {
      (*made)[c].BeginAs(branch);
      channels.push_back(Take(std::move((*made)[c])));
    } else {
      channels.push_back(MakeChannel(configs[c], path != nullptr ? path->start : nullptr));
    }
    if (path != nullptr) channels.back()->track.Schedule(path->entries);
  }
  branches.back().channels = channels;
  ShowBranch(0);
  EmitRestart();
  EmitPast();
}

void Lockstep::Rebuild(const std::vector<Config>& configs) {
  const auto last = static_cast<int>(branches.size()) - 1;
  if (branch == last && branches.back().rebuilt && LatestTime() < kShortRun) {
    for (const auto& channel : branches.back().channels) std::erase(pool, channel);
    branches.pop_back();
    channels.clear();
  }
  Begin(configs);
  branches.back().rebuilt = true;
}

void Lockstep::Restart() {
  const bool untouched = std::all_of(channels.begin(), channels.end(), [](const auto& channel) {
    return channel->track.Untouched();
  });
  if (!untouched) {
    LeaveBranch();
    OpenBranch(-1, 0);
  }
  for (auto& channel : channels) {
    channel->track.Restart(branch);
    channel->begun = true;
  }
  ShowBranch(0);
  EmitRestart();
  EmitPast();
}

void Lockstep::SeekTo(double time) {
  if (channels.empty() || !std::isfinite(time)) return;
  double first = HUGE_VAL, reached = 0;
  for (const auto& channel : channels) first = std::min(first, channel->track.history().time(0));
  for (auto& channel : channels) {
    channel->track.SeekTo(time);
    const double start = channel->track.history().time(0);
    channel->begun = start <= std::max(time, first) + 1e-6 * mark_step;
    if (channel->begun) reached = std::max(reached, channel->sim().time());
  }
  live = reached >= HistoryEnd();
  if (live) {
    for (auto& channel : channels) channel->track.CatchUp();
  }
  SetMarkTime(reached);
  UpdateMarks();
}

double Lockstep::HistoryEnd() const {
  double end = 0;
  for (const auto& channel : channels) {
    end = std::max(end, channel->track.history().time(channel->track.history().size() - 1));
  }
  return end;
}

std::shared_ptr<Channel> Lockstep::MakeFrom(const Config& config, const Simulation& from) {
  auto start = std::make_shared<State>(from.state());
  start->time_base = from.time();
  start->step_base = start->step;
  return MakeChannel(config, std::move(start));
}

void Lockstep::Add(const Config& config, const Simulation& from) {
  channels.push_back(MakeFrom(config, from));
  branches[static_cast<std::size_t>(branch)].channels = channels;
  UpdateMarks();
  EmitChannels();
  EmitSample(static_cast<int>(channels.size()) - 1);
  Emit(*BeginOf(static_cast<int>(channels.size()) - 1));
}

std::optional<Event> Lockstep::BeginOf(int c) const {
  const Track& track = channels[static_cast<std::size_t>(c)]->track;
  const TrackLine& first = track.first_line();
  if (first.start == nullptr) return std::nullopt;
  return Event{c, track.history().step(0), track.history().time(0),
               ChannelBegan{std::string(Info(first.config.method()).label)}};
}

void Lockstep::Remove(int c) {
  trace.reset();
  tree_.reset();
  const std::shared_ptr<Channel> gone = channels[static_cast<std::size_t>(c)];
  channels.erase(channels.begin() + c);
  branches[static_cast<std::size_t>(branch)].channels = channels;
  const bool elsewhere = std::any_of(branches.begin(), branches.end(), [&](const Branch& other) {
    return std::find(other.channels.begin(), other.channels.end(), gone) != other.channels.end();
  });
  if (elsewhere) {
    gone->track.Park();
  } else {
    std::erase(pool, gone);
  }
  // those that are left may not have begun yet
  if (!live) SeekTo(MarkTime());
  UpdateMarks();
  EmitItem(ChangeChannels{static_cast<int>(channels.size()), c});
}

void Lockstep::EmitChannels() const {
  EmitItem(ChangeChannels{static_cast<int>(channels.size()), -1});
}

// What is told of a step.
void Lockstep::TakeStep(int c, StepStatus status) {
  Channel& channel = *channels[static_cast<std::size_t>(c)];
  const Simulation& sim = channel.sim();
  channel.track.events().Take(c, status, sim, &channel.events);
  if (!Advanced(status)) return;
  channel.moved = true;
  if (channel.sample_count == channel.samples.size()) channel.samples.emplace_back();
  Set(c, sim, &channel.samples[channel.sample_count++]);
}

void Lockstep::AdvanceChannel(int c, double target) {
  Channel& channel = *channels[static_cast<std::size_t>(c)];
  channel.sample_count = 0;
  channel.events.clear();
  channel.moved = false;
  const Simulation& sim = channel.sim();
  if (!sim.failure().empty()) return;
  const double h = sim.config().step.time_step;
  const auto most = static_cast<int64_t>(std::min(1e9, mark_step / h + 0.5)) + kMaxCatchUpSteps;
  channel.track.AdvanceTo({.time = target, .most = most},
                          [this, c](StepStatus status) { TakeStep(c, status); });
}

// Changes that were made at their times: one that all channels made is told once.
void Lockstep::EmitApplied() {
  if (std::none_of(channels.begin(), channels.end(),
                   [](const auto& channel) { return channel->track.HasApplied(); })) {
    return;
  }
  std::vector<std::vector<Track::Applied>> applied;
  for (const auto& channel : channels) applied.push_back(channel->track.TakeApplied());
  for (std::size_t c = 0; c < applied.size(); ++c) {
    for (const Track::Applied& item : applied[c]) {
      if (!std::holds_alternative<ParamChange>(item.change)) continue;
      const auto same = [&](const Track::Applied& other) { return other.change == item.change; };
      const auto has = [&](const auto& list) {
        return std::find_if(list.begin(), list.end(), same) != list.end();
      };
      const bool all = std::all_of(applied.begin(), applied.end(), has);
      if (all && c > 0) continue;
      const int channel = all ? -1 : static_cast<int>(c);
      Emit({channel, item.step, item.time, *ItemOf(item.change, item.from, *model, item.refused)});
    }
  }
  UpdateMarks();
}

bool Lockstep::Advance() {
  if (channels.empty()) return false;
  const int count = static_cast<int>(channels.size());
  const bool all_stand = std::all_of(channels.begin(), channels.end(), [](const auto& channel) {
    return !channel->sim().failure().empty();
  });
  if (all_stand) {
    // whoever asked for a step hears again why there is none
    for (int c = 0; c < count; ++c)
      Emit(FailureOf(c, channels[static_cast<std::size_t>(c)]->sim()));
    return false;
  }
  Fork();
  ++marks;
  const double target = MarkTime();
  double all_us = 0, largest_us = 0;
  for (const auto& channel : channels) {
    if (!channel->sim().failure().empty()) continue;
    const double us = channel->track.step_us() * mark_step / channel->sim().config().step.time_step;
    all_us += us;
    largest_us = std::max(largest_us, us);
  }
  // channels share nothing, so who steps them does not show in any result
  ShareSteps(
      workers.get(), count, all_us, largest_us,
      [&](int c) -> Simulation& { return channels[static_cast<std::size_t>(c)]->track.sim(); },
      [&](int c) { AdvanceChannel(c, target); });
  bool moved = false;
  foretold.reset();
  for (const auto& channel : channels) {
    for (std::size_t i = 0; i < channel->sample_count; ++i) EmitItem(channel->samples[i]);
    for (const Event& event : channel->events) Emit(event);
    moved = moved || channel->moved;
  }
  if (!moved) --marks;
  EmitApplied();
  if (++advances_ % kBudgetPeriod == 0) HoldBudget();
  return moved;
}

void Lockstep::Fill(Snapshot* snapshot) const {
  snapshot->model = model;
  snapshot->scene = scene;
  snapshot->session = session;
  snapshot->branch = branch;
  snapshot->branches = static_cast<int>(branches.size());
  if (tree_ == nullptr) tree_ = std::make_shared<const std::vector<BranchInfo>>(MakeTree());
  snapshot->tree = tree_;
  snapshot->branch_path.clear();
  double until = HUGE_VAL;
  for (int b = branches.empty() ? -1 : branch; b >= 0;
       b = branches[static_cast<std::size_t>(b)].parent) {
    snapshot->branch_path.insert(snapshot->branch_path.begin(), {b, until});
    until = branches[static_cast<std::size_t>(b)].fork_time;
  }
  snapshot->time = MarkTime();
  snapshot->live = live;
  snapshot->trace = trace;
  snapshot->foretold = foretold;
  snapshot->contact_history = contact_history;
  snapshot->channels.resize(channels.size());
  snapshot->history_budget = budget;
  snapshot->history_bytes = HistoryBytes();
  snapshot->history_start = channels.empty() ? 0 : HUGE_VAL;
  snapshot->history_end = 0;
  double slowest = 0, sum = 0;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const Channel& channel = *channels[c];
    channel.sim().Fill(&snapshot->channels[c]);
    snapshot->channels[c].begun = channel.begun;
    if (trails) {
      FillTrails(channel.track, &snapshot->channels[c].trails);
    } else {
      snapshot->channels[c].trails.clear();
    }

    snapshot->history_start = std::min(snapshot->history_start, channel.track.history().time(0));
    snapshot->history_end = std::max(
        snapshot->history_end, channel.track.history().time(channel.track.history().size() - 1));
    sum += channel.track.step_us();
    // time per simulated second decides who sets the pace, among those that go on
    if (!channel.sim().failure().empty()) continue;
    const double cost = channel.track.step_us() / channel.sim().config().step.time_step;
    if (cost > slowest) {
      slowest = cost;
      snapshot->slowest_channel = static_cast<int>(c);
    }
  }
  FillGhost(&snapshot->ghost);
  if (!channels.empty()) {
    snapshot->step_us = sum / static_cast<double>(channels.size());
    snapshot->gravity_W = CalcGravity(channels.front()->sim().config().step);
  }
}

}  // namespace slip
