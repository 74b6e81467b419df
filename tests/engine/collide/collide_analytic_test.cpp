// Every analytic pair against brute force, over poses drawn from all degrees of degeneracy; then
// the symmetries that hold whatever the numbers, and the cases that have a closed form.
#include "engine/collide/collide_analytic.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "engine/collide/closest_points.h"
#include "engine/collide/narrow_phase.h"
#include "tests/engine/collide/reference_distance.h"

namespace slip {
namespace {

constexpr ShapeKind kKinds[] = {ShapeKind::kSphere, ShapeKind::kCapsule, ShapeKind::kBox};

struct Pair {
  Shape a, b;
  Pose X_WA, X_WB;
};

PairContacts Collide(const Pair& pair, double margin) {
  PairContacts contacts;
  Collide(pair.a, pair.X_WA, pair.b, pair.X_WB, margin, &contacts);
  return contacts;
}

double LeastPhi(const PairContacts& contacts) {
  double least = HUGE_VAL;
  for (const PairContact& contact : contacts) least = std::min(least, contact.phi);
  return least;
}

class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}
  double Uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  int Integer(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_); }
  Vec3 Vector() { return {Uniform(-1, 1), Uniform(-1, 1), Uniform(-1, 1)}; }
  Quat Rotation() {
    const Vec3 v = Vector();
    return Quat(Uniform(-1, 1), v.x(), v.y(), v.z()).normalized();
  }
  // one of 24 quarter turns, off by the angle
  Quat QuarterTurn(double angle) {
    Quat q = Quat::Identity();
    for (int i = 0; i < 3; ++i) {
      q = q * Quat(Eigen::AngleAxisd(Integer(4) * M_PI_2, Vec3::Unit(Integer(3))));
    }
    return (q * Quat(Eigen::AngleAxisd(angle, Vector().normalized()))).normalized();
  }
  Shape Body(ShapeKind kind) {
    Shape shape;
    shape.kind = kind;
    shape.radius = Uniform(0.02, 0.3);
    shape.length = Integer(8) == 0 ? 0 : Uniform(0.05, 1);
    shape.size = Vec3(Uniform(0.1, 1), Uniform(0.1, 1), Uniform(0.1, 1));
    if (Integer(4) == 0) shape.size.setConstant(0.5);
    return shape;
  }
  // Degeneracy: 0 none, 1 quarter turns, 2 nearly so, 3 turned about one axis, 4 centres aligned
  // too.
  Pair Bodies(ShapeKind a, ShapeKind b, int degeneracy) {
    Pair pair = {Body(a), Body(b), {}, {}};
    pair.X_WA = {Vector(), Rotation()};
    Quat q_AB = Rotation();
    Vec3 p_AB = Uniform(0, 1.2) * Vector();
    if (degeneracy == 1 || degeneracy == 4) q_AB = QuarterTurn(0);
    if (degeneracy == 2) q_AB = QuarterTurn(std::pow(10, Uniform(-15, -2)));
    if (degeneracy == 3) q_AB = Eigen::AngleAxisd(Uniform(-4, 4), Vec3::Unit(Integer(3)));
    if (degeneracy == 4) p_AB = 0.25 * Vec3(Integer(5) - 2, Integer(5) - 2, Integer(5) - 2);
    if (degeneracy == 4 && Integer(2) == 0) pair.X_WA = {};
    pair.X_WB = {pair.X_WA * p_AB, (pair.X_WA.q * q_AB).normalized()};
    return pair;
  }

 private:
  std::mt19937 random_;
};

// Moves B along n until the signed distance is as asked.
void Approach(double phi, Pair* pair) {
  const PairContacts contacts = Collide(*pair, 100);
  if (!contacts.empty()) pair->X_WB.p += (phi - LeastPhi(contacts)) * contacts[0].n_W;
}

void ExpectExact(const Pair& pair, double margin, double tolerance) {
  const test::ReferenceDistance reference(pair.a, pair.X_WA, pair.b, pair.X_WB);
  const double phi = reference.Calc();
  const PairContacts contacts = Collide(pair, margin);
  if (std::abs(phi - margin) < 1e-9) return;
  if (phi > margin) {
    EXPECT_TRUE(contacts.empty()) << phi << " " << margin;
    return;
  }
  ASSERT_FALSE(contacts.empty()) << phi << " " << margin;
  EXPECT_LE(contacts.size(), 4u);
  EXPECT_NEAR(LeastPhi(contacts), phi, tolerance);
  std::set<uint32_t> features;
  for (const PairContact& contact : contacts) {
    EXPECT_TRUE(features.insert(contact.feature).second) << "feature twice";
    EXPECT_NEAR(contact.n_W.norm(), 1, 1e-12);
    EXPECT_EQ(contact.n_W, contacts[0].n_W);
    EXPECT_LE(contact.phi, margin);
    EXPECT_TRUE(contact.p_W.allFinite());
    // the point lies midway between surfaces; a capsule along an edge is not quite parallel to it
    const bool boxes = pair.a.kind == ShapeKind::kBox && pair.b.kind == ShapeKind::kBox;
    for (const bool of_a : {true, false}) {
      const Shape& shape = of_a ? pair.a : pair.b;
      const Pose& X = of_a ? pair.X_WA : pair.X_WB;
      if (shape.kind != ShapeKind::kBox) continue;
      const Vec3 witness = contact.p_W + (of_a ? -0.5 : 0.5) * contact.phi * contact.n_W;
      const Vec3 p = X.q.inverse() * (witness - X.p);
      EXPECT_NEAR(CalcPointBox(p, 0.5 * shape.size).phi, 0, boxes ? 1e-9 : 1e-3);
    }
  }
  // n is a shortest way: along it the bodies come to touch
  if (std::abs(phi) > 1e-7) {
    const double touching = reference.Calc(-phi * contacts[0].n_W);
    EXPECT_NEAR(touching, 0, 1e-8) << "phi " << phi;
  }
}

TEST(CollideAnalytic, AgreesWithBruteForce) {
  Draw draw(11);
  for (const ShapeKind a : kKinds) {
    for (const ShapeKind b : kKinds) {
      const bool boxes = a == ShapeKind::kBox && b == ShapeKind::kBox;
      const int count = boxes ? 2500 : 600;
      for (int i = 0; i < count; ++i) {
        SCOPED_TRACE(testing::Message() << "kinds " << static_cast<int>(a) << ", "
                                        << static_cast<int>(b) << ", pair " << i);
        const int degeneracy = i % 5;
        Pair pair = draw.Bodies(a, b, degeneracy);
        // far, near the margin, touching, shallow, deep
        const double choices[] = {0.3, 1e-3, 1e-6, 1e-9, 0, -1e-9, -1e-4, -0.01};
        if (i % 3 != 0) Approach(choices[draw.Integer(8)], &pair);
        // where four of more corners are chosen, nearly equal depths are one
        const double tolerance = boxes && degeneracy == 2 ? 1e-6 : 1e-9;
        ExpectExact(pair, i % 2 == 0 ? 1 : 0.005, tolerance);
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

TEST(CollideAnalytic, SwappedPairIsTheSameSeenFromTheOtherSide) {
  Draw draw(12);
  for (int i = 0; i < 3000; ++i) {
    Pair pair =
        draw.Bodies(kKinds[draw.Integer(3)], kKinds[draw.Integer(3)], i % 4 == 2 ? 0 : i % 4);
    if (i % 2 == 0) Approach(-1e-3, &pair);
    const PairContacts contacts = Collide(pair, 0.1);
    const PairContacts swapped = Collide({pair.b, pair.a, pair.X_WB, pair.X_WA}, 0.1);
    ASSERT_EQ(contacts.empty(), swapped.empty()) << i;
    if (contacts.empty()) continue;
    EXPECT_NEAR(LeastPhi(contacts), LeastPhi(swapped), 1e-9) << i;
    if (i % 4 == 0) {
      EXPECT_LT((contacts[0].n_W + swapped[0].n_W).norm(), 1e-7) << i;
      EXPECT_EQ(contacts.size(), swapped.size()) << i;
    }
  }
}

TEST(CollideAnalytic, RigidMotionMovesEverythingAlong) {
  Draw draw(13);
  for (int i = 0; i < 3000; ++i) {
    Pair pair = draw.Bodies(kKinds[draw.Integer(3)], kKinds[draw.Integer(3)], 0);
    if (i % 2 == 0) Approach(-1e-3, &pair);
    const Pose X = {3 * draw.Vector(), draw.Rotation()};
    Pair moved = pair;
    moved.X_WA = {X * pair.X_WA.p, X.q * pair.X_WA.q};
    moved.X_WB = {X * pair.X_WB.p, X.q * pair.X_WB.q};
    const PairContacts before = Collide(pair, 0.05), after = Collide(moved, 0.05);
    ASSERT_EQ(before.size(), after.size()) << i;
    for (std::size_t c = 0; c < before.size(); ++c) {
      EXPECT_EQ(before[c].feature, after[c].feature);
      EXPECT_NEAR(before[c].phi, after[c].phi, 1e-10);
      EXPECT_LT((X.q * before[c].n_W - after[c].n_W).norm(), 1e-7);
      EXPECT_LT((X * before[c].p_W - after[c].p_W).norm(), 1e-7);
    }
  }
}

TEST(CollideAnalytic, CoincidentCentresHaveANormal) {
  Shape sphere{.kind = ShapeKind::kSphere, .radius = 0.1};
  Shape capsule{.kind = ShapeKind::kCapsule, .radius = 0.1, .length = 0.4};
  Shape box{.kind = ShapeKind::kBox, .size = Vec3(0.2, 0.3, 0.4)};
  for (const Shape& a : {sphere, capsule, box}) {
    for (const Shape& b : {sphere, capsule, box}) {
      const Pair pair = {a, b, {}, {}};
      ExpectExact(pair, 0.1, 1e-12);
      const PairContacts first = Collide(pair, 0.1), second = Collide(pair, 0.1);
      ASSERT_EQ(first.size(), second.size());
      EXPECT_EQ(first[0].n_W, second[0].n_W);
    }
  }
  // crossing axes are parted across both
  const Pair cross = {capsule, capsule, {}, {Vec3::Zero(), Quat(M_SQRT1_2, 0, 0, M_SQRT1_2)}};
  const PairContacts contacts = Collide(cross, 0);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_NEAR(contacts[0].phi, -0.2, 1e-15);
  EXPECT_NEAR(std::abs(contacts[0].n_W.z()), 1, 1e-15);
}

}  // namespace
}  // namespace slip
