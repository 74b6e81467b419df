// The coupled law: its numbers, its Jacobian by differences, and what it must share with Lagged.
#include <gtest/gtest.h>

#include <random>

#include "engine/contact/contact_models.h"

namespace slip {
namespace {

template <class Law>
typename Coulomb<Law>::Frozen FreezeAt(double phi0, double eps) {
  ContactStart start;
  start.h = 0.01;
  start.phi0 = phi0;
  start.mu = 0.5;
  start.law = {.k = 1e4, .k_hertz = 1e6, .d = 0.5, .tau = 0.02, .kappa = 0.3, .dh = 0.02};
  return Coulomb<Law>::Freeze({.stiction_tolerance = eps}, start);
}

template <class Law, int kSlip>
CoupledValueOf<kSlip> At1(const typename Coulomb<Law>::Frozen& f, const ContactVector<kSlip>& v) {
  return Coulomb<Law>::template EvaluateCoupled<kSlip>(f, v, nullptr, 1, 0);
}

TEST(CoulombLaw, Table6_1) {
  struct Row {
    double eps;
    Vec3 v, gamma;
    double xx, xy, yy, xn, yn, nn;
  };
  const Row rows[] = {{0.1,
                       {0.3, 0.4, -0.1},
                       {-0.0926648738528, -0.123553165137, 0.315},
                       0.201961904551,
                       -0.142561344389,
                       0.118801120324,
                       -0.353009043249,
                       -0.470678724332,
                       1.2},
                      {1e-4,
                       {1e-4, -2e-4, 0.05},
                       {-0.0298531562402, 0.0597063124803, 0.14625},
                       0,
                       0,
                       0,
                       -0.214330352494,
                       0.428660704987,
                       1.05}};
  for (const Row& row : rows) {
    const auto at = At1<HuntCrossley, 2>(FreezeAt<HuntCrossley>(-2e-3, row.eps), row.v);
    const Mat3 G = Coulomb<HuntCrossley>::CalcJacobian<2>(at);
    const auto near = [](double a, double b) { EXPECT_NEAR(a, b, 1e-11 * std::abs(b)); };
    for (int i = 0; i < 3; ++i) near(at.value.gamma[i], row.gamma[i]);
    near(G(0, 2), row.xn);
    near(G(1, 2), row.yn);
    near(G(2, 2), row.nn);
    EXPECT_EQ(G(2, 0), 0);
    EXPECT_EQ(G(2, 1), 0);
    if (row.xx == 0) continue;
    near(G(0, 0), row.xx);
    near(G(0, 1), row.xy);
    near(G(1, 1), row.yy);
  }
}

template <class Law, int kSlip>
void ExpectDifferences(std::mt19937* random) {
  using Vector = ContactVector<kSlip>;
  std::uniform_real_distribution<double> part(-1, 1);
  for (int i = 0; i < 200; ++i) {
    const bool barrier = !InvertibleLaw<Law>;
    const double phi0 = (barrier ? 0.012 : 2e-3) * (barrier ? 1 : part(*random));
    const auto f = FreezeAt<Law>(phi0, 0.02 + 0.05 * std::abs(part(*random)));
    Vector v;
    for (int k = 0; k <= kSlip; ++k) v[k] = 0.3 * part(*random);
    const auto at = At1<Law, kSlip>(f, v);
    const ContactMatrix<kSlip> G = Coulomb<Law>::template CalcJacobian<kSlip>(at);
    constexpr double kStep = 1e-6;
    for (int k = 0; k <= kSlip; ++k) {
      const Vector e = kStep * Vector::Unit(k);
      const Vector difference =
          (At1<Law, kSlip>(f, v - e).value.gamma - At1<Law, kSlip>(f, v + e).value.gamma) /
          (2 * kStep);
      // a law's kink may lie within the step
      if (std::abs(At1<Law, kSlip>(f, v - e).coupling.slope -
                   At1<Law, kSlip>(f, v + e).coupling.slope) > 1e-3 * (1 + G.norm()))
        continue;
      EXPECT_LT((difference - G.col(k)).norm(), 1e-6 * (1 + G.norm()));
    }
    // friction takes energy, within mu times this very normal impulse
    const auto& gamma = at.value.gamma;
    EXPECT_LE(gamma.template head<kSlip>().dot(v.template head<kSlip>()), 0);
    EXPECT_LE(gamma.template head<kSlip>().norm(), 0.5 * gamma[kSlip] + 1e-15);
    // Lagged at that bound has the same impulse and the same symmetric block
    auto lagged = f;
    lagged.n0 = at.coupling.n;
    const auto member = Coulomb<Law>::template Evaluate<kSlip>(lagged, v);
    EXPECT_LT((member.gamma - gamma).norm(), 1e-14 * (1 + gamma.norm()));
    EXPECT_LT((member.hessian - at.value.hessian).norm(), 1e-12 * (1 + G.norm()));
    const Vector d = Vector::Ones();
    EXPECT_NEAR((Coulomb<Law>::template CalcWork<kSlip>(f, v, d)), -gamma.dot(d), 1e-12);
  }
}

TEST(CoulombLaw, JacobianByDifferencesOverEveryLaw) {
  std::mt19937 random(1);
  const auto both = [&]<class Law>(Law*) {
    ExpectDifferences<Law, 2>(&random);
    ExpectDifferences<Law, 3>(&random);
  };
  both(static_cast<HuntCrossley*>(nullptr));
  both(static_cast<Hertz*>(nullptr));
  both(static_cast<KelvinVoigt*>(nullptr));
  both(static_cast<LogBarrier*>(nullptr));
  both(static_cast<IpcBarrier*>(nullptr));
}

// Between the convex member and the coupled law: the bound is a mean, and so is the column.
TEST(CoulombLaw, SharesBetweenTheMemberAndTheLaw) {
  const auto f = FreezeAt<HuntCrossley>(-2e-3, 0.1);
  const Vec3 v(0.3, 0.4, -0.1);
  using Law = Coulomb<HuntCrossley>;
  const auto member = Law::EvaluateCoupled<2>(f, v, nullptr, 0, 0.25);
  EXPECT_FALSE(member.coupling.acts());
  EXPECT_DOUBLE_EQ(member.coupling.bound, 0.25);
  const auto half = Law::EvaluateCoupled<2>(f, v, nullptr, 0.5, 0.25);
  EXPECT_DOUBLE_EQ(half.coupling.bound, 0.5 * (0.25 + 0.315));
  EXPECT_NEAR(Law::CalcJacobian<2>(half)(0, 2), 0.5 * -0.353009043249, 1e-11);
}

}  // namespace
}  // namespace slip
