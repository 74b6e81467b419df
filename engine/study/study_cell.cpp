#include "engine/study/study_cell.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/core/param_text.h"
#include "engine/run/record/csv_row.h"
#include "engine/run/record/recorder_columns.h"
#include "engine/run/study/largest_stable.h"
#include "engine/run/study/recorder.h"
#include "engine/run/study/run_choice.h"
#include "engine/sim/part_signals.h"
#include "engine/sim/signal_stats.h"
#include "engine/study/foretold_check.h"

namespace slip {
namespace {

constexpr double kSlack = 1e-6;  // of a step: times are sums of steps

bool Within(const StudySpan& span, const Simulation& simulation) {
  const double slack = kSlack * simulation.config().step.time_step;
  return simulation.time() >= span.from - slack && simulation.time() <= span.to + slack;
}

/// What the metrics of a run are computed from.
class Measured {
 public:
  explicit Measured(const StudyRun& run) : run_(run), medians_(run.metrics.size()) {
    for (const StudyMetric& metric : run.metrics)
      if (metric.of && std::find(spans_.begin(), spans_.end(), metric.span) == spans_.end())
        spans_.push_back(metric.span);
    stats_.resize(spans_.size());
  }

  void Add(const Simulation& simulation) {
    if (run_.stable)
      whole_.Add(simulation.time(), simulation.signals(), simulation.now().part_signals);
    for (std::size_t i = 0; i < spans_.size(); ++i)
      if (Within(spans_[i], simulation))
        stats_[i].Add(simulation.time(), simulation.signals(), simulation.now().part_signals);
    for (std::size_t i = 0; i < run_.metrics.size(); ++i) {
      const StudyMetric& metric = run_.metrics[i];
      if (!metric.median || !Within(metric.span, simulation)) continue;
      if (const double value = ValueOf(simulation, *metric.median); std::isfinite(value))
        medians_[i].push_back(value);
    }
    if (const double wall = At(simulation.signals(), Signal::kStepTimeUs); std::isfinite(wall))
      wall_us_.push_back(wall);
  }

  double Metric(std::size_t at, const Config& config) {
    const StudyMetric& metric = run_.metrics[at];
    if (metric.median) return Median(&medians_[at]);
    const auto span = std::find(spans_.begin(), spans_.end(), metric.span) - spans_.begin();
    const ChannelStats stats{
        &stats_[static_cast<std::size_t>(span)], &config, {std::string(Info(config.method()).id)}};
    return metric.of->Number(MakeExpressionData(std::span(&stats, 1))).value_or(kNaN);
  }
  /// Over the whole run.
  bool Holds(const Expression& condition, const Config& config) const {
    const ChannelStats stats{&whole_, &config, {std::string(Info(config.method()).id)}};
    return condition.Evaluate(MakeExpressionData(std::span(&stats, 1)));
  }
  double WallMedian() { return Median(&wall_us_); }

 private:
  static double Median(std::vector<double>* values) {
    if (values->empty()) return kNaN;
    const auto middle = values->begin() + static_cast<std::ptrdiff_t>(values->size() / 2);
    std::nth_element(values->begin(), middle, values->end());
    return *middle;
  }

  const StudyRun& run_;
  std::vector<StudySpan> spans_;
  std::vector<SignalStats> stats_;
  SignalStats whole_;  // for the condition of a stable run
  std::vector<std::vector<double>> medians_;
  std::vector<double> wall_us_;
};

/// Error of each signal and of all together.
void PutErrors(const StudyReference& reference, const std::vector<double>& mine,
               const std::vector<double>& theirs, bool whole, CsvRow* row) {
  const std::size_t n = reference.signals.size();
  std::vector<double> squares(n, whole && mine.size() == theirs.size() ? 0 : kNaN);
  double all = 0;
  for (std::size_t i = 0; i < std::min(mine.size(), theirs.size()); ++i) {
    const double off = reference.scales[i % n] * (mine[i] - theirs[i]);
    squares[i % n] += off * off;
  }
  for (const double square : squares) all += square;
  const auto samples = static_cast<double>(mine.size() / n);
  Put(row, std::sqrt(all / samples));
  for (const double square : squares) Put(row, std::sqrt(square / samples));
}

/// "12,0.01,sap"
void PutPlace(const StudyRun& run, std::size_t index, CsvRow* row) {
  fmt::format_to(std::back_inserter(*row), "{}", index + 1);
  const std::vector<double> values = run.plan.Values(index / run.plan.models());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const ParamInfo& info = *run.plan.axes[i].info;
    if (info.scale == Scale::kChoice) {
      Put(row, FormatValue(info, values[i]));
    } else {
      Put(row, values[i]);
    }
  }
  Put(row, run.plan.base.labels[index % run.plan.models()]);
}

std::string PlaceHeader(const StudyRun& run) {
  std::string header = "cell";
  for (const SweepAxis& axis : run.plan.axes) header += "," + axis.column;
  return header + ",model";
}

/// Headers are of plain letters: wall times in "us".
std::string HeaderOf(const StudyColumn& column) {
  if (column.unit != "µs") return ColumnName(column.name, column.unit);
  return column.name.ends_with("_us") ? column.name : column.name + "_us";
}

/// One line: what is quoted might have more.
std::string OneLine(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace

void GridSamples::Add(const Simulation& simulation) {
  for (std::size_t i = 0; i < now_.size(); ++i) {
    double& now = now_[i];
    now = ValueOf(simulation, reference_.signals[i]);
    if (Info(reference_.signals[i]).unit != "rad") continue;
    constexpr double kTurn = 2 * std::numbers::pi;
    if (!std::isnan(before_[i])) turns_[i] -= std::round((now - before_[i]) / kTurn);
    before_[i] = now;
    now += kTurn * turns_[i];
  }
  const double slack = kSlack * simulation.config().step.time_step;
  const double due = static_cast<double>(next_) * reference_.grid;
  if (simulation.time() < due - slack) return;
  missed_ = missed_ || simulation.time() > due + slack;
  values_.insert(values_.end(), now_.begin(), now_.end());
  ++next_;
}

bool GridSamples::IsWhole() const {
  const double wanted = std::floor(duration_ / reference_.grid + kSlack);
  return !missed_ && wanted >= 1 && static_cast<double>(next_ - 1) >= wanted;
}

namespace {

using Samples = std::shared_ptr<const std::vector<double>>;

/// Null when it was stopped.
Sliced<Samples> ReferenceOf(const StudyRun& run, std::size_t index, const WorkWatch& watch,
                            StudyReferences* references) {
  const StudyReference& reference = *run.reference;
  Config config = reference.plan->configs.front();
  std::string key = fmt::format("{}", static_cast<const void*>(&run));
  const std::vector<double> values = run.plan.Values(index / run.plan.models());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (run.plan.axes[i].path == "time_step") continue;
    key += fmt::format(" {:.17g}", values[i]);
  }
  run.plan.Apply(values, config.step.time_step, &config);
  const auto make = [&]() -> Sliced<Samples> {
    const RunPlan one = OneOf(*reference.plan, 0, config);
    GridSamples samples(reference, one.duration);
    RunCallbacks callbacks;
    callbacks.step = [&](int, const Simulation& simulation) { samples.Add(simulation); };
    callbacks.poll = [&](double) { return !watch.stop(); };
    callbacks.stop = watch.stop;
    std::vector<Track> tracks;
    const RunResult result = co_await RunInSlices(one, &tracks, callbacks);
    if (result.stopped) co_return nullptr;
    co_return std::make_shared<const std::vector<double>>(
        samples.IsWhole() ? samples.values() : std::vector<double>());
  };
  co_return co_await references->Get(key, make);
}

}  // namespace

std::string StudyRowHeader(const StudyRun& run) {
  std::string header = PlaceHeader(run) + ",status";
  for (const StudyColumn& column : run.Columns()) header += "," + HeaderOf(column);
  return header + ",note";
}

std::string StudySampleHeader(const StudyRun& run) {
  std::string header = PlaceHeader(run);
  for (const StudyColumn& column : run.SampleColumns()) header += "," + HeaderOf(column);
  return header;
}

namespace {

/// One run with what was measured of it.
struct CellRun {
  explicit CellRun(const StudyRun& run) : measured(run) {}
  Measured measured;
  std::optional<GridSamples> grid;
  std::optional<ForetoldCheck> foretold;
  ChannelResult channel;
  Config end;
  LocalError local;
  std::vector<std::string> samples;
  int64_t steps = 0;
  double largest = kNaN;
  bool failed = false;
  bool bounded = true;  ///< nothing was faster than kStableSpeed
  std::string note;
};

/// Null when it was stopped.
Sliced<std::unique_ptr<CellRun>> MakeOne(const StudyRun& run, const Config& config,
                                         const WorkWatch& watch) {
  const RunPlan one = OneOf(run.plan.base, 0, config);
  auto made = std::make_unique<CellRun>(run);
  if (run.reference) made->grid.emplace(*run.reference, one.duration);
  if (run.foretell)
    made->foretold.emplace(run.plan.base.scene->ModelFor(config), config, run.foretell->span,
                           run.foretell->every, run.plan.from);
  RunCallbacks callbacks;
  callbacks.step = [&](int, const Simulation& simulation) {
    made->measured.Add(simulation);
    if (made->grid) made->grid->Add(simulation);
    if (made->foretold) made->foretold->Add(simulation);
    if (run.plan.largest)
      made->bounded =
          made->bounded && simulation.state().v.lpNorm<Eigen::Infinity>() < kStableSpeed;
    if (++made->steps % run.every != 0 || run.series.empty() ||
        !Within(run.series_span, simulation))
      return;
    CsvRow line;
    fmt::format_to(std::back_inserter(line), "{:.17g}", simulation.time());
    for (const Signal signal : run.series) Put(&line, ValueOf(simulation, signal));
    if (made->foretold) Put(&line, made->foretold->now());
    made->samples.emplace_back(line.data(), line.size());
  };
  callbacks.poll = watch.poll;
  callbacks.stop = watch.stop;
  std::vector<Track> tracks;
  const RunResult result = co_await RunInSlices(one, &tracks, callbacks);
  if (result.stopped) co_return nullptr;
  made->channel = result.channels.front();
  made->end = tracks.front().sim().config();
  made->note = made->channel.failure;
  made->failed = made->channel.status == ChannelResult::Status::kFailed;
  if (run.plan.local_error && !made->failed) {
    made->local =
        co_await MeasureInSlices(run.plan.base.scene->ModelFor(config), config,
                                 *run.plan.local_error, one.End(config), watch.poll, watch.stop);
    if (made->local.stopped) co_return nullptr;
    made->failed = !made->local.failure.empty();
    made->note = made->local.failure;
  }
  co_return made;
}

bool IsStable(const StudyRun& run, const CellRun& made) {
  if (made.failed || !made.bounded) return false;
  return !run.stable || made.measured.Holds(*run.stable, made.end);
}

/// The one with the largest stable value.
Sliced<std::unique_ptr<CellRun>> MakeLargest(const StudyRun& run, Config config,
                                             const WorkWatch& watch) {
  const SweepAxis& axis = *run.plan.largest;
  const auto make = [&](double value) {
    static_cast<void>(SetParam(&config, axis.path, value));  // the range was checked
    return MakeOne(run, config, watch);
  };
  const auto is_stable = [&](const CellRun& each) { return IsStable(run, each); };
  auto [made, value] =
      co_await FindLargestStable<CellRun>(axis.values[0], axis.values[1], make, is_stable);
  if (made == nullptr) co_return nullptr;
  made->largest = value;
  if (std::isnan(value)) {
    made->failed = true;
    if (made->note.empty()) made->note = "not even the smallest value is stable";
  }
  co_return std::move(made);
}

/// Null when it was stopped.
Sliced<std::unique_ptr<StudyCell>> MakeAnswer(const StudyRun& run, std::size_t index,
                                              const WorkWatch& watch) {
  const Suite& suite = *run.suite;
  std::size_t question = index / run.plan.models();
  auto of = suite.cases.begin();
  for (; question >= of->variants.size(); ++of) question -= of->variants.size();
  SuiteCell answer{.method = run.plan.base.configs[index % run.plan.models()].method(), .note = {}};
  double law = kNaN;
  const std::function<bool()> poll = [&] { return !watch.stop(); };
  const bool asked = co_await AskMethod(*of, of->variants[question], poll, &law, &answer);
  if (!asked) co_return nullptr;
  auto cell = std::make_unique<StudyCell>();
  const auto is = [&](SuiteVerdict verdict) {
    return static_cast<int64_t>(answer.verdict == verdict);
  };
  cell->failed = answer.verdict == SuiteVerdict::kWrong && std::isnan(answer.value);
  CsvRow row;
  PutPlace(run, index, &row);
  Put(&row, cell->failed ? "failed" : "ok");
  Put(&row, static_cast<int64_t>(cell->failed));
  for (const double value : {law, answer.value, answer.own, answer.off}) Put(&row, value);
  for (const SuiteVerdict verdict :
       {SuiteVerdict::kRight, SuiteVerdict::kPredicted, SuiteVerdict::kKnown, SuiteVerdict::kWrong})
    Put(&row, is(verdict));
  Put(&row, 1 - is(SuiteVerdict::kNotAsked));
  Put(&row, OneLine(of->id + (answer.note.empty() ? "" : ": " + answer.note)));
  cell->row.assign(row.data(), row.size());
  co_return cell;
}

}  // namespace

Sliced<std::unique_ptr<StudyCell>> MakeStudyCell(const StudyRun& run, std::size_t index,
                                                 StudyReferences* references,
                                                 const WorkWatch& watch) {
  if (run.suite != nullptr) co_return co_await MakeAnswer(run, index, watch);
  Samples theirs;
  if (run.reference) {
    theirs = co_await ReferenceOf(run, index, watch, references);
    if (theirs == nullptr) co_return nullptr;
  }
  const Config config = run.plan.ConfigOf(index);
  Sliced<std::unique_ptr<CellRun>> making =
      run.plan.largest ? MakeLargest(run, config, watch) : MakeOne(run, config, watch);
  const std::unique_ptr<CellRun> made = co_await std::move(making);
  if (made == nullptr) co_return nullptr;
  const bool failed = made->failed;
  CsvRow row;
  PutPlace(run, index, &row);
  Put(&row, failed ? "failed" : made->channel.not_converged > 0 ? "not_converged" : "ok");
  Put(&row, static_cast<int64_t>(failed));
  Put(&row, made->steps);
  Put(&row, made->channel.not_converged);
  for (const SweepFormula& formula : run.plan.formulas) Put(&row, run.plan.ValueOf(formula, index));
  // half a run shows nothing
  for (std::size_t i = 0; i < run.metrics.size(); ++i)
    Put(&row, failed ? kNaN : made->measured.Metric(i, made->end));
  if (made->grid) {
    const bool whole = made->grid->IsWhole();
    PutErrors(*run.reference, made->grid->values(), *theirs, whole && !failed, &row);
    if (made->note.empty() && !whole) made->note = "its steps miss the grid of the reference";
    if (made->note.empty() && theirs->empty())
      made->note = "the reference says nothing: its steps miss the grid, or it failed";
  }
  if (run.plan.local_error) {
    const LocalError& local = made->local;
    for (const double value : {local.mean, local.max, local.real_time_factor})
      Put(&row, failed ? kNaN : value);
  }
  if (made->foretold) {
    if (made->note.empty() && std::isnan(made->foretold->error()))
      made->note = "nothing was foretold: the method foretells no forces, or nothing touched";
    Put(&row, failed ? kNaN : made->foretold->error());
    Put(&row, failed ? kNaN : made->foretold->most());
  }
  if (run.plan.largest) Put(&row, made->largest);
  Put(&row, made->measured.WallMedian());
  Put(&row, OneLine(made->note));
  auto cell = std::make_unique<StudyCell>();
  cell->failed = failed;
  cell->row.assign(row.data(), row.size());
  cell->samples = std::move(made->samples);
  co_return cell;
}

}  // namespace slip
