// How well a method foretells its own contact forces (Hammoud et al., Exponential integration for
// efficient and accurate multi-body simulation with stiff viscoelastic contacts, section V and
// figure 5): normal forces that it foretells from states of a run, against those of the run.
#pragma once

#include <memory>

#include "engine/method/force_prediction.h"
#include "engine/sim/simulation.h"

namespace slip {

class ForetoldCheck {
 public:
  /// Foretells `span` [s] from the start on, and from each multiple of `every` [s] from `from` [s]
  /// on; `every` is not shorter than `span`. Both are whole steps, to the nearest.
  ForetoldCheck(const std::shared_ptr<const Model>& model, const Config& config, double span,
                double every, double from);
  /// After every step.
  void Add(const Simulation& simulation);

  double error() const { return error_; }  ///< largest difference [N]; NaN = nothing was compared
  double most() const { return most_; }    ///< largest force of the run in those spans [N]
  /// Sum of all normal forces that was foretold for the last step [N]; NaN outside of the spans.
  double now() const { return now_; }

 private:
  void Foretell(int64_t step);
  void Compare(const Simulation& simulation, int64_t at);

  Simulation probe_;  ///< goes where the run is, and makes no step
  int64_t span_, every_, first_;
  int64_t begin_ = 0;  ///< step from which `foretold_` is
  bool foretells_ = false;
  ForcePrediction foretold_;
  double error_, most_, now_;
};

}  // namespace slip
