// Local integration error of a method (Hammoud et al., Exponential integration for efficient and
// accurate multi-body simulation with stiff viscoelastic contacts, section VI): at each tick the
// method starts from the state of a ground truth, anchors and controllers included, and is compared
// with it a tick later. Errors do not add up, so they say what a step does.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "engine/core/numbers.h"
#include "engine/core/sliced.h"
#include "engine/core/stop.h"
#include "engine/dynamics/model.h"
#include "engine/method/config.h"

namespace slip {

struct LocalErrorPlan {
  double tick = 0;                     ///< [s]
  double truth_step = 0;               ///< [s]; 0 = TruthStep
  double from = 0;                     ///< ticks before that are not measured [s]
  std::optional<MethodId> truth = {};  ///< whose small steps are the truth; none = the method's own
};

struct LocalError {
  /// Largest difference of a position or velocity coordinate after a tick [m], [rad], [m/s],
  /// [rad/s]: mean and maximum over the ticks.
  double mean = kNaN, max = kNaN;  ///< NaN = no tick was compared
  int ticks = 0;
  double truth_step = 0;        ///< [s]
  double real_time_factor = 0;  ///< simulated time over wall time of the method's steps
  std::string failure;          ///< a sentence; empty when all ticks were made
  bool stopped = false;         ///< on the way: the numbers are not those of all ticks
};

/// Length of the truth's steps: the tick over a power of 2, 1/64 ms or the next above; an eighth of
/// that for explicit Euler, which needs it to be stable.
double TruthStep(const LocalErrorPlan& plan, const Config& config);

/// Runs for `duration` [s]. The time step must divide the tick. `poll` may be empty; false stops.
/// So does `stop`, also within a step.
Sliced<LocalError> MeasureInSlices(std::shared_ptr<const Model> model, Config config,
                                   LocalErrorPlan plan, double duration,
                                   std::function<bool(double fraction)> poll, StopPoll stop);
inline LocalError MeasureLocalError(const std::shared_ptr<const Model>& model, const Config& config,
                                    const LocalErrorPlan& plan, double duration,
                                    const std::function<bool(double fraction)>& poll,
                                    const StopPoll& stop = {}) {
  return MeasureInSlices(model, config, plan, duration, poll, stop).Finish();
}

}  // namespace slip
