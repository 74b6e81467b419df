// The pair table, half-spaces, probes and bounds.
#include "engine/collide/narrow_phase.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/engine/collide/reference_distance.h"

namespace slip {
namespace {

class NarrowPhase : public testing::Test {
 protected:
  double Uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  Vec3 Vector() { return {Uniform(-1, 1), Uniform(-1, 1), Uniform(-1, 1)}; }
  Pose AnyPose() {
    return {Vector(),
            Quat(Uniform(-1, 1), Uniform(-1, 1), Uniform(-1, 1), Uniform(-1, 1)).normalized()};
  }

  std::mt19937 random_{21};
  const Shape sphere_{.kind = ShapeKind::kSphere, .radius = 0.3};
  const Shape capsule_{.kind = ShapeKind::kCapsule, .radius = 0.2, .length = 0.7};
  const Shape box_{.kind = ShapeKind::kBox, .size = Vec3(0.4, 0.6, 1.1)};
};

TEST_F(NarrowPhase, TableServesBothOrders) {
  for (const Shape& a : {sphere_, capsule_, box_}) {
    for (const Shape& b : {sphere_, capsule_, box_}) {
      EXPECT_TRUE(CanCollide(a.kind, b.kind));
      // B above A, within reach whichever is which
      PairContacts contacts;
      const Pose above = {Vec3(0.01, 0.02, 0.3), Quat::Identity()};
      contacts.push_back({});
      Collide(a, {}, b, above, 0.1, &contacts);
      ASSERT_GE(contacts.size(), 2u);
      EXPECT_EQ(contacts[0].feature, 0u);  // what was there stays
      EXPECT_EQ(contacts[0].n_W, Vec3::UnitZ());
      const double gap = test::ReferenceDistance(a, {}, b, above).Calc();
      Pose touching = above;
      touching.p -= gap * contacts[1].n_W;
      EXPECT_NEAR(test::ReferenceDistance(a, {}, b, touching).Calc(), 0, 1e-12);
    }
  }
}

TEST_F(NarrowPhase, HasASecondRoutineForCylindersAndConvexMeshes) {
  constexpr ShapeKind kClosed[] = {ShapeKind::kSphere, ShapeKind::kBox, ShapeKind::kCapsule};
  constexpr ShapeKind kIterated[] = {ShapeKind::kCylinder, ShapeKind::kConvex};
  for (const ShapeKind a : kClosed) {
    for (const ShapeKind b : kClosed) EXPECT_FALSE(HasNarrowPhases(a, b));
    for (const ShapeKind b : kIterated) {
      EXPECT_TRUE(HasNarrowPhases(a, b));
      EXPECT_TRUE(HasNarrowPhases(b, a));
    }
  }
  for (const ShapeKind a : kIterated) {
    for (const ShapeKind b : kIterated) EXPECT_TRUE(HasNarrowPhases(a, b));
    EXPECT_FALSE(HasNarrowPhases(a, ShapeKind::kTriangleMesh));
    EXPECT_FALSE(HasNarrowPhases(ShapeKind::kPointCloud, a));
  }
}

TEST_F(NarrowPhase, FeaturesDoNotDependOnTheOrderOfDifferentKinds) {
  PairContacts contacts, swapped;
  const Pose lying = {Vec3(0, 0, 0.75), Quat::Identity()};
  Collide(box_, {}, capsule_, lying, 0.01, &contacts);
  Collide(capsule_, lying, box_, {}, 0.01, &swapped);
  ASSERT_EQ(contacts.size(), 2u);
  ASSERT_EQ(swapped.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(contacts[i].feature, swapped[i].feature);
    EXPECT_EQ(contacts[i].p_W, swapped[i].p_W);
    EXPECT_EQ(contacts[i].n_W, -swapped[i].n_W);
  }
}

TEST_F(NarrowPhase, PairsThatAreNotInTheTableGiveNothing) {
  Shape cloud;
  cloud.kind = ShapeKind::kPointCloud;
  PairContacts contacts;
  for (const Shape& shape : {sphere_, capsule_, box_}) {
    if (CanCollide(cloud.kind, shape.kind)) continue;
    Collide(cloud, {}, shape, {}, 1, &contacts);
    Collide(shape, {}, cloud, {}, 1, &contacts);
  }
  EXPECT_TRUE(contacts.empty());
}

TEST_F(NarrowPhase, HalfSpaceSeesTheLowestPoint) {
  for (int i = 0; i < 500; ++i) {
    const Plane plane = {Vector().normalized(), Vector()};
    for (const Shape& shape : {sphere_, capsule_, box_}) {
      const Pose X_WB = AnyPose();
      PairContacts contacts;
      CollidePlane(plane, shape, X_WB, 10, &contacts);
      ASSERT_FALSE(contacts.empty());
      // by the support function of the body
      const Vec3 n_B = X_WB.q.inverse() * plane.normal;
      double reach = shape.radius;
      if (shape.kind == ShapeKind::kCapsule) reach += 0.5 * shape.length * std::abs(n_B.x());
      if (shape.kind == ShapeKind::kBox) reach = 0.5 * n_B.cwiseAbs().dot(shape.size);
      const double phi = plane.normal.dot(X_WB.p - plane.point) - reach;
      double least = HUGE_VAL;
      for (const PairContact& contact : contacts) {
        least = std::min(least, contact.phi);
        EXPECT_EQ(contact.n_W, plane.normal);
        EXPECT_NEAR(plane.normal.dot(contact.p_W - plane.point), 0.5 * contact.phi, 1e-14);
      }
      EXPECT_NEAR(least, phi, 1e-14);
      const std::size_t all = contacts.size();
      CollidePlane(plane, shape, X_WB, phi - 1e-12, &contacts);
      EXPECT_EQ(contacts.size(), all);
    }
  }
}

TEST_F(NarrowPhase, BodiesLieOnHalfSpacesWithAllTheirPoints) {
  PairContacts contacts;
  CollidePlane({}, box_, {Vec3(0, 0, 0.55), Quat::Identity()}, 1e-6, &contacts);
  ASSERT_EQ(contacts.size(), 4u);
  for (uint32_t i = 0; i < 4; ++i) EXPECT_EQ(contacts[i].feature, i);
  contacts.clear();
  CollidePlane({}, capsule_, {Vec3(0, 0, 0.2), Quat::Identity()}, 1e-6, &contacts);
  ASSERT_EQ(contacts.size(), 2u);
  EXPECT_NEAR((contacts[0].p_W - contacts[1].p_W).norm(), 0.7, 1e-15);
}

TEST_F(NarrowPhase, ProbesAreBallsFixedInA) {
  std::vector<Vec3> probes;
  for (int i = 0; i < 9; ++i) probes.push_back(0.5 * Vector());
  for (int i = 0; i < 300; ++i) {
    const double radius = i % 2 == 0 ? 0 : 0.05, margin = 0.1;
    for (const Shape& shape : {sphere_, capsule_, box_}) {
      const Pose X_WA = AnyPose(), X_WB = AnyPose();
      PairContacts contacts;
      CollideProbes(probes, radius, X_WA, shape, X_WB, margin, &contacts);
      std::size_t next = 0;
      const Shape ball{.kind = ShapeKind::kSphere, .radius = radius};
      for (uint32_t p = 0; p < probes.size(); ++p) {
        const Pose X_WP = {X_WA * probes[p], Quat::Identity()};
        const double phi = test::ReferenceDistance(ball, X_WP, shape, X_WB).Calc();
        if (phi > margin) continue;
        ASSERT_LT(next, contacts.size());
        const PairContact& contact = contacts[next++];
        EXPECT_EQ(contact.feature, p);
        EXPECT_NEAR(contact.phi, phi, 1e-12);
        // the probe's own witness point
        const Vec3 witness = contact.p_W - 0.5 * contact.phi * contact.n_W;
        EXPECT_LT((witness - X_WP.p - radius * contact.n_W).norm(), 1e-12);
      }
      EXPECT_EQ(next, contacts.size());
    }
  }
}

TEST_F(NarrowPhase, BoundsAreTight) {
  for (int i = 0; i < 200; ++i) {
    for (const Shape& shape : {sphere_, capsule_, box_}) {
      const Pose X_WB = AnyPose();
      Vec3 min, max;
      CalcBounds(shape, X_WB, &min, &max);
      for (int k = 0; k < 3; ++k) {
        for (const double sign : {-1.0, 1.0}) {
          const Plane plane = {-sign * Vec3::Unit(k), Vec3::Zero()};
          PairContacts contacts;
          CollidePlane(plane, shape, X_WB, 100, &contacts);
          double least = HUGE_VAL;
          for (const PairContact& contact : contacts) least = std::min(least, contact.phi);
          EXPECT_NEAR(sign > 0 ? max[k] : min[k], -sign * least, 1e-14);
        }
      }
    }
  }
}

}  // namespace
}  // namespace slip
