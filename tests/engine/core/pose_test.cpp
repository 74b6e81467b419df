// Rigid transforms: products, inverses, and what they do to bits.
#include "engine/core/pose.h"

#include <gtest/gtest.h>

#include <cmath>

namespace slip {
namespace {

const Pose kA{Vec3(1, -2, 0.5), Quat(0.5, 0.1, -0.7, 0.3).normalized()};
const Pose kB{Vec3(-0.3, 4, 2), Quat(-0.2, 0.9, 0.3, 0.1).normalized()};

double Difference(const Pose& a, const Pose& b) {
  return (a.p - b.p).norm() + (a.q.coeffs() - b.q.coeffs()).norm();
}

TEST(Pose, ProductMovesAPointAsOneAfterTheOther) {
  const Vec3 p(0.7, -0.1, 3);
  for (const Pose& X : {kA * kB, ComposeUnit(kA, kB), ComposeKept(kA, kB)})
    EXPECT_LT((X * p - kA * (kB * p)).norm(), 1e-14);
}

TEST(Pose, InverseLeavesNothing) {
  EXPECT_LT(Difference(Inverse(kA) * kA, Pose{}), 1e-15);
  EXPECT_LT(Difference(kA * InverseKept(kA), Pose{}), 1e-15);
}

// A turn that has drifted comes back to a unit, but for a pose that is only moved.
TEST(Pose, SaysInItsNameWhatBecomesOfTheNorm) {
  Pose drifted = kB;
  drifted.q.coeffs() *= 1 + 1e-6;
  EXPECT_GT((kA * drifted).q.norm() - 1, 9e-7);
  EXPECT_NEAR(ComposeUnit(kA, drifted).q.norm(), 1, 1e-15);
  const Pose moved{Vec3(1, 2, -3), Quat::Identity()};
  EXPECT_EQ(ComposeKept(moved, drifted).q.coeffs(), drifted.q.coeffs());
  EXPECT_EQ(ComposeKept(drifted, moved).q.coeffs(), drifted.q.coeffs());
}

TEST(Pose, WithoutATurnTheSignsOfZerosStay) {
  const Pose none{Vec3(0, -0.0, 1), Quat::Identity()};
  const Pose back = InverseKept(none);
  EXPECT_TRUE(std::signbit(back.p.x()));
  EXPECT_FALSE(std::signbit(back.p.y()));
  EXPECT_FALSE(std::signbit(back.q.x())) << "no minus in a file for a turn that is none";
  EXPECT_TRUE(std::signbit(Inverse(none).q.x()));
}

}  // namespace
}  // namespace slip
