#include "app/cli/numbers.h"

#include <fmt/format.h>

#include <cmath>

#include "app/host/print.h"
#include "engine/core/param_text.h"
#include "engine/fit/fit_plan.h"
#include "engine/run/study/run_plan.h"

namespace slip::app {
namespace {

bool TakeLength(const RawNumbers& raw, SimulateOptions* options) {
  double value = 0;
  if (!TakeNumber(raw.duration, "--duration", "s", kLeastDuration, kMostDuration, false, &value))
    return false;
  if (!raw.duration.empty()) options->duration = value;
  if (!TakeNumber(raw.steps, "--steps", "", 1, kMostSteps, true, &value)) return false;
  if (!raw.steps.empty()) options->steps = static_cast<int64_t>(value);
  return true;
}

bool TakeSize(const std::string& text, RenderOptions* options) {
  if (text.empty()) return true;
  const std::size_t x = text.find('x');
  double width = 0, height = 0;
  const bool form = x != std::string::npos && x > 0 && x + 1 < text.size();
  if (!form) {
    PrintError("--size must be WxH (found '" + text.substr(0, 40) + "')", "for example 1920x1080");
    return false;
  }
  if (!TakeNumber(text.substr(0, x), "--size", "", 16, 16384, true, &width) ||
      !TakeNumber(text.substr(x + 1), "--size", "", 16, 16384, true, &height)) {
    return false;
  }
  options->width = static_cast<int>(width);
  options->height = static_cast<int>(height);
  return true;
}

bool TakeOptional(const std::string& text, const char* name, std::string_view unit, double min,
                  double max, std::optional<double>* value) {
  double number = 0;
  if (!TakeNumber(text, name, unit, min, max, false, &number)) return false;
  if (!text.empty()) *value = number;
  return true;
}

bool TakeMoment(const std::string& text, const char* name, std::optional<double>* moment) {
  return TakeOptional(text, name, "s", 0, 1e6, moment);
}

}  // namespace

bool TakeNumber(const std::string& text, const char* name, std::string_view unit, double min,
                double max, bool whole, double* value) {
  if (text.empty()) return true;
  const Result<double> number = ParseQuantity(text, unit);
  if (!number) {
    PrintError(std::string(name) + ": " + number.error().message);
    return false;
  }
  if (!(*number >= min && *number <= max) || (whole && *number != std::floor(*number))) {
    PrintError(fmt::format("{} must be a {} from {} to {} (found {})", name,
                           whole ? "whole number" : "number", FormatNumber(min), FormatNumber(max),
                           FormatNumber(*number)));
    return false;
  }
  *value = *number;
  return true;
}

bool TakeRun(const RawNumbers& raw, RunOptions* options) {
  double every = 1, jobs = 0;
  if (!TakeLength(raw, options) || !TakeNumber(raw.every, "--every", "", 1, 1e12, true, &every) ||
      !TakeNumber(raw.jobs, "--jobs", "", 1, kMostWorkers, true, &jobs))
    return false;
  options->every = static_cast<int64_t>(every);
  options->jobs = static_cast<int>(jobs);
  return true;
}

bool TakeWindow(const RawNumbers& raw, WindowOptions* options) {
  double frames = 0;
  if (!TakeLength(raw, options) || !TakeNumber(raw.frames, "--frames", "", 1, 1e9, true, &frames) ||
      !TakeNumber(raw.scale, "--scale", "", 0.25, 8, false, &options->scale)) {
    return false;
  }
  options->frames = static_cast<int64_t>(frames);
  return true;
}

bool TakeRender(const RawNumbers& raw, RenderOptions* options) {
  if (!TakeLength(raw, options) || !TakeSize(raw.size, options)) return false;
  return TakeOptional(raw.fps, "--fps", "", 1, 1000, &options->fps) &&
         TakeOptional(raw.speed, "--speed", "", 1e-6, 1e6, &options->speed) &&
         TakeOptional(raw.scale, "--scale", "", 0.25, 8, &options->scale) &&
         TakeMoment(raw.from, "--from", &options->from) &&
         TakeMoment(raw.to, "--to", &options->to) && TakeMoment(raw.time, "--time", &options->time);
}

bool TakeSweep(const RawNumbers& raw, SweepOptions* options) {
  double jobs = 1;
  if (!TakeLength(raw, options) ||
      !TakeNumber(raw.jobs, "--jobs", "", 1, kMostWorkers, true, &jobs) ||
      !TakeMoment(raw.from, "--from", &options->from) ||
      !TakeMoment(raw.to, "--to", &options->to) ||
      !TakeMoment(raw.local_error, "--local-error", &options->local_error))
    return false;
  options->jobs = static_cast<int>(jobs);
  return true;
}

bool TakeStudy(const RawNumbers& raw, StudyOptions* options) {
  double jobs = 1;
  if (!TakeNumber(raw.jobs, "--jobs", "", 1, kMostWorkers, true, &jobs)) return false;
  options->jobs = static_cast<int>(jobs);
  return true;
}

bool TakeFit(const RawNumbers& raw, FitOptions* options) {
  double jobs = 0, folds = 0, resamples = options->resamples, landscape = options->landscape,
         seed = static_cast<double>(options->seed);
  if (!TakeNumber(raw.jobs, "--jobs", "", 1, kMostWorkers, true, &jobs) ||
      !TakeNumber(raw.folds, "--folds", "", 1, kMostFolds, true, &folds) ||
      !TakeNumber(raw.resamples, "--resamples", "", 10, kMostResamples, true, &resamples) ||
      !TakeNumber(raw.landscape, "--landscape", "", 0, kMostLandscape, true, &landscape) ||
      !TakeNumber(raw.seed, "--seed", "", 0, 0x1p53, true, &seed))
    return false;
  options->jobs = static_cast<int>(jobs);
  if (!raw.folds.empty()) options->folds = static_cast<int>(folds);
  options->resamples = static_cast<int>(resamples);
  options->landscape = static_cast<int>(landscape);
  options->seed = static_cast<uint64_t>(seed);
  return true;
}

bool TakeSolve(const RawNumbers& raw, SolveOptions* options) {
  double repeat = 1;
  if (!TakeNumber(raw.repeat, "--repeat", "", 1, 1e7, true, &repeat)) return false;
  options->repeat = static_cast<int>(repeat);
  return true;
}

bool TakeReplay(const RawNumbers& raw, ReplayOptions* options) {
  double jobs = 0;
  if (!TakeNumber(raw.jobs, "--jobs", "", 1, kMostWorkers, true, &jobs)) return false;
  options->jobs = static_cast<int>(jobs);
  return true;
}

bool TakeExport(const RawNumbers& raw, ExportOptions* options) {
  if (!TakeNumber(raw.at, "--at", "s", 0, 1e6, false, &options->at)) return false;
  if (!options->json || !options->output.empty()) return true;
  PrintError("--json and the scene cannot both go to stdout", "name a file with -o");
  return false;
}

bool TakeDialect(const RawNumbers& raw, DialectOptions* options) {
  return TakeNumber(raw.at, "--at", "s", 0, 1e6, false, &options->at);
}

}  // namespace slip::app
