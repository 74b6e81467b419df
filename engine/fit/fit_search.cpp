#include "engine/fit/fit_search.h"

#include <nlopt.h>

#include <algorithm>
#include <cmath>

namespace slip {
namespace {

constexpr double kNarrowest = 1e-3;  ///< of the range: finer differences are nobody's
constexpr double kWidest = 0.15;
constexpr double kLeastWay = 1e-9;  ///< [m]

}  // namespace

FitSearch::FitSearch(const FitPlan& plan, std::size_t method, WorkerPool* workers,
                     std::function<bool()> poll, StopPoll stop)
    : plan_(plan),
      method_(method),
      workers_(workers),
      poll_(std::move(poll)),
      stop_(std::move(stop)),
      axes_(plan.AxesOf(method)) {
  const Config& config = plan.base.configs[method];
  const auto model = plan.base.scene->ModelFor(config);
  for (const auto& run : plan.runs) tosses_.emplace_back(run, model, config, plan.smooth);
}

FitPlace FitSearch::Own() const {
  const Config& config = plan_.base.configs[method_];
  FitPlace place;
  for (const std::size_t axis : axes_) {
    const FitAxis& info = plan_.axes[axis];
    place.push_back(info.Place(GetParam(config, info.path).value_or(info.low)));
  }
  return place;
}

std::vector<TossError> FitSearch::MeasureOwn() {
  const Config& config = plan_.base.configs[method_];
  const auto model = plan_.base.scene->ModelFor(config);
  std::vector<TossError> errors(tosses_.size());
  workers_->ForEach(static_cast<int>(tosses_.size()), [&](int i) {
    slip::At(errors, i) = slip::At(tosses_, i).Measure(model, config, stop_);
  });
  return errors;
}

std::size_t FitSearch::Add(std::vector<FitPlace> places) {
  const std::size_t first = places_.size(), count = tosses_.size();
  std::vector<Config> configs;
  std::vector<std::shared_ptr<const Model>> models;
  for (FitPlace& place : places) {
    Config config = plan_.base.configs[method_];
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      place[i] = std::clamp(place[i], 0.0, 1.0);
      const FitAxis& axis = plan_.axes[axes_[i]];
      // the ends of the range were checked with the plan
      static_cast<void>(SetParam(&config, axis.path, axis.Value(place[i])));
    }
    models.push_back(plan_.base.scene->ModelFor(config));
    configs.push_back(std::move(config));
    places_.push_back(std::move(place));
    errors_.emplace_back(count);
    logs_.emplace_back(count);
  }
  // a few points at a time: who wants to stop does not wait for hundreds
  constexpr std::size_t kAtOnce = 16;
  for (std::size_t begin = 0; begin < configs.size() && !stopped_; begin += kAtOnce) {
    const std::size_t now = std::min(kAtOnce, configs.size() - begin);
    workers_->ForEach(static_cast<int>(now * count), [&](int i) {
      const std::size_t point = begin + static_cast<std::size_t>(i) / count;
      const std::size_t toss = static_cast<std::size_t>(i) % count;
      TossError& error = errors_[first + point][toss];
      error = tosses_[toss].Measure(models[point], configs[point], stop_);
      logs_[first + point][toss] = std::log(error.way + kLeastWay);
    });
    stopped_ = (poll_ && !poll_()) || IsStopped(&stop_);
  }
  return first;
}

double FitSearch::Score(std::size_t point, std::span<const double> weights) const {
  double sum = 0, weight = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] > 0) sum += weights[i] * logs_[point][i];
    weight += weights[i];
  }
  return std::exp(sum / weight);
}

std::size_t FitSearch::FindBest(std::span<const double> weights) const {
  std::size_t best = 0;
  double least = kInfinity;
  for (std::size_t point = 0; point < points(); ++point) {
    const double score = Score(point, weights);
    if (score < least) least = score, best = point;
  }
  return best;
}

void FitSearch::Scan(int count, Dice* dice) {
  std::vector<FitPlace> places(static_cast<std::size_t>(count), FitPlace(axes_.size()));
  std::vector<std::size_t> slices(places.size());
  for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
    for (std::size_t i = 0; i < slices.size(); ++i) slices[i] = i;
    dice->Shuffle(&slices);
    for (std::size_t i = 0; i < slices.size(); ++i)
      places[i][axis] = (static_cast<double>(slices[i]) + dice->Number()) / count;
  }
  Add(std::move(places));
}

std::size_t FitSearch::Descend(std::size_t from, std::span<const double> weights, double step,
                               int most) {
  struct Goal {
    FitSearch* search;
    std::span<const double> weights;
    nlopt_opt optimiser;

    static double Call(unsigned n, const double* x, double*, void* data) {
      const auto* goal = static_cast<const Goal*>(data);
      const std::size_t point = goal->search->Add({FitPlace(x, x + n)});
      if (goal->search->stopped()) nlopt_force_stop(goal->optimiser);
      return goal->search->Score(point, goal->weights);
    }
  };
  const auto n = static_cast<unsigned>(axes_.size());
  // BOBYQA needs two; along a line the simplex does
  const nlopt_opt optimiser = nlopt_create(n > 1 ? NLOPT_LN_BOBYQA : NLOPT_LN_SBPLX, n);
  Goal goal{this, weights, optimiser};
  FitPlace x = places_[from];
  nlopt_set_lower_bounds1(optimiser, 0);
  nlopt_set_upper_bounds1(optimiser, 1);
  nlopt_set_min_objective(optimiser, &Goal::Call, &goal);
  nlopt_set_initial_step1(optimiser, step);
  nlopt_set_xtol_abs1(optimiser, kNarrowest);
  nlopt_set_maxeval(optimiser, most);
  double least = 0;
  // whatever ends it, rounding included, the best point is among those that were looked at
  nlopt_optimize(optimiser, x.data(), &least);
  nlopt_destroy(optimiser);
  return FindBest(weights);
}

void FitSearch::Crowd(const std::vector<std::vector<double>>& weights, int rounds, int per_round,
                      Dice* dice) {
  const std::size_t n = axes_.size();
  for (int round = 0; round < rounds && !stopped_; ++round) {
    std::vector<std::size_t> minima;
    VectorX sum = VectorX::Zero(static_cast<Eigen::Index>(n)), squares = sum;
    for (const auto& each : weights) {
      minima.push_back(FindBest(each));
      const Eigen::Map<const VectorX> place(places_[minima.back()].data(), sum.size());
      sum += place;
      squares += place.cwiseAbs2();
    }
    const double count = static_cast<double>(minima.size());
    const VectorX spread = (squares / count - (sum / count).cwiseAbs2()).cwiseMax(0).cwiseSqrt();
    // as long as few points are there, minima lie on the same ones and spread too little
    const double floor = std::max(kNarrowest, kWidest * std::pow(0.6, round));
    std::vector<FitPlace> places;
    for (int i = 0; i < per_round; ++i) {
      FitPlace place = places_[minima[dice->Index(minima.size())]];
      if (i % 2 == 1) {
        // along the differences of minima: valleys are seldom along an axis
        const FitPlace &a = places_[minima[dice->Index(minima.size())]],
                       &b = places_[minima[dice->Index(minima.size())]];
        const double step = 2 * dice->Number();
        for (std::size_t axis = 0; axis < n; ++axis)
          place[axis] += step * (a[axis] - b[axis]) + 0.2 * floor * (2 * dice->Number() - 1);
        places.push_back(std::move(place));
        continue;
      }
      const double scale = std::pow(0.25, dice->Number());
      for (std::size_t axis = 0; axis < n; ++axis) {
        const double width =
            std::clamp(2 * spread[static_cast<Eigen::Index>(axis)], floor, kWidest);
        place[axis] += scale * width * (2 * dice->Number() - 1);
      }
      places.push_back(std::move(place));
    }
    Add(std::move(places));
  }
}

}  // namespace slip
