// fit: parameters of each method from recorded runs, and which method explains those best.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/cli/build_info.h"
#include "app/cli/commands.h"
#include "app/cli/progress.h"
#include "app/host/print.h"
#include "app/host/process.h"
#include "app/plots/landscape_svg.h"
#include "engine/core/worker_pool.h"
#include "engine/fit/fit_check.h"
#include "engine/fit/fit_files.h"

namespace slip::app {
namespace {

using Table = std::vector<std::vector<std::string>>;

std::string Of(const FitAxis& axis, double value) { return Engineering(value, axis.info->unit); }

std::string IntervalText(const FitAxis& axis, const FitValue& value) {
  if (!std::isfinite(value.low)) return "-";
  return fmt::format("{}{} to {}{}", value.open_low ? "<= " : "", Of(axis, value.low),
                     value.open_high ? ">= " : "", Of(axis, value.high));
}

std::string FormatFit(const FitPlan& plan, const FitResult& result) {
  Table values = {{"model", "parameter", "scene", "fitted", "95 % interval"}};
  for (const MethodFit& fit : result.methods) {
    for (const FitValue& value : fit.values) {
      const FitAxis& axis = plan.axes[value.axis];
      values.push_back({fit.label, axis.path, Of(axis, value.before), Of(axis, value.value),
                        IntervalText(axis, value)});
    }
  }
  Table errors = {{"model", "position", "fitted", "held out", "angle", "fitted", "held out"}};
  for (const MethodFit& fit : result.methods) {
    std::vector<std::string> row = {fit.label};
    for (const FitStage stage : {FitStage::kBefore, FitStage::kAfter, FitStage::kHeld})
      row.push_back(Engineering(MedianPosition(fit, stage), "m"));
    for (const FitStage stage : {FitStage::kBefore, FitStage::kAfter, FitStage::kHeld})
      row.push_back(Engineering(MedianAngle(fit, stage), "rad"));
    errors.push_back(row);
  }
  std::string text = FormatTable(values, {false, false, true, true, true});
  text += "\nmedian over runs of the error with the scene's values, fitted, and held out:\n";
  text += FormatTable(errors, {false, true, true, true, true, true, true});
  for (const std::string& sentence : TellFit(plan, result)) text += "\n" + sentence;
  return text + "\n";
}

int JobsOf(const FitOptions& options) {
  return options.jobs > 0 ? options.jobs : HardwareThreads();
}

/// Each group has a run at least.
bool TakeFolds(const FitOptions& options, FitPlan* plan) {
  if (!options.folds) return true;
  plan->folds = *options.folds;
  if (plan->holds_out()) {
    PrintError("--folds and --held-out do not go together",
               "either all runs are left out by turns, or those that are named");
    return false;
  }
  if (*options.folds <= static_cast<int>(plan->runs.size())) return true;
  PrintError(fmt::format("--folds must be at most {}, the number of recorded runs (found {})",
                         plan->runs.size(), *options.folds));
  return false;
}

/// The runs of all files; nothing after errors were printed.
std::optional<FitPlan> LoadFit(const FitOptions& options, int* exit) {
  SimulateOptions all = options;
  all.foreign.files.clear();
  for (const std::string& text : options.foreign.files) {
    // a name goes with one file
    const auto files = ExpandForeign(text);
    if (!files) {
      PrintErrors(files.errors());
      *exit = kExitInput;
      return std::nullopt;
    }
    all.foreign.files.insert(all.foreign.files.end(), files->begin(), files->end());
  }
  std::optional<RunPlan> base = LoadPlan(all, exit);
  if (!base) return std::nullopt;
  const std::optional<ForeignChannels> foreign = LoadForeign(all, *base, exit);
  if (!foreign) return std::nullopt;
  std::vector<std::shared_ptr<const ForeignRun>> runs;
  for (std::size_t i = 0; i < foreign->size(); ++i) {
    const auto& run = foreign->run(i);
    for (const std::string& note : run->notes()) PrintError("note: " + run->name() + ": " + note);
    runs.push_back(run);
  }
  *exit = kExitUsage;
  auto plan = MakeFitPlan(std::move(*base), std::move(runs), options.vary, options.held_out);
  if (!plan) {
    PrintErrors(plan.errors());
    return std::nullopt;
  }
  FitPlan made = std::move(plan).value();
  made.resamples = options.resamples;
  made.landscape = options.landscape;
  made.seed = options.seed;
  made.smooth = options.start == "flight";
  *exit = kExitInput;
  const auto left_out = CheckFitRuns(&made, JobsOf(options));
  if (!left_out) {
    PrintErrors(left_out.errors());
    return std::nullopt;
  }
  for (const std::string& note : *left_out) PrintError("note: " + note);
  *exit = kExitUsage;
  if (!TakeFolds(options, &made)) return std::nullopt;
  return made;
}

/// What the search is not able to say well.
void PrintFitNotes(const FitPlan& plan, const FitResult& result) {
  for (const MethodFit& fit : result.methods) {
    std::size_t runs = fit.points * plan.runs.size();
    if (fit.failed > 0)
      PrintError(
          fmt::format("note: {}: {} of {} simulations ended in a refused step; they count "
                      "as far off as the run is wide",
                      fit.label, fit.failed, runs));
  }
  for (std::size_t m = 0; m < plan.methods(); ++m) {
    std::vector<std::string> idle;
    const std::vector<std::size_t> used = plan.AxesOf(m);
    for (std::size_t i = 0; i < plan.axes.size(); ++i)
      if (std::find(used.begin(), used.end(), i) == used.end()) idle.push_back(plan.axes[i].path);
    if (!idle.empty())
      PrintError(
          fmt::format("note: {} does not read {}", plan.base.labels[m], fmt::join(idle, ", ")));
  }
}

}  // namespace

int FitCommand(const FitOptions& options, const std::string& command_line) {
  int exit = kExitDone;
  const std::optional<FitPlan> plan = LoadFit(options, &exit);
  if (!plan) return exit;
  CatchInterrupts();  // before there is a file to clear away
  std::vector<std::shared_ptr<OutputFile>> files;
  if (!options.output.empty()) {
    bool taken = false;
    std::vector<std::string_view> names(kFitFiles.begin(), kFitFiles.end());
    names.emplace_back("landscape.svg");
    auto opened = OpenOutputFiles(options.output, names, options.force, &taken);
    if (!opened) {
      PrintErrors(opened.errors());
      return taken ? kExitUsage : kExitFailed;
    }
    files = std::move(opened).value();
  }
  Progress progress(options.progress, "fit " + plan->base.scene->id);
  FitCallbacks callbacks;
  callbacks.poll = [&](double fraction) {
    progress.Update(fraction);
    return Interrupted() == 0;
  };
  callbacks.stop = [] { return Interrupted() != 0; };
  const FitResult result = Fit(*plan, JobsOf(options), callbacks);
  progress.Finish();
  if (result.stopped) return ExitInterrupted("nothing was written");
  PrintFitNotes(*plan, result);
  std::vector<OutputFile*> written;
  const RunContext context{command_line, Version(), BuildText()};
  std::vector<std::string> texts = FitTexts(*plan, result, context);
  texts.push_back(LandscapeSvg(*plan, result));
  for (std::size_t i = 0; i < files.size(); ++i) {
    files[i]->Write(texts[i]);
    written.push_back(files[i].get());
  }
  const Status status = CommitTogether(written);
  PrintErrors(status.errors());
  if (!Print(FormatFit(*plan, result)) || !status) return kExitFailed;
  return kExitDone;
}

}  // namespace slip::app
