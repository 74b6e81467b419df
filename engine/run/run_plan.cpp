#include "engine/run/run_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/core/param_text.h"
#include "engine/core/worker_pool.h"
#include "engine/run/plan_check.h"
#include "engine/run/share_steps.h"

namespace slip {
namespace {

constexpr std::size_t kMaxRunChannels = 16;

std::vector<std::string> SplitList(const std::string& text) {
  std::vector<std::string> items;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    items.push_back(text.substr(begin, comma - begin));
    begin = comma + 1;
  }
  return items;
}

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
    for (const ChannelSpec& channel : scene.channels) plan->configs.push_back(channel.config);
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
    if (const std::optional<MethodId> model = FindMethod(id)) {
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
  if (*time < 0) return Error{.message = "a change cannot happen before the start"};
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

void LabelChannels(RunPlan* plan) {
  for (std::size_t c = 0; c < plan->configs.size(); ++c) {
    int nth = 1;
    for (std::size_t other = 0; other < c; ++other) {
      if (plan->configs[other].method() == plan->configs[c].method()) ++nth;
    }
    std::string label(Info(plan->configs[c].method()).id);
    if (nth > 1) label += "#" + std::to_string(nth);
    plan->labels.push_back(std::move(label));
  }
}

/// Applies what is due at the channel's present time.
void ApplyChanges(const RunPlan& plan, int channel, std::size_t* next, Simulation* simulation,
                  const RunCallbacks& callbacks) {
  while (*next < plan.changes.size()) {
    const TimedChange& change = plan.changes[*next];
    // Half a step of tolerance, so that the step count decides and not round-off.
    if (simulation->time() + 0.5 * simulation->config().step.time_step <= change.time) return;
    Config config = simulation->config();
    Event event;
    event.channel = channel;
    event.step = simulation->step();
    event.time = simulation->time();
    event.path = change.path;
    event.from = GetParam(config, change.path).value_or(0);
    event.to = change.value;
    if (SetParam(&config, change.path, change.value).ok()) simulation->SetConfig(config);
    if (callbacks.event) callbacks.event(event);
    ++*next;
  }
}

/// What follows from a channel's step; false when it failed.
bool ReportStep(int channel, StepStatus status, Simulation* simulation, bool* was_converged,
                ChannelResult* result, const RunCallbacks& callbacks) {
  Event event;
  event.channel = channel;
  event.step = simulation->step();
  event.time = simulation->time();
  const bool converged = status == StepStatus::kConverged;
  if (status == StepStatus::kIterationLimit || status == StepStatus::kLost) {
    ++result->not_converged;
    result->worst_residual =
        std::max(result->worst_residual, simulation->last_solve().worst_residual);
  }
  if (!Advanced(status)) {
    result->status = ChannelResult::Status::kFailed;
    result->failure = simulation->failure();
    event.kind = Event::Kind::kFailure;
    event.note = simulation->failure();
    if (callbacks.event) callbacks.event(event);
    return false;
  }
  if (callbacks.step) callbacks.step(channel, *simulation);
  if (!converged && *was_converged && callbacks.event) {
    event.kind = Event::Kind::kNotConverged;
    event.note = "not converged after " + std::to_string(simulation->solve().iterations) +
                 " iterations, residual " + FormatNumber(simulation->solve().momentum_residual);
    callbacks.event(event);
  }
  *was_converged = converged;
  return true;
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

double RunResult::WorstResidual() const {
  double worst = 0;
  for (const ChannelResult& channel : channels) worst = std::max(worst, channel.worst_residual);
  return worst;
}

bool RunResult::Complete() const {
  return std::all_of(channels.begin(), channels.end(), [](const ChannelResult& channel) {
    return channel.status == ChannelResult::Status::kFinished;
  });
}

double RunPlan::End(const Config& config) const {
  return steps > 0 ? CalcLength(*this, config).end : duration;
}

Result<RunPlan> MakeRunPlan(std::shared_ptr<const Scene> scene, const std::string& models,
                            const std::vector<std::string>& assignments,
                            const std::vector<std::string>& changes) {
  RunPlan plan;
  ErrorList errors;
  plan.scene = std::move(scene);
  plan.duration = plan.scene->duration;
  ChooseChannels(models, &plan, &errors);
  plan.own = plan.configs;
  for (const std::string& assignment : assignments) {
    for (Config& config : plan.configs) {
      const Status status = ApplyAssignment(&config, assignment);
      if (status.ok()) continue;
      errors.push_back(status.error());
      break;
    }
  }
  for (const std::string& text : changes) {
    TimedChange change;
    if (const auto error = ParseChange(plan.scene->config, text, &change)) {
      errors.push_back(*error);
    } else {
      plan.changes.push_back(std::move(change));
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

RunResult Run(const RunPlan& plan, std::vector<Simulation>* simulations,
              const RunCallbacks& callbacks) {
  RunResult result;
  simulations->clear();
  for (const Config& config : plan.configs) {
    simulations->emplace_back(plan.scene->ModelFor(config), config);
  }
  const std::size_t count = simulations->size();
  result.channels.resize(count);
  std::vector<std::size_t> next(count, 0);
  std::vector<bool> done(count, false);
  std::vector<char> was_converged(count, 1);
  std::vector<StepStatus> status(count);
  WorkerPool workers(std::min(plan.workers, std::max(static_cast<int>(count), kMaxStepWorkers)));
  for (;;) {
    for (std::size_t c = 0; c < count; ++c) {
      if (done[c]) continue;
      Simulation& simulation = (*simulations)[c];
      ApplyChanges(plan, static_cast<int>(c), &next[c], &simulation, callbacks);
      const double h = simulation.config().step.time_step;
      done[c] = plan.steps > 0 ? simulation.step() >= plan.steps
                               : simulation.time() + 0.5 * h > plan.duration;
      if (done[c]) result.channels[c].status = ChannelResult::Status::kFinished;
    }
    const auto step = [&](int i) {
      const auto c = static_cast<std::size_t>(i);
      if (!done[c]) status[c] = (*simulations)[c].Step();
    };
    double all_us = 0, largest_us = 0;
    for (std::size_t c = 0; c < count; ++c) {
      const double us = done[c] ? 0 : (*simulations)[c].StepTimeUs();
      all_us += us;
      largest_us = std::max(largest_us, us);
    }
    ShareSteps(
        &workers, static_cast<int>(count), all_us, largest_us,
        [&](int c) -> Simulation& { return (*simulations)[static_cast<std::size_t>(c)]; }, step);
    bool moved = false;
    double fraction = 1;
    for (std::size_t c = 0; c < count; ++c) {
      if (done[c]) continue;
      Simulation& simulation = (*simulations)[c];
      bool converged = was_converged[c] != 0;
      done[c] = !ReportStep(static_cast<int>(c), status[c], &simulation, &converged,
                            &result.channels[c], callbacks);
      was_converged[c] = converged ? 1 : 0;
      if (done[c]) continue;
      moved = true;
      const double part =
          plan.steps > 0 ? static_cast<double>(simulation.step()) / static_cast<double>(plan.steps)
                         : simulation.time() / plan.duration;
      fraction = std::min(fraction, part);
    }
    if (!moved) break;
    if (callbacks.poll && !callbacks.poll(fraction)) {
      result.stopped = true;
      break;
    }
  }
  for (Simulation& simulation : *simulations) simulation.SetWorkers(nullptr);
  return result;
}

}  // namespace slip
