// The five normal laws as discrete potentials (engine/README.md section 3; ICF eqs (5)-(16)).
// Penetration x = -phi > 0 overlaps; rate xdot = -v_n; v_n > 0 separates.
// n(v) is the impulse over one step with x = x0 - h v; N its antiderivative; dn = dn/dv <= 0.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <string_view>
#include <type_traits>

#include "engine/contact/knobs.h"
#include "engine/core/numbers.h"

namespace slip {

/// Parameters of one contact, both bodies' materials already combined. SI units.
struct LawParams {
  double k = 0;        ///< stiffness [N/m]
  double k_hertz = 0;  ///< Hertz stiffness [N/m^1.5]
  double d = 0;        ///< Hunt & Crossley dissipation [s/m]
  double tau = 0;      ///< relaxation time [s]
  double kappa = 0;    ///< barrier stiffness [J] or [J/m^2]
  double dh = 0;       ///< activation distance of the IPC barrier [m]
};

struct LawValue {
  double N = 0, n = 0, dn = 0;  ///< potential [J], impulse [N s], slope [N s^2/m]
};

/// What a person sees of a normal law, and which parameters it reads.
struct NormalLawTraits {
  std::string_view id;  ///< "hunt-crossley"
  std::string_view label;
  std::string_view doc;      ///< one sentence
  std::string_view formula;  ///< force as a function of penetration x, UTF-8
  std::string_view source;
  KnobMask knobs = 0;
};

/// What every law offers. Force is the continuous law f(x, xdot) >= 0; Rest is the penetration that
/// carries a static load; Energy the elastic energy stored at a penetration; Stiffness df/dx at
/// rest.
template <class L>
concept NormalLaw = std::is_trivially_copyable_v<typename L::Frozen> &&
    requires(const LawParams& p, const typename L::Frozen& f, double s) {
  { L::kTraits } -> std::convertible_to<NormalLawTraits>;
  { L::Force(p, s, s) } -> std::same_as<double>;
  { L::Freeze(p, s, s) } -> std::same_as<typename L::Frozen>;
  { L::Evaluate(f, s) } -> std::same_as<LawValue>;
  { L::Feasible(f, s) } -> std::same_as<bool>;
  { L::Rest(p, s) } -> std::same_as<double>;
  { L::Energy(p, s) } -> std::same_as<double>;
  { L::Stiffness(p, s) } -> std::same_as<double>;
};

/// v = n^-1(gamma) and -dv/dgamma for gamma > 0.
struct LawInverse {
  double v = 0, compliance = 0;
};

/// Laws whose n(v) can be inverted; the barriers are left out: an interior point iterate may lie
/// beyond the barrier, where nothing of it can be used.
template <class L>
concept InvertibleLaw = NormalLaw<L> && requires(const typename L::Frozen& f, double s) {
  { L::Inverse(f, s) } -> std::same_as<LawInverse>;
  { L::ContactSlope(f) } -> std::same_as<double>;  ///< order of -dn/dv in contact
};

/// The law with its potential counted from where the impulse ends, N(v_hat) = 0: contacts across a
/// wide gap then bring no large constants whose round-off hides what the others do.
template <class L>
LawValue EvaluateFromGap(const typename L::Frozen& f, double v) {
  if constexpr (requires { L::EvaluateFromGap(f, v); }) {
    return L::EvaluateFromGap(f, v);
  } else {
    return L::Evaluate(f, v);
  }
}
/// N(v_hat) of Evaluate, which EvaluateFromGap leaves out [J].
template <class L>
double CalcGapPotential(const typename L::Frozen& f) {
  if constexpr (requires { L::EvaluateFromGap(f, 0.0); }) {
    return L::Evaluate(f, f.v_hat).N;
  } else {
    return 0;
  }
}

inline double Positive(double a) { return a > 0 ? a : 0; }

/// f = k (x)_+ (1 + d xdot)_+   (ICF eqs (13)-(16)).
struct HuntCrossley {
  static constexpr NormalLawTraits kTraits = {
      .id = "hunt-crossley",
      .label = "Hunt & Crossley",
      .doc = "Linear spring whose damping grows with penetration.",
      .formula = "f = k (x)₊ (1 + d ẋ)₊",
      .source = "Irrotational Contact Fields, eq. (13)-(16)",
      .knobs = knob::kStiffness | knob::kDissipation};
  struct Frozen {
    double h, k, d, fe0, v_hat;
    double gap_slope;  ///< |1 - d x0/h|: slope of n at v_hat over h^2 k
  };

  static double Force(const LawParams& p, double x, double xdot) {
    return p.k * Positive(x) * Positive(1 + p.d * xdot);
  }
  static Frozen Freeze(const LawParams& p, double phi0, double h) {
    const double infinity = kInfinity;
    const double fe0 = -p.k * phi0;
    const double v_gap = p.k > 0 ? fe0 / (h * p.k) : std::copysign(infinity, -phi0);
    const double v_hat = std::min(v_gap, p.d > 0 ? 1 / p.d : infinity);
    return {h, p.k, p.d, fe0, v_hat, std::abs(1 - p.d * fe0 / (h * p.k))};
  }
  // N(v) = Np(min(v, v̂)),  Np(v) = h [ v (fe0 + Δf/2) − (d v²/2)(fe0 + 2Δf/3) ],  Δf = −h k v
  static LawValue Evaluate(const Frozen& f, double v) {
    const double u = std::min(v, f.v_hat);
    const double df = -f.h * f.k * u;
    LawValue value;
    value.N = std::isfinite(u)
                  ? f.h * (u * (f.fe0 + 0.5 * df) - 0.5 * f.d * u * u * (f.fe0 + 2.0 / 3.0 * df))
                  : 0;
    if (v >= f.v_hat) return value;
    const double fe = f.fe0 - f.h * f.k * v;
    const double dm = 1 - f.d * v;
    value.n = f.h * fe * dm;
    value.dn = -f.h * (f.h * f.k * dm + f.d * fe);
    return value;
  }
  // with w = v̂ − v and c = |1 − d x0/h|:  N(v) − N(v̂) = −h² k w² (c/2 + d w/3), no cancellation
  static LawValue EvaluateFromGap(const Frozen& f, double v) {
    if (!(v < f.v_hat) || !(f.k > 0)) return {};
    const double w = f.v_hat - v;
    const double fe = f.fe0 - f.h * f.k * v;
    const double dm = 1 - f.d * v;
    return {-f.h * f.h * f.k * w * w * (0.5 * f.gap_slope + f.d * w / 3), f.h * fe * dm,
            -f.h * (f.h * f.k * dm + f.d * fe)};
  }
  // the root of a quadratic, without cancellation: a = h k, e = d fe0, D = √((a−e)² + 4 k d γ)
  static LawInverse Inverse(const Frozen& f, double gamma) {
    const double a = f.h * f.k, e = f.d * f.fe0;
    const double D = std::sqrt((a - e) * (a - e) + 4 * f.k * f.d * gamma);
    return {2 * (f.fe0 - gamma / f.h) / (a + e + D), 1 / (f.h * D)};
  }
  static double ContactSlope(const Frozen& f) { return f.h * f.h * f.k; }
  static bool Feasible(const Frozen&, double) { return true; }
  static double Rest(const LawParams& p, double force) { return p.k > 0 ? force / p.k : 0; }
  static double Energy(const LawParams& p, double x) {
    return 0.5 * p.k * Positive(x) * Positive(x);
  }
  static double Stiffness(const LawParams& p, double) { return p.k; }
};

/// f = k_H (x)_+^1.5 (1 + d xdot)_+   (engine/README.md 3.2).
struct Hertz {
  static constexpr NormalLawTraits kTraits = {
      .id = "hertz",
      .label = "Hertz",
      .doc = "Spring of two touching spheres, with Hunt & Crossley damping.",
      .formula = "f = k_H (x)₊^1.5 (1 + d ẋ)₊",
      .source = "Irrotational Contact Fields, section IV",
      .knobs = knob::kHertzStiffness | knob::kDissipation};
  struct Frozen {
    double h, k, d, x0, v_hat, u_hat;
  };

  static double Force(const LawParams& p, double x, double xdot) {
    const double u = Positive(x);
    return p.k_hertz * u * std::sqrt(u) * Positive(1 + p.d * xdot);
  }
  static Frozen Freeze(const LawParams& p, double phi0, double h) {
    const double limit = p.d > 0 ? 1 / p.d : kInfinity;
    const double v_hat = std::min(-phi0 / h, limit);
    return {h, p.k_hertz, p.d, -phi0, v_hat, Positive(-phi0 - h * v_hat)};
  }
  // F(u) = k_H [ 2/5 (1 − d x0/h) u^2.5 + 2/7 (d/h) u^3.5 ],  N(v) = −(F(u) − F(û)),  u = x0 − h v
  static LawValue Evaluate(const Frozen& f, double v) {
    if (v >= f.v_hat) return {};
    const double u = f.x0 - f.h * v;
    const double root = std::sqrt(u);
    const double dm = 1 - f.d * v;
    const auto potential = [&f](double s) {
      const double s25 = s * s * std::sqrt(s);
      return f.k * (0.4 * (1 - f.d * f.x0 / f.h) * s25 + 2.0 / 7.0 * (f.d / f.h) * s25 * s);
    };
    return {-(potential(u) - potential(f.u_hat)), f.h * f.k * u * root * dm,
            -f.h * f.k * (1.5 * f.h * root * dm + f.d * u * root)};
  }
  /// No closed form: Newton on ln n as a function of ln u, u = x0 - h v, inside a bracket.
  static LawInverse Inverse(const Frozen& f, double gamma) {
    // n = h k u^1.5 c(u),  c = 1 − d v = (1 − d x0/h) + (d/h) u: increasing, zero at û
    const double c0 = 1 - f.d * f.x0 / f.h, c1 = f.d / f.h;
    // the bracket has a width that û resolves, or it would never grow
    const double width = std::cbrt(std::pow(gamma / (f.h * f.k), 2)) + 1e-300;
    double low = f.u_hat, high = f.u_hat + std::max(width, 1e-15 * f.u_hat);
    const auto n = [&](double u) { return f.h * f.k * u * std::sqrt(u) * (c0 + c1 * u); };
    while (n(high) < gamma) high = f.u_hat + 2 * (high - f.u_hat);
    double u = high;
    for (int i = 0; i < 100; ++i) {
      const double value = n(u);
      (value < gamma ? low : high) = u;
      const double slope = f.h * f.k * std::sqrt(u) * (1.5 * (c0 + c1 * u) + c1 * u);
      double next = slope > 0 ? u - (value - gamma) / slope : low;
      if (!(next > low && next < high)) next = 0.5 * (low + high);
      const double step = next - u;
      u = next;
      if (std::abs(step) <= 1e-15 * u) break;
    }
    const double v = (f.x0 - u) / f.h;
    const double slope = f.h * f.h * f.k * std::sqrt(u) * (1.5 * (c0 + c1 * u) + c1 * u);
    return {v, slope > 0 ? 1 / slope : 0};
  }
  static double ContactSlope(const Frozen& f) {
    return 1.5 * f.h * f.h * f.k * std::sqrt(std::abs(f.x0) + 1e-3 * f.h);
  }
  static bool Feasible(const Frozen&, double) { return true; }
  static double Rest(const LawParams& p, double force) {
    return p.k_hertz > 0 ? std::pow(Positive(force) / p.k_hertz, 2.0 / 3.0) : 0;
  }
  static double Energy(const LawParams& p, double x) {
    const double u = Positive(x);
    return 0.4 * p.k_hertz * u * u * std::sqrt(u);
  }
  static double Stiffness(const LawParams& p, double force) {
    return 1.5 * p.k_hertz * std::sqrt(Rest(p, force));
  }
};

/// f = (k x + k tau xdot)_+   (engine/README.md 3.3; SAP's normal law).
struct KelvinVoigt {
  static constexpr NormalLawTraits kTraits = {.id = "kelvin-voigt",
                                              .label = "Kelvin-Voigt",
                                              .doc = "Linear spring with a linear damper.",
                                              .formula = "f = (k x + k τ_d ẋ)₊",
                                              .source = "engine notes, section 3.3",
                                              .knobs = knob::kStiffness | knob::kRelaxationTime};
  struct Frozen {
    double K, v_hat;
  };

  static double Force(const LawParams& p, double x, double xdot) {
    return Positive(p.k * (x + p.tau * xdot));
  }
  static Frozen Freeze(const LawParams& p, double phi0, double h) {
    return {h * p.k * (h + p.tau), -phi0 / (h + p.tau)};
  }
  static LawValue Evaluate(const Frozen& f, double v) {
    const double s = Positive(f.v_hat - v);
    return {-0.5 * f.K * s * s, f.K * s, s > 0 ? -f.K : 0.0};
  }
  static LawInverse Inverse(const Frozen& f, double gamma) {
    return {f.v_hat - gamma / f.K, 1 / f.K};
  }
  static double ContactSlope(const Frozen& f) { return f.K; }
  static bool Feasible(const Frozen&, double) { return true; }
  static double Rest(const LawParams& p, double force) { return p.k > 0 ? force / p.k : 0; }
  static double Energy(const LawParams& p, double x) {
    return 0.5 * p.k * Positive(x) * Positive(x);
  }
  static double Stiffness(const LawParams& p, double) { return p.k; }
};

/// f = kappa / phi, phi > 0   (ICF eqs (9)-(10)); acts at any distance.
struct LogBarrier {
  static constexpr NormalLawTraits kTraits = {.id = "log-barrier",
                                              .label = "Log barrier",
                                              .doc = "Repels at any distance and never touches.",
                                              .formula = "f = κ/φ",
                                              .source = "Irrotational Contact Fields, eq. (9)-(10)",
                                              .knobs = knob::kBarrierStiffness};
  struct Frozen {
    double h, phi0, kappa;
  };

  static double Force(const LawParams& p, double x, double) { return x < 0 ? p.kappa / -x : 0; }
  static Frozen Freeze(const LawParams& p, double phi0, double h) { return {h, phi0, p.kappa}; }
  static LawValue Evaluate(const Frozen& f, double v) {
    const double phi = f.phi0 + f.h * v;
    return {f.kappa * std::log(phi), f.h * f.kappa / phi, -f.h * f.h * f.kappa / (phi * phi)};
  }
  static bool Feasible(const Frozen& f, double v) { return f.phi0 + f.h * v > 0; }
  static double Rest(const LawParams& p, double force) { return force > 0 ? -p.kappa / force : 0; }
  static double Energy(const LawParams& p, double x) { return x < 0 ? -p.kappa * std::log(-x) : 0; }
  static double Stiffness(const LawParams& p, double force) {
    return p.kappa > 0 ? force * force / p.kappa : 0;
  }
};

/// b = -kappa (phi - dh)^2 ln(phi / dh), 0 < phi < dh   (ICF eqs (11)-(12)).
struct IpcBarrier {
  static constexpr NormalLawTraits kTraits = {
      .id = "ipc-barrier",
      .label = "IPC barrier",
      .doc = "Smooth barrier that acts within a small distance only.",
      .formula = "f = −b′(φ), b = −κ (φ − φ_b)² ln(φ/φ_b)",
      .source = "Irrotational Contact Fields, eq. (11)-(12)",
      .knobs = knob::kBarrierStiffness | knob::kBarrierDistance};
  struct Frozen {
    double h, phi0, kappa, dh;
  };

  static double Force(const LawParams& p, double x, double) {
    const double phi = -x;
    if (phi <= 0 || phi >= p.dh) return 0;
    const double g = phi - p.dh;
    return p.kappa * (2 * g * std::log(phi / p.dh) + g * g / phi);
  }
  static Frozen Freeze(const LawParams& p, double phi0, double h) {
    return {h, phi0, p.kappa, p.dh};
  }
  static LawValue Evaluate(const Frozen& f, double v) {
    const double phi = f.phi0 + f.h * v;
    if (phi >= f.dh) return {};
    const double g = phi - f.dh;
    const double log = std::log(phi / f.dh);
    return {f.kappa * g * g * log, f.h * f.kappa * (2 * g * log + g * g / phi),
            f.h * f.h * f.kappa * (2 * log + 4 * g / phi - g * g / (phi * phi))};
  }
  static bool Feasible(const Frozen& f, double v) { return f.phi0 + f.h * v > 0; }
  /// No closed form: bisection on the decreasing force over (0, dh).
  static double Rest(const LawParams& p, double force) {
    if (!(force > 0) || !(p.kappa > 0)) return -p.dh;
    double lo = 0, hi = p.dh;
    for (int i = 0; i < 100; ++i) {
      const double mid = 0.5 * (lo + hi);
      (Force(p, -mid, 0) > force ? lo : hi) = mid;
    }
    return -hi;
  }
  static double Energy(const LawParams& p, double x) {
    const double phi = -x;
    if (phi <= 0 || phi >= p.dh) return 0;
    return -p.kappa * (phi - p.dh) * (phi - p.dh) * std::log(phi / p.dh);
  }
  static double Stiffness(const LawParams& p, double force) {
    const double phi = -Rest(p, force);
    if (phi <= 0 || phi >= p.dh) return 0;
    const double g = phi - p.dh;
    return -p.kappa * (2 * std::log(phi / p.dh) + 4 * g / phi - g * g / (phi * phi));
  }
};

}  // namespace slip
