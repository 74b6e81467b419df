#include "engine/run/scope.h"

#include <algorithm>
#include <cmath>

#include "engine/control/controllers.h"
#include "engine/core/thread_stop.h"
#include "engine/run/contact_history.h"
#include "engine/run/lockstep.h"
#include "engine/run/replay.h"
#include "engine/run/share_steps.h"

namespace slip {
namespace {

std::vector<Config> ConfigsOf(const Scene& scene) {
  std::vector<Config> configs;
  for (const ChannelSpec& spec : scene.channels) {
    if (configs.size() < kMaxChannels) configs.push_back(spec.config);
  }
  return configs;
}

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

struct Scope::Impl : Lockstep {
  uint64_t generation = 0;

  void Load(const LoadScene& command) {
    if (command.scene == nullptr) return;
    // the same file read again goes on as another branch, another scene is another session
    const bool again =
        scene != nullptr && !scene->file.empty() && scene->file == command.scene->file;
    scene = command.scene;
    model = scene->model;
    if (!again) {
      branches.clear();
      channels.clear();
      pool.clear();
    }
    ++generation;
    Begin(ConfigsOf(*scene), command.paths.get(), command.tracks.get());
    Emit({.item = SceneLoaded{scene->title}});
  }

  // Another number of bodies: a new model, on which all channels start again.
  void Rebuild(const SetParamCommand& command) {
    ParamChanged changed{command.path, 0, command.value};
    std::vector<Config> configs;
    for (const auto& channel : channels) {
      Config& config = configs.emplace_back(channel->sim().config());
      changed.from = GetParam(config, command.path).value_or(0);
      if (const Status status = SetParam(&config, command.path, command.value); !status.ok())
        return Emit({.item = Refused{command.path, status.error().Text()}});
      config.grab = Grab{};  // the body pulled may be gone
    }
    if (const Status size = scene->CheckSize(configs.front()); !size.ok())
      return Emit({.item = Refused{command.path, size.error().message}});
    if (SameBodies(configs.front(), channels.front()->sim().config())) return;
    model = scene->ModelFor(configs.front());
    Lockstep::Rebuild(configs);
    Emit({.item = std::move(changed)});
  }

  void Set(const SetParamCommand& command) {
    const int count = static_cast<int>(channels.size());
    if (command.channel >= count) return;
    const ParamInfo* info = FindParam(channels.front()->sim().config(), command.path);
    if (info != nullptr && info->applies == Applies::kRebuild) return Rebuild(command);
    const int first = command.channel < 0 ? 0 : command.channel;
    const int last = command.channel < 0 ? count - 1 : command.channel;
    Event event{.channel = command.channel, .time = MarkTime()};
    ParamChanged item{command.path, 0, command.value};
    bool changed = false;
    for (int c = first; c <= last; ++c) {
      Channel& channel = *channels[static_cast<std::size_t>(c)];
      Config config = channel.sim().config();
      const std::optional<double> from = GetParam(config, command.path);
      Status status = SetParam(&config, command.path, command.value);
      if (status.ok()) status = CheckControllers(*model, config);
      if (status.ok()) status = CheckFriction(config.materials);
      if (!status.ok()) {
        event.item = Refused{command.path, status.error().Text()};
        return Emit(event);
      }
      if (config == channel.sim().config()) continue;
      if (!changed) {
        Fork();
        item.from = from.value_or(0);
        event.step = channel.sim().step();
        changed = true;
      }
      // the fork may have put another in its place
      Track& track = channels[static_cast<std::size_t>(c)]->track;
      static_cast<void>(track.Apply(ParamChange{command.path, command.value}));
    }
    if (!changed) return;
    UpdateMarks();
    event.item = std::move(item);
    Emit(event);
  }

  void Pull(const Grab& grab) {
    Grab checked = grab;
    const bool sane = grab.p_BP.allFinite() && grab.p_WA.allFinite() &&
                      std::abs(grab.q_WA.norm() - 1) < 1e-6 && std::isfinite(grab.stiffness) &&
                      std::isfinite(grab.damping) && std::isfinite(grab.force_limit) &&
                      grab.stiffness >= 0 && grab.damping >= 0 && grab.force_limit >= 0;
    if (!sane || scene == nullptr || grab.body >= static_cast<int>(model->bodies.size())) {
      checked = Grab{};
    }
    bool begins = false;
    for (auto& channel : channels) {
      const Grab& old = channel->sim().config().grab;
      if (old == checked) continue;
      begins = begins || (old.body < 0) != (checked.body < 0);
      Fork();
      static_cast<void>(channel->track.Apply(checked));
    }
    if (!begins) return;
    const bool holds = checked.body >= 0;
    std::string name = holds ? model->bodies[static_cast<std::size_t>(checked.body)].name : "";
    Emit({.time = MarkTime(), .item = Pulled{holds, std::move(name)}});
  }

  void Add(const AddChannel& command) {
    if (channels.empty() || channels.size() == kMaxChannels) return;
    Fork();
    Config config = command.config;
    TakeBodies(channels.front()->sim().config(), &config);
    if (config.materials.size() != channels.front()->sim().config().materials.size() ||
        config.surfaces.size() != scene->config.surfaces.size()) {
      return;
    }
    // from the one that came farthest: another may stand
    const auto farthest = std::max_element(
        channels.begin(), channels.end(),
        [](const auto& x, const auto& y) { return x->sim().time() < y->sim().time(); });
    trace.reset();
    Lockstep::Add(config, (*farthest)->sim());
  }

  void Remove(const RemoveChannel& command) {
    if (command.channel < 0 || command.channel >= static_cast<int>(channels.size()) ||
        channels.size() == 1) {
      return;
    }
    Lockstep::Remove(command.channel);
  }

  void SyncTo(int lead_index) {
    if (lead_index < 0 || lead_index >= static_cast<int>(channels.size())) return;
    Fork();
    const Simulation& lead = channels[static_cast<std::size_t>(lead_index)]->sim();
    auto state = std::make_shared<State>(lead.state());
    state->time_base = lead.time();
    state->step_base = state->step;
    trace.reset();
    for (auto& channel : channels) {
      if (&channel->sim() != &lead) static_cast<void>(channel->track.Apply(StateChange{state}));
    }
    SetMarkTime(lead.time());
    Emit({.channel = lead_index, .time = MarkTime(), .item = Resynced{}});
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

  void TellOf(const TellContact& tell) {
    auto history = std::make_shared<ContactHistory>();
    history->key = tell.key;
    history->session = session;
    history->asked = tell.number;
    for (const auto& channel : channels)
      history->channels.push_back(ReadContact(channel->track.history(), tell.key, tell.after));
    contact_history = std::move(history);
  }

  void Handle(const Command& command) {
    std::visit(
        [this]<class Kind>(const Kind& kind) {
          // the next step may have other knobs, another hand that pulls, or another past
          if constexpr (Kind::kEffect != CommandEffect::kLooks) foretold.reset();
          if (scene != nullptr || kOfNoScene<Kind>) Do(kind);
        },
        command);
  }

  // pacing is somebody else's
  void Do(const Play&) {}
  void Do(const Pause&) {}
  void Do(const SetSpeed&) {}

  void Do(const LoadScene& load) { Load(load); }
  void Do(const LoadReplay& replayed) {
    if (replayed.replay == nullptr) return;
    ++generation;
    Adopt(replayed.replay->recording(), replayed.replay->TakeTracks());
  }
  void Do(const StepForward& forward) { Forward(forward.count); }
  void Do(const StepBack& back) { SeekTo(MarkTime() - std::max(back.count, 0) * mark_step); }
  void Do(const Seek& seek) { SeekTo(seek.time); }
  void Do(const GoLive&) {
    if (!live) SeekTo(HistoryEnd());
  }
  void Do(const Reset&) {
    Restart();
    Emit({.item = WasReset{}});
  }
  void Do(const SetParamCommand& set) { Set(set); }
  void Do(const SetGrab& grab) { Pull(grab.grab); }
  void Do(const AddChannel& add) { Add(add); }
  void Do(const RemoveChannel& remove) { Remove(remove); }
  void Do(const Resync& sync) { SyncTo(sync.lead); }
  void Do(const GoToBranch& go) { GoTo(go.branch); }
  void Do(const slip::NameBranch& name) { NameBranch(name.branch, name.name); }
  void Do(const slip::DropBranch& drop) { DropBranch(drop.branch); }
  void Do(const slip::KeepBranch& keep) { KeepBranch(keep.branch); }
  void Do(const slip::FreeDropped&) { FreeDropped(); }
  void Do(const ScheduleChanges& schedule) {
    for (std::size_t c = 0; c < channels.size(); ++c)
      channels[c]->track.Schedule(schedule.changes, static_cast<int>(c));
  }

  // who only looks
  void Do(const TrailFeet& trail) { trails = trail.on; }
  void Do(const ShowGhost& show) { AskGhost(show.branch); }
  void Do(const ForetellForces& foretell) { foretold = Foretell(foretell.span, foretell.samples); }
  void Do(const TellContact& tell) { TellOf(tell); }
  void Do(const TellBranch& tell) {
    Emit({.item = BranchTold{std::make_shared<const BranchSamples>(SamplesOf(tell.branch))}});
  }
  void Do(const TakeRecording&) {
    Emit({.item = RecordingTaken{std::make_shared<Recording>(Record())}});
  }
  void Do(const TraceSolve& solve) { trace = TraceStep(solve.channel); }
};

Scope::Scope(Sinks sinks, std::size_t history_budget_bytes, int workers)
    : impl_(std::make_unique<Impl>()) {
  impl_->sinks = std::move(sinks);
  impl_->budget = history_budget_bytes;
  workers = std::min(workers, std::max(kMaxChannels, kMaxStepWorkers));
  if (workers > 1) impl_->workers = std::make_unique<WorkerPool>(workers);
}
Scope::~Scope() = default;

void Scope::Apply(const Command& command) { impl_->Handle(command); }
void Scope::SetStop(StopPoll stop) { impl_->stop = std::move(stop); }

bool Scope::Advance() { return impl_->Advance(); }
bool Scope::loaded() const { return impl_->scene != nullptr; }
const Scene& Scope::scene() const { return *impl_->scene; }
int Scope::channel_count() const { return static_cast<int>(impl_->channels.size()); }
const Simulation& Scope::channel(int i) const {
  return impl_->channels[static_cast<std::size_t>(i)]->sim();
}
double Scope::time() const { return impl_->MarkTime(); }
double Scope::mark_step() const { return impl_->mark_step; }
bool Scope::live() const { return impl_->live; }

void Scope::Fill(Snapshot* snapshot) const {
  snapshot->scene_generation = impl_->generation;
  impl_->Fill(snapshot);
}

}  // namespace slip
