// Scope: what a hand does to the channels.
#include <algorithm>
#include <cmath>

#include "engine/control/controllers.h"
#include "engine/run/scope/scope_impl.h"

namespace slip {
namespace {

bool IsSane(const Grab& grab) {
  return grab.p_BP.allFinite() && grab.p_WA.allFinite() && std::abs(grab.q_WA.norm() - 1) < 1e-6 &&
         std::isfinite(grab.stiffness) && std::isfinite(grab.damping) &&
         std::isfinite(grab.force_limit) && grab.stiffness >= 0 && grab.damping >= 0 &&
         grab.force_limit >= 0;
}

/// The knobs with the change made, where everything agrees with it.
Status SetChecked(const SetParamCommand& command, const Model& model, Config* config) {
  Status status = SetParam(config, command.path, command.value);
  if (status.ok()) status = CheckControllers(model, *config);
  if (status.ok()) status = CheckFriction(config->materials);
  return status;
}

}  // namespace

void Scope::Impl::Do(const SetParamCommand& set) {
  if (set.channel >= channels.count()) return;
  const ParamInfo* info = FindParam(channels.sim(0).config(), set.path);
  if (info != nullptr && info->applies == Applies::kRebuild) return Rebuild(set);
  const int first = set.channel < 0 ? 0 : set.channel;
  const int last = set.channel < 0 ? channels.count() - 1 : set.channel;
  Event event{.channel = set.channel, .time = channels.MarkTime()};
  ParamChanged item{set.path, 0, set.value};
  bool changed = false;
  for (int c = first; c <= last; ++c) {
    Config config = channels.sim(c).config();
    const std::optional<double> from = GetParam(config, set.path);
    if (const Status status = SetChecked(set, *model, &config); !status.ok()) {
      event.item = Refused{set.path, status.error().Text()};
      return Emit(event);
    }
    if (config == channels.sim(c).config()) continue;
    if (!changed) {
      const int64_t step = channels.sim(c).step();
      Fork();
      item.from = from.value_or(0);
      event.step = step;
      changed = true;
    }
    // the fork may have put another in its place
    static_cast<void>(channels.track(c).Apply(ParamChange{set.path, set.value}));
  }
  if (!changed) return;
  channels.UpdateMarks();
  event.item = std::move(item);
  Emit(event);
}

void Scope::Impl::Do(const SetGrab& set) {
  const bool known = set.grab.body < static_cast<int>(model->bodies.size());
  const Grab checked = known && IsSane(set.grab) ? set.grab : Grab{};
  bool begins = false;
  for (int c = 0; c < channels.count(); ++c) {
    const Grab old = channels.sim(c).config().grab;
    if (old == checked) continue;
    begins = begins || (old.body < 0) != (checked.body < 0);
    Fork();
    static_cast<void>(channels.track(c).Apply(checked));
  }
  if (!begins) return;
  const bool holds = checked.body >= 0;
  std::string name = holds ? model->body(checked.body).name : "";
  Emit({.time = channels.MarkTime(), .item = Pulled{holds, std::move(name)}});
}

void Scope::Impl::Do(const AddChannel& add) {
  if (channels.empty() || channels.count() == kMaxChannels) return;
  Fork();
  Config config = add.config;
  TakeBodies(channels.sim(0).config(), &config);
  if (config.materials.size() != channels.sim(0).config().materials.size() ||
      config.surfaces.size() != scene->config.surfaces.size()) {
    return;
  }
  // from the one that came farthest: another may stand
  const auto farthest = std::max_element(
      channels.list().begin(), channels.list().end(),
      [](const auto& x, const auto& y) { return x->sim().time() < y->sim().time(); });
  trace.reset();
  channels.Add(MakeFrom(config, (*farthest)->sim()));
  branches.SetChannels(channels.list());
  channels.UpdateMarks();
  const int c = channels.count() - 1;
  publisher.Send(ChangeChannels{channels.count(), -1});
  EmitSample(c);
  Emit(*BeginOf(c, channels.track(c)));
}

void Scope::Impl::Do(const RemoveChannel& remove) {
  const int c = remove.channel;
  if (c < 0 || c >= channels.count() || channels.count() == 1) return;
  trace.reset();
  const std::shared_ptr<Track> gone = channels.Remove(c);
  branches.SetChannels(channels.list());
  branches.Forget(gone);
  // those that are left may not have begun yet
  if (!past.live()) SeekTo(channels.MarkTime());
  channels.UpdateMarks();
  publisher.Send(ChangeChannels{channels.count(), c});
}

void Scope::Impl::Do(const Resync& sync) {
  if (sync.lead < 0 || sync.lead >= channels.count()) return;
  Fork();
  const Simulation& lead = channels.sim(sync.lead);
  auto state = std::make_shared<State>(sync.state ? *sync.state : lead.state());
  state->time_base = lead.time();
  state->step = lead.state().step;
  state->step_base = state->step;
  trace.reset();
  for (const auto& track : channels.list()) {
    if (sync.state || &track->sim() != &lead) static_cast<void>(track->Apply(StateChange{state}));
  }
  channels.SetMarkTime(lead.time());
  Emit({.channel = sync.lead, .time = channels.MarkTime(), .item = Resynced{}});
}

void Scope::Impl::Do(const ScheduleChanges& schedule) {
  for (int c = 0; c < channels.count(); ++c) channels.track(c).Schedule(schedule.changes, c);
}

}  // namespace slip
