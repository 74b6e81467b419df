// Resting bodies: how many points, where, and that they do not flicker.
#include "engine/collide/manifold.h"

#include <set>

#include "engine/collide/collide_ccd.h"
#include "tests/support/convex_reference.h"

namespace slip::test {
namespace {

const Quat kUpright(Eigen::AngleAxisd(-kPi / 2, Vec3::UnitY()));  // the axis x becomes z

std::vector<uint32_t> FeatureList(const PairContacts& contacts) {
  std::vector<uint32_t> features;
  for (const PairContact& c : contacts) features.push_back(c.feature);
  return features;
}

struct Resting {
  const char* name;
  Placed below, above;
  std::size_t points;
};

std::vector<Resting> RestingPairs() {
  const Placed table{Box({2, 2, 1}), {Vec3(0, 0, -0.5), Quat::Identity()}};
  const Placed hull_table{Convex(MakeConvexBox({2, 2, 1})), table.pose};
  const auto on = [](const Shape& shape, double height, const Quat& q = Quat::Identity()) {
    return Placed{shape, {Vec3(0.013, -0.021, height), q}};
  };
  const Quat turned(Eigen::AngleAxisd(0.3, Vec3::UnitZ()));
  std::vector<Vec3> prism;
  for (int i = 0; i < 6; ++i)
    for (const double z : {-0.1, 0.1})
      prism.emplace_back(0.2 * std::cos(kPi * i / 3), 0.2 * std::sin(kPi * i / 3), z);
  const Shape hexagon = Convex(CalcConvexHull(prism).value());
  const Shape drum = Cylinder(0.1, 0.3);
  return {
      {"cap on box", table, on(drum, 0.15, kUpright), 4},
      {"cap on hull", hull_table, on(drum, 0.15, turned * kUpright), 4},
      {"side on box", table, on(drum, 0.1, turned), 2},
      {"side on hull", hull_table, on(drum, 0.1), 2},
      {"cube on hull", hull_table, on(Box({0.2, 0.2, 0.2}), 0.1, turned), 4},
      {"equal cubes",
       {Convex(MakeConvexBox({1, 1, 1})), {}},
       {Convex(MakeConvexBox({1, 1, 1})), {Vec3(0, 0, 1), Quat::Identity()}},
       4},
      {"equal cubes, shifted",
       {Convex(MakeConvexBox({1, 1, 1})), {}},
       {Convex(MakeConvexBox({1, 1, 1})), {Vec3(0.5, 0, 1), Quat::Identity()}},
       4},
      {"cube on cube, turned by 45 degrees",
       {Convex(MakeConvexBox({1, 1, 1})), {}},
       {Convex(MakeConvexBox({1, 1, 1})),
        {Vec3(0, 0, 1), Quat(Eigen::AngleAxisd(kPi / 4, Vec3::UnitZ()))}},
       4},
      {"hexagon on box", table, on(hexagon, 0.1, turned), 4},
      {"capsule on hull", hull_table, on(Capsule(0.05, 0.4), 0.05, turned), 2},
      {"capsule on cylinder",
       {Cylinder(0.2, 1), {}},
       {Capsule(0.05, 0.4), {Vec3(0, 0, 0.25), Quat::Identity()}},
       2},
      {"sphere on hull", hull_table, on(Sphere(0.1), 0.1), 1},
      {"sphere on cylinder",
       {Cylinder(0.2, 1), {}},
       {Sphere(0.1), {Vec3(0.1, 0, 0.3), Quat::Identity()}},
       1},
      {"cap on cap",
       {Cylinder(0.2, 0.5), {Vec3::Zero(), kUpright}},
       {drum, {Vec3(0.01, 0.03, 0.4), turned * kUpright}},
       4},
      {"parallel cylinders",
       {Cylinder(0.2, 1), {}},
       {drum, {Vec3(0, 0, 0.3), Quat::Identity()}},
       2},
      {"crossed cylinders",
       {Cylinder(0.2, 1), {}},
       {drum, {Vec3(0, 0, 0.3), Quat(Eigen::AngleAxisd(1, Vec3::UnitZ()))}},
       1},
      {"cylinder on its rim", table,
       on(Cylinder(0.1, 0.3), 0.15 * std::sin(1.0) + 0.1 * std::cos(1.0),
          Quat(Eigen::AngleAxisd(-1, Vec3::UnitY()))),
       1},
  };
}

TEST(Manifold, RestingBodiesHaveTheExpectedPoints) {
  for (const Resting& pair : RestingPairs()) {
    const PairContacts contacts = Collide(pair.below, pair.above, 0.001);
    EXPECT_EQ(contacts.size(), pair.points) << pair.name;
    for (const PairContact& c : contacts) {
      EXPECT_NEAR(c.phi, 0, 1e-6) << pair.name;
      EXPECT_GT(c.n_W.z(), 1 - 1e-9) << pair.name;
    }
  }
}

TEST(Manifold, TremblingBodiesKeepTheirFeatures) {
  Random random(1);
  for (const Resting& pair : RestingPairs())
    for (const double gap : {-1e-4, -1e-6, 0.0, 1e-6, 1e-4}) {
      Placed above = pair.above;
      above.pose.p.z() += gap;
      const auto expected = FeatureList(Collide(pair.below, above, 0.001));
      EXPECT_EQ(expected.size(), pair.points) << pair.name << gap;
      for (int i = 0; i < 100; ++i) {
        const Placed moved{above.shape, Tremble(&random, above.pose, 1e-7)};
        const Placed under{pair.below.shape, Tremble(&random, pair.below.pose, 1e-7)};
        ASSERT_EQ(FeatureList(Collide(under, moved, 0.001)), expected)
            << pair.name << " gap " << gap;
      }
    }
}

TEST(Manifold, LibccdGivesTheSamePoints) {
  Random random(2);
  const auto collide = [](const Placed& a, const Placed& b) {
    PairContacts contacts;
    CollideConvexByCcd(a.shape, a.pose, b.shape, b.pose, 0.001, &contacts);
    return contacts;
  };
  for (const Resting& pair : RestingPairs()) {
    for (const double gap : {-1e-2, -1e-4, -1e-6, -1e-8, 0.0, 1e-6}) {
      Placed above = pair.above;
      above.pose.p.z() += gap;
      const auto expected = FeatureList(Collide(pair.below, above, 0.001));
      for (int i = 0; i < 50; ++i) {
        const double size = i == 0 ? 0 : 1e-7;
        const Placed moved{above.shape, Tremble(&random, above.pose, size)};
        const Placed under{pair.below.shape, Tremble(&random, pair.below.pose, size)};
        const PairContacts contacts = collide(under, moved);
        ASSERT_EQ(FeatureList(contacts), expected) << pair.name << " gap " << gap << " round " << i;
        EXPECT_NEAR(Deepest(contacts).phi, gap, 1e-6) << pair.name;
        EXPECT_GT(contacts[0].n_W.z(), 1 - 1e-6) << pair.name << " gap " << gap;
      }
    }
  }
}

TEST(Manifold, PointsSpanTheSupport) {
  const Placed table{Box({2, 2, 1}), {Vec3(0, 0, -0.5), Quat::Identity()}};
  const Placed drum{Cylinder(0.1, 0.3), {Vec3(0, 0, 0.15), kUpright}};
  Vec3 mean = Vec3::Zero();
  for (const PairContact& c : Collide(table, drum, 0.001)) {
    EXPECT_NEAR(c.p_W.head<2>().norm(), 0.1, 1e-9);
    mean += c.p_W / 4;
  }
  EXPECT_LT(mean.norm(), 1e-9);

  // half over the edge: the points end where the table ends
  const Placed box{Box({0.4, 0.4, 0.2}), {Vec3(1, 0, 0.1), Quat::Identity()}};
  const Placed hull{Convex(MakeConvexBox({2, 2, 1})), table.pose};
  double far = 0;
  for (const PairContact& c : Collide(hull, box, 0.001)) far = std::max(far, c.p_W.x());
  EXPECT_NEAR(far, 1, 1e-6);
}

TEST(Manifold, TiltLiftsTheFarPoints) {
  const Placed table{Box({2, 2, 1}), {Vec3(0, 0, -0.5), Quat::Identity()}};
  const Quat tilt(Eigen::AngleAxisd(0.02, Vec3::UnitX()));
  Placed box{Convex(MakeConvexBox({0.4, 0.4, 0.2})), {Vec3(0, 0, 0), tilt}};
  box.pose.p.z() = MaxAlong(box, Vec3::UnitZ());
  const PairContacts all = Collide(table, box, 0.1), near = Collide(table, box, 0.001);
  EXPECT_EQ(all.size(), 4u);
  EXPECT_EQ(near.size(), 2u);
  EXPECT_NEAR(Deepest(all).phi, 0, 1e-9);
  double highest = 0;
  for (const PairContact& c : all) highest = std::max(highest, c.phi);
  EXPECT_NEAR(highest, 0.4 * std::sin(0.02), 1e-9);
}

// Of up to twelve corners, those that carry the load are few when the faces are tilted.
TEST(Manifold, TiltedOverlapsKeepThePointsThatOverlap) {
  std::vector<Vec3> corners;
  for (int i = 0; i < 6; ++i)
    for (const double z : {-0.1, 0.1})
      corners.emplace_back(0.2 * std::cos(kPi * i / 3), 0.2 * std::sin(kPi * i / 3), z);
  const Placed below{Convex(CalcConvexHull(corners).value()), {}};
  Random random(8);
  int thinned = 0;
  for (int i = 0; i < 3000; ++i) {
    const double direction = random.Uniform(-kPi, kPi), tilt = random.Uniform(0, 4e-3);
    const Quat yaw(Eigen::AngleAxisd(kPi / 6 + random.Uniform(-0.1, 0.1), Vec3::UnitZ()));
    const Vec3 axis(std::cos(direction), std::sin(direction), 0);
    const Placed above{below.shape,
                       {Vec3(0, 0, 0.2 + 0.18 * tilt - random.Uniform(0, 2e-4)),
                        Quat(Eigen::AngleAxisd(tilt, axis)) * yaw}};
    const Vec3 origin = 0.5 * above.pose.p;
    const ConvexCore core_a = MakeConvexCore(below.shape, below.pose, origin);
    const ConvexCore core_b = MakeConvexCore(above.shape, above.pose, origin);
    PairContacts all;
    AppendManifold(core_a, core_b, CalcSeparation(core_a, core_b, 1e-3), origin, 1e-3, true, &all);
    const auto kept = FeatureList(Collide(below, above, 1e-3));
    int overlapping = 0, lost = 0;
    for (const PairContact& c : all) {
      overlapping += c.phi < 0;
      lost += c.phi < -kOverlapDepth * PairSize(core_a, core_b) &&
              std::count(kept.begin(), kept.end(), c.feature) == 0;
    }
    if (all.size() <= 4 || overlapping > 4) continue;
    EXPECT_EQ(lost, 0) << i;
    ++thinned;
  }
  EXPECT_GT(thinned, 1000);
}

TEST(HalfSpace, CylinderAndHullHaveClosedFormsLong) {
  Random random(2);
  for (int round = 0; round < 3000; ++round) {
    const Vec3 n = random.Direction(), point = random.InBox(1);
    Placed body{RandomShape(&random, 3 + round % 3), {random.InBox(1), random.Rotation()}};
    const double gap = -MaxAlong(body, -n) - n.dot(point), wanted = random.Uniform(-0.01, 0.01);
    body.pose.p += (wanted - gap) * n;
    PairContacts contacts;
    CollideHalfSpace(n, point, body.shape, body.pose, 0.02, &contacts);
    ASSERT_FALSE(contacts.empty());
    ASSERT_LE(contacts.size(), 4u);
    EXPECT_NEAR(Deepest(contacts).phi, wanted, 1e-6) << round;
    for (const PairContact& c : contacts) {
      EXPECT_EQ(c.n_W, n);
      EXPECT_NEAR(DistanceOf(body, c.p_W + 0.5 * c.phi * n), 0, 1e-6);
      EXPECT_NEAR(n.dot(c.p_W - point), 0.5 * c.phi, 1e-12);
    }
    PairContacts none;
    CollideHalfSpace(n, point, body.shape, body.pose, wanted - 1e-6, &none);
    EXPECT_TRUE(none.empty());
  }
}

TEST(HalfSpace, RestingBodiesDoNotFlicker) {
  Random random(3);
  const std::pair<Placed, std::size_t> bodies[] = {
      {{Cylinder(0.1, 0.3), {Vec3(0, 0, 0.15), kUpright}}, 4},
      {{Cylinder(0.1, 0.3), {Vec3(0, 0, 0.1), Quat::Identity()}}, 2},
      {{Convex(MakeConvexBox({0.3, 0.2, 0.1})), {Vec3(0, 0, 0.05), Quat::Identity()}}, 4}};
  for (const auto& [body, points] : bodies) {
    std::vector<uint32_t> expected;
    for (int i = 0; i < 500; ++i) {
      PairContacts contacts;
      const Pose pose = i == 0 ? body.pose : Tremble(&random, body.pose, 1e-7);
      CollideHalfSpace(Vec3::UnitZ(), Vec3::Zero(), body.shape, pose, 0.001, &contacts);
      if (i == 0) expected = FeatureList(contacts);
      ASSERT_EQ(contacts.size(), points);
      ASSERT_EQ(FeatureList(contacts), expected);
    }
  }
}

TEST(HalfSpace, CornersOfBentSolesAllCarry) {
  // two of the four corners of a sole are a tenth of a millimetre higher: it has two faces, and
  // all corners are in the ground
  constexpr double kBend = 1e-4, kDepth = 3e-4;
  std::vector<Vec3> corners;
  for (const double x : {-0.1, 0.1})
    for (const double y : {-0.05, 0.05})
      for (const double z : {x * y > 0 ? kBend : 0, 0.03}) corners.emplace_back(x, y, z);
  const Shape foot = Convex(CalcConvexHull(corners).value());
  for (const double yaw : {0.0, 0.4, 1.2}) {
    const Pose pose{Vec3(0.2, 0.1, -kDepth), Quat(Eigen::AngleAxisd(yaw, Vec3::UnitZ()))};
    PairContacts contacts;
    CollideHalfSpace(Vec3::UnitZ(), Vec3::Zero(), foot, pose, 1e-3, &contacts);
    ASSERT_EQ(contacts.size(), 4u);
    std::set<int> heights;
    std::set<uint32_t> features;
    for (const PairContact& c : contacts) {
      EXPECT_NEAR(DistanceOf({foot, pose}, c.p_W + 0.5 * c.phi * c.n_W), 0, 1e-9);
      heights.insert(static_cast<int>(std::lround(1e5 * c.phi)));
      features.insert(c.feature);
    }
    EXPECT_EQ(heights, (std::set{-30, -20}));
    EXPECT_EQ(features.size(), 4u);
  }
}

TEST(HalfSpace, FineHullsThatSinkDeepAreSpanned) {
  // of hundreds of corners in the ground the four that are kept lie all around
  std::vector<Vec3> points;
  Random random(6);
  for (int i = 0; i < 3000; ++i) points.push_back(0.1 * random.Direction());
  const Shape ball = Convex(CalcConvexHull(points).value());
  PairContacts contacts;
  CollideHalfSpace(Vec3::UnitZ(), Vec3::Zero(), ball, {Vec3(0, 0, 0.095), {}}, 1e-3, &contacts);
  ASSERT_EQ(contacts.size(), 4u);
  const double rim = std::sqrt(0.1 * 0.1 - 0.095 * 0.095);
  EXPECT_LT(Deepest(contacts).phi, -4.7e-3);
  int quarters = 0;
  for (const PairContact& c : contacts) {
    EXPECT_LT(c.phi, 0);
    const Vec2 at = c.p_W.head<2>();
    if (at.norm() > 0.8 * rim) ++quarters;
  }
  EXPECT_EQ(quarters, 3);  // beside the deepest
}

TEST(PointDistance, GradientAndDistanceAgreeLong) {
  Random random(4);
  for (int round = 0; round < 5000; ++round) {
    const Shape shape = RandomShape(&random, round % 6);
    const Vec3 p = random.InBox(0.7);
    Vec3 n, unused;
    const double d = CalcPointDistance(shape, p, &n);
    ASSERT_NEAR(n.norm(), 1, 1e-12);
    // outside, going down the gradient arrives on the surface
    if (d > 0) EXPECT_NEAR(CalcPointDistance(shape, p - d * n, &unused), 0, 1e-9) << round;
    // the gap along the normal is the distance, inside and outside
    EXPECT_NEAR(n.dot(p) - MaxAlong({shape, {}}, n), d, 1e-6) << round;
    const double h = 1e-7;
    for (int i = 0; i < 3; ++i) {
      const Vec3 e = h * Vec3::Unit(i);
      const double slope =
          (CalcPointDistance(shape, p + e, &unused) - CalcPointDistance(shape, p - e, &unused)) /
          (2 * h);
      EXPECT_LE(std::abs(slope), 1 + 1e-6);
    }
  }
}

}  // namespace
}  // namespace slip::test
