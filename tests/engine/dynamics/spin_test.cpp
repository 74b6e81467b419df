// Euler's equation over a step.
#include "engine/dynamics/spin.h"

#include <gtest/gtest.h>

#include <cmath>

namespace slip {
namespace {

const Vec3 kInertia(0.01, 0.03, 0.035), kSpin(2, 9, -4);

TEST(Spin, TheFreeMotionKeepsMomentumAndEnergy) {
  for (const double h : {1e-4, 1e-2, 0.09}) {
    Vec3 w = kSpin;
    for (int i = 0; i < 1000; ++i)
      ASSERT_TRUE(SolveSpin(kInertia, h, w, w, Vec3::Zero(), &w)) << h << " " << i;
    const Vec3 L = kInertia.cwiseProduct(w), L0 = kInertia.cwiseProduct(kSpin);
    EXPECT_NEAR(L.norm() / L0.norm(), 1, 1e-12) << h;
    EXPECT_NEAR(w.dot(L) / kSpin.dot(L0), 1, 1e-12) << h;
  }
}

TEST(Spin, AKickTurnsTheMomentumWithinTheStep) {
  const double h = 1e-3;
  const Vec3 kick(0.3, -0.1, 0.2);
  Vec3 free, w1;
  ASSERT_TRUE(SolveSpin(kInertia, h, kSpin, kSpin, Vec3::Zero(), &free));
  const Vec3 moment = CalcGyroscopicMoment(kInertia, 0.5 * (kSpin + free));
  ASSERT_TRUE(SolveSpin(kInertia, h, kSpin, free + kick, moment, &w1));
  // I (w1 - w0) = kick - h u × I u with u between w0 and w1
  const Vec3 u = 0.5 * (kSpin + w1);
  const Vec3 error =
      kInertia.cwiseProduct(Vec3(w1 - kSpin - kick)) + h * CalcGyroscopicMoment(kInertia, u);
  EXPECT_LT(error.norm(), 1e-15);
  EXPECT_GT((w1 - free - kick).norm(), 1e-5);
}

TEST(Spin, ABallOnlyTakesTheKick) {
  const Vec3 ball = Vec3::Constant(0.02), kicked(1, 2, 3);
  Vec3 w1;
  ASSERT_TRUE(SolveSpin(ball, 1e-2, kSpin, kicked, Vec3::Zero(), &w1));
  EXPECT_LT((w1 - kicked).norm(), 1e-14);
}

TEST(Spin, WhatIsNotFiniteIsNotTaken) {
  Vec3 w1 = Vec3::Constant(7);
  EXPECT_FALSE(SolveSpin(kInertia, 1e-3, kSpin, Vec3(HUGE_VAL, 0, 0), Vec3::Zero(), &w1));
  EXPECT_EQ(w1, Vec3::Constant(7));
}

}  // namespace
}  // namespace slip
