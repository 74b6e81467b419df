#include "engine/run/study/reference_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/core/param_text.h"

namespace slip {
namespace {

constexpr double kSameOrder = 0.15;
constexpr std::size_t kLeastSteps = 3;  // two always lie on a line

/// Links and bodies of their own; parts move as their links do.
bool HasPose(const Body& body) { return body.Moves() && body.shape_of_link < 0; }

/// By which a rotation counts as a way [m]: R of a sphere, half the length of a rod.
double LengthOf(const Body& body) {
  Vec3 low, high;
  CalcBounds(body.shape, Pose{}, &low, &high);
  double length = std::max(low.cwiseAbs().maxCoeff(), high.cwiseAbs().maxCoeff());
  for (const Vec3& p : body.points_B) length = std::max(length, p.cwiseAbs().maxCoeff());
  return length;
}

/// Least squares of ln e over ln h.
double Slope(std::span<const double> steps, std::span<const double> errors) {
  double x = 0, y = 0, xx = 0, xy = 0;
  const auto n = static_cast<double>(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const double log_step = std::log(steps[i]), log_error = std::log(errors[i]);
    x += log_step, y += log_error, xx += log_step * log_step, xy += log_step * log_error;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

}  // namespace

int64_t StepsPer(double interval, double step) {
  const auto steps = std::llround(interval / step);
  const double off = std::abs(static_cast<double>(steps) * step - interval);
  return steps >= 1 && off <= 1e-9 * interval ? steps : 0;
}

TrajectorySampler::TrajectorySampler(double interval, double step)
    : stride_(StepsPer(interval, step)) {
  trajectory_.interval = interval;
  trajectory_.step = step;
}

void TrajectorySampler::Add(const Simulation& simulation) {
  if (stride_ == 0 || simulation.step() % stride_ != 0) return;
  const Model& model = simulation.model();
  std::size_t bodies = 0;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    if (!HasPose(model.bodies[b])) continue;
    trajectory_.poses.push_back(simulation.state().X_WB[b]);
    ++bodies;
  }
  trajectory_.bodies = bodies;
}

Sliced<Trajectory> RecordInSlices(RunPlan plan, double interval, RunCallbacks callbacks) {
  plan.configs.resize(1);
  plan.measures_distance = plan.measures_condition = false;
  TrajectorySampler sampler(interval, plan.configs.front().step.time_step);
  callbacks.step = [&](int, const Simulation& simulation) { sampler.Add(simulation); };
  std::vector<Track> tracks;
  const RunResult result = co_await RunInSlices(plan, &tracks, callbacks);
  Trajectory trajectory = sampler.Take();
  trajectory.stopped = result.stopped;
  trajectory.failure = result.channels.front().failure;
  co_return trajectory;
}

double CalcReferenceError(const Model& model, const Trajectory& run, const Trajectory& reference) {
  const std::size_t samples = std::min(run.samples(), reference.samples());
  const bool same_grid = std::abs(run.interval - reference.interval) <= 1e-9 * run.interval;
  // the end of a run is within half a step; more is missing only of one that failed
  const bool whole = std::max(run.samples(), reference.samples()) <= samples + 1;
  if (samples == 0 || run.bodies != reference.bodies || !same_grid || !whole) return kNaN;
  std::vector<double> lengths;
  for (const Body& body : model.bodies)
    if (HasPose(body)) lengths.push_back(LengthOf(body));
  if (lengths.size() != run.bodies) return kNaN;
  double sum = 0;
  for (std::size_t i = 0; i < samples * run.bodies; ++i) {
    const Pose &own = run.poses[i], &right = reference.poses[i];
    const Quat turn = own.q * right.q.conjugate();
    const double angle = 2 * std::atan2(turn.vec().norm(), std::abs(turn.w()));
    const double arc = lengths[i % run.bodies] * angle;
    sum += (own.p - right.p).squaredNorm() + arc * arc;
  }
  return std::sqrt(sum / static_cast<double>(samples));
}

double ReferenceStep(double interval, double smallest) {
  return interval / std::ceil(10 * interval / smallest * (1 - 1e-12));
}

std::vector<double> NeighbourOrders(std::span<const double> steps, std::span<const double> errors) {
  std::vector<double> orders;
  for (std::size_t i = 1; i < std::min(steps.size(), errors.size()); ++i) {
    const bool known = errors[i - 1] > 0 && errors[i] > 0 && steps[i - 1] != steps[i];
    const double order = std::log(errors[i - 1] / errors[i]) / std::log(steps[i - 1] / steps[i]);
    orders.push_back(known && std::isfinite(order) ? order : kNaN);
  }
  return orders;
}

std::optional<FittedOrder> FitOrder(std::span<const double> steps, std::span<const double> errors) {
  const std::vector<double> orders = NeighbourOrders(steps, errors);
  const std::size_t size = orders.empty() ? 0 : orders.size() + 1;
  const bool falls = size > 0 && steps.front() > steps[size - 1];
  std::optional<FittedOrder> best;
  for (std::size_t first = 0; first + kLeastSteps <= size; ++first) {
    for (std::size_t count = kLeastSteps; first + count <= size; ++count) {
      const double slope = Slope(steps.subspan(first, count), errors.subspan(first, count));
      const auto begin = orders.begin() + static_cast<std::ptrdiff_t>(first);
      const bool holds =
          std::all_of(begin, begin + static_cast<std::ptrdiff_t>(count) - 1,
                      [&](double order) { return std::abs(order - slope) <= kSameOrder; });
      const bool longer = !best || count > best->count || (count == best->count && falls);
      if (!holds || !longer) continue;
      const double a = steps[first], b = steps[first + count - 1];
      best = FittedOrder{slope, std::min(a, b), std::max(a, b), first, count};
    }
  }
  return best;
}

std::string Describe(const std::optional<FittedOrder>& fit) {
  if (!fit) return "no order: errors follow no power of three neighbouring steps";
  return fmt::format("order {:.2f} from {} s to {} s", fit->order, FormatNumber(fit->finest),
                     FormatNumber(fit->coarsest));
}

}  // namespace slip
