// The distance from Coulomb of one contact (engine/README.md section 21): numbers of single inputs,
// the projection, and the velocities of the laws.
#include "engine/contact/coulomb_distance.h"

#include <gtest/gtest.h>

#include <random>

#include "engine/contact/contact_models.h"

namespace slip {
namespace {

struct DistanceRow {
  Vec3 v_c, gamma;
  double mu, w, v_law, cone, deficit, offset, distance;
};

MeasuredContact MakeMeasured(const DistanceRow& row, double h) {
  return {.u = Vec3(row.v_c.x(), row.v_c.y(), 0),
          .vn = row.v_c.z(),
          .f_u = Vec3(row.gamma.x(), row.gamma.y(), 0) / h,
          .fn = row.gamma.z() / h,
          .mu = row.mu,
          .w = row.w,
          .h = h,
          .v_law = row.v_law,
          .friction_load = row.gamma.z() / h};
}

TEST(CoulombDistance, SingleInputs) {
  const double h = 0.01;
  const DistanceRow rows[] = {
      {{0.3, 0, 0}, {-0.025, 0, 0.05}, 0.5, 0.47, -0.15, 0, 0, 0.0015, 5.59016994375},
      {{0.3, 0, 0}, {-0.05, 0, 0.05}, 0.5, 0.47, 0, 2.5, -0.75, 0, 2.2360679775},
      {{0, 0, 0}, {0.01, 0, 0.05}, 0.5, 0.47, 0, 0, 0, 0, 0},
      {{0.3, 0.4, 0}, {-0.03, -0.04, 0.08}, 0.5, 0.6, 0.002, 1, -0.5, -2e-5, 0.942809041582}};
  for (const DistanceRow& row : rows) {
    const MeasuredContact c = MakeMeasured(row, h);
    const CoulombDistance found = CalcCoulombDistance(c);
    EXPECT_NEAR(CalcConeExcess(c.mu, c.fn, c.f_u.norm()), row.cone, 1e-13);
    EXPECT_NEAR(CalcDissipationDeficit(c.mu, c.fn, c.u.norm(), c.f_u.dot(c.u)), row.deficit, 1e-13);
    EXPECT_NEAR(found.offset, row.offset, 1e-16);
    EXPECT_NEAR(found.distance, row.distance, 1e-11 * row.distance + 1e-14);
    EXPECT_EQ(found.lag, 0);
  }
}

TEST(CoulombDistance, LagIsFrictionOfAnotherNormalForce) {
  EXPECT_DOUBLE_EQ(CalcFrictionLag(0.5, 10, 30), 10);
  EXPECT_DOUBLE_EQ(CalcFrictionLag(0.5, 10, 0), 5);
  EXPECT_DOUBLE_EQ(CalcFrictionLag(0, 10, 30), 0);
}

TEST(CoulombDistance, WithoutForceOnlyWhatShouldPushIsAway) {
  MeasuredContact c{.vn = 0.2, .mu = 0.5, .w = 2, .h = 0.01, .v_law = 0.1};
  EXPECT_EQ(CalcCoulombDistance(c).offset, 0);
  EXPECT_EQ(CalcCoulombDistance(c).distance, 0);
  c.vn = -0.1;
  EXPECT_NEAR(CalcCoulombDistance(c).offset, -0.002, 1e-17);
  EXPECT_NEAR(CalcCoulombDistance(c).distance, 0.2 / (2 * 0.01), 1e-12);
  c.w = 0;  // nothing can say what a velocity is in newtons
  EXPECT_TRUE(std::isnan(CalcCoulombDistance(c).distance));
  EXPECT_NEAR(CalcCoulombDistance(c).offset, -0.002, 1e-17);
}

// A sticking contact that creeps, and one far above its law: what the number is read as.
TEST(CoulombDistance, CreepGrowsWithSpeedAndGlidingSaturates) {
  const double mu = 0.5, w = 0.6, h = 0.01, fn = 10, stretch = std::sqrt(1 + mu * mu);
  MeasuredContact c{.u = Vec3(1e-4, 0, 0),
                    .f_u = Vec3(-2, 0, 0),
                    .fn = fn,
                    .mu = mu,
                    .w = w,
                    .h = h,
                    .friction_load = fn};
  EXPECT_NEAR(CalcCoulombDistance(c).distance, stretch * 1e-4 / (w * h), 1e-12);
  c.f_u = Vec3(-mu * fn, 0, 0);
  c.u = Vec3(1, 0, 0);
  for (const double above : {0.2, 20.0}) {
    c.vn = above;
    EXPECT_NEAR(CalcCoulombDistance(c).distance, stretch * fn, 1e-12);
  }
}

TEST(CoulombDistance, ProjectionIsTheNearestPointOfTheCone) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  for (int i = 0; i < 2000; ++i) {
    const double mu = i % 7 == 0 ? 0 : std::abs(number(random)) * 2;
    const Vec3 g_u =
        i % 5 == 0 ? Vec3::Zero() : Vec3(number(random), number(random), i % 2 * number(random));
    const double g_n = number(random);
    const ConePoint p = ProjectOnFrictionCone(mu, g_u, g_n);
    EXPECT_LE(p.u.norm(), mu * p.n + 1e-12);
    // the rest is in the polar cone and at right angles to the point
    const Vec3 rest_u = g_u - p.u;
    const double rest_n = g_n - p.n;
    EXPECT_NEAR(rest_u.dot(p.u) + rest_n * p.n, 0, 1e-12);
    EXPECT_LE(mu * rest_u.norm(), -rest_n + 1e-12);
  }
}

ContactStart LawStart() {
  ContactStart start;
  start.h = 0.01;
  start.phi0 = -2e-3;
  start.law = {.k = 1e4, .k_hertz = 3e5, .d = 0.5, .tau = 0.02};
  return start;
}

TEST(CoulombDistance, VelocityOfHuntCrossley) {
  using Model = Similar<HuntCrossley>;
  const ContactStart c = LawStart();
  EXPECT_NEAR((CalcLawVelocity<Model, HuntCrossley>(c, 0.315 / c.h)), -0.1, 1e-13);
  EXPECT_NEAR((CalcLawVelocity<Model, HuntCrossley>(c, 0.05 / c.h)), 0.146060798583, 1e-12);
  // without force: where the force ends
  EXPECT_DOUBLE_EQ((CalcLawVelocity<Model, HuntCrossley>(c, 0)), 0.2);
}

// What a law gives at some velocity, it gives at that velocity.
TEST(CoulombDistance, VelocityOfEveryLawIsItsOwn) {
  for (int law = 0; law < kNormalLawCount; ++law) {
    ContactStart c = LawStart();
    const bool barrier = kNormalLaws[law].id.find("barrier") != std::string_view::npos;
    if (barrier) c.phi0 = 2e-3, c.law.kappa = 0.3, c.law.dh = 5e-3;
    const int lagged = 1;
    VisitContactModel(lagged, law, [&]<class M, class Law>() {
      for (const double v : {-0.1, 0.0, 0.05}) {
        const double fn = Law::Evaluate(Law::Freeze(c.law, c.phi0, c.h), v).n / c.h;
        ASSERT_GT(fn, 0) << kNormalLaws[law].id;
        EXPECT_NEAR((CalcLawVelocity<M, Law>(c, fn)), v, 1e-11) << kNormalLaws[law].id;
      }
    });
  }
}

TEST(CoulombDistance, SapIsMeasuredWithoutItsLimitAndRigidModelsAreRigid) {
  ContactStart c = LawStart();
  c.w = 100;  // its near-rigid limit acts
  const double fn = 3, h = c.h, tau = c.law.tau;
  ASSERT_TRUE(Sap::Freeze({}, c).near_rigid);
  EXPECT_NEAR((CalcLawVelocity<Sap, KelvinVoigt>(c, fn)), (2e-3 - fn / c.law.k) / (h + tau), 1e-15);
  EXPECT_DOUBLE_EQ((CalcLawVelocity<Todorov, KelvinVoigt>(c, fn)), 0.2);
  EXPECT_DOUBLE_EQ((CalcLawVelocity<Anitescu, KelvinVoigt>(c, fn)), 0.2);
}

TEST(CoulombDistance, SpringsThatTouchActWhereBodiesOverlap) {
  // pressed: the linear law; across a gap: none before it closes
  EXPECT_NEAR(CalcTouchVelocity(1e4, 20, -2e-3, 0.01, 10), (2e-3 - 1e-3) / 0.012, 1e-15);
  EXPECT_NEAR(CalcTouchVelocity(1e4, 20, 3e-3, 0.01, 0), -0.3, 1e-15);
  EXPECT_NEAR(CalcTouchVelocity(1e4, 20, -2e-3, 0.01, 0), 2e-3 / 0.012, 1e-15);
}

}  // namespace
}  // namespace slip
