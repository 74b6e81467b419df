// A recorded run as something to be explained: how its bodies begin, and how far the motion that a
// method makes of that is off at each sample.
#pragma once

#include <memory>
#include <vector>

#include "engine/core/stop.h"
#include "engine/foreign/foreign_run.h"
#include "engine/method/config.h"

namespace slip {

/// The bodies at the first sample of a recorded run.
struct TossStart {
  std::vector<Pose> X_WB;
  std::vector<Vec6> V_WB;  ///< (angular, linear)
  /// Per body, samples of free flight that its start was fitted to; 0 = it is as measured.
  std::vector<int64_t> flight;
};

/// As measured; `smooth`: of bodies that fly freely at first by the least squares of that flight,
/// the parabola and the spin without torque. One measured velocity is noisy, and an impact
/// multiplies what it is off.
TossStart FindStart(const ForeignRun& run, const Config& config, bool smooth);

/// Root mean squares over samples and bodies.
struct TossError {
  /// How far the mass of the body is from where it was measured, the mean over its mass [m]:
  /// |dp|^2 + 2 sum_i S_ii (1 - R_ii), R the turn between both, m S_ii = tr(I) / 2 - I_ii.
  double way = 0;
  double position = 0;  ///< of the centres of mass [m]
  double angle = 0;     ///< [rad]
  bool failed = false;  ///< a step was refused; then as far as the run is wide
};

/// One recorded run, to be simulated again and again; what is measured is read once.
class Toss {
 public:
  /// `config`: of the method that will run it. What its own steps make of free flight is off by
  /// half a step's fall; the start velocities make up for that.
  Toss(std::shared_ptr<const ForeignRun> run, const std::shared_ptr<const Model>& model,
       const Config& config, bool smooth);

  const ForeignRun& run() const { return *run_; }
  const TossStart& start() const { return start_; }
  /// The same numbers on any thread. `stop` is asked within steps; what comes then is no error.
  TossError Measure(const std::shared_ptr<const Model>& model, const Config& config,
                    const StopPoll& stop = {}) const;

 private:
  std::shared_ptr<const ForeignRun> run_;
  TossStart start_;
  std::vector<int> bodies_;     // those that count
  std::vector<double> times_;   // of the samples [s]
  std::vector<Pose> measured_;  // bodies of each sample
  std::vector<Vec3> spread_;    // S of each body [m^2]
  double width_ = 0;            // of the whole run [m]
};

}  // namespace slip
