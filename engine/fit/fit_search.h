// The search for the parameters of one method: every point that it looked at, with the errors of
// all recorded runs. Minima of any weights of the runs - leaving some out, resampling them - are
// sought among the same points, so that intervals cost little.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "engine/core/worker_pool.h"
#include "engine/fit/dice.h"
#include "engine/fit/fit_plan.h"
#include "engine/fit/toss.h"

namespace slip {

/// Places within [0, 1], one per axis of the method.
using FitPlace = std::vector<double>;

class FitSearch {
 public:
  /// `poll` is asked between points, `stop` within steps; false and true: nobody waits any more,
  /// and all that follows is empty work.
  FitSearch(const FitPlan& plan, std::size_t method, WorkerPool* workers,
            std::function<bool()> poll, StopPoll stop = {});

  const std::vector<std::size_t>& axes() const { return axes_; }
  std::size_t points() const { return places_.size(); }
  const FitPlace& place(std::size_t point) const { return places_[point]; }
  /// Of each run.
  std::span<const TossError> errors(std::size_t point) const { return errors_[point]; }
  const std::vector<Toss>& tosses() const { return tosses_; }
  bool stopped() const { return stopped_; }

  /// Where the scene's own values are; of those beyond the range its edge.
  FitPlace Own() const;
  /// At the scene's own values, whatever the ranges are.
  std::vector<TossError> MeasureOwn();
  /// Adds points; the first one's number.
  std::size_t Add(std::vector<FitPlace> places);

  /// Weighted geometric mean of the runs' ways [m]: the likelihood where each run has a scatter of
  /// its own that nobody knows. A toss that tumbles otherwise counts no more than the others.
  double Score(std::size_t point, std::span<const double> weights) const;
  std::size_t FindBest(std::span<const double> weights) const;

  /// Points all over the box: in each of `count` equal slices of every axis there is one.
  void Scan(int count, Dice* dice);
  /// BOBYQA of NLopt from a point on; the best point then.
  std::size_t Descend(std::size_t from, std::span<const double> weights, double step, int most);
  /// Points about the minima of many weights, in a cloud that shrinks to their spread.
  void Crowd(const std::vector<std::vector<double>>& weights, int rounds, int per_round,
             Dice* dice);

 private:
  const FitPlan& plan_;
  std::size_t method_;
  WorkerPool* workers_;
  std::function<bool()> poll_;
  StopPoll stop_;
  std::vector<std::size_t> axes_;
  std::vector<Toss> tosses_;
  std::vector<FitPlace> places_;
  std::vector<std::vector<TossError>> errors_;
  std::vector<std::vector<double>> logs_;  // of their ways
  bool stopped_ = false;
};

}  // namespace slip
