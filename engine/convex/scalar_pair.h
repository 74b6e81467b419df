// One scalar of a step (limit, dry friction, motor of limited force) as complementarities of its
// two bounds, with what a primal-dual interior point method needs of them:
//   v + gamma / gain - rest_velocity = y_low - y_high
//   gamma - low >= 0, y_low >= 0, high - gamma >= 0, y_high >= 0, products of neighbours 0
// A bound that is infinite has none.
#pragma once

#include <algorithm>
#include <cmath>

#include "engine/convex/contact_problem.h"

namespace slip {

struct ScalarPair {
  ContactTask::Scalar scalar;
  int index = 0;     ///< of the island's scalars
  int row = 0;       ///< of the system
  double gamma = 0;  ///< impulse, between its bounds
  double y_low = 0, y_high = 0;
  double rho = 0;                ///< what the equation lacks
  double K = 0;                  ///< condensed stiffness
  double t_low = 0, t_high = 0;  ///< products to come to, less those of the steps
  double x = 0;                  ///< right-hand side
  double dgamma = 0, dy_low = 0, dy_high = 0;

  bool has_low() const { return std::isfinite(scalar.low); }
  bool has_high() const { return std::isfinite(scalar.high); }
  int bounds() const { return (has_low() ? 1 : 0) + (has_high() ? 1 : 0); }
  double above() const { return gamma - scalar.low; }
  double below() const { return scalar.high - gamma; }

  /// Interior point at speed scale V and inertia M.
  void Start(double v, double V, double M) {
    const double room = V * M;
    gamma = has_low() && has_high() ? 0.5 * (scalar.low + scalar.high)
            : has_low()             ? scalar.low + room
                                    : scalar.high - room;
    const double r = Relative(v);
    y_low = has_low() ? std::max(r, 0.0) + V * std::min(1.0, room / above()) : 0;
    y_high = has_high() ? std::max(-r, 0.0) + V * std::min(1.0, room / below()) : 0;
  }
  double Relative(double v) const { return v + gamma / scalar.gain - scalar.rest_velocity; }
  void CalcMissing(double v) { rho = Relative(v) - y_low + y_high; }
  /// Products of its bounds after a step of length alpha.
  double Product(double alpha) const {
    double sum = 0;
    if (has_low()) sum += (above() + alpha * dgamma) * (y_low + alpha * dy_low);
    if (has_high()) sum += (below() - alpha * dgamma) * (y_high + alpha * dy_high);
    return sum;
  }

  /// Condensed stiffness at this point; false at round-off.
  bool Scale() {
    double compliance = 1 / scalar.gain;
    if (has_low()) compliance += y_low / above();
    if (has_high()) compliance += y_high / below();
    K = 1 / compliance;
    return std::isfinite(K) && K > 0;
  }
  /// Right-hand side of the predictor, and of the corrector with the predictor's steps.
  void Predict() {
    t_low = t_high = 0;
    x = y_high - y_low - rho;
  }
  void Correct(double centre) {
    Predict();
    if (has_low()) t_low = centre - dgamma * dy_low, x += t_low / above();
    if (has_high()) t_high = centre + dgamma * dy_high, x -= t_high / below();
  }
  /// Steps from that of the velocity.
  void CalcSteps(double dv) {
    dgamma = K * (x - dv);
    if (has_low()) dy_low = (t_low - y_low * dgamma) / above() - y_low;
    if (has_high()) dy_high = (t_high + y_high * dgamma) / below() - y_high;
  }
  /// Largest step in (0, limit] that keeps all inside.
  double CalcMaxStep(double limit) const {
    const auto keep = [&](double value, double step) {
      if (step < 0) limit = std::min(limit, -value / step);
    };
    if (has_low()) keep(above(), dgamma), keep(y_low, dy_low);
    if (has_high()) keep(below(), -dgamma), keep(y_high, dy_high);
    return limit;
  }
  /// The side of its bounds that complementarity has decided for, in a coordinate of this inertia;
  /// and the impulse there at v.
  enum class Side { kLow, kBetween, kHigh };
  Side SideOf(double inertia) const {
    if (has_low() && above() < inertia * y_low) return Side::kLow;
    return has_high() && below() < inertia * y_high ? Side::kHigh : Side::kBetween;
  }
  double ImpulseOn(Side side, double v) const {
    return side == Side::kLow    ? scalar.low
           : side == Side::kHigh ? scalar.high
                                 : scalar.gain * (scalar.rest_velocity - v);
  }
  void Advance(double alpha) {
    gamma += alpha * dgamma;
    y_low += alpha * dy_low;
    y_high += alpha * dy_high;
  }
};

}  // namespace slip
