// Equivalent parameters against impacts that are integrated numerically and against the creep that
// the contact models themselves predict.
#include "engine/contact/equivalent.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/contact/contact_models.h"

namespace slip {
namespace {

/// Speed after an impact at speed v over v: Runge-Kutta on m x'' = -f(x, x') until the force ends,
/// from a gap that is wider than the law's reach.
template <class Law>
double IntegrateRestitution(const LawParams& p, double m, double v, double gap = 0) {
  const double step = 1e-5 * std::sqrt(m / p.k);
  double x = -gap, u = v;
  const auto a = [&](double at, double speed) { return -Law::Force(p, at, speed) / m; };
  for (int i = 0; i < 20'000'000; ++i) {
    const double k1 = a(x, u), k2 = a(x + step / 2 * u, u + step / 2 * k1),
                 k3 = a(x + step / 2 * (u + step / 2 * k1), u + step / 2 * k2),
                 k4 = a(x + step * (u + step / 2 * k2), u + step * k3);
    x += step * (u + step / 6 * (k1 + k2 + k3));
    u += step / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    if (u < 0 && Law::Force(p, x, u) <= 0) return -u / v;
  }
  return std::nan("");
}

TEST(Equivalent, HuntCrossleyRestitutionIsThatOfTheMotion) {
  for (const double d : {0.02, 0.2, 2.0, 20.0}) {
    for (const double v : {0.1, 2.0}) {
      LawParams p;
      p.k = 1e5;
      p.k_hertz = 1e7;
      p.d = d;
      const double e = CalcHuntCrossleyRestitution(d, v);
      EXPECT_NEAR(e, IntegrateRestitution<HuntCrossley>(p, 1, v), 2e-5) << d << " " << v;
      EXPECT_NEAR(e, IntegrateRestitution<Hertz>(p, 0.3, v), 2e-4) << d << " " << v;
      EXPECT_LE(e * v, 1 / d);
      EXPECT_NEAR(CalcHuntCrossleyDissipation(e, v), d, 1e-6 * d);
    }
  }
}

TEST(Equivalent, KelvinVoigtRestitutionIsThatOfAFallFromACentimetre) {
  for (const double zeta : {0.01, 0.3, 0.756, 0.9}) {
    LawParams p;
    p.k = 2e5;
    const double m = 0.4;
    p.tau = 2 * zeta * std::sqrt(m / p.k);
    const double e = CalcKelvinVoigtRestitution(p.tau, p.k, m);
    EXPECT_NEAR(e, IntegrateRestitution<KelvinVoigt>(p, m, 1.3, 0.01), 2e-5) << zeta;
    EXPECT_NEAR(CalcKelvinVoigtRelaxation(e, p.k, m), p.tau, 1e-6 * p.tau) << zeta;
  }
  const double critical = 2 * std::sqrt(0.4 / 2e5);
  EXPECT_NEAR(CalcKelvinVoigtRestitution(0.756 * critical, 2e5, 0.4), 0.0266, 1e-4);
  EXPECT_EQ(CalcKelvinVoigtRestitution(critical, 2e5, 0.4), 0);
  EXPECT_NEAR(CalcKelvinVoigtRelaxation(0, 2e5, 0.4), critical, 1e-12);
}

// Contacts with anchors know no force across a gap.
struct FromTouch : KelvinVoigt {
  static double Force(const LawParams& p, double x, double xdot) {
    return x >= 0 ? KelvinVoigt::Force(p, x, xdot) : 0;
  }
};

TEST(Equivalent, TouchDampingRestitutionIsThatOfTheMotion) {
  for (const double zeta : {0.01, 0.3, 0.9, 1.0, 1.5, 5.0}) {
    LawParams p;
    p.k = 2e5;
    const double m = 0.4;
    p.tau = 2 * zeta * std::sqrt(m / p.k);
    const double e = CalcTouchDampingRestitution(p.tau, p.k, m);
    EXPECT_NEAR(e, IntegrateRestitution<FromTouch>(p, m, 1.3), 2e-5) << zeta;
    EXPECT_NEAR(CalcTouchDampingRelaxation(e, p.k, m), p.tau, 1e-6 * p.tau) << zeta;
  }
  EXPECT_NEAR(CalcTouchDampingRestitution(2 * std::sqrt(0.4 / 2e5), 2e5, 0.4), std::exp(-2), 1e-6);
}

TEST(Equivalent, LimitsOfDamping) {
  EXPECT_EQ(CalcHuntCrossleyRestitution(0, 1), 1);
  EXPECT_EQ(CalcKelvinVoigtRestitution(0, 1e5, 1), 1);
  EXPECT_EQ(CalcHuntCrossleyDissipation(1, 1), 0);
  EXPECT_EQ(CalcKelvinVoigtRelaxation(1, 1e5, 1), 0);
  EXPECT_EQ(CalcTouchDampingRestitution(0, 1e5, 1), 1);
  EXPECT_EQ(CalcTouchDampingRelaxation(1, 1e5, 1), 0);
  // slow impacts: e = 1 - 2/3 d v
  for (const double y : {1e-8, 1e-6, 1e-4, 1.5e-3}) {
    EXPECT_NEAR(1 - CalcHuntCrossleyRestitution(y, 1), 2.0 / 3 * y, 0.002 * y);
    EXPECT_NEAR(CalcHuntCrossleyDissipation(1 - 2.0 / 3 * y, 1), y, 0.002 * y);
  }
  EXPECT_NEAR(CalcContactPeriod(4 * 9.8696044, 1), 1, 1e-6);
}

TEST(Equivalent, MatchedFrictionCreepsAlike) {
  ModelParams params;
  params.sigma = 3e-3;
  ContactStart start;
  start.h = 2e-3;
  start.w = 1.7;
  start.mu = 0.6;
  start.phi0 = -1e-6;
  start.law.k = 1e7;
  const double fn = 9;
  for (const double r : {0.05, 0.4, 0.95}) {
    const ContactLoad load{fn, r * start.mu * fn, 0};
    const StictionLoad stiction{start.mu * fn * start.h, r, start.w};
    params.stiction_tolerance = CalcEquivalentStictionTolerance(params.sigma, stiction);
    const double sap = Sap::Predict(Sap::Freeze(params, start), start, load).creep_speed;
    using Soft = Lagged<HuntCrossley>;
    const double soft = Soft::Predict(Soft::Freeze(params, start), start, load).creep_speed;
    EXPECT_NEAR(soft, sap, 1e-12 * sap) << r;
    EXPECT_NEAR(CalcEquivalentRegularization(params.stiction_tolerance, stiction), params.sigma,
                1e-15);
    if (r < 0.1) {
      const double tolerance =
          Sap::Predict(Sap::Freeze(params, start), start, load).stiction_tolerance;
      EXPECT_NEAR(params.stiction_tolerance, tolerance, 0.002 * tolerance);
    }
  }
}

}  // namespace
}  // namespace slip
