#include "engine/mujoco/contact_law.h"

#include <algorithm>
#include <cmath>

namespace slip {
namespace {

constexpr double kLeastImpedance = 1e-4, kMostImpedance = 0.9999;
double BoundImpedance(double x) { return std::clamp(x, kLeastImpedance, kMostImpedance); }

/// Root of a function that rises from below zero at `low` to above it at `high`: regula falsi with
/// the Illinois rule, to the last digits.
template <class Function>
double FindRoot(double low, double high, const Function& function) {
  double at_low = function(low), at_high = function(high);
  if (!(at_low < 0)) return low;
  int side = 0;
  for (int i = 0; i < 60 && high - low > 1e-14 * high; ++i) {
    const double x = (low * at_high - high * at_low) / (at_high - at_low);
    const double at = function(x);
    if (at == 0) return x;
    if (at < 0) {
      if (x == low) break;
      low = x, at_low = at;
      if (side < 0) at_high /= 2;
      side = -1;
    } else {
      if (x == high) break;
      high = x, at_high = at;
      if (side > 0) at_low /= 2;
      side = 1;
    }
  }
  return 0.5 * (low + high);
}

}  // namespace

void MujocoLaw::Prepare(double time_step) {
  const double full = BoundImpedance(solimp[1]);
  if (solref[0] > 0) {
    const double time = std::max(solref[0], 2 * time_step);
    kappa = 1 / (full * full * time * time * solref[1] * solref[1]);
    b = 2 / (full * time);
  } else {
    kappa = -solref[0] / (full * full);
    b = -solref[1] / full;
  }
}

double MujocoLaw::Softness(double impedance) const {
  const double R = (1 - impedance) / impedance, mu = friction;
  return has_pyramid() ? 2 * mu * mu * (1 + mu * mu) * R / impratio : R;
}

double MujocoLaw::Force(double inverse_mass, double x) const {
  if (!(x > 0) || !(inverse_mass > 0)) return 0;
  const double delta = CalcImpedance(solimp, x);
  return (has_pyramid() ? 4 : 1) * kappa * delta * x / (inverse_mass * Softness(delta));
}

double MujocoLaw::Depth(double inverse_mass, double load) const {
  const double width = solimp[2];
  if (!(load > 0) || !(inverse_mass > 0) || !(kappa > 0)) return 0;
  const bool constant = solimp[0] == solimp[1];
  const double at_width = Force(inverse_mass, width);
  if (constant || load >= at_width) return width * load / at_width;
  return FindRoot(0, width, [&](double x) { return Force(inverse_mass, x) - load; });
}

double MujocoLaw::SlidingDepth(double inverse_mass, double load, const Vec2& slip) const {
  if (!(load > 0) || !(inverse_mass > 0)) return kNaN;
  const double mu = friction;
  // what the rows give beyond the load
  const auto excess = [&](double x) {
    const double delta = CalcImpedance(solimp, x), a = kappa * delta * x;
    const double needed = Softness(delta) * inverse_mass * load;
    if (!has_pyramid()) return a + mu * b * slip.norm() - needed * (1 + mu * mu / impratio);
    double rows = 0;
    for (const double q : {mu * b * slip[0], mu * b * slip[1]})
      rows += std::max(0.0, a + q) + std::max(0.0, a - q);
    return rows - needed;
  };
  if (excess(0) > 0) return kNaN;
  double high = std::max(solimp[2], 1e-9);
  for (int i = 0; i < 100 && excess(high) < 0; ++i) high *= 2;
  return FindRoot(0, high, excess);
}

double MujocoLaw::Energy(double inverse_mass, double x) const {
  if (!(x > 0) || !(inverse_mass > 0)) return 0;
  const double width = solimp[2];
  if (solimp[0] == solimp[1]) return 0.5 * Force(inverse_mass, x) * x;
  // Gauss, 8 points a piece; δ is smooth on either side of the midpoint
  static constexpr std::array<double, 4> kAt = {0.18343464249564981, 0.52553240991632899,
                                                0.79666647741362674, 0.96028985649753623};
  static constexpr std::array<double, 4> kWeight = {0.36268378337836198, 0.31370664587788729,
                                                    0.22238103445337447, 0.10122853629037626};
  const double middle = BoundImpedance(solimp[3]) * width;
  double energy = 0, from = 0;
  for (const double to : {std::min(x, middle), std::min(x, width)}) {
    if (!(to > from)) continue;
    const double half = 0.5 * (to - from), center = 0.5 * (from + to);
    for (std::size_t i = 0; i < kAt.size(); ++i)
      energy += half * kWeight[i] *
                (Force(inverse_mass, center + half * kAt[i]) +
                 Force(inverse_mass, center - half * kAt[i]));
    from = to;
  }
  if (x > width) {  // linear from there on
    const double slope = Force(inverse_mass, x) / x;
    energy += 0.5 * slope * (x * x - width * width);
  }
  return energy;
}

ContactPrediction MujocoLaw::Predict(double inverse_mass, double fn, double ft,
                                     const Vec2& slip) const {
  ContactPrediction out;
  out.dissipation = kNaN;
  out.damping = out.stiffness = out.gliding_offset = kNaN;
  if (!(inverse_mass > 0)) return out;
  const double mu = friction, limit = mu * fn, speed = slip.norm();
  const double used = limit > 0 ? std::min(1.0, ft / limit) : 0;
  // of a pyramid one row leaves from half its friction on, and the others carry as if all did less
  constexpr double kAtLimit = 0.999;
  const double share = has_pyramid() && used < kAtLimit ? std::min(1.0, 2 * (1 - used)) : 1;
  const double depth = Depth(inverse_mass, fn * share);
  const double delta = CalcImpedance(solimp, depth), R = inverse_mass * (1 - delta) / delta;
  out.rest_distance = -depth;
  out.stiffness = depth > 0 ? fn / depth : Force(inverse_mass, 1e-12) / 1e-12;
  out.damping = out.stiffness * b / (kappa * delta);
  if (!(mu > 0)) {
    out.gliding_offset = 0;
    return out;
  }
  // force over slip speed of a contact that sticks [N s/m]
  const double damper = b * impratio / (elliptic ? R : R * (1 + mu * mu));
  const auto creep = [&](double r) {
    const double linear = r * limit / damper;
    return elliptic || r <= 0.5 ? linear : linear * (3 * r - 1) / r;
  };
  out.stiction_tolerance = creep(1);
  out.slip_onset = creep(kSlipShare);
  out.creep_speed = creep(used);
  if (speed > out.slip_onset) {
    out.gliding_offset = depth - SlidingDepth(inverse_mass, fn, slip);
  } else {
    out.gliding_offset = 0;
  }
  return out;
}

}  // namespace slip
