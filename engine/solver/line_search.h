// Exact line search on a convex function of one variable: Newton inside a bracket, else bisection
// (engine/README.md section 8), a loose search for directions that need no more, and Armijo
// backtracking as the cheap rival. None of them returns a point of higher cost, but for round-off:
// where they find no lower one, alpha is zero.
#pragma once

#include <algorithm>
#include <cmath>

namespace slip {

struct LinePoint {
  double cost = 0, slope = 0, curvature = 0;  ///< l, l', l'' at alpha
};

struct LineSearchResult {
  double alpha = 0;
  int evaluations = 0;
};

/// The end of a search at `alpha`, whose cost is `cost`: `low` instead, where the cost is known to
/// be below the start's, if `alpha` lies so far beyond the minimum that it is above.
inline void KeepDescent(const LinePoint& start, double cost, double low, LineSearchResult* result) {
  if (cost <= start.cost + 1e-14 * std::abs(start.cost)) return;
  result->alpha = low;
}

/// Minimises over (0, alpha_max] given `start` at alpha = 0 with start.slope < 0.
/// `at(alpha)` returns the LinePoint there.
template <class Fn>
LineSearchResult ExactLineSearch(const LinePoint& start, double alpha_max, Fn&& at) {
  constexpr double kTolerance = 1e-8;
  constexpr int kMaxEvaluations = 100;
  LineSearchResult result;
  const double scale = -start.slope;
  // round-off floor of the cost: a full step is as good as any
  if (scale < 1e-30 + 1e-15 * std::abs(start.cost)) {
    result.alpha = std::min(1.0, alpha_max);
    return result;
  }

  // a full Newton step is often exact; otherwise its sign tells which side to bracket
  double low = 0, high = std::min(1.0, alpha_max);
  LinePoint point = at(high);
  result = {high, 1};
  if (std::abs(point.slope) < kTolerance * scale) return result;
  double a1 = high;
  if (point.slope < 0) {
    if (high >= alpha_max) return result;
    low = high;
    high = alpha_max;
    point = at(high);
    a1 = high;
    result = {high, 2};
    if (point.slope <= 0) return result;
  }

  // first guess: minimum of the cubic through (l, l') at 0 and a1
  const double a = 2 * (start.cost - point.cost) + a1 * (start.slope + point.slope);
  const double b = -3 * (start.cost - point.cost) - a1 * (2 * start.slope + point.slope);
  const double c = a1 * start.slope;
  // 3a t² + 2b t + c = 0 with c < 0: the stable form of the root that keeps the cubic convex
  const double root = std::sqrt(std::max(0.0, b * b - 3 * a * c));
  const double t = -c / (b + std::copysign(root, 1.0));
  double alpha = a1 * t;
  if (!(alpha > low && alpha < high)) alpha = 0.5 * (low + high);

  double last_step = high - low;
  while (result.evaluations < kMaxEvaluations) {
    point = at(alpha);
    ++result.evaluations;
    result.alpha = alpha;
    if (std::abs(point.slope) < kTolerance * scale) return result;
    (point.slope < 0 ? low : high) = alpha;
    double step = point.curvature > 0 ? -point.slope / point.curvature : 0;
    double next = alpha + step;
    const bool inside = next > low && next < high;
    if (!inside || std::abs(2 * step) > std::abs(last_step) || step == 0) {
      next = 0.5 * (low + high);
      step = next - alpha;
    }
    last_step = step;
    // relative to where it is: the minimum may lie many orders below the first guess
    if (std::abs(step) < kTolerance * alpha) break;
    alpha = next;
  }
  KeepDescent(start, point.cost, low, &result);
  return result;
}

/// A point of (0, alpha_max] that cuts the slope to a tenth and descends: l' > 0 with a small slope
/// alone would not prove descent. Accepts alpha_max after one evaluation where it can.
template <class Fn>
LineSearchResult LooseLineSearch(const LinePoint& start, double alpha_max, Fn&& at) {
  constexpr int kMaxEvaluations = 60;
  LineSearchResult result{alpha_max, 0};
  const double scale = -start.slope;
  if (scale < 1e-30 + 1e-15 * std::abs(start.cost)) return result;
  const double noise = 1e-14 * std::abs(start.cost);
  const auto descends = [&](const LinePoint& p, double alpha) {
    return p.slope <= 0 || p.cost <= start.cost + 1e-4 * alpha * start.slope + noise;
  };
  LinePoint point = at(alpha_max);
  result = {alpha_max, 1};
  if (point.slope <= 1e-3 * scale && descends(point, alpha_max)) return result;

  // minimum of the cubic through (l, l') at both ends, then Newton inside the bracket
  double low = 0, high = alpha_max, last_step = alpha_max;
  const double a = 2 * (start.cost - point.cost) + high * (start.slope + point.slope);
  const double b = -3 * (start.cost - point.cost) - high * (2 * start.slope + point.slope);
  const double c = high * start.slope;
  const double root = std::sqrt(std::max(0.0, b * b - 3 * a * c));
  double alpha = high * (-c / (b + root));
  if (!(alpha > low && alpha < high)) alpha = 0.5 * (low + high);
  while (result.evaluations < kMaxEvaluations) {
    point = at(alpha);
    ++result.evaluations;
    result.alpha = alpha;
    if (std::abs(point.slope) <= 0.1 * scale && descends(point, alpha)) return result;
    (point.slope < 0 ? low : high) = alpha;
    const double step = point.curvature > 0 ? -point.slope / point.curvature : 0;
    double next = alpha + step;
    if (!(next > low && next < high) || std::abs(2 * step) > std::abs(last_step) || step == 0) {
      next = 0.5 * (low + high);
    }
    last_step = next - alpha;
    if (std::abs(last_step) < 1e-14 * alpha_max) break;
    alpha = next;
  }
  KeepDescent(start, point.cost, low, &result);
  return result;
}

/// Halves alpha until l(alpha) <= l(0) + 1e-4 alpha l'(0).
template <class Fn>
LineSearchResult BacktrackingLineSearch(const LinePoint& start, double alpha_max, Fn&& at) {
  LineSearchResult result{std::min(1.0, alpha_max), 0};
  const double noise = 1e-15 * std::abs(start.cost);
  for (;;) {
    const LinePoint point = at(result.alpha);
    ++result.evaluations;
    if (point.cost <= start.cost + 1e-4 * result.alpha * start.slope + noise) return result;
    if (result.evaluations >= 50) {
      KeepDescent(start, point.cost, 0, &result);
      return result;
    }
    result.alpha *= 0.5;
  }
}

}  // namespace slip
