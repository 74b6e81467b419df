#include "engine/run/study/sweep.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "engine/core/numbers.h"
#include "engine/run/study/largest_stable.h"
#include "engine/run/study/recorder.h"
#include "engine/run/study/reference_runs.h"
#include "engine/run/study/run_choice.h"
#include "engine/run/study/work_pool.h"

namespace slip {
namespace {

/// The steps that end within the window, both ends included whatever the round-off.
bool Measured(const SweepPlan& plan, const Simulation& simulation) {
  const double slack = 1e-6 * simulation.config().step.time_step;
  return simulation.time() >= plan.from - slack && simulation.time() <= plan.to + slack;
}

bool Hold(const SweepPlan& plan, const SweepRow& row) {
  const ChannelStats channel{&row.stats, &row.config,
                             plan.base.labels.AllOf(row.run % plan.models())};
  const ExpressionData data = MakeExpressionData(std::span(&channel, 1));
  return std::all_of(plan.largest_if.begin(), plan.largest_if.end(),
                     [&](const Expression& condition) { return condition.Evaluate(data); });
}

/// Null when it was stopped on the way. *stable: it ended, nothing was faster than kStableSpeed,
/// and the plan's conditions hold.
Sliced<std::unique_ptr<SweepRow>> MakeRun(const SweepPlan& plan, std::size_t run,
                                          const Config& config, const WorkWatch& watch,
                                          bool* stable, TrajectorySampler* sampler = nullptr) {
  RunPlan one = OneOf(plan.base, run % plan.models(), config);
  one.times_parts = std::any_of(plan.signals.begin(), plan.signals.end(),
                                [](Signal signal) { return Info(signal).is_wall; });

  auto row = std::make_unique<SweepRow>();
  row->run = run;
  ChannelMetrics metrics;
  std::vector<RunningMedian> medians(plan.signals.size());
  RunCallbacks callbacks;
  *stable = true;
  callbacks.step = [&](int, const Simulation& simulation) {
    ++row->steps;
    *stable = *stable && simulation.state().v.lpNorm<Eigen::Infinity>() < kStableSpeed;
    if (sampler != nullptr) sampler->Add(simulation);
    if (!Measured(plan, simulation)) return;
    metrics.Add(simulation);
    for (std::size_t i = 0; i < medians.size(); ++i)
      medians[i].Add(ValueOf(simulation, plan.signals[i]));
  };
  callbacks.poll = watch.poll;
  callbacks.stop = watch.stop;
  std::vector<Track> tracks;
  const RunResult result = co_await RunInSlices(one, &tracks, callbacks);
  if (result.stopped) co_return nullptr;

  const ChannelResult& channel = result.channels.front();
  row->not_converged = channel.not_converged;
  row->measured = metrics.steps;
  row->stats = metrics.stats;
  row->wall_median_us = metrics.WallQuantile(0.5);
  row->wall_p99_us = metrics.WallQuantile(0.99);
  for (const RunningMedian& median : medians) row->medians.push_back(median.Get());
  double wall_us = 0;
  for (const float step : metrics.wall_us) wall_us += static_cast<double>(step);
  if (wall_us > 0) row->real_time_factor = metrics.simulated / (1e-6 * wall_us);
  row->config = tracks.front().sim().config();
  if (channel.not_converged > 0) row->status = SweepStatus::kNotConverged;
  for (const StepNote& note : channel.notes.List()) {
    if (note.id == "halved" || note.id == "gained" || note.id == "beyond")
      row->note += (row->note.empty() ? "" : "; ") + note.what;
  }
  if (channel.status == ChannelResult::Status::kFailed) {
    row->status = SweepStatus::kFailed;
    row->note = channel.failure;
    *stable = false;
  }
  *stable = *stable && Hold(plan, *row);
  co_return row;
}

/// The run with the largest stable value.
Sliced<std::unique_ptr<SweepRow>> MakeLargest(const SweepPlan& plan, std::size_t run,
                                              const WorkWatch& watch) {
  const SweepAxis& axis = *plan.largest;
  Config config = plan.ConfigOf(run);
  bool stable = false;  // of the last one
  const auto make = [&](double value) {
    static_cast<void>(SetParam(&config, axis.path, value));  // the range was checked with the plan
    return MakeRun(plan, run, config, watch, &stable);
  };
  const auto is_stable = [&](const SweepRow&) { return stable; };
  auto [row, value] =
      co_await FindLargestStable<SweepRow>(axis.values[0], axis.values[1], make, is_stable);
  if (row != nullptr) row->largest = value;
  co_return std::move(row);
}

/// The run, and its error against the reference.
Sliced<std::unique_ptr<SweepRow>> MakeCompared(const SweepPlan& plan, std::size_t run,
                                               const WorkWatch& watch, ReferenceRuns* references) {
  const Config config = plan.ConfigOf(run);
  RunCallbacks callbacks;
  callbacks.poll = [&](double) { return watch.poll(0); };
  callbacks.stop = watch.stop;
  const std::shared_ptr<const Trajectory> reference =
      co_await ReferenceOf(plan, run, callbacks, references);
  if (reference == nullptr) co_return nullptr;
  TrajectorySampler sampler(plan.reference->interval, config.step.time_step);
  bool stable = false;
  std::unique_ptr<SweepRow> row = co_await MakeRun(plan, run, config, watch, &stable, &sampler);
  if (row == nullptr) co_return nullptr;
  row->reference_error =
      CalcReferenceError(*plan.base.scene->ModelFor(config), sampler.Take(), *reference);
  if (reference->failure.empty()) co_return row;
  row->status = SweepStatus::kFailed;
  if (row->note.empty()) row->note = "of the reference: " + reference->failure;
  co_return row;
}

/// Null when it was stopped on the way.
Sliced<std::unique_ptr<SweepRow>> MakeRow(const SweepPlan& plan, std::size_t run,
                                          const WorkWatch& watch, ReferenceRuns* references) {
  if (plan.largest) co_return co_await MakeLargest(plan, run, watch);
  if (plan.reference) co_return co_await MakeCompared(plan, run, watch, references);
  const Config config = plan.ConfigOf(run);
  bool stable = false;
  std::unique_ptr<SweepRow> row = co_await MakeRun(plan, run, config, watch, &stable);
  if (row != nullptr && plan.local_error) {
    row->local_error =
        co_await MeasureInSlices(plan.base.scene->ModelFor(config), config, *plan.local_error,
                                 plan.base.End(config), watch.poll, watch.stop);
    if (row->local_error->stopped) co_return nullptr;
    if (!row->local_error->failure.empty()) {
      row->status = SweepStatus::kFailed;
      if (row->note.empty()) row->note = row->local_error->failure;
    }
  }
  co_return row;
}

}  // namespace

std::string_view Name(SweepStatus status) {
  constexpr std::string_view kNames[] = {"ok", "not_converged", "failed"};
  return kNames[static_cast<int>(status)];
}

std::vector<std::size_t> RunsOf(const SweepPlan& plan) {
  std::vector<std::size_t> runs;
  for (const std::size_t point : plan.ShardPoints()) {
    for (std::size_t m = 0; m < plan.models(); ++m) runs.push_back(point * plan.models() + m);
  }
  return runs;
}

bool RunSweep(const SweepPlan& plan, int jobs, const SweepCallbacks& callbacks, std::size_t kept) {
  ReferenceRuns references;
  std::vector<std::size_t> runs = RunsOf(plan);
  kept = std::min(kept, runs.size());
  const double all = static_cast<double>(std::max<std::size_t>(1, runs.size()));
  runs.erase(runs.begin(), runs.begin() + static_cast<std::ptrdiff_t>(kept));

  // rows that came before an earlier one wait here
  std::map<std::size_t, std::unique_ptr<SweepRow>> waiting;
  std::size_t delivered = 0;
  const auto deliver_first = [&] {
    if (callbacks.row) callbacks.row(*waiting.begin()->second);
    waiting.erase(waiting.begin());
    ++delivered;
  };
  WorkCalls<SweepRow> calls;
  calls.make = [&](std::size_t at, const WorkWatch& watch) {
    return MakeRow(plan, runs[at], watch, &references);
  };
  calls.take = [&](std::unique_ptr<SweepRow> row) {
    const std::size_t run = row->run;
    waiting[run] = std::move(row);
    while (!waiting.empty() && waiting.begin()->first == runs[delivered]) deliver_first();
  };
  if (callbacks.poll)
    calls.poll = [&](double made) {
      return callbacks.poll((static_cast<double>(kept) + made) / all);
    };
  MakeAll(runs.size(), jobs, calls).Finish();
  // in the order of the grid; after a stop, with gaps
  while (!waiting.empty()) deliver_first();
  return delivered == runs.size();
}

}  // namespace slip
