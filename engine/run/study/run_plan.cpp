#include "engine/run/study/run_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"
#include "engine/core/param_text.h"
#include "engine/core/thread_stop.h"
#include "engine/core/worker_pool.h"
#include "engine/run/channels/change_events.h"
#include "engine/run/channels/channels.h"
#include "engine/run/study/plan_check.h"
#include "engine/run/track/share_steps.h"
#include "engine/sim/signal_stats.h"

namespace slip {
namespace {

constexpr std::size_t kMaxRunChannels = 16;

Config ConfigFor(const Scene& scene, MethodId model) {
  for (const ChannelSpec& channel : scene.channels) {
    if (channel.config.method() == model) return channel.config;
  }
  Config config = scene.config;
  config.step.method = static_cast<int>(model);
  return config;
}

void ChooseChannels(const std::string& models, RunPlan* plan, ErrorList* errors) {
  const Scene& scene = *plan->scene;
  if (models.empty()) {
    for (const ChannelSpec& channel : scene.channels) {
      const MethodInfo& method = Info(channel.config.method());
      const std::string_view why = method.WhyMissing();
      if (why.empty()) {
        plan->configs.push_back(channel.config);
      } else {
        plan->left_out.push_back(fmt::format("{} is not in this build: {}", method.id, why));
      }
    }
    if (plan->configs.empty()) errors->push_back({.message = plan->left_out.front()});
    return;
  }
  const std::vector<std::string> ids = SplitList(models);
  if (std::find(ids.begin(), ids.end(), "") != ids.end()) {
    errors->push_back(
        {.message = "expected models separated by commas, found '" + models.substr(0, 60) + "'",
         .hint = fmt::format("known: {}", fmt::join(MethodIds(), ", "))});
    return;
  }
  if (ids.size() > kMaxRunChannels) {
    errors->push_back({.message = "at most 16 models at a time"});
    return;
  }
  for (auto at = ids.begin(); at != ids.end(); ++at) {
    const std::string& id = *at;
    const std::optional<MethodId> model = FindMethod(id);
    if (const std::string_view why = model ? Info(*model).WhyMissing() : ""; !why.empty()) {
      errors->push_back({.message = id + " is not in this build: " + std::string(why)});
    } else if (model) {
      plan->configs.push_back(ConfigFor(scene, *model));
    } else if (std::find(ids.begin(), at, id) == at) {
      errors->push_back(
          {.message = "no model '" + id.substr(0, 60) + "'", .hint = DidYouMean(id, MethodIds())});
    }
  }
}

/// "0.5:time_step=1ms"
std::optional<Error> ParseChange(const Config& config, const std::string& text,
                                 TimedChange* change) {
  const std::size_t colon = text.find(':');
  const std::size_t equals = text.find('=');
  if (colon == std::string::npos || equals == std::string::npos || equals < colon) {
    return Error{.message = "expected S:PATH=VALUE, found '" + text.substr(0, 60) + "'",
                 .hint = "for example 0.5:time_step=1ms"};
  }
  const Result<double> time = ParseQuantity(text.substr(0, colon), "s");
  if (!time) return time.error();
  if (*time < 0) {
    return Error{.message =
                     "a change cannot happen before the start: '" + text.substr(0, 60) + "'"};
  }
  const std::string assignment = text.substr(colon + 1);
  Config copy = config;
  if (Status status = ApplyAssignment(&copy, assignment); !status) return status.error();
  change->time = *time;
  change->path = assignment.substr(0, equals - colon - 1);
  if (FindParam(config, change->path)->applies == Applies::kRebuild) {
    return Error{.message = change->path + " cannot change during a run",
                 .hint = "give it with -p instead"};
  }
  change->value = *GetParam(copy, change->path);
  return std::nullopt;
}

constexpr int kAllChannels = -1;

/// An assignment without "@sap" or "@2", and the channels that it is meant for: kAllChannels, those
/// of the model, or the one of this number from 1 on, as in expressions.
struct Meant {
  std::string text;
  std::vector<int> channels;
};
Meant ChannelsMeant(const RunPlan& plan, const std::string& text, ErrorList* errors) {
  const std::size_t equals = text.find('='), at = text.find('@');
  if (at == std::string::npos || equals == std::string::npos || at > equals)
    return {text, {kAllChannels}};
  const std::string name = text.substr(at + 1, equals - at - 1);
  Meant meant{text.substr(0, at) + text.substr(equals), {}};
  for (std::size_t c = 0; c < plan.configs.size(); ++c) {
    if (MeansChannel(name, c, plan.labels.AllOf(c))) meant.channels.push_back(static_cast<int>(c));
  }
  if (meant.channels.empty()) {
    errors->push_back(
        {.message = "no channel '" + name.substr(0, 60) + "' in '" + text.substr(0, 100) + "'",
         .hint = "a model of this run, or the number of a channel from 1 on"});
  }
  return meant;
}

/// Those that the channel comes to, in their order; some perhaps more than once.
std::vector<MethodId> MethodsOf(const RunPlan& plan, std::size_t channel) {
  std::vector<MethodId> methods = {plan.configs[channel].method()};
  if (channel < plan.paths.size()) {
    for (const JournalEntry& entry : plan.paths[channel].entries) {
      const auto* param = std::get_if<ParamChange>(&entry.change);
      if (param != nullptr && param->path == kMethodParam)
        methods.push_back(static_cast<MethodId>(param->value));
    }
  }
  for (const TimedChange& change : plan.changes) {
    const bool own = change.channel < 0 || change.channel == static_cast<int>(channel);
    if (own && change.path == kMethodParam) methods.push_back(static_cast<MethodId>(change.value));
  }
  return methods;
}

void LabelChannels(RunPlan* plan) {
  std::vector<std::vector<MethodId>> methods;
  for (std::size_t c = 0; c < plan->configs.size(); ++c) methods.push_back(MethodsOf(*plan, c));
  plan->labels = ChannelLabels(methods);
}

/// Tells the changes that a channel's track has made.
void ReportChanges(int channel, Track* track, const RunCallbacks& callbacks) {
  for (const Track::Applied& applied : track->TakeApplied()) {
    const auto item = ItemOf(applied.change, applied.from, *track->model(), applied.refused);
    if (item && callbacks.event) callbacks.event({channel, applied.step, applied.time, *item});
  }
}

// How often a run looks what there is to say of its parameters [s]: as a window does.
constexpr double kParamPeriod = 0.1;

/// What follows from a channel's step.
void FollowStep(int channel, const Simulation& simulation, const Channels::Progress& progress,
                ChannelResult* result, const RunCallbacks& callbacks) {
  const StepStatus status = progress.status;
  if (status == StepStatus::kIterationLimit || status == StepStatus::kLost) {
    ++result->not_converged;
    result->unconverged.Add(simulation.last_solve());
  }
  if (Advanced(status)) {
    if (callbacks.step) callbacks.step(channel, simulation);
    result->notes.Watch(simulation);
    result->params.Watch(simulation, false);
  } else {
    result->status = ChannelResult::Status::kFailed;
    result->failure = simulation.failure();
  }
  for (const Event& event : progress.events)
    if (callbacks.event) callbacks.event(event);
}

}  // namespace

std::string_view Name(ChannelResult::Status status) {
  constexpr std::string_view kNames[] = {"finished", "interrupted", "failed"};
  return kNames[static_cast<int>(status)];
}

std::vector<std::string> RunResult::Failures() const {
  std::vector<std::string> sentences;
  for (const ChannelResult& channel : channels) {
    if (!channel.failure.empty()) sentences.push_back(channel.failure);
  }
  return sentences;
}

int64_t RunResult::NotConverged() const {
  int64_t steps = 0;
  for (const ChannelResult& channel : channels) steps += channel.not_converged;
  return steps;
}

Unconverged RunResult::ByReason() const {
  Unconverged all;
  for (const ChannelResult& channel : channels) all.Add(channel.unconverged);
  return all;
}

bool RunResult::Complete() const {
  return std::all_of(channels.begin(), channels.end(), [](const ChannelResult& channel) {
    return channel.status == ChannelResult::Status::kFinished;
  });
}

RunPlan OneOf(const RunPlan& plan, std::size_t channel, const Config& config) {
  RunPlan one;
  one.scene = plan.scene;
  one.configs = {config};
  const std::vector<MethodId> methods = {config.method()};
  one.labels = ChannelLabels(std::span(&methods, 1));
  one.duration = plan.duration;
  one.steps = plan.steps;
  for (TimedChange change : plan.changes) {
    if (change.channel >= 0 && change.channel != static_cast<int>(channel)) continue;
    change.channel = -1;
    one.changes.push_back(std::move(change));
  }
  return one;
}

double RunPlan::End(const Config& config) const {
  return steps > 0 ? CalcLength(*this, config).end : duration;
}

namespace {

Result<RunPlan> Complete(RunPlan plan, ErrorList errors,
                         const std::vector<std::string>& assignments,
                         const std::vector<std::string>& changes) {
  plan.own = plan.configs;
  LabelChannels(&plan);
  for (const std::string& text : assignments) {
    const Meant meant = ChannelsMeant(plan, text, &errors);
    const ParamInfo* info =
        FindParam(plan.scene->config, meant.text.substr(0, meant.text.find('=')));
    plan.assigned.push_back(meant.text.substr(0, meant.text.find('=')));
    const bool of_all = meant.channels == std::vector<int>{kAllChannels};
    if (info != nullptr && info->applies == Applies::kRebuild && !of_all) {
      errors.push_back({.message = std::string(info->name) + " is the same in all channels",
                        .hint = "leave '@' and what follows it out"});
      continue;
    }
    for (std::size_t c = 0; c < plan.configs.size(); ++c) {
      const bool is_meant = std::any_of(
          meant.channels.begin(), meant.channels.end(),
          [c](int channel) { return channel == kAllChannels || channel == static_cast<int>(c); });
      if (!is_meant) continue;
      const Status status = ApplyAssignment(&plan.configs[c], meant.text);
      if (status.ok()) continue;
      errors.push_back(status.error());
      break;
    }
  }
  for (const std::string& text : changes) {
    const Meant meant = ChannelsMeant(plan, text, &errors);
    TimedChange change;
    if (const auto error = ParseChange(plan.configs.front(), meant.text, &change)) {
      errors.push_back(*error);
      continue;
    }
    for (const int channel : meant.channels) {
      change.channel = channel;
      plan.changes.push_back(change);
    }
  }
  for (const Config& config : plan.configs) {
    const Status size = plan.scene->CheckSize(config);
    if (size.ok()) continue;
    errors.push_back(size.error());
    break;
  }
  if (!errors.empty()) return errors;
  std::stable_sort(plan.changes.begin(), plan.changes.end(),
                   [](const TimedChange& a, const TimedChange& b) { return a.time < b.time; });
  LabelChannels(&plan);
  return plan;
}

}  // namespace

Result<RunPlan> MakeRunPlan(std::shared_ptr<const Scene> scene, const std::string& models,
                            const std::vector<std::string>& assignments,
                            const std::vector<std::string>& changes) {
  RunPlan plan;
  ErrorList errors;
  plan.scene = std::move(scene);
  plan.duration = plan.scene->duration;
  ChooseChannels(models, &plan, &errors);
  return Complete(std::move(plan), std::move(errors), assignments, changes);
}

Result<RunPlan> MakeRunPlan(const Recording& recording, int branch,
                            const std::vector<std::string>& assignments,
                            const std::vector<std::string>& changes) {
  RunPlan plan;
  plan.scene = At(recording.branches, branch).scene;
  plan.paths = PathsOf(recording, branch);
  plan.duration = 0;
  for (const RecordedPath& path : plan.paths) {
    plan.configs.push_back(path.config);
    plan.last_steps.push_back(path.end_step);
    plan.duration = std::max(plan.duration, EndTime(path));
  }
  return Complete(std::move(plan), {}, assignments, changes);
}

namespace {

void BeginTracks(const RunPlan& plan, const RunCallbacks& callbacks, std::vector<Track>* tracks) {
  tracks->clear();
  for (std::size_t c = 0; c < plan.configs.size(); ++c) {
    // first contacts may take long; when they are given up, so is the first step
    const ThreadStop stop(&callbacks.stop);
    const bool recorded = c < plan.paths.size();
    const Config& config = plan.configs[c];
    tracks->emplace_back(plan.scene->ModelFor(config), config, 0, 0,
                         recorded ? plan.paths[c].start : nullptr);
    if (recorded) tracks->back().Schedule(plan.paths[c].entries);
    tracks->back().Schedule(plan.changes, static_cast<int>(c));
    tracks->back().SetStop(callbacks.stop);
    tracks->back().sim().SetMeasureCondition(plan.measures_condition, plan.measures_distance,
                                             plan.times_parts);
  }
}

RunResult BeginResult(const RunPlan& plan, const std::vector<Track>& tracks) {
  RunResult result;
  result.channels.resize(tracks.size());
  for (std::size_t c = 0; c < tracks.size(); ++c) {
    ChannelResult& channel = result.channels[c];
    channel.notes = StepNotes(*tracks[c].model());
    if (plan.watches_params)
      channel.params = ParamNoteWatch(
          [labels = plan.labels, c](MethodId method) { return labels.Of(c, method); },
          plan.scene->duration, kParamPeriod);
  }
  return result;
}

/// One step of each channel, up to its end.
std::vector<AdvanceLimits> LimitsOf(const RunPlan& plan) {
  std::vector<AdvanceLimits> limits;
  for (std::size_t c = 0; c < plan.configs.size(); ++c) {
    AdvanceLimits& each = limits.emplace_back(AdvanceLimits{.most = 1});
    if (plan.steps > 0) {
      each.step = plan.steps;
    } else if (c < plan.last_steps.size()) {
      each.step = plan.last_steps[c];
    } else {
      each.time = plan.duration;
    }
  }
  return limits;
}

/// Part of its run that a channel has made.
double CalcFraction(const RunPlan& plan, const Simulation& simulation) {
  return plan.steps > 0 ? static_cast<double>(simulation.step()) / static_cast<double>(plan.steps)
                        : simulation.time() / std::max(plan.duration, 1e-300);
}

/// What follows from what each channel did. The fraction of the run that is done; nothing when no
/// channel goes on.
std::optional<double> Follow(const RunPlan& plan, const Channels& channels,
                             const RunCallbacks& callbacks, RunResult* result) {
  bool moved = false;
  double fraction = 1;
  for (int c = 0; c < channels.count(); ++c) {
    ChannelResult& each = At(result->channels, c);
    if (each.status != ChannelResult::Status::kInterrupted) continue;
    const Channels::Progress& progress = channels.progress(c);
    if (progress.end == AdvanceEnd::kReached) {
      each.status = ChannelResult::Status::kFinished;
    } else if (progress.end == AdvanceEnd::kStopped) {
      result->stopped = true;
    } else {
      FollowStep(c, channels.sim(c), progress, &each, callbacks);
      if (!Advanced(progress.status)) continue;
      moved = true;
      fraction = std::min(fraction, CalcFraction(plan, channels.sim(c)));
    }
  }
  return moved ? std::optional(fraction) : std::nullopt;
}

}  // namespace

Sliced<RunResult> RunInSlices(const RunPlan& plan, std::vector<Track>* tracks,
                              const RunCallbacks& callbacks) {
  BeginTracks(plan, callbacks, tracks);
  RunResult result = BeginResult(plan, *tracks);
  Channels channels(false);
  for (Track& track : *tracks)
    channels.Add(std::shared_ptr<Track>(std::shared_ptr<Track>(), &track));  // not owned
  const std::vector<AdvanceLimits> limits = LimitsOf(plan);
  WorkerPool workers(std::min(plan.workers, std::max(channels.count(), kMaxStepWorkers)));
  while (!result.stopped) {
    channels.Advance(limits, &workers);
    for (int c = 0; c < channels.count(); ++c) ReportChanges(c, &channels.track(c), callbacks);
    const std::optional<double> fraction = Follow(plan, channels, callbacks, &result);
    if (!fraction) break;
    if (!result.stopped && callbacks.poll && !callbacks.poll(*fraction)) result.stopped = true;
    co_await MayRest{};
  }
  for (std::size_t c = 0; c < tracks->size(); ++c)
    result.channels[c].params.Watch((*tracks)[c].sim(), true);
  for (Track& track : *tracks) {
    track.sim().SetWorkers(nullptr);
    track.SetStop({});
  }
  co_return result;
}

}  // namespace slip
