#include "engine/contact/spring_damper.h"

#include <cmath>

namespace slip {

SpringDamperMotion CalcMotion(const SpringDamper& of, double x0, double v0, double t) {
  const double m = of.mass, k = of.stiffness, c = of.damping;
  const double rest = of.force / k, y0 = x0 - rest;
  const double decay = 0.5 * c / m, square = k / m, gap = square - decay * decay;
  double y = 0;
  SpringDamperMotion out;
  if (gap > 1e-12 * square) {
    const double w = std::sqrt(gap), e = std::exp(-decay * t);
    const double cosine = std::cos(w * t), sine = std::sin(w * t) / w;
    y = e * (y0 * cosine + (v0 + decay * y0) * sine);
    out.v = e * (v0 * cosine - (decay * v0 + square * y0) * sine);
  } else if (gap < -1e-12 * square) {
    // the slow root by the product of both: their difference would cancel
    const double fast = -(decay + std::sqrt(-gap)), slow = square / fast;
    const double of_slow = (v0 - fast * y0) / (slow - fast),
                 of_fast = (slow * y0 - v0) / (slow - fast);
    const double e_slow = of_slow * std::exp(slow * t), e_fast = of_fast * std::exp(fast * t);
    y = e_slow + e_fast;
    out.v = slow * e_slow + fast * e_fast;
  } else {
    const double e = std::exp(-decay * t), slope = v0 + decay * y0;
    y = e * (y0 + slope * t);
    out.v = e * (v0 - decay * slope * t);
  }
  out.x = rest + y;
  // the equation of motion, integrated once and twice
  out.x_int = (of.force * t - m * (out.v - v0) - c * (out.x - x0)) / k;
  out.x_int2 = (0.5 * of.force * t * t - m * (out.x - x0 - v0 * t) - c * (out.x_int - x0 * t)) / k;
  return out;
}

}  // namespace slip
