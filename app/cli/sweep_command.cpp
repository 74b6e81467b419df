// sweep: a grid over parameters, one row per run; or the shards of one joined.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/cli/build_info.h"
#include "app/cli/commands.h"
#include "app/cli/order_table.h"
#include "app/cli/progress.h"
#include "app/host/print.h"
#include "app/host/process.h"
#include "engine/core/param_text.h"
#include "engine/run/study/sweep_file.h"
#include "engine/sim/part_signals.h"

namespace slip::app {
namespace {

constexpr int kMaxLines = 5;  // of a kind on stderr; the rows tell the rest

/// What the rows come to. Rows arrive in the order of the grid.
class Tally {
 public:
  Tally(const SweepPlan& plan, const std::vector<Expression>& conditions)
      : plan_(plan), conditions_(conditions) {
    for (const SweepColumn& column : SweepColumns(plan)) columns_.push_back(column.name);
  }

  /// What is found about the grid point that the row ends: a letter per condition, t or f.
  std::string Add(const SweepRow& row) {
    const std::size_t point = row.run / plan_.models();
    ++rows_;
    if (row.not_converged > 0) ++not_converged_;
    if (row.status != SweepStatus::kFailed && !row.note.empty()) ++gained_;
    if (plan_.largest) {
      largest_.push_back({plan_.Describe(point), plan_.base.labels[row.run % plan_.models()],
                          LargestText(row.largest)});
    }
    if (row.status == SweepStatus::kFailed && ++failed_ <= kMaxLines) {
      PrintError(fmt::format("run {} ({}): {}", row.run + 1, Where(point, row.run), row.note));
    }
    if (plan_.reference) orders_.Add(plan_, row.run, row.reference_error);
    if (conditions_.empty()) return {};
    // a condition may compare models: it waits for all of its grid point
    if (!point_.empty() && point_.front().run / plan_.models() != point) point_.clear();
    point_.push_back(row);
    return point_.size() == plan_.models() ? CheckPoint(point) : std::string();
  }

  /// A row of before the sweep was cut off.
  void Add(const KeptRow& row) {
    const auto cell = [&](std::string_view column) -> const std::string& {
      static const std::string none;
      const auto at = std::find(columns_.begin(), columns_.end(), column);
      const auto i = static_cast<std::size_t>(at - columns_.begin());
      return i < row.cells.size() ? row.cells[i] : none;
    };
    const std::size_t point = row.run / plan_.models();
    ++rows_;
    if (cell("not_converged_steps") != "0") ++not_converged_;
    if (cell("status") != Name(SweepStatus::kFailed) && !cell("note").empty()) ++gained_;
    if (plan_.largest) {
      largest_.push_back({plan_.Describe(point), plan_.base.labels[row.run % plan_.models()],
                          LargestText(std::strtod(cell(plan_.largest->column).c_str(), nullptr))});
    }
    if (plan_.reference)
      orders_.Add(plan_, row.run, std::strtod(cell("reference_error_m").c_str(), nullptr));
    if (cell("status") == Name(SweepStatus::kFailed) && ++failed_ <= kMaxLines) {
      PrintError(fmt::format("run {} ({}): {}", row.run + 1, Where(point, row.run), cell("note")));
    }
    for (std::size_t i = 0; i < std::min(row.verdict.size(), conditions_.size()); ++i) {
      if (row.verdict[i] == 'f') TellFalse(point, conditions_[i], "before the sweep was cut off");
    }
  }

  /// Lines for what was too much to tell one by one.
  void PrintSums() const {
    if (failed_ > 0) {
      PrintError(fmt::format("{} of {} runs failed", failed_, rows_),
                 "status and note of each are in sweep.csv");
    }
    if (false_ > kMaxLines) PrintError(fmt::format("--expect is false {} times", false_));
    if (not_converged_ > 0) {
      PrintError(
          fmt::format("{} of {} runs had steps that did not converge", not_converged_, rows_));
    }
    if (gained_ > 0) {
      PrintError(fmt::format("note: {} of {} runs had steps that made energy from nothing, "
                             "were made "
                             "shorter to make none, or were beyond a limit of stability",
                             gained_, rows_),
                 "the column note of sweep.csv has them");
    }
  }
  /// "12 rows in out/sweep.csv", and what was searched for.
  bool PrintResult(const std::string& folder) const {
    std::string text;
    if (!largest_.empty()) {
      const bool grid = !plan_.axes.empty();
      std::vector<std::vector<std::string>> table = {
          {"where", "model", "largest " + plan_.largest->path}};
      table.insert(table.end(), largest_.begin(), largest_.end());
      if (!grid)
        for (std::vector<std::string>& row : table) row.erase(row.begin());
      text = FormatTable(
          table, grid ? std::vector<bool>{false, false, true} : std::vector<bool>{false, true});
    }
    if (plan_.reference) text += orders_.Table();
    return Print(text + fmt::format("{} row{} in {}\n", rows_, rows_ == 1 ? "" : "s",
                                    (std::filesystem::path(folder) / "sweep.csv").string()));
  }
  bool any_failed() const { return failed_ > 0; }
  bool strict_failure() const { return failed_ + not_converged_ > 0; }
  bool expectation_false() const { return false_ > 0; }

 private:
  /// Where the range ended first nobody knows how much more it would bear.
  std::string LargestText(double value) const {
    const std::string text = Engineering(value, plan_.largest->info->unit);
    return value >= plan_.largest->values[1] ? "≥ " + text : text;
  }

  std::string Where(std::size_t point, std::optional<std::size_t> run) const {
    std::string text = plan_.Describe(point);
    if (run) text += (text.empty() ? "" : ", ") + plan_.base.labels[*run % plan_.models()];
    return text;
  }

  void TellFalse(std::size_t point, const Expression& condition, const std::string& found) {
    if (++false_ > kMaxLines) return;
    const std::string where = Where(point, std::nullopt);
    PrintError(fmt::format("--expect is false{}{}: {}", where.empty() ? "" : " at ", where,
                           condition.text()),
               found);
  }

  std::string CheckPoint(std::size_t point) {
    std::vector<ChannelStats> channels;
    bool whole = true;
    for (const SweepRow& row : point_) {
      channels.push_back(
          {&row.stats, &row.config, plan_.base.labels.AllOf(row.run % plan_.models())});
      whole = whole && row.status != SweepStatus::kFailed;
    }
    const ExpressionData data = MakeExpressionData(channels);
    std::string verdict;
    for (const Expression& condition : conditions_) {
      // numbers from half a run show nothing
      const bool holds = whole && condition.Evaluate(data);
      verdict += holds ? 't' : 'f';
      if (!holds)
        TellFalse(point, condition, whole ? "found " + condition.Found(data) : "a run failed");
    }
    point_.clear();
    return verdict;
  }

  const SweepPlan& plan_;
  const std::vector<Expression>& conditions_;
  std::vector<std::string> columns_;
  std::vector<SweepRow> point_;
  std::vector<std::vector<std::string>> largest_;
  OrderTable orders_;
  int64_t rows_ = 0, failed_ = 0, not_converged_ = 0, gained_ = 0, false_ = 0;
};

int Merge(const SweepOptions& options, const std::string& command_line) {
  const bool more = !options.scene.empty() || !options.vary.empty() || !options.params.empty() ||
                    !options.derive.empty() || !options.signals.empty() ||
                    !options.largest.empty() || !options.largest_if.empty() ||
                    !options.reference.empty() || !options.truth.empty() || options.local_error ||
                    !options.at.empty() || !options.shard.empty() || !options.expect.empty() ||
                    !options.models.empty() || options.from || options.to || options.duration ||
                    options.steps;
  if (more) {
    PrintError("--merge takes folders, --output and --force only");
    return kExitUsage;
  }
  const auto merged = MergeSweeps(options.merge, options.output, command_line, options.force);
  if (!merged) {
    PrintErrors(merged.errors());
    return kExitInput;
  }
  PrintErrors(merged->write_errors);
  if (!merged->write_errors.empty()) return merged->taken ? kExitUsage : kExitFailed;
  if (merged->rows < merged->runs) {
    PrintError(fmt::format("{} of {} runs are missing: {} was interrupted",
                           merged->runs - merged->rows, merged->runs,
                           merged->unfinished.empty()
                               ? "a shard"
                               : fmt::format("{}", fmt::join(merged->unfinished, ", "))),
               "the rows that there are were joined; the command of that shard goes on with it");
    return kExitFailed;
  }
  return kExitDone;
}

/// Method of --truth, if it is given; false after an error was printed.
bool TakeTruth(const SweepOptions& options, std::optional<MethodId>* method) {
  if (options.truth.empty()) return true;
  *method = FindMethod(options.truth);
  if (*method) return true;
  PrintError("--truth: unknown method '" + options.truth.substr(0, 60) + "'",
             DidYouMean(options.truth, MethodIds()));
  return false;
}

/// False, and said, where --local-error and --truth do not fit.
bool TakeLocalError(const SweepOptions& options, SweepPlan* plan) {
  const auto refuse = [](const std::string& what, const std::string& hint) {
    PrintError(what, hint);
    return false;
  };
  if (!options.local_error) {
    return options.truth.empty() || !options.reference.empty() ||
           refuse("--truth needs --local-error or --reference", "for example --local-error 40ms");
  }
  plan->local_error = LocalErrorPlan{.tick = *options.local_error};
  if (plan->local_error->tick < 1e-6)
    return refuse("--local-error: a tick is at least 1 µs", "for example --local-error 40ms");
  if (!plan->base.changes.empty())
    return refuse("--local-error and --at do not go together",
                  "the ground truth starts every tick anew");
  return TakeTruth(options, &plan->local_error->truth);
}

/// Likewise of --reference.
bool TakeReference(const SweepOptions& options, SweepPlan* plan) {
  if (options.reference.empty()) return true;
  if (plan->local_error || plan->largest) {
    PrintError(fmt::format("--reference and --{} do not go together",
                           plan->largest ? "largest" : "local-error"),
               "make two sweeps");
    return false;
  }
  std::optional<MethodId> method;
  if (!TakeTruth(options, &method)) return false;
  const Result<SweepReference> reference = MakeReference(*plan, options.reference, method);
  if (!reference) {
    PrintErrors(reference.errors());
    return false;
  }
  plan->reference = *reference;
  return true;
}

bool TakeSignals(const SweepOptions& options, SweepPlan* plan) {
  if (options.signals.empty()) return true;
  const auto signals = ParseSignals(*plan->base.scene->model, options.signals);
  if (!signals) {
    PrintErrors(signals.errors());
    return false;
  }
  plan->signals = *signals;
  return true;
}

/// False, and said, where --largest does not fit to the rest.
bool TakeLargest(const SweepOptions& options, SweepPlan* plan) {
  if (options.largest.empty() && !options.largest_if.empty()) {
    PrintError("--largest-if needs --largest", "for example --largest time_step=0.1ms,40ms");
    return false;
  }
  if (options.largest.empty()) return true;
  const Config& config = plan->base.configs.front();
  const Result<SweepAxis> axis = ParseLargest(plan->base, options.largest);
  if (!axis) {
    PrintErrors(axis.errors());
    return false;
  }
  for (const SweepAxis& other : plan->axes) {
    if (other.info != axis->info) continue;
    PrintError("--largest " + axis->path + " and --vary " + other.path + " set the same parameter");
    return false;
  }
  for (const TimedChange& change : plan->base.changes) {
    if (FindParam(config, change.path) != axis->info) continue;
    PrintError("--largest " + axis->path + " and --at set the same parameter");
    return false;
  }
  if (plan->local_error) {
    PrintError("--largest and --local-error do not go together", "make two sweeps");
    return false;
  }
  plan->largest = *axis;
  return ParseExpectations(options.largest_if, *plan->base.scene->model, {}, &plan->largest_if,
                           "--largest-if");
}

/// The part of the run that is measured.
bool TakeSpan(const SweepOptions& options, SweepPlan* plan) {
  if (options.from) plan->from = *options.from;
  if (plan->local_error) plan->local_error->from = plan->from;
  if (options.to) plan->to = *options.to;
  const bool by_time = plan->base.steps == 0;
  if (!(plan->from > plan->to) && !(by_time && plan->from > plan->base.duration)) return true;
  PrintError(fmt::format("nothing is measured from --from {} s to {} {} s",
                         FormatNumber(plan->from), options.to ? "--to" : "the end at",
                         FormatNumber(options.to.value_or(plan->base.duration))));
  return false;
}

std::optional<SweepPlan> LoadSweep(const SweepOptions& options, int* exit) {
  *exit = kExitUsage;
  if (options.scene.empty()) {
    PrintError("a scene is required", "see --help");
    return std::nullopt;
  }
  SweepShard shard;
  if (!options.shard.empty()) {
    const Result<SweepShard> parsed = ParseShard(options.shard);
    if (!parsed) {
      PrintErrors(parsed.errors());
      return std::nullopt;
    }
    shard = *parsed;
  }
  std::optional<RunPlan> base = LoadPlan(options, exit);
  if (!base) return std::nullopt;
  *exit = kExitUsage;
  Result<SweepPlan> made = MakeSweepPlan(std::move(*base), options.vary, options.derive);
  if (!made) {
    PrintErrors(made.errors());
    return std::nullopt;
  }
  SweepPlan plan = std::move(made).value();
  plan.shard = shard;
  const bool fits = TakeLocalError(options, &plan) && TakeLargest(options, &plan) &&
                    TakeReference(options, &plan) && TakeSignals(options, &plan) &&
                    TakeSpan(options, &plan);
  return fits ? std::optional(std::move(plan)) : std::nullopt;
}

/// The base with the time step of the grid that makes it last longest.
RunPlan LongestRun(const SweepPlan& plan) {
  RunPlan longest = plan.base;
  for (const SweepAxis& axis : plan.axes) {
    if (axis.path != "time_step") continue;
    const double largest = *std::max_element(axis.values.begin(), axis.values.end());
    for (Config& config : longest.configs) config.step.time_step = largest;
  }
  return longest;
}

}  // namespace

int SweepCommand(const SweepOptions& options, const std::string& command_line) {
  if (!options.merge.empty()) return Merge(options, command_line);
  int exit = kExitDone;
  std::vector<Expression> conditions;
  const std::optional<SweepPlan> plan = LoadSweep(options, &exit);
  if (!plan) return exit;
  if (!ParseExpectations(options.expect, *plan->base.scene->model, {}, &conditions))
    return kExitUsage;
  std::vector<Expression> all = conditions;
  all.insert(all.end(), plan->largest_if.begin(), plan->largest_if.end());
  if (!CheckPlan(LongestRun(*plan), all)) return kExitUsage;
  CatchInterrupts();  // before there is a file to clear away
  bool taken = false;
  const auto file = SweepFile::Open(options.output, *plan, {command_line, Version(), BuildText()},
                                    options.expect, options.force, &taken);
  if (!file) {
    PrintErrors(file.errors());
    return taken ? kExitUsage : kExitFailed;
  }

  Progress progress(options.progress, "sweep " + plan->base.scene->id);
  Tally tally(*plan, conditions);
  const std::vector<KeptRow>& kept = (*file)->kept();
  if (!kept.empty()) {
    PrintError(fmt::format("note: goes on with a sweep that was cut off: {} of {} rows are kept",
                           kept.size(), RunsOf(*plan).size()));
  }
  for (const KeptRow& row : kept) tally.Add(row);
  SweepCallbacks callbacks;
  callbacks.row = [&](const SweepRow& row) { (*file)->Write(row, tally.Add(row)); };
  callbacks.poll = [&](double fraction) {
    progress.Update(fraction);
    return Interrupted() == 0 && (*file)->good();
  };
  const bool complete = RunSweep(*plan, options.jobs, callbacks, kept.size());
  progress.Finish();
  const Status written = (*file)->Finish(complete);

  // The first of these decides: what could not be written, what broke, what was asked for.
  PrintErrors(written.errors());
  tally.PrintSums();
  if (Interrupted() != 0) {
    return ExitInterrupted(complete ? "but all rows were finished"
                                    : "finished rows were kept, and the same "
                                      "command goes on with them");
  }
  if (!written) return kExitFailed;
  if (!tally.PrintResult(options.output)) return kExitFailed;
  if (options.strict && tally.strict_failure()) return kExitNotConverged;
  if (tally.any_failed()) return kExitFailed;
  return tally.expectation_false() ? kExitFalse : kExitDone;
}

}  // namespace slip::app
