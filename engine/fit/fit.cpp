#include "engine/fit/fit.h"

#include <algorithm>
#include <cmath>

#include "engine/fit/fit_search.h"

namespace slip {
namespace {

using Weights = std::vector<double>;

// Points per axis; more of them change intervals by less than resamples do.
constexpr int kScan = 64, kDescend = 40, kCrowd = 16, kRounds = 10;
constexpr int kDrawn = 10;             ///< resamples whose minima are sought by descents
constexpr int kStarts = 5;             ///< descents from the best points of the scan
constexpr std::size_t kLeastRuns = 4;  ///< for intervals

double Quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const double at = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (at - static_cast<double>(below)) * (values[above] - values[below]);
}

/// Upper tail of the normal distribution.
double Tail(double z) { return 0.5 * std::erfc(z / std::sqrt(2.0)); }

/// The share of resamples to leave out at each end, so that intervals of few runs are as wide as
/// Student's: percentiles of n runs are narrower by sqrt((n - 1) / n) and take the normal's for his
/// distribution (T. Hesterberg, What Teachers Should Know about the Bootstrap, 2015, section 4).
double TailOf(std::size_t runs) {
  const double n = static_cast<double>(runs), freedom = n - 1;
  // Student's quantile by that of the normal: Cornish and Fisher
  const double z = 1.959963984540054, z3 = z * z * z, z5 = z3 * z * z;
  const double t =
      z + (z3 + z) / (4 * freedom) + (5 * z5 + 16 * z3 + 3 * z) / (96 * freedom * freedom);
  return Tail(std::sqrt(n / freedom) * t);
}

/// Runs in groups that are left out by turns, each by its group; -1 = takes part always.
std::vector<int> MakeFolds(const FitPlan& plan) {
  const std::size_t count = plan.runs.size();
  std::vector<int> fold(count, -1);
  if (plan.holds_out()) {
    for (std::size_t i = 0; i < count; ++i) fold[i] = plan.held_out[i] != 0 ? 0 : -1;
    return fold;
  }
  if (count < 2 || plan.folds < 2) return fold;
  std::vector<std::size_t> order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = i;
  Dice(plan.seed).Shuffle(&order);
  const std::size_t folds = std::min(count, static_cast<std::size_t>(plan.folds));
  for (std::size_t i = 0; i < count; ++i) fold[order[i]] = static_cast<int>(i % folds);
  return fold;
}

/// How often each run of the fit was drawn, with return.
std::vector<Weights> Resample(const Weights& all, int resamples, Dice* dice) {
  std::vector<std::size_t> runs;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i] > 0) runs.push_back(i);
  std::vector<Weights> drawn;
  for (int r = 0; r < resamples; ++r) {
    Weights weights(all.size(), 0);
    for (std::size_t i = 0; i < runs.size(); ++i) ++weights[runs[dice->Index(runs.size())]];
    drawn.push_back(std::move(weights));
  }
  return drawn;
}

/// How much of the work is done: each method has its part.
class Watch {
 public:
  Watch(const FitCallbacks& callbacks, std::size_t methods, double points)
      : callbacks_(callbacks), methods_(static_cast<double>(methods)), points_(points) {}
  void Begin(std::size_t method) { method_ = static_cast<double>(method); }
  bool Ask(std::size_t done) const {
    const double part = std::min(1.0, static_cast<double>(done) / points_);
    return !callbacks_.poll || callbacks_.poll((method_ + part) / methods_);
  }

  const StopPoll& stop() const { return callbacks_.stop; }

 private:
  const FitCallbacks& callbacks_;
  double methods_, points_, method_ = 0;
};

void MakeLandscape(const FitPlan& plan, FitPlace best, std::span<const double> weights,
                   FitSearch* search, FitLandscape* landscape) {
  const std::size_t n = std::min<std::size_t>(2, search->axes().size());
  const auto count = static_cast<std::size_t>(plan.landscape);
  if (count < 2) return;
  for (std::size_t i = 0; i < n; ++i) {
    const FitAxis& axis = plan.axes[search->axes()[i]];
    landscape->axes.push_back(search->axes()[i]);
    std::vector<double>& values = landscape->values.emplace_back();
    for (std::size_t k = 0; k < count; ++k)
      values.push_back(axis.Value(static_cast<double>(k) / static_cast<double>(count - 1)));
  }
  std::vector<FitPlace> places;
  for (std::size_t k = 0; k < (n == 2 ? count * count : count); ++k) {
    FitPlace place = best;
    const std::size_t slow = n == 2 ? k / count : k;
    place[0] = static_cast<double>(slow) / static_cast<double>(count - 1);
    if (n == 2) place[1] = static_cast<double>(k % count) / static_cast<double>(count - 1);
    places.push_back(std::move(place));
  }
  const std::size_t first = search->Add(places);
  for (std::size_t k = 0; k < places.size(); ++k)
    landscape->score.push_back(search->Score(first + k, weights));
}

/// Values with their intervals from the minima of the resamples.
void TakeValues(const FitPlan& plan, const FitSearch& search, std::size_t best,
                const std::vector<Weights>& resamples, const Config& own, double tail,
                MethodFit* fit) {
  for (std::size_t i = 0; i < search.axes().size(); ++i) {
    FitValue value;
    value.axis = search.axes()[i];
    const FitAxis& axis = plan.axes[value.axis];
    value.before = GetParam(own, axis.path).value_or(kNaN);
    value.value = axis.Value(search.place(best)[i]);
    std::vector<double> minima;
    for (const Weights& weights : resamples)
      minima.push_back(search.place(search.FindBest(weights))[i]);
    if (!minima.empty()) {
      constexpr double kEdge = 0.01;
      const double low = Quantile(minima, tail), high = Quantile(minima, 1 - tail);
      value.low = axis.Value(low);
      value.high = axis.Value(high);
      value.open_low = low < kEdge;
      value.open_high = high > 1 - kEdge;
    }
    fit->values.push_back(value);
  }
}

MethodFit FitMethod(const FitPlan& plan, std::size_t method, const std::vector<int>& folds,
                    WorkerPool* workers, const Watch& watch, bool* stopped) {
  MethodFit fit;
  fit.label = plan.base.labels[method];
  FitSearch* self = nullptr;
  FitSearch search(
      plan, method, workers, [&] { return watch.Ask(self == nullptr ? 0 : self->points()); },
      watch.stop());
  self = &search;
  const std::size_t runs = plan.runs.size();
  const auto n = static_cast<int>(search.axes().size());
  Weights all(runs, 1);
  for (std::size_t i = 0; i < runs; ++i) all[i] = plan.held_out[i] != 0 ? 0 : 1;

  Dice dice(plan.seed + 0x9e3779b97f4a7c15u * (method + 1));
  const std::vector<TossError> own = search.MeasureOwn();
  search.Add({search.Own()});
  search.Scan(kScan * n, &dice);
  std::vector<std::size_t> order(search.points());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return search.Score(a, all) < search.Score(b, all);
  });
  for (int i = 0; i < kStarts && !search.stopped(); ++i)
    search.Descend(slip::At(order, i), all, 0.1, kDescend * n);

  // fits that did not see a group begin where the others' best point is
  const int groups = folds.empty() ? 0 : *std::max_element(folds.begin(), folds.end()) + 1;
  const auto seen_by = [&](int group) {
    Weights weights = all;
    for (std::size_t i = 0; i < runs; ++i)
      if (folds[i] == group) weights[i] = 0;
    return weights;
  };
  for (int group = 0; group < groups && !plan.holds_out() && !search.stopped(); ++group) {
    const Weights weights = seen_by(group);
    search.Descend(search.FindBest(weights), weights, 0.05, kDescend * n);
  }
  const bool enough = std::count(all.begin(), all.end(), 1.0) >= static_cast<int>(kLeastRuns);
  const std::vector<Weights> resamples =
      enough ? Resample(all, plan.resamples, &dice) : std::vector<Weights>();
  for (int i = 0; i < kDrawn && enough && !search.stopped(); ++i) {
    const Weights& weights = slip::At(resamples, i);
    search.Descend(search.FindBest(weights), weights, 0.05, kDescend * n / 2);
  }
  if (enough) search.Crowd(resamples, kRounds, kCrowd * n, &dice);

  const std::size_t best = search.FindBest(all);
  fit.score = search.Score(best, all);
  std::vector<std::size_t> held;
  for (int group = 0; group < groups; ++group) held.push_back(search.FindBest(seen_by(group)));
  for (std::size_t i = 0; i < runs; ++i) {
    FitError error;
    error.fold = folds[i];
    const std::vector<int64_t>& flight = search.tosses()[i].start().flight;
    error.flight = flight.empty() ? 0 : *std::max_element(flight.begin(), flight.end());
    error.before = own[i];
    error.after = search.errors(best)[i];
    error.held = {kNaN, kNaN, kNaN, false};
    if (folds[i] >= 0) error.held = search.errors(slip::At(held, folds[i]))[i];
    fit.errors.push_back(error);
  }
  const auto fitted = static_cast<std::size_t>(std::count(all.begin(), all.end(), 1.0));
  TakeValues(plan, search, best, resamples, plan.base.configs[method], enough ? TailOf(fitted) : 0,
             &fit);
  // after all else: it adds points, among which no minimum is to be sought
  MakeLandscape(plan, search.place(best), all, &search, &fit.landscape);
  fit.points = search.points();
  for (std::size_t point = 0; point < search.points(); ++point)
    for (const TossError& error : search.errors(point)) fit.failed += error.failed;
  *stopped = search.stopped();
  return fit;
}

/// Methods by the runs that they had not seen, all against the best one on the same runs.
std::vector<FitRival> Rank(const FitPlan& plan, const std::vector<MethodFit>& methods,
                           const std::vector<int>& folds) {
  std::vector<std::size_t> runs;
  for (std::size_t i = 0; i < folds.size(); ++i)
    if (folds[i] >= 0) runs.push_back(i);
  if (runs.empty()) return {};
  using Runs = std::vector<std::size_t>;
  const auto mean = [&](std::size_t method, TossError FitError::*stage, const Runs& of) {
    double sum = 0;
    for (const std::size_t run : of) sum += std::log((methods[method].errors[run].*stage).way);
    return std::exp(sum / static_cast<double>(of.size()));
  };
  std::vector<FitRival> ranking;
  for (std::size_t m = 0; m < methods.size(); ++m)
    ranking.push_back({.method = m, .held = mean(m, &FitError::held, runs)});
  std::stable_sort(ranking.begin(), ranking.end(),
                   [](const FitRival& a, const FitRival& b) { return a.held < b.held; });
  const std::size_t best = ranking.front().method;
  Dice dice(plan.seed);
  std::vector<Runs> drawn(static_cast<std::size_t>(plan.resamples));
  for (Runs& each : drawn)
    for (std::size_t i = 0; i < runs.size(); ++i) each.push_back(runs[dice.Index(runs.size())]);
  /// Of both over the draws.
  const auto interval = [&](const auto& ratio, double* low, double* high) {
    if (runs.size() < kLeastRuns) return;
    std::vector<double> ratios;
    for (const Runs& each : drawn) ratios.push_back(ratio(each));
    *low = Quantile(ratios, TailOf(runs.size()));
    *high = Quantile(ratios, 1 - TailOf(runs.size()));
  };
  for (FitRival& rival : ranking) {
    const std::size_t own = rival.method;
    const auto to_best = [&](const Runs& of) {
      return mean(own, &FitError::held, of) / mean(best, &FitError::held, of);
    };
    const auto to_scene = [&](const Runs& of) {
      return mean(own, &FitError::held, of) / mean(own, &FitError::before, of);
    };
    rival.ratio = to_best(runs);
    rival.gain = to_scene(runs);
    interval(to_best, &rival.low, &rival.high);
    interval(to_scene, &rival.gain_low, &rival.gain_high);
    for (const std::size_t run : runs)
      rival.worse += methods[own].errors[run].held.way > methods[best].errors[run].held.way;
  }
  return ranking;
}

template <class Of>
double MedianOf(const MethodFit& fit, FitStage stage, const Of& of) {
  std::vector<double> values;
  for (const FitError& error : fit.errors) {
    // before and after of the same runs that were held out, where any were
    const bool held = std::any_of(fit.errors.begin(), fit.errors.end(),
                                  [](const FitError& each) { return each.fold >= 0; });
    if (held && error.fold < 0) continue;
    const double value = of(stage == FitStage::kBefore  ? error.before
                            : stage == FitStage::kAfter ? error.after
                                                        : error.held);
    if (std::isfinite(value)) values.push_back(value);
  }
  return values.empty() ? kNaN : Quantile(values, 0.5);
}

}  // namespace

FitResult Fit(const FitPlan& plan, int jobs, const FitCallbacks& callbacks) {
  FitResult result;
  WorkerPool workers(jobs);
  const std::vector<int> folds = MakeFolds(plan);
  const double most = static_cast<double>(
      plan.axes.size() * static_cast<std::size_t>(kScan + kStarts * kDescend + kRounds * kCrowd) +
      static_cast<std::size_t>(plan.landscape * plan.landscape));
  Watch watch(callbacks, plan.methods(), most);
  for (std::size_t method = 0; method < plan.methods() && !result.stopped; ++method) {
    watch.Begin(method);
    result.methods.push_back(FitMethod(plan, method, folds, &workers, watch, &result.stopped));
  }
  if (!result.stopped) result.ranking = Rank(plan, result.methods, folds);
  return result;
}

double MedianPosition(const MethodFit& fit, FitStage stage) {
  return MedianOf(fit, stage, [](const TossError& error) { return error.position; });
}

double MedianAngle(const MethodFit& fit, FitStage stage) {
  return MedianOf(fit, stage, [](const TossError& error) { return error.angle; });
}

}  // namespace slip
