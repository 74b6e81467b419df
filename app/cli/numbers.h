// The numbers among the options: text to value, with one clear line for what does not fit.
#pragma once

#include <string>
#include <string_view>

#include "app/cli/options.h"

namespace slip::app {

/// Texts that are numbers once the grammar is satisfied.
struct RawNumbers {
  std::string duration, steps, every, repeat, frames, scale, size, fps, speed, from, to, time, jobs,
      local_error, at, folds, resamples, landscape, seed;
};

/// Each reads what its command takes; false after an error was printed.
bool TakeNumber(const std::string& text, const char* name, std::string_view unit, double min,
                double max, bool whole, double* value);
bool TakeRun(const RawNumbers& raw, RunOptions* options);
bool TakeWindow(const RawNumbers& raw, WindowOptions* options);
bool TakeRender(const RawNumbers& raw, RenderOptions* options);
bool TakeSweep(const RawNumbers& raw, SweepOptions* options);
bool TakeStudy(const RawNumbers& raw, StudyOptions* options);
bool TakeFit(const RawNumbers& raw, FitOptions* options);
bool TakeSolve(const RawNumbers& raw, SolveOptions* options);
bool TakeReplay(const RawNumbers& raw, ReplayOptions* options);
bool TakeExport(const RawNumbers& raw, ExportOptions* options);
bool TakeDialect(const RawNumbers& raw, DialectOptions* options);

}  // namespace slip::app
