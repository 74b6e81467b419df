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
    Event event;
    event.kind = Event::Kind::kLoaded;
    event.note = scene->title;
    Emit(event);
  }

  // Another number of bodies: a new model, on which all channels start again.
  void Rebuild(const SetParamCommand& command) {
    Event event;
    event.path = command.path;
    event.to = command.value;
    std::vector<Config> configs;
    for (const auto& channel : channels) {
      Config& config = configs.emplace_back(channel->sim().config());
      event.from = GetParam(config, command.path).value_or(0);
      if (const Status status = SetParam(&config, command.path, command.value); !status.ok()) {
        event.kind = Event::Kind::kRefused;
        event.note = status.error().Text();
        return Emit(event);
      }
      config.grab = Grab{};  // the body pulled may be gone
    }
    if (const Status size = scene->CheckSize(configs.front()); !size.ok()) {
      event.kind = Event::Kind::kRefused;
      event.note = size.error().message;
      return Emit(event);
    }
    if (SameBodies(configs.front(), channels.front()->sim().config())) return;
    model = scene->ModelFor(configs.front());
    Lockstep::Rebuild(configs);
    Emit(event);
  }

  void Set(const SetParamCommand& command) {
    const int count = static_cast<int>(channels.size());
    if (command.channel >= count) return;
    const ParamInfo* info = FindParam(channels.front()->sim().config(), command.path);
    if (info != nullptr && info->applies == Applies::kRebuild) return Rebuild(command);
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
      Config config = channel.sim().config();
      const std::optional<double> from = GetParam(config, command.path);
      Status status = SetParam(&config, command.path, command.value);
      if (status.ok()) status = CheckControllers(*model, config);
      if (status.ok()) status = CheckFriction(config.materials);
      if (!status.ok()) {
        event.kind = Event::Kind::kRefused;
        event.note = status.error().Text();
        Emit(event);
        return;
      }
      if (config == channel.sim().config()) continue;
      if (!changed) {
        Fork();
        event.from = from.value_or(0);
        event.step = channel.sim().step();
        changed = true;
      }
      // the fork may have put another in its place
      Track& track = channels[static_cast<std::size_t>(c)]->track;
      static_cast<void>(track.Apply(ParamChange{command.path, command.value}));
    }
    if (!changed) return;
    UpdateMarks();
    event.kind = Event::Kind::kParameter;
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
    Event event;
    event.kind = Event::Kind::kGrab;
    event.time = MarkTime();
    event.to = checked.body >= 0 ? 1 : 0;
    if (checked.body >= 0) {
      event.path = model->bodies[static_cast<std::size_t>(checked.body)].name;
    }
    Emit(event);
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
    Event event;
    event.kind = Event::Kind::kResync;
    event.channel = lead_index;
    event.time = MarkTime();
    Emit(event);
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

  void Tell(int which) {
    Event event;
    event.kind = Event::Kind::kBranchSamples;
    event.to = which;
    event.samples = std::make_shared<const BranchSamples>(SamplesOf(which));
    Emit(event);
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
    if (const auto* load = std::get_if<LoadScene>(&command)) {
      foretold.reset();
      return Load(*load);
    }
    if (const auto* replayed = std::get_if<LoadReplay>(&command)) {
      if (replayed->replay == nullptr) return;
      ++generation;
      foretold.reset();
      return Adopt(replayed->replay->recording(), replayed->replay->TakeTracks());
    }
    if (const auto* trail = std::get_if<TrailFeet>(&command)) {
      trails = trail->on;
      return;
    }
    if (const auto* show = std::get_if<ShowGhost>(&command)) return AskGhost(show->branch);
    if (const auto* foretell = std::get_if<ForetellForces>(&command)) {
      foretold = Foretell(foretell->span, foretell->samples);
      return;
    }
    if (const auto* tell = std::get_if<TellContact>(&command)) return TellOf(*tell);
    // the next step may have other knobs, another hand that pulls, or another past
    if (!std::holds_alternative<TraceSolve>(command)) foretold.reset();
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
    if (const auto* go = std::get_if<GoToBranch>(&command)) return GoTo(go->branch);
    if (const auto* name = std::get_if<slip::NameBranch>(&command))
      return NameBranch(name->branch, name->name);
    if (const auto* drop = std::get_if<slip::DropBranch>(&command)) return DropBranch(drop->branch);
    if (const auto* keep = std::get_if<slip::KeepBranch>(&command)) return KeepBranch(keep->branch);
    if (std::holds_alternative<slip::FreeDropped>(command)) return FreeDropped();
    if (const auto* tell = std::get_if<TellBranch>(&command)) return Tell(tell->branch);
    if (const auto* schedule = std::get_if<ScheduleChanges>(&command)) {
      for (std::size_t c = 0; c < channels.size(); ++c)
        channels[c]->track.Schedule(schedule->changes, static_cast<int>(c));
      return;
    }
    if (std::holds_alternative<TakeRecording>(command)) {
      Event event;
      event.kind = Event::Kind::kRecording;
      event.recording = std::make_shared<Recording>(Record());
      return Emit(event);
    }
    if (const auto* solve = std::get_if<TraceSolve>(&command)) trace = TraceStep(solve->channel);
  }
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
