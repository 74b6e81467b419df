#include "engine/run/study/plan_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/control/controllers.h"
#include "engine/core/numbers.h"
#include "engine/core/param_text.h"
#include "engine/run/study/plan_notes.h"
#include "engine/sim/signal_stats.h"
#include "engine/sim/simulation.h"

namespace slip {

RunLength CalcLength(const RunPlan& plan, const Config& config) {
  RunLength length;
  double h = config.step.time_step;
  const auto advance = [&](double until) {
    const double most = plan.steps > 0 ? static_cast<double>(plan.steps - length.steps) : kInfinity;
    // half a step of tolerance, as Run has it
    const double steps = std::clamp(std::floor((until - length.end) / h + 0.5), 0.0, most);
    length.steps += static_cast<int64_t>(steps);
    length.end += steps * h;
  };
  const double last = plan.steps > 0 ? kInfinity : plan.duration;
  for (const TimedChange& change : plan.changes) {
    if (change.path != "time_step") continue;
    advance(std::min(change.time, last));
    h = change.value;
  }
  advance(last);
  return length;
}

Status CheckLength(const RunPlan& plan, const Config& config) {
  if (CalcLength(plan, config).steps > 0) return Ok{};
  return Error{
      .message = fmt::format("--duration {} s is below half a step of {} s: no step would "
                             "be made",
                             FormatNumber(plan.duration), FormatNumber(config.step.time_step)),
      .hint = "make the run longer, or the step shorter"};
}

Status CheckLength(const RunPlan& plan) {
  if (!plan.last_steps.empty()) return Ok{};  // as recorded
  for (const Config& config : plan.configs)
    if (Status status = CheckLength(plan, config); !status) return status;
  return Ok{};
}

double LatestEnd(const RunPlan& plan) {
  double end = 0;
  for (const Config& config : plan.configs) end = std::max(end, plan.End(config));
  return end;
}

Status CheckChanges(const RunPlan& plan, double end) {
  for (const TimedChange& change : plan.changes) {
    if (change.time < end) continue;
    return Error{.message = fmt::format("--at {}:{}: the run ends at {} s",
                                        FormatNumber(change.time), change.path, FormatNumber(end)),
                 .hint = "change it before that, or make the run longer"};
  }
  return Ok{};
}

Status CheckControllers(const RunPlan& plan) {
  const Model& model = *plan.scene->model;
  for (Config config : plan.configs) {
    Status fits = CheckControllers(model, config);
    for (std::size_t i = 0; i < plan.changes.size() && fits.ok(); ++i) {
      if (!plan.changes[i].path.ends_with("controller")) continue;
      if (SetParam(&config, plan.changes[i].path, plan.changes[i].value).ok())
        fits = CheckControllers(model, config);
    }
    if (!fits.ok()) return fits;
  }
  return Ok{};
}

Status CheckFriction(const RunPlan& plan) {
  for (Config config : plan.configs) {
    Status fits = CheckFriction(config.materials);
    for (std::size_t i = 0; i < plan.changes.size() && fits.ok(); ++i) {
      if (SetParam(&config, plan.changes[i].path, plan.changes[i].value).ok())
        fits = CheckFriction(config.materials);
    }
    if (!fits.ok()) return fits;
  }
  return Ok{};
}

Status CheckFirstSteps(const RunPlan& plan, std::vector<ToldNote>* notes) {
  RunPlan first = plan;
  first.steps = 1;
  first.watches_params = true;
  std::vector<Track> tracks;
  const RunResult result = Run(first, &tracks, {});
  ErrorList errors;
  for (std::size_t c = 0; c < tracks.size(); ++c) {
    const std::vector<ToldNote> told = NotesOf(plan, c, result.channels[c]);
    notes->insert(notes->end(), told.begin(), told.end());
    if (result.channels[c].status != ChannelResult::Status::kFailed) continue;
    ChannelFrame frame;
    tracks[c].sim().Fill(&frame);
    errors.push_back({.message = fmt::format("channel {} cannot make its first step: {}",
                                             plan.labels[c], frame.failure_cause),
                      .file = plan.scene->file,
                      .hint = frame.failure_advice});
  }
  if (!errors.empty()) return errors;
  return Ok{};
}

Status CheckEvery(const RunPlan& plan, int64_t every) {
  for (std::size_t c = 0; c < plan.configs.size(); ++c) {
    const int64_t steps =
        c < plan.last_steps.size() ? plan.last_steps[c] : CalcLength(plan, plan.configs[c]).steps;
    if (every <= std::max<int64_t>(steps, 1)) continue;
    return Error{.message = fmt::format("--every {}: no step would be written, as the run of {} "
                                        "has {}",
                                        every, plan.labels[c], steps)};
  }
  return Ok{};
}

Status CheckCondition(const RunPlan& plan, const Expression& condition) {
  // channels that can answer everything: what is missing then is not there at all
  SignalStats any;
  any.Add(0, SignalValues{});
  std::vector<ChannelStats> channels;
  for (std::size_t c = 0; c < plan.configs.size(); ++c)
    channels.push_back({&any, &plan.configs[c], plan.labels.AllOf(c)});
  const ExpressionData all = MakeExpressionData(channels);
  std::optional<Error> problem;
  const auto has_channel = [&](std::string_view selector) {
    if (all.signal(Reduction::kLast, Signal::kIterations, selector)) return true;
    if (!problem) {
      problem = Error{.message = fmt::format("--expect '{}': no channel '{}' in this run",
                                             condition.text().substr(0, 200), selector),
                      .hint = fmt::format("there is {}", fmt::join(plan.labels.All(), ", "))};
    }
    return false;
  };
  ExpressionData asking;
  asking.signal = [&](Reduction, Signal, std::string_view selector) -> std::optional<double> {
    has_channel(selector);
    return 0;
  };
  asking.parameter = [&](std::string_view path,
                         std::string_view selector) -> std::optional<double> {
    if (!has_channel(selector) || all.parameter(path, selector) || problem) return 0;
    Config copy = plan.configs.front();
    const Status unknown = SetParam(&copy, std::string(path), 0);
    problem = Error{.message = fmt::format("--expect '{}': {}", condition.text().substr(0, 200),
                                           unknown.error().message),
                    .hint = unknown.error().hint};
    return 0;
  };
  static_cast<void>(condition.Found(asking));
  if (problem) return *problem;
  return Ok{};
}

}  // namespace slip
