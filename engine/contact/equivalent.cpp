#include "engine/contact/equivalent.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace slip {
namespace {

// ln(1 + y) - y without cancellation; -inf at y = -1
double LogLoss(double y) {
  if (std::abs(y) < 1e-3) return y * y * (-0.5 + y * (1.0 / 3 + y * (-0.25 + y * 0.2)));
  return std::log1p(y) - y;
}

// The root of a function that is positive at `low` and negative at `high`.
template <class F>
double Bisect(F f, double low, double high) {
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    (f(middle) > 0 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

// a cot a = zeta acos(zeta)/sqrt(1 - zeta^2), continued beyond 1: rises from 0 without bound
double DampingExponent(double zeta) {
  const double rest = 1 - zeta * zeta;
  if (std::abs(rest) < 1e-8) return 1;
  return rest > 0 ? zeta * std::acos(zeta) / std::sqrt(rest)
                  : zeta * std::acosh(zeta) / std::sqrt(-rest);
}

}  // namespace

double CalcHuntCrossleyRestitution(double d, double v) {
  const double y = d * v;
  if (!(y > 1e-9)) return 1;
  const double loss = LogLoss(y);
  return Bisect([&](double z) { return LogLoss(-z) - loss; }, 0, std::min(1.0, y)) / y;
}

double CalcHuntCrossleyDissipation(double restitution, double v) {
  if (restitution >= 1 || !(v > 0)) return 0;
  // y - ln(1+y) against the same at -e y: the left side wins near zero, the right one at y = 1/e
  const auto excess = [&](double y) { return LogLoss(-restitution * y) - LogLoss(y); };
  return Bisect(excess, 0, 1 / restitution) / v;
}

double CalcKelvinVoigtRestitution(double tau, double k, double m) {
  const double zeta = 0.5 * tau * std::sqrt(k / m), rest = 1 - zeta * zeta;
  return rest > 0 ? std::exp(-std::numbers::pi * zeta / std::sqrt(rest)) : 0;
}

double CalcKelvinVoigtRelaxation(double restitution, double k, double m) {
  if (restitution >= 1) return 0;
  const double decay = -std::log(restitution) / std::numbers::pi;
  const double zeta = std::isfinite(decay) ? decay / std::sqrt(1 + decay * decay) : 1;
  return 2 * zeta * std::sqrt(m / k);
}

double CalcTouchDampingRestitution(double tau, double k, double m) {
  return std::exp(-2 * DampingExponent(0.5 * tau * std::sqrt(k / m)));
}

double CalcTouchDampingRelaxation(double restitution, double k, double m) {
  if (restitution >= 1) return 0;
  const double wanted = -0.5 * std::log(restitution);
  double high = 1;
  while (DampingExponent(high) < wanted) high *= 2;
  return 2 * Bisect([&](double zeta) { return wanted - DampingExponent(zeta); }, 0, high) *
         std::sqrt(m / k);
}

double CalcContactPeriod(double k, double m) { return 2 * std::numbers::pi * std::sqrt(m / k); }

double CalcEquivalentStictionTolerance(double sigma, const StictionLoad& load) {
  return sigma * load.compliance * load.limit * std::sqrt(1 - load.used * load.used);
}

double CalcEquivalentRegularization(double stiction_tolerance, const StictionLoad& load) {
  return stiction_tolerance / CalcEquivalentStictionTolerance(1, load);
}

}  // namespace slip
