// Contact forces that methods foretell from the present step on, as curves: asked for while the run
// rests, and plots show them.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "app/plots/series.h"
#include "engine/sim/snapshot.h"

namespace slip::app {

class ForetoldForces {
 public:
  /// Whether the signal has such a curve: the sum of normal forces, and the forces on feet.
  static bool Has(Signal signal);

  /// Once per frame: takes the answer for the present step. True when it is to be asked for
  /// (ForetellForces). `rests`: the run rests; `wanted`: some plot shows it; `now` [s].
  bool Update(const Snapshot& snapshot, bool rests, bool wanted, double now);
  /// Empty where the channel foretells nothing; valid until the next Update.
  SeriesView View(const Model& model, int channel, Signal signal);
  /// Of the last samples [s]; nothing without any.
  std::optional<double> end() const;

 private:
  std::shared_ptr<const std::vector<ForcePrediction>> shown_;
  std::map<std::pair<int, Signal>, Series> made_;
  double asked_ = -1;  // [s]
};

}  // namespace slip::app
