// The samples of the run's channels, and what the window asks of them beside their curves.
#pragma once

#include <algorithm>
#include <optional>

#include "app/plots/series.h"
#include "app/session/session_core.h"
#include "engine/core/numbers.h"

namespace slip::app {

class RunSeries : public SeriesStore {
 public:
  explicit RunSeries(const SessionCore& core) : core_(core) {}

  /// Where they begin, when long runs have forgotten their first samples [s].
  std::optional<double> Begin() const;
  /// The samples of the channel reach this time [s], but for what a fast run is ahead of its
  /// readers: a number that is made of them is one of the run until then.
  bool Covers(int channel, double time) const;
  /// The same of all channels.
  bool CoversAll(double time) const;

  /// Largest approach speed of a touch in the samples of all channels [m/s] that the plots show and
  /// that were not forgotten; 0 without one.
  double HardestImpact() const;
  /// What the plots show from now on [s].
  void SetSeen(double begin, double end) { seen_begin_ = begin, seen_end_ = end; }
  /// Impacts until now are of no interest.
  void ForgetImpacts() { impacts_after_ = core_.snapshot().time; }

  // Called by the session.
  /// The run goes on from this time [s], or begins anew: what was forgotten may come again.
  void ForgetNoImpactsAfter(double time) { impacts_after_ = std::min(impacts_after_, time); }

 private:
  const SessionCore& core_;
  double seen_begin_ = -kInfinity;  ///< by the plots [s]
  double seen_end_ = kInfinity;
  double impacts_after_ = -kInfinity;  ///< others are forgotten [s]
};

}  // namespace slip::app
