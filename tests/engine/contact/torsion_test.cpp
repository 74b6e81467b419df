// Numbers of torsional friction (engine/README.md 5.6): slip u = (v_t1, v_t2, rho w_n).
#include <gtest/gtest.h>

#include "engine/contact/contact_models.h"
#include "engine/contact/material.h"

namespace slip {
namespace {

constexpr double kRho = 0.05;
const Vec3 kSlipVelocity(0.03, 0.01, kRho * 0.4);

// 13 significant digits are given
void ExpectNear(double expected, double actual) {
  EXPECT_NEAR(actual, expected, 1e-12 * std::abs(expected));
}

ContactVector<3> Velocity(const Vec3& u, double vn) { return {u.x(), u.y(), u.z(), vn}; }

TEST(Torsion, SoftNorm) {
  ExpectNear(3.731670749812e-02, CalcSoftNorm<3>(kSlipVelocity, 1e-4).value);
}

TEST(Torsion, Lagged) {
  ContactStart start;
  start.mu = 0.5;
  start.law.k = 1e5;
  auto frozen = Lagged<HuntCrossley>::Freeze({}, start);
  frozen.n0 = 0.2;
  const ContactVector<3> v_c = Velocity(kSlipVelocity, 1);  // far off: friction alone
  const auto value = Lagged<HuntCrossley>::Evaluate<3>(frozen, v_c);
  ExpectNear(3.731670749812e-03, value.cost);
  ExpectNear(-8.017808622393e-02, value.gamma[0]);
  ExpectNear(-2.672602874131e-02, value.gamma[1]);
  ExpectNear(-2.672602874131e-03, kRho * value.gamma[2]);
  ExpectNear(-4.772518768008e-03, -kRho * kRho * value.hessian(2, 2));
  ExpectNear(9.545132985438e-01, value.hessian(0, 0));
  ExpectNear(-1.145393050392, value.hessian(0, 2));
  ExpectNear(1.909007507203, value.hessian(2, 2));
}

TEST(Torsion, ConeProjection) {
  const auto frozen = ConeProjection::Make(1e-3 * 1.6, 0.04, -0.002, 1, 0.5, false);
  const auto slides = ConeProjection::Evaluate<3>(frozen, Velocity(kSlipVelocity, -0.01));
  ExpectNear(-3.047203553075e-01, slides.gamma[0]);
  ExpectNear(-1.015734517692e-01, slides.gamma[1]);
  ExpectNear(7.601061122245e-01, slides.gamma[3]);
  ExpectNear(-1.015734517692e-02, kRho * slides.gamma[2]);
  const auto sticks = ConeProjection::Evaluate<3>(frozen, Velocity(Vec3(1e-5, 0, 1e-5), -0.01));
  ExpectNear(-6.25e-03, sticks.gamma[0]);
  ExpectNear(0.3, sticks.gamma[3]);
  ExpectNear(-3.125e-04, kRho * sticks.gamma[2]);
}

TEST(Torsion, Similar) {
  ContactStart start;
  start.h = 1e-3;
  start.phi0 = -1e-5;
  start.mu = 0.5;
  start.law.k = 1e5;
  const auto frozen = Similar<HuntCrossley>::Freeze({.stiction_tolerance = 1e-4}, start);
  const auto value = Similar<HuntCrossley>::Evaluate<3>(frozen, Velocity(kSlipVelocity, -0.02));
  ExpectNear(4.865835374906e-03, value.gamma[3]);
  ExpectNear(-1.950666841203e-03, value.gamma[0]);
  ExpectNear(-6.502222804011e-05, kRho * value.gamma[2]);
}

// Without spin the third direction changes nothing.
TEST(Torsion, NoSpinIsPlainFriction) {
  const Vec3 v_c(0.03, 0.01, -0.02);
  ContactStart start;
  start.phi0 = -1e-5;
  start.vn0 = -0.02;
  start.mu = 0.5;
  start.law = {.k = 1e5, .d = 1, .tau = 1e-3};
  for (int model = 0; model < kContactModelCount; ++model) {
    VisitContactModel(model, 0, [&]<class M, class L>() {
      const auto frozen = M::Freeze({}, start);
      const ContactValue plain = M::Evaluate(frozen, v_c);
      const auto spinning = M::template Evaluate<3>(frozen, Velocity(Vec3(0.03, 0.01, 0), -0.02));
      EXPECT_NEAR(spinning.cost, plain.cost, 1e-15 * std::abs(plain.cost));
      EXPECT_LT((spinning.gamma({0, 1, 3}) - plain.gamma).norm(), 1e-15 * plain.gamma.norm());
      EXPECT_EQ(spinning.gamma[2], 0);
      EXPECT_GT(spinning.hessian(2, 2), 0);
    });
  }
}

TEST(Torsion, MaterialsCombineAsTheirFrictionDoes) {
  Material a, b;
  a.torsional_friction = 0.01;
  b.torsional_friction = 0.03;
  EXPECT_DOUBLE_EQ(CombineMaterials(a, b).torsional_friction, 0.015);
  b.torsional_friction = 0;
  EXPECT_EQ(CombineMaterials(a, b).torsional_friction, 0);
}

TEST(Torsion, NeedsFriction) {
  Material rubber{.name = "rubber", .friction = 0, .torsional_friction = 0.01};
  const Status status = CheckFriction({&rubber, 1});
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message,
            "material 'rubber': friction must be > 0 where torsional_friction is (found 0 and "
            "0.01 m)");
  rubber.friction = 0.1;
  EXPECT_TRUE(CheckFriction({&rubber, 1}).ok());
}

}  // namespace
}  // namespace slip
