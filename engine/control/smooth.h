// Smooth transitions from 0 to 1, with derivatives to the argument.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

namespace slip {

/// A value with its rate and acceleration.
struct SmoothValue {
  double x = 0, v = 0, a = 0;
};

/// u² (3 - 2u) of u clamped to [0, 1], which takes `duration`: at rest at both ends.
inline SmoothValue CubicStep(double u, double duration) {
  if (u >= 1) return {1, 0, 0};
  u = std::max(u, 0.0);
  return {u * u * (3 - 2 * u), 6 * u * (1 - u) / duration, (6 - 12 * u) / (duration * duration)};
}

/// u³ (10 - 15u + 6u²): without acceleration at the ends too.
inline SmoothValue QuinticStep(double u, double duration) {
  u = std::clamp(u, 0.0, 1.0);
  const double w = u * (1 - u);
  return {u * u * u * (10 + u * (6 * u - 15)), 30 * w * w / duration,
          60 * w * (1 - 2 * u) / (duration * duration)};
}

/// sin² πu: up and down again.
inline SmoothValue Arch(double u, double duration) {
  if (u < 0 || u >= 1) return {};
  constexpr double pi = std::numbers::pi;
  const double s = std::sin(pi * u);
  return {s * s, pi * std::sin(2 * pi * u) / duration,
          2 * pi * pi * std::cos(2 * pi * u) / (duration * duration)};
}

}  // namespace slip
