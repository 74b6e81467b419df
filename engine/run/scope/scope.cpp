#include "engine/run/scope/scope.h"

#include <algorithm>

#include "engine/core/numbers.h"
#include "engine/core/thread_stop.h"
#include "engine/run/channels/change_events.h"
#include "engine/run/channels/foot_trails.h"
#include "engine/run/channels/trace_step.h"
#include "engine/run/record/replay.h"
#include "engine/run/scope/foretell.h"
#include "engine/run/scope/scope_impl.h"
#include "engine/run/track/share_steps.h"

namespace slip {
namespace {

// The memory of all branches is looked at this often.
constexpr int kBudgetPeriod = 64;

/// Commands that are carried out before any scene is loaded, too.
template <class Kind>
inline constexpr bool kOfNoScene = false;
template <>
inline constexpr bool kOfNoScene<LoadScene> = true;
template <>
inline constexpr bool kOfNoScene<LoadReplay> = true;
template <>
inline constexpr bool kOfNoScene<TrailFeet> = true;
template <>
inline constexpr bool kOfNoScene<TellContact> = true;

}  // namespace

std::vector<Config> ConfigsOf(const Scene& scene) {
  std::vector<Config> configs;
  for (const ChannelSpec& spec : scene.channels) {
    if (configs.size() < kMaxChannels) configs.push_back(spec.config);
  }
  return configs;
}

void MakeTracks(LoadScene* load) {
  auto tracks = std::make_shared<std::vector<Track>>();
  for (const Config& config : ConfigsOf(*load->scene)) {
    const std::size_t c = tracks->size();
    const bool recorded = load->paths != nullptr && c < load->paths->size();
    tracks->emplace_back(load->scene->model, config, kHistoryBudget / kMaxChannels, 0,
                         recorded ? (*load->paths)[c].start : nullptr);
    if (ThreadStop::Asked()) return;
  }
  load->tracks = std::move(tracks);
}

Scope::Impl::Impl(Sinks sinks, std::size_t budget, int most_workers)
    : publisher(std::move(sinks)), branches(budget) {
  const int count = std::min(most_workers, std::max(kMaxChannels, kMaxStepWorkers));
  if (count > 1) workers = std::make_unique<WorkerPool>(count);
}

void Scope::Impl::Handle(const Command& command) {
  std::visit(
      [this]<class Kind>(const Kind& kind) {
        // the next step may have other knobs, another hand that pulls, or another past
        if constexpr (Kind::kEffect != CommandEffect::kLooks) foretold.reset();
        if (scene != nullptr || kOfNoScene<Kind>) Do(kind);
      },
      command);
}

bool Scope::Impl::Advance() {
  if (channels.empty()) return false;
  if (channels.AllStand()) {
    // whoever asked for a step hears again why there is none
    for (int c = 0; c < channels.count(); ++c) Emit(FailureOf(c, channels.sim(c)));
    return false;
  }
  Fork();
  const bool moved = channels.AdvanceToMark(workers.get());
  foretold.reset();
  for (int c = 0; c < channels.count(); ++c) {
    for (const Sample& sample : channels.progress(c).samples()) publisher.Send(sample);
    for (const Event& event : channels.progress(c).events) Emit(event);
  }
  EmitApplied();
  if (++advances % kBudgetPeriod == 0) branches.HoldBudget();
  return moved;
}

void Scope::Impl::Emit(const Event& event) {
  if (IsInTree(event)) branches.RenewTree();
  publisher.Send(event);
}

void Scope::Impl::EmitSample(int c) const {
  Sample sample;
  ReadSample(c, channels.sim(c), &sample);
  publisher.Send(sample);
}

void Scope::Impl::EmitApplied() {
  const Channels::List& list = channels.list();
  if (std::none_of(list.begin(), list.end(),
                   [](const auto& track) { return track->HasApplied(); })) {
    return;
  }
  std::vector<std::vector<Track::Applied>> applied;
  for (const auto& track : list) applied.push_back(track->TakeApplied());
  for (std::size_t c = 0; c < applied.size(); ++c) {
    for (const Track::Applied& item : applied[c]) {
      if (!std::holds_alternative<ParamChange>(item.change)) continue;
      const auto same = [&](const Track::Applied& other) { return other.change == item.change; };
      const auto has = [&](const auto& some) {
        return std::find_if(some.begin(), some.end(), same) != some.end();
      };
      const bool all = std::all_of(applied.begin(), applied.end(), has);
      if (all && c > 0) continue;
      const int channel = all ? -1 : static_cast<int>(c);
      Emit({channel, item.step, item.time, *ItemOf(item.change, item.from, *model, item.refused)});
    }
  }
  channels.UpdateMarks();
}

// Who only looks ---------------------------------------------------------------------------------

void Scope::Impl::Do(const TrailFeet& trail) { trails = trail.on; }
void Scope::Impl::Do(const ShowGhost& show) { past.AskGhost(show.branch, branches); }
void Scope::Impl::Do(const ForetellForces& foretell) {
  foretold = Foretell(channels, past, foretell.span, foretell.samples, publisher.session());
}
void Scope::Impl::Do(const TellContact& tell) {
  auto history = std::make_shared<ContactHistory>();
  history->key = tell.key;
  history->session = publisher.session();
  history->asked = tell.number;
  for (const auto& track : channels.list())
    history->channels.push_back(ReadContact(track->history(), tell.key, tell.after));
  contact_history = std::move(history);
}
void Scope::Impl::Do(const TellBranch& tell) {
  Emit({.item = BranchTold{
            std::make_shared<const BranchSamples>(past.SamplesOf(tell.branch, branches))}});
}
void Scope::Impl::Do(const TakeRecording&) {
  Emit({.item = RecordingTaken{std::make_shared<Recording>(branches.Record(channels.MarkTime()))}});
}
void Scope::Impl::Do(const TraceSolve& solve) {
  trace = TraceStep(channels, solve.channel, publisher.session());
}

void Scope::Impl::Fill(Snapshot* snapshot) const {
  snapshot->model = model;
  snapshot->scene = scene;
  snapshot->scene_generation = generation;
  snapshot->session = publisher.session();
  snapshot->branch = branches.present();
  snapshot->branches = branches.count();
  snapshot->tree = branches.Tree(channels);
  snapshot->branch_path = branches.Path();
  snapshot->time = channels.MarkTime();
  snapshot->live = past.live();
  snapshot->trace = trace;
  snapshot->foretold = foretold;
  snapshot->contact_history = contact_history;
  snapshot->history_budget = branches.budget();
  snapshot->history_bytes = branches.HistoryBytes();
  snapshot->history_start = channels.HistoryStart();
  snapshot->history_end = channels.HistoryEnd();
  snapshot->channels.resize(channels.list().size());
  double slowest = 0, sum = 0;
  for (int c = 0; c < channels.count(); ++c) {
    const Track& track = channels.track(c);
    ChannelFrame& frame = At(snapshot->channels, c);
    track.sim().Fill(&frame);
    frame.begun = past.Begun(c);
    if (trails) {
      FillTrails(track, &frame.trails);
    } else {
      frame.trails.clear();
    }
    sum += track.step_us();
    // time per simulated second decides who sets the pace, among those that go on
    if (!track.sim().failure().empty()) continue;
    const double cost = track.step_us() / track.sim().config().step.time_step;
    if (cost > slowest) {
      slowest = cost;
      snapshot->slowest_channel = c;
    }
  }
  past.FillGhost(channels, branches, &snapshot->ghost);
  if (channels.empty()) return;
  snapshot->step_us = sum / static_cast<double>(channels.count());
  snapshot->gravity_W = CalcGravity(channels.sim(0).config().step);
}

Scope::Scope(Sinks sinks, std::size_t history_budget_bytes, int workers)
    : impl_(std::make_unique<Impl>(std::move(sinks), history_budget_bytes, workers)) {}
Scope::~Scope() = default;

void Scope::Apply(const Command& command) { impl_->Handle(command); }
void Scope::SetStop(StopPoll stop) { impl_->stop = std::move(stop); }

bool Scope::Advance() { return impl_->Advance(); }
bool Scope::loaded() const { return impl_->scene != nullptr; }
const Scene& Scope::scene() const { return *impl_->scene; }
int Scope::channel_count() const { return impl_->channels.count(); }
const Simulation& Scope::channel(int i) const { return impl_->channels.sim(i); }
double Scope::time() const { return impl_->channels.MarkTime(); }
double Scope::mark_step() const { return impl_->channels.mark_step(); }
bool Scope::live() const { return impl_->past.live(); }
void Scope::Fill(Snapshot* snapshot) const { impl_->Fill(snapshot); }

}  // namespace slip
