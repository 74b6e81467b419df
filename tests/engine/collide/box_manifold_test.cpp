// What resting contacts need: manifolds that are complete, clean for aligned boxes, and the same
// from step to step.
#include "engine/collide/box_manifold.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "engine/collide/manifold.h"
#include "engine/collide/narrow_phase.h"
#include "tests/engine/collide/reference_distance.h"
#include "tests/support/alloc_guard.h"

namespace slip {
namespace {

Shape Box(double x, double y, double z) { return {.kind = ShapeKind::kBox, .size = Vec3(x, y, z)}; }
Shape Capsule(double radius, double length) {
  return {.kind = ShapeKind::kCapsule, .radius = radius, .length = length};
}
Quat Turn(double angle, const Vec3& axis) {
  return Quat(Eigen::AngleAxisd(angle, axis.normalized()));
}

PairContacts Contacts(const Shape& a, const Pose& X_WA, const Shape& b, const Pose& X_WB,
                      double margin = 1e-3) {
  PairContacts contacts;
  Collide(a, X_WA, b, X_WB, margin, &contacts);
  return contacts;
}

std::set<uint32_t> Features(const PairContacts& contacts) {
  std::set<uint32_t> features;
  for (const PairContact& contact : contacts) features.insert(contact.feature);
  return features;
}

// The points' extent across the vertical.
Vec3 Span(const PairContacts& contacts) {
  Vec3 low = contacts[0].p_W, high = low;
  for (const PairContact& contact : contacts) {
    low = low.cwiseMin(contact.p_W);
    high = high.cwiseMax(contact.p_W);
  }
  return high - low;
}

struct Rest {
  const char* name;
  Shape a, b;
  Pose X_WB;  // of B on A at the origin
  std::size_t points;
  Vec3 span;
};

std::vector<Rest> RestingBoxes() {
  const Shape cube = Box(0.1, 0.1, 0.1), slab = Box(2, 2, 0.2), brick = Box(0.2, 0.1, 0.06);
  const auto at = [](double x, double y, double z) {
    return Pose{Vec3(x, y, z), Quat::Identity()};
  };
  std::vector<Rest> rests = {
      {"on a slab", slab, cube, at(0.2, 0.1, 0.15), 4, Vec3(0.1, 0.1, 0)},
      {"under a slab", cube, slab, at(0.2, 0.1, 0.15), 4, Vec3(0.1, 0.1, 0)},
      {"stacked exactly", cube, cube, at(0, 0, 0.1), 4, Vec3(0.1, 0.1, 0)},
      {"bricks in a bond", brick, brick, at(0.1, 0, 0.06), 4, Vec3(0.1, 0.1, 0)},
      {"corner on corner", brick, brick, at(0.15, 0.08, 0.06), 4, Vec3(0.05, 0.02, 0)},
      {"narrow overlap", cube, cube, at(0.099, 0, 0.1), 4, Vec3(0.001, 0.1, 0)},
      {"turned on a slab", slab, brick, at(0.2, 0, 0.13), 4, Vec3(0, 0, 0)},
      {"turned by 45 degrees", cube, cube, at(0, 0, 0.1), 4, Vec3(0, 0, 0)},
      {"turned by 20 degrees", cube, cube, at(0, 0, 0.1), 4, Vec3(0, 0, 0)},
      {"on its edge", slab, cube, at(0, 0, 0.1 + 0.05 * M_SQRT2), 2, Vec3(0, 0.1, 0)},
      {"edge across edge", cube, cube, at(0, 0, 0.1 * M_SQRT2), 1, Vec3(0, 0, 0)},
      {"on a quarter turn", cube, cube, at(0, 0, 0.1), 4, Vec3(0.1, 0.1, 0)},
  };
  rests[6].X_WB.q = Turn(0.3, Vec3::UnitZ());
  rests[7].X_WB.q = Turn(M_PI_4, Vec3::UnitZ());
  rests[8].X_WB.q = Turn(M_PI / 9, Vec3::UnitZ());
  rests[9].X_WB.q = Turn(M_PI_4, Vec3::UnitY());
  rests[11].X_WB.q = Turn(M_PI_2, Vec3::UnitZ());
  return rests;
}

// A lies at the origin, but for "edge across edge".
Pose PoseOfA(const Rest& rest) {
  if (std::string(rest.name) != "edge across edge") return {};
  return {Vec3::Zero(), Turn(M_PI_4, Vec3::UnitX())};
}
Pose PoseOfB(const Rest& rest) {
  if (std::string(rest.name) != "edge across edge") return rest.X_WB;
  return {rest.X_WB.p, Turn(M_PI_4, Vec3::UnitY())};
}

TEST(BoxManifold, RestingBoxesAreClean) {
  for (const Rest& rest : RestingBoxes()) {
    SCOPED_TRACE(rest.name);
    const PairContacts contacts = Contacts(rest.a, PoseOfA(rest), rest.b, PoseOfB(rest));
    ASSERT_EQ(contacts.size(), rest.points);
    for (const PairContact& contact : contacts) {
      EXPECT_NEAR(contact.phi, 0, 1e-15);
      EXPECT_LT((contact.n_W - Vec3::UnitZ()).norm(), 1e-14);
    }
    if (rest.span.norm() > 0) EXPECT_LT((Span(contacts) - rest.span).norm(), 1e-12);
    EXPECT_EQ(Features(contacts).size(), rest.points);
  }
}

// Poses off by 1e-7, both ways of falling into each other: nothing may change but numbers.
TEST(BoxManifold, JitterKeepsPointsAndFeatures) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> unit(-1, 1);
  const auto vector = [&] { return Vec3(unit(random), unit(random), unit(random)); };
  for (const Rest& rest : RestingBoxes()) {
    for (const double sink : {0.0, 1e-5, -1e-5}) {
      SCOPED_TRACE(testing::Message() << rest.name << ", sinking " << sink);
      Pose X_WB = PoseOfB(rest);
      X_WB.p.z() -= sink;
      const PairContacts still = Contacts(rest.a, PoseOfA(rest), rest.b, X_WB);
      for (int i = 0; i < 300; ++i) {
        const Pose moved = {X_WB.p + 1e-7 * vector(), (Turn(1e-7, vector()) * X_WB.q).normalized()};
        const PairContacts contacts = Contacts(rest.a, PoseOfA(rest), rest.b, moved);
        ASSERT_EQ(Features(contacts), Features(still)) << i;
        for (std::size_t c = 0; c < contacts.size(); ++c) {
          EXPECT_EQ(contacts[c].feature, still[c].feature);
          EXPECT_LT((contacts[c].p_W - still[c].p_W).norm(), 1e-4);
          EXPECT_NEAR(contacts[c].phi, still[c].phi, 1e-6);
        }
      }
    }
  }
}

// Any box or capsule let down on any box, then shaken.
TEST(BoxManifold, JitterKeepsFeaturesOfArbitraryRests) {
  std::mt19937 random(9);
  std::uniform_real_distribution<double> unit(-1, 1);
  const auto vector = [&] { return Vec3(unit(random), unit(random), unit(random)); };
  const auto length = [&] { return 0.175 + 0.125 * unit(random); };
  int rests = 0;
  for (int i = 0; i < 400; ++i) {
    const Shape a = Box(length(), length(), length());
    const Shape b = i % 4 == 3 ? Capsule(0.04, length()) : Box(length(), length(), length());
    Pose X_WB = {0.1 * vector(), Turn(i % 4 == 1 ? 0 : 3 * unit(random), Vec3::UnitZ())};
    if (i % 4 == 2) X_WB.q = X_WB.q * Turn(0.75 + 0.65 * unit(random), Vec3::UnitX());
    double low = 0, high = 0.5;
    while (high - low > 1e-9) {
      X_WB.p.z() = 0.5 * (low + high);
      (Contacts(a, {}, b, X_WB, 0).empty() ? high : low) = X_WB.p.z();
    }
    X_WB.p.z() += 1e-5 * unit(random);
    const PairContacts still = Contacts(a, {}, b, X_WB);
    if (still.empty() || still[0].n_W.z() < 0.99) continue;
    ++rests;
    for (int j = 0; j < 10; ++j) {
      const Pose moved = {X_WB.p + 1e-7 * vector(), (Turn(1e-7, vector()) * X_WB.q).normalized()};
      ASSERT_EQ(Features(Contacts(a, {}, b, moved)), Features(still)) << i << ", " << j;
    }
  }
  EXPECT_GT(rests, 300);
}

TEST(BoxManifold, TiltedBoxKeepsTheCornersWithinTheMargin) {
  // about y by an angle that lifts one side beyond the margin
  const Shape slab = Box(2, 2, 0.2), cube = Box(0.1, 0.1, 0.1);
  for (const double angle : {1e-3, 5e-3, 0.02, 0.3}) {
    const Quat q = Turn(angle, Vec3::UnitY());
    const double low = 0.05 * (std::cos(angle) + std::sin(angle));
    const PairContacts contacts = Contacts(slab, {}, cube, {Vec3(0, 0, 0.1 + low), q});
    EXPECT_EQ(contacts.size(), 0.1 * std::sin(angle) <= 1e-3 ? 4u : 2u) << angle;
    for (const PairContact& contact : contacts) {
      EXPECT_TRUE(std::abs(contact.phi) < 1e-12 ||
                  std::abs(contact.phi - 0.1 * std::sin(angle)) < 1e-12);
    }
  }
}

// Of five to eight corners, those that carry the load are few when the faces are tilted.
TEST(BoxManifold, TiltedOverlapsKeepTheCornersThatOverlap) {
  const Shape cube = Box(0.1, 0.1, 0.1);
  std::mt19937 random(7);
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  int thinned = 0;
  for (int i = 0; i < 3000; ++i) {
    const double direction = uniform(-M_PI, M_PI), tilt = uniform(0, 4e-3);
    const Quat yaw = Turn(uniform(0.1, 1.4), Vec3::UnitZ());
    const Vec3 axis(std::cos(direction), std::sin(direction), 0);
    const Pose X_WB = {Vec3(uniform(-0.01, 0.01), uniform(-0.01, 0.01), 0.1 + uniform(-1e-4, 1e-4)),
                       Turn(tilt, axis) * yaw};
    const PairContacts contacts = Contacts(cube, {}, cube, X_WB);
    if (contacts.empty()) continue;
    const BoxManifold all = CalcManifold(
        {Vec3::Constant(0.05), Vec3::Constant(0.05), X_WB.q.toRotationMatrix(), X_WB.p},
        contacts[0].n_W);
    const std::set<uint32_t> kept = Features(contacts);
    int near = 0, overlapping = 0, lost = 0;
    for (int k = 0; k < all.count; ++k) {
      const BoxPoint& corner = all.points[k];
      near += corner.gap <= 1e-3;
      overlapping += corner.gap < 0;
      lost += corner.gap < -kOverlapDepth * 0.2 && kept.count(corner.feature) == 0;
    }
    if (near <= 4 || overlapping > 4) continue;
    EXPECT_EQ(lost, 0) << i;
    ++thinned;
  }
  EXPECT_GT(thinned, 1000);
}

TEST(BoxManifold, VertexOnVertexKeepsTheDistance) {
  const Shape cube = Box(1, 1, 1);
  const Vec3 d(3e-4, 4e-4, 1.2e-3);
  const PairContacts contacts =
      Contacts(cube, {}, cube, {Vec3::Ones() + d, Quat::Identity()}, 2e-3);
  ASSERT_FALSE(contacts.empty());
  double least = HUGE_VAL;
  for (const PairContact& contact : contacts) least = std::min(least, contact.phi);
  EXPECT_NEAR(least, d.norm(), 1e-15);
  EXPECT_LT((contacts[0].n_W - d.normalized()).norm(), 1e-12);
}

TEST(CapsuleManifold, LyingCapsulesHaveTwoPoints) {
  const Shape slab = Box(2, 2, 0.2), capsule = Capsule(0.05, 0.3);
  const Quat along_y = Turn(M_PI_2, Vec3::UnitZ());
  struct Case {
    const char* name;
    Shape other;
    Pose X_WO, X_WC;
    double span;
  };
  const Case cases[] = {
      {"on a slab", slab, {}, {Vec3(0.1, 0.2, 0.15), Turn(0.4, Vec3::UnitZ())}, 0.3},
      {"over the rim", slab, {}, {Vec3(1, 0, 0.15), Quat::Identity()}, 0.15},
      {"along the rim", slab, {}, {Vec3(1.03, 0, 0.13), along_y}, 0.3},
      {"on a capsule", capsule, {}, {Vec3(0, 0, 0.1), Quat::Identity()}, 0.3},
      {"shifted on a capsule", capsule, {}, {Vec3(0.2, 0, 0.1), Quat::Identity()}, 0.1},
      {"turned round on a capsule",
       capsule,
       {},
       {Vec3(0.2, 0, 0.1), Turn(M_PI, Vec3::UnitZ())},
       0.1},
  };
  std::mt19937 random(6);
  std::uniform_real_distribution<double> unit(-1, 1);
  const auto vector = [&] { return Vec3(unit(random), unit(random), unit(random)); };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    Pose X_WC = c.X_WC;
    // let it touch exactly
    const PairContacts far = Contacts(c.other, c.X_WO, capsule, X_WC, 10);
    ASSERT_FALSE(far.empty());
    double least = HUGE_VAL;
    for (const PairContact& contact : far) least = std::min(least, contact.phi);
    X_WC.p -= least * far[0].n_W;
    const PairContacts still = Contacts(c.other, c.X_WO, capsule, X_WC);
    ASSERT_EQ(still.size(), 2u);
    EXPECT_NEAR((still[0].p_W - still[1].p_W).norm(), c.span, 1e-9);
    EXPECT_NEAR(still[0].phi, 0, 1e-12);
    EXPECT_NEAR(still[1].phi, 0, 1e-12);
    for (int i = 0; i < 300; ++i) {
      const Pose moved = {X_WC.p + 1e-7 * vector(), (Turn(1e-7, vector()) * X_WC.q).normalized()};
      const PairContacts contacts = Contacts(c.other, c.X_WO, capsule, moved);
      ASSERT_EQ(Features(contacts), Features(still)) << i;
    }
  }
}

TEST(BoxManifold, AllocatesNothingOnceWarm) {
  const std::vector<Rest> rests = RestingBoxes();
  PairContacts contacts;
  contacts.reserve(64);
  const test::AllocGuard guard;
  for (const Rest& rest : rests) {
    contacts.clear();
    Collide(rest.a, {}, rest.b, rest.X_WB, 0.5, &contacts);
    Collide(Capsule(0.1, 0.1), {}, rest.b, rest.X_WB, 0.5, &contacts);
    Collide(Capsule(0.1, 0.1), {}, Capsule(0.1, 0.2), rest.X_WB, 0.5, &contacts);
  }
  EXPECT_EQ(guard.count(), 0u);
}

}  // namespace
}  // namespace slip
