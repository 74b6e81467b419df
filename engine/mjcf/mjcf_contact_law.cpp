#include "engine/mjcf/mjcf_contact_law.h"

#include <algorithm>
#include <cmath>

namespace slip {
namespace {

constexpr double kLeastImpedance = 1e-4, kMostImpedance = 0.9999;
constexpr double kLeastNumber = 1e-15;

double Bound(double impedance) { return std::clamp(impedance, kLeastImpedance, kMostImpedance); }

struct Reference {
  double kappa = 0, b = 0;  // [1/s²], [1/s]
};

Reference CalcReference(const std::array<double, 2>& solref, const std::array<double, 5>& solimp,
                        const MjcfContactSettings& settings) {
  const double full = Bound(solimp[1]);
  if (solref[0] <= 0) return {-solref[0] / (full * full), std::max(0.0, -solref[1]) / full};
  const double time = settings.refsafe ? std::max(solref[0], 2 * settings.time_step) : solref[0];
  const double swing = std::max(time * std::max(solref[1], 0.0), kLeastNumber) * full;
  return {1 / (swing * swing), 2 / (full * time)};
}

}  // namespace

MjcfContact CombineMjcf(const MjcfContact& a, const MjcfContact& b) {
  if (a.priority != b.priority) return a.priority > b.priority ? a : b;
  MjcfContact both;
  both.priority = a.priority;
  both.condim = std::max(a.condim, b.condim);
  for (std::size_t i = 0; i < both.friction.size(); ++i)
    both.friction[i] = std::max(a.friction[i], b.friction[i]);
  const double sum = a.solmix + b.solmix;
  const double share = a.solmix < kLeastNumber && b.solmix < kLeastNumber ? 0.5
                       : a.solmix < kLeastNumber                          ? 0
                       : b.solmix < kLeastNumber                          ? 1
                                                                          : a.solmix / sum;
  const bool direct = a.solref[0] <= 0 || b.solref[0] <= 0;
  for (std::size_t i = 0; i < both.solref.size(); ++i)
    both.solref[i] = direct ? std::min(a.solref[i], b.solref[i])
                            : share * a.solref[i] + (1 - share) * b.solref[i];
  for (std::size_t i = 0; i < both.solimp.size(); ++i)
    both.solimp[i] = share * a.solimp[i] + (1 - share) * b.solimp[i];
  return both;
}

double CalcImpedance(const std::array<double, 5>& solimp, double x) {
  const double start = Bound(solimp[0]), full = Bound(solimp[1]);
  const double width = solimp[2], middle = Bound(solimp[3]), power = std::max(1.0, solimp[4]);
  if (start == full || width <= kLeastNumber) return 0.5 * (start + full);
  const double s = std::abs(x) / width;
  if (s >= 1) return full;
  constexpr double kUsualPower = 2;  // by products, which cost a tenth of powers
  if (power == kUsualPower) {
    const double rest = 1 - s;
    const double y = s <= middle ? s * s / middle : 1 - rest * rest / (1 - middle);
    return start + y * (full - start);
  }
  const double y = s <= middle ? std::pow(s, power) / std::pow(middle, power - 1)
                               : 1 - std::pow(1 - s, power) / std::pow(1 - middle, power - 1);
  return start + y * (full - start);
}

MjcfSpring CalcMjcfSpring(const MjcfContact& contact, double inverse_mass, double load,
                          const MjcfContactSettings& settings) {
  const Reference reference = CalcReference(contact.solref, contact.solimp, settings);
  const double mu = contact.friction[0];
  const bool pyramid = !settings.elliptic && contact.condim > 1 && mu > 0;
  const double rows = pyramid ? 2 * settings.impratio / (mu * mu * (1 + mu * mu)) : 1;
  const auto force = [&](double x) {
    const double impedance = CalcImpedance(contact.solimp, x);
    return rows * reference.kappa * impedance * impedance * x / ((1 - impedance) * inverse_mass);
  };
  double low = std::log(1e-12), high = std::log(1e3);
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    (force(std::exp(middle)) < load ? low : high) = middle;
  }
  MjcfSpring spring;
  spring.depth = std::exp(0.5 * (low + high));
  spring.stiffness = load / spring.depth;
  spring.relaxation = reference.b / (reference.kappa * CalcImpedance(contact.solimp, spring.depth));
  return spring;
}

MjcfSpring CalcMjcfLimit(const std::array<double, 2>& solref, const std::array<double, 5>& solimp,
                         double inverse_inertia, const MjcfContactSettings& settings) {
  const Reference reference = CalcReference(solref, solimp, settings);
  const double full = Bound(solimp[1]);
  MjcfSpring spring;
  spring.stiffness = reference.kappa * full * full / ((1 - full) * inverse_inertia);
  spring.relaxation = reference.b / (reference.kappa * full);
  return spring;
}

}  // namespace slip
