// Contact with triangle surfaces: flat floors feel flat however they are cut, corners are seen,
// backs are not felt. And point clouds.
#include "engine/collide/collide_mesh.h"

#include "tests/support/alloc_guard.h"
#include "tests/support/convex_reference.h"

namespace slip::test {
namespace {

PairContacts Touch(const TriangleMesh& mesh, const Placed& body, double margin,
                   const Pose& pose = {}) {
  PairContacts contacts;
  CollideMesh(mesh, pose, body.shape, body.pose, margin, &contacts);
  return contacts;
}

TEST(CollideMesh, AFlatFloorIsAHalfSpaceForEveryShape) {
  Random random(1);
  for (const int cells : {1, 7, 40}) {
    const TriangleMesh floor = Clean(FloorSoup(6, cells));
    for (int round = 0; round < 600; ++round) {
      Placed body{RandomShape(&random, round % 6), {random.InBox(0.8), random.Rotation()}};
      // thin penetration: less than the way to the body's centre
      const double lowest = MaxAlong(body, -Vec3::UnitZ()) + body.pose.p.z();
      const double gap = random.Uniform(-0.3 * lowest, 0.05);
      body.pose.p.z() += gap - (body.pose.p.z() - lowest);
      const PairContacts contacts = Touch(floor, body, 0.1);
      ASSERT_FALSE(contacts.empty()) << round << " kind " << round % 6 << " cells " << cells;
      EXPECT_NEAR(Deepest(contacts).phi, gap, 1e-6) << round << " kind " << round % 6;
      EXPECT_LE(contacts.size(), 4u);
      for (const PairContact& c : contacts) EXPECT_GT(c.n_W.z(), 1 - 1e-9) << round;
    }
  }
}

TEST(CollideMesh, SlidingBodiesSeeOnlyTheFloorsNormalLong) {
  const TriangleMesh floor = Clean(FloorSoup(4, 10));
  const std::pair<Shape, double> bodies[] = {{Box({0.3, 0.2, 0.1}), 0.05},
                                             {Cylinder(0.1, 0.3), 0.1},
                                             {Capsule(0.1, 0.3), 0.1},
                                             {Convex(MakeConvexBox({0.3, 0.2, 0.1})), 0.05},
                                             {Sphere(0.1), 0.1}};
  for (const auto& [shape, height] : bodies)
    for (const double sink : {1e-3, 1e-5, 0.0}) {
      std::size_t fewest = 9, most = 0;
      for (int i = 0; i < 2000; ++i) {
        const Vec3 p(-1.5 + 0.0015 * i, 0.3 + 0.0004 * i, height - sink);
        const Placed body{shape, {p, Quat(Eigen::AngleAxisd(0.001 * i, Vec3::UnitZ()))}};
        const PairContacts contacts = Touch(floor, body, 0.001);
        ASSERT_FALSE(contacts.empty());
        fewest = std::min(fewest, contacts.size());
        most = std::max(most, contacts.size());
        for (const PairContact& c : contacts) {
          ASSERT_GT(c.n_W.z(), 1 - 1e-9) << i;
          ASSERT_NEAR(c.phi, -sink, 1e-6) << i;
        }
      }
      EXPECT_EQ(fewest, most) << static_cast<int>(shape.kind) << " sink " << sink;
    }
}

TEST(CollideMesh, RestingBodiesDoNotFlicker) {
  Random random(2);
  const TriangleMesh floor = Clean(FloorSoup(4, 10));
  const Placed bodies[] = {{Box({0.4, 0.4, 0.2}), {Vec3(0.2, 0.2, 0.1), Quat::Identity()}},
                           {Box({0.37, 0.23, 0.2}), {Vec3(0.11, 0.23, 0.1), Quat::Identity()}},
                           {Cylinder(0.1, 0.3), {Vec3(0.03, 0.07, 0.1), Quat::Identity()}},
                           {Sphere(0.1), {Vec3(0.03, 0.07, 0.1), Quat::Identity()}}};
  for (const Placed& body : bodies) {
    const PairContacts expected = Touch(floor, body, 0.001);
    for (int i = 0; i < 300; ++i) {
      const Placed moved{body.shape, Tremble(&random, body.pose, 1e-7)};
      const PairContacts contacts = Touch(floor, moved, 0.001);
      ASSERT_EQ(contacts.size(), expected.size());
      for (std::size_t k = 0; k < contacts.size(); ++k) {
        ASSERT_EQ(contacts[k].feature, expected[k].feature);
        ASSERT_LT((contacts[k].p_W - expected[k].p_W).norm(), 1e-5);
      }
    }
  }
}

TEST(CollideMesh, AClosedBoxActsAsTheSolidBox) {
  Random random(3);
  const Vec3 size(0.5, 0.7, 0.6);
  const TriangleMesh mesh = Clean(BoxSoup(size), MeshUse::kSolid);
  int found = 0, others = 0;
  for (int round = 0; round < 3000; ++round) {
    Placed solid{Box(size), {}}, body{RandomShape(&random, round % 6), {}};
    PlaceAtGap(&random, 0.05, &solid, &body);
    const PairContact apart = Deepest(Collide(solid, body, 10));
    body.pose.p += (random.Uniform(-0.002, 0.01) - apart.phi) * apart.n_W;
    const PairContacts expected = Collide(solid, body, 0.02);
    const PairContacts contacts = Touch(mesh, body, 0.02, solid.pose);
    if (expected.empty()) {
      EXPECT_TRUE(contacts.empty()) << round;
      continue;
    }
    ASSERT_FALSE(contacts.empty()) << round;
    ++found;
    const PairContact &deepest = Deepest(contacts), &solid_deepest = Deepest(expected);
    if (std::abs(deepest.phi - solid_deepest.phi) < 2e-6 &&
        deepest.n_W.dot(solid_deepest.n_W) > 1 - 1e-3)
      continue;
    // triangles do not know the whole solid: deep in a corner one may choose another way out
    ++others;
    EXPECT_LT(solid_deepest.phi, 0) << round;
    EXPECT_NEAR(deepest.phi, solid_deepest.phi, 1e-4) << round;
  }
  EXPECT_LT(others, 5);
  EXPECT_GT(found, 2000);
}

TEST(CollideMesh, ABoxOverTheRimOfAStepIsHeldUpOnly) {
  // a large flat plate with a convex rim; the box overhangs by different amounts
  const TriangleMesh plate = Clean(BoxSoup({2, 2, 0.1}), MeshUse::kSolid);
  Random random(4);
  for (int i = 0; i < 500; ++i) {
    const Quat q(Eigen::AngleAxisd(random.Uniform(0, 2 * kPi), Vec3::UnitZ()));
    const Placed box{Box({0.8, 0.8, 0.4}),
                     {Vec3(random.Uniform(0.5, 1.2), random.Uniform(-1, 1.2), 0.2499), q}};
    for (const PairContact& c : Touch(plate, box, 0.001)) {
      EXPECT_GT(c.n_W.z(), 0.999) << i;
      EXPECT_NEAR(c.phi, -1e-4, 1e-6) << i;
    }
  }
}

TEST(CollideMesh, FloorAndWallAreTwoDirections) {
  // a trough: floor z = 0 for x > 0, wall x = 0 for z > 0
  Soup soup;
  soup.vertices = {{0, -1, 0}, {2, -1, 0}, {2, 1, 0}, {0, 1, 0}, {0, -1, 2}, {0, 1, 2}};
  soup.triangles = {{0, 1, 2}, {0, 2, 3}, {0, 3, 5}, {0, 5, 4}};
  const TriangleMesh trough = Clean(soup);
  const Placed box{Box({0.2, 0.2, 0.2}), {Vec3(0.099, 0.02, 0.0995), Quat::Identity()}};
  const PairContacts contacts = Touch(trough, box, 0.001);
  int up = 0, sideways = 0;
  for (const PairContact& c : contacts) {
    const bool floor = c.n_W.z() > 0.999;
    ++(floor ? up : sideways);
    EXPECT_NEAR(c.phi, floor ? -0.0005 : -0.001, 1e-9);
    EXPECT_GT(std::max(c.n_W.x(), c.n_W.z()), 0.999);
  }
  EXPECT_EQ(up, 4);
  EXPECT_EQ(sideways, 4);

  const Placed ball{Sphere(0.1), {Vec3(0.0995, 0, 0.099), Quat::Identity()}};
  EXPECT_EQ(Touch(trough, ball, 0.001).size(), 2u);
}

TEST(CollideMesh, ARoundGroundIsFollowed) {
  // a sphere on a fine ball touches it where the smooth ball would be touched
  const TriangleMesh ball = Clean(BallSoup(1, 60), MeshUse::kSolid);
  Random random(5);
  for (int i = 0; i < 1000; ++i) {
    const Vec3 d = random.Direction();
    const PairContacts contacts = Touch(ball, {Sphere(0.1), {1.099 * d, Quat::Identity()}}, 0.01);
    ASSERT_FALSE(contacts.empty());
    EXPECT_GT(Deepest(contacts).n_W.dot(d), 0.995);
    EXPECT_NEAR(Deepest(contacts).phi, 0, 3e-3);
  }
}

TEST(CollideMesh, BacksAreNotFelt) {
  const TriangleMesh floor = Clean(FloorSoup(4, 10));
  Random random(6);
  for (int i = 0; i < 300; ++i) {
    const Placed body{RandomShape(&random, i % 6), {Vec3(0.1, 0.2, -1e-6), random.Rotation()}};
    EXPECT_TRUE(Touch(floor, body, 0.01).empty());
  }
}

TEST(CollideMesh, AMillionTrianglesCostNoMoreThanThoseNearByLong) {
  const TriangleMesh ground = Clean(FloorSoup(100, 700));
  Placed box{Box({0.5, 0.5, 0.5}), {Vec3(3, 4, 0.2499), Quat::Identity()}};
  PairContacts contacts = Touch(ground, box, 0.001);
  EXPECT_EQ(contacts.size(), 4u);
  contacts.reserve(4096);
  contacts.clear();
  const AllocGuard guard;
  CollideMesh(ground, {}, box.shape, box.pose, 0.001, &contacts);
  EXPECT_EQ(guard.count(), 0u);
}

TEST(PointCloud, EveryPointIsASmallSphere) {
  Random random(7);
  for (int round = 0; round < 600; ++round) {
    PointCloud cloud;
    cloud.radius = 0.01;
    for (int i = 0; i < 30; ++i) cloud.points.push_back(random.InBox(0.4));
    const Pose pose{random.InBox(0.3), random.Rotation()};
    const Placed body{RandomShape(&random, round % 6), {random.InBox(0.3), random.Rotation()}};
    PairContacts contacts;
    CollideCloud(cloud, pose, body.shape, body.pose, 0.05, 0, &contacts);
    std::size_t expected = 0;
    for (std::size_t i = 0; i < cloud.points.size(); ++i) {
      const Placed ball{Sphere(0.01), {pose * cloud.points[i], Quat::Identity()}};
      const double phi = DistanceOf(body, ball.pose.p) - 0.01;
      if (phi > 0.05) continue;
      ASSERT_LT(expected, contacts.size());
      const PairContact& c = contacts[expected++];
      EXPECT_EQ(c.feature, i);
      EXPECT_NEAR(c.phi, phi, 1e-12);
      EXPECT_NEAR(CalcGap(ball, body, c.n_W), phi, 1e-6);
      EXPECT_NEAR(DistanceOf(ball, c.p_W - 0.5 * phi * c.n_W), 0, 1e-12);
    }
    EXPECT_EQ(expected, contacts.size());
    PairContacts few;
    CollideCloud(cloud, pose, body.shape, body.pose, 0.05, 4, &few);
    EXPECT_LE(few.size(), 4u);
    if (!few.empty()) EXPECT_NEAR(Deepest(few).phi, Deepest(contacts).phi, 1e-6);
  }
}

TEST(PointCloud, LiesOnFloors) {
  const PointCloud cloud{.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0.02}, {0, 0, 1}}, .radius = 0.01};
  const Pose pose{Vec3(0, 0, 0.005), Quat::Identity()};
  const TriangleMesh floor = Clean(FloorSoup(4, 10));
  PairContacts on_mesh, on_plane;
  CollideMesh(floor, {}, cloud, pose, 0.001, &on_mesh);
  CollideHalfSpace(Vec3::UnitZ(), Vec3::Zero(), cloud, pose, 0.001, &on_plane);
  ASSERT_EQ(on_mesh.size(), 2u);
  ASSERT_EQ(on_plane.size(), 2u);
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(on_mesh[i].phi, -0.005, 1e-12);
    EXPECT_NEAR(on_plane[i].phi, -0.005, 1e-12);
    EXPECT_LT((on_mesh[i].p_W - on_plane[i].p_W).norm(), 1e-12);
    EXPECT_NEAR(on_plane[i].p_W.z(), -0.0025, 1e-12);
  }
}

}  // namespace
}  // namespace slip::test
