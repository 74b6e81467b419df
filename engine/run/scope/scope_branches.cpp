// Scope: runs begin, go back and on another way, and return to a way that was left.
#include <algorithm>

#include "engine/run/record/replay.h"
#include "engine/run/scope/scope_impl.h"

namespace slip {
namespace {

// Of a branch with another number of bodies, a run that is worth keeping [s]. A slider passes many.
constexpr double kShortRun = 1;

}  // namespace

std::shared_ptr<Track> Scope::Impl::Take(Track track) {
  std::shared_ptr<Track> taken = branches.Take(std::move(track));
  taken->SetStop(stop);
  return taken;
}

std::shared_ptr<Track> Scope::Impl::MakeFrom(const Config& config, const Simulation& from) {
  auto start = std::make_shared<State>(from.state());
  start->time_base = from.time();
  start->step_base = start->step;
  return Take(
      Track(model, config, branches.budget() / kMaxChannels, branches.present(), std::move(start)));
}

void Scope::Impl::ParkOthers(const Channels::List& stay) {
  for (const auto& track : channels.list()) {
    if (std::find(stay.begin(), stay.end(), track) == stay.end()) track->Park();
  }
}

void Scope::Impl::OpenBranch(int parent, double fork_time) {
  branches.Open({.parent = parent,
                 .fork_time = fork_time,
                 .scene = scene,
                 .model = model,
                 .channels = channels.list()});
}

void Scope::Impl::ShowBranch(double time) {
  branches.RenewTree();
  trace.reset();
  past.GoLive();
  channels.BeginMarks(time);
  branches.HoldBudget();
}

void Scope::Impl::TellAnew() {
  publisher.Restart();
  past.Send(channels, branches, publisher);
}

void Scope::Impl::Begin(const std::vector<Config>& configs, const std::vector<RecordedPath>* paths,
                        std::vector<Track>* made) {
  branches.Leave(channels);
  ParkOthers({});
  channels.Show({});
  OpenBranch(-1, 0);
  const int branch = branches.present();
  for (std::size_t c = 0; c < configs.size(); ++c) {
    const RecordedPath* path = paths != nullptr && c < paths->size() ? &(*paths)[c] : nullptr;
    if (made != nullptr) {
      (*made)[c].BeginAs(branch);
      channels.Add(Take(std::move((*made)[c])));
    } else {
      channels.Add(Take(Track(model, configs[c], branches.budget() / kMaxChannels, branch,
                              path != nullptr ? path->start : nullptr)));
    }
    if (path != nullptr) channels.list().back()->Schedule(path->entries);
  }
  branches.SetChannels(channels.list());
  ShowBranch(0);
  TellAnew();
}

void Scope::Impl::Do(const LoadScene& load) {
  if (load.scene == nullptr) return;
  // the same file read again goes on as another branch, another scene is another session
  const bool again = scene != nullptr && !scene->file.empty() && scene->file == load.scene->file;
  scene = load.scene;
  model = scene->model;
  if (!again) {
    branches.Clear();
    channels.Show({});
  }
  ++generation;
  Begin(ConfigsOf(*scene), load.paths.get(), load.tracks.get());
  Emit({.item = SceneLoaded{scene->title}});
}

void Scope::Impl::Rebuild(const SetParamCommand& command) {
  ParamChanged changed{command.path, 0, command.value};
  std::vector<Config> configs;
  for (const auto& track : channels.list()) {
    Config& config = configs.emplace_back(track->sim().config());
    changed.from = GetParam(config, command.path).value_or(0);
    if (const Status status = SetParam(&config, command.path, command.value); !status.ok())
      return Emit({.item = Refused{command.path, status.error().Text()}});
    config.grab = Grab{};  // the body pulled may be gone
  }
  if (const Status size = scene->CheckSize(configs.front()); !size.ok())
    return Emit({.item = Refused{command.path, size.error().message}});
  if (SameBodies(configs.front(), channels.sim(0).config())) return;
  model = scene->ModelFor(configs.front());
  if (channels.LatestTime() < kShortRun && branches.TakeBackRebuilt()) channels.Show({});
  Begin(configs);
  branches.MarkRebuilt();
  Emit({.item = std::move(changed)});
}

void Scope::Impl::Do(const LoadReplay& replayed) {
  if (replayed.replay == nullptr) return;
  ++generation;
  const Recording& recording = replayed.replay->recording();
  channels.Show({});
  branches.Adopt(recording, replayed.replay->TakeTracks(), stop);
  past.GoLive();
  GoTo(recording.present);
}

void Scope::Impl::Do(const Reset&) {
  const Channels::List& list = channels.list();
  const bool untouched = std::all_of(list.begin(), list.end(),
                                     [](const auto& track) { return track->lines().Untouched(); });
  if (!untouched) {
    branches.Leave(channels);
    OpenBranch(-1, 0);
  }
  for (const auto& track : list) track->Restart(branches.present());
  ShowBranch(0);
  TellAnew();
  Emit({.item = WasReset{}});
}

void Scope::Impl::Fork() {
  if (past.live()) return;
  trace.reset();  // the steps that come may have the numbers of those that go
  const double time = channels.MarkTime();
  branches.Leave(channels);
  OpenBranch(branches.AncestorAt(time), time);
  int begun = -1;  // the first one that has
  for (int c = 0; c < channels.count(); ++c) {
    if (!past.Begun(c)) continue;
    if (begun < 0) begun = c;
    Track& track = channels.track(c);
    track.Fork(branches.present());
    // the hand that pulled then has let go since
    if (track.sim().config().grab.body >= 0) static_cast<void>(track.Apply(Grab{}));
  }
  publisher.Send(TruncateSamples{time});
  for (int c = 0; c < channels.count(); ++c) {
    if (past.Begun(c)) continue;
    Config config = channels.sim(c).config();
    config.grab = Grab{};
    channels.track(c).Park();
    channels.Replace(c, MakeFrom(config, channels.sim(begun)));
    EmitSample(c);
    Emit(*BeginOf(c, channels.track(c)));
  }
  past.GoLive();
  branches.SetChannels(channels.list());
  branches.HoldBudget();
}

void Scope::Impl::GoTo(int to) {
  if (!branches.Has(to)) return;
  if (to == branches.present()) {
    if (!past.live()) SeekTo(channels.HistoryEnd());
    return;
  }
  branches.Leave(channels);
  const Branch& next = branches.at(to);
  ParkOthers(next.channels);
  branches.GoTo(to);
  channels.Show(next.channels);
  scene = next.scene;
  model = next.model;
  for (const auto& track : channels.list()) track->GoTo(to);
  ShowBranch(channels.LatestTime());
  TellAnew();
  Emit({.time = channels.MarkTime(), .item = BranchShown{to}});
}

void Scope::Impl::Do(const GoToBranch& go) { GoTo(go.branch); }
void Scope::Impl::Do(const NameBranch& name) { branches.Name(name.branch, name.name); }
void Scope::Impl::Do(const DropBranch& drop) {
  if (std::string why = branches.Drop(drop.branch); !why.empty())
    Emit({.time = channels.MarkTime(), .item = Refused{{}, std::move(why)}});
}
void Scope::Impl::Do(const KeepBranch& keep) { branches.Keep(keep.branch); }
void Scope::Impl::Do(const FreeDropped&) { branches.FreeDropped(); }

void Scope::Impl::Do(const StepForward& forward) {
  for (int i = 0; i < forward.count; ++i) {
    if (past.live()) {
      if (!Advance()) return;
    } else {
      SeekTo(channels.MarkTime() + channels.mark_step());
    }
  }
}
void Scope::Impl::Do(const StepBack& back) {
  SeekTo(channels.MarkTime() - std::max(back.count, 0) * channels.mark_step());
}
void Scope::Impl::Do(const Seek& seek) { SeekTo(seek.time); }
void Scope::Impl::Do(const GoLive&) {
  if (!past.live()) SeekTo(channels.HistoryEnd());
}

}  // namespace slip
