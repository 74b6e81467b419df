// Parameters of each method from recorded runs, with intervals, with the errors of runs that took
// no part, and which method explains those best.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/numbers.h"
#include "engine/core/stop.h"
#include "engine/fit/fit_plan.h"
#include "engine/fit/toss.h"

namespace slip {

/// One parameter of one method.
struct FitValue {
  std::size_t axis = 0;  ///< of the plan
  double before = kNaN;  ///< the scene's [SI]
  double value = kNaN;   ///< of the fit to all runs that are not held out
  double low = kNaN,
         high = kNaN;  ///< kInterval of the minima of resampled runs; NaN = too few runs
  /// The interval ends where the range does: the runs tell no bound on that side.
  bool open_low = false, open_high = false;
};

/// One recorded run under one method.
struct FitError {
  int fold = -1;       ///< the group it was left out with; -1 = it took part in every fit
  int64_t flight = 0;  ///< most samples that a body's start was fitted to
  TossError before;    ///< with the scene's values
  TossError after;     ///< with those of the fit
  TossError held;      ///< with those of a fit that did not see it; NaN without one
};

/// Scores over two parameters, the others as fitted; of one parameter a line.
struct FitLandscape {
  std::vector<std::size_t> axes;            ///< of the plan, one or two
  std::vector<std::vector<double>> values;  ///< of each [SI]
  std::vector<double> score;                ///< the last axis fastest [m]
};

struct MethodFit {
  std::string label;
  std::vector<FitValue> values;
  std::vector<FitError> errors;  ///< one per run
  double score = kNaN;           ///< geometric mean of the ways of the runs that were fitted [m]
  FitLandscape landscape;
  std::size_t points = 0;  ///< that were looked at
  std::size_t failed = 0;  ///< runs of them in which a step was refused
};

/// What the runs that took no part say of two methods.
struct FitRival {
  std::size_t method = 0;
  double held = kNaN;                            ///< the same of the runs held out [m]
  double ratio = kNaN, low = kNaN, high = kNaN;  ///< over the best one's; interval over runs
  int worse = 0;                                 ///< runs that it explains worse than the best one
  /// Over what the scene's values are off by on the same runs; interval likewise.
  double gain = kNaN, gain_low = kNaN, gain_high = kNaN;

  /// Surely better than the scene's values. Unknown of too few runs, and then false.
  bool Helps() const { return gain_high < 1; }
  /// Surely farther off than the best one, likewise.
  bool IsWorse() const { return low > 1; }
};

struct FitResult {
  std::vector<MethodFit> methods;  ///< in the order of the plan
  std::vector<FitRival> ranking;   ///< the best one first; empty without runs held out
  bool stopped = false;
};

/// Either may be empty.
struct FitCallbacks {
  std::function<bool(double fraction)> poll;  ///< now and then; false stops
  StopPoll stop;                              ///< within steps, on any thread; true stops
};

/// The same numbers for any number of `jobs`.
FitResult Fit(const FitPlan& plan, int jobs, const FitCallbacks& callbacks = {});

/// Of the errors that count: held out where there are such, else after; the median [m].
enum class FitStage { kBefore, kAfter, kHeld };
double MedianPosition(const MethodFit& fit, FitStage stage);
double MedianAngle(const MethodFit& fit, FitStage stage);

}  // namespace slip
