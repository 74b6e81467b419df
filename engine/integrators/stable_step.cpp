#include "engine/integrators/stable_step.h"

#include <algorithm>
#include <cmath>
#include <complex>

#include "engine/core/numbers.h"

namespace slip {
namespace {

double RungeKuttaGrowth(std::complex<double> z) {
  return std::abs(1.0 + z * (1.0 + z * (0.5 + z * (1.0 / 6 + z / 24.0))));
}

}  // namespace

double ExplicitEulerStableStep(double c, double k) {
  if (!(c > 0)) return k > 0 ? 0 : kInfinity;
  return std::min(2 / c, k > 0 ? 2 * c / k : kInfinity);
}

double RungeKuttaStableStep(double c, double k) {
  // the root that ends the stability first: the faster of two real ones, or either of a pair
  const std::complex<double> root = -0.5 * c - std::sqrt(std::complex<double>(0.25 * c * c - k));
  const double rate = std::abs(root);
  if (!(rate > 0)) return kInfinity;
  const std::complex<double> way = root / rate;
  // the region of stability is star-shaped in the left half plane, and within |z| < 4
  double stable = 0, unstable = 4;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (stable + unstable);
    (RungeKuttaGrowth(middle * way) <= 1 ? stable : unstable) = middle;
  }
  return stable / rate;
}

}  // namespace slip
