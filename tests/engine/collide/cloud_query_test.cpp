// Closest points of clouds against formulas written out another way, and against looking at every
// point.
#include "engine/collide/cloud_query.h"

#include <algorithm>
#include <ctime>
#include <limits>
#include <numeric>

#include "engine/collide/collide_convex.h"
#include "engine/core/numbers.h"
#include "engine/geometry/point_cloud.h"
#include "tests/support/alloc_guard.h"
#include "tests/support/folders.h"
#include "tests/support/geometry.h"

namespace slip::test {
namespace {

Shape HullShape(Random* random, int points, double size) {
  return {.kind = ShapeKind::kConvex,
          .convex = std::make_shared<ConvexMesh>(RandomHull(random, points, size))};
}

std::vector<Shape> AllShapes(Random* random) {
  return {{.kind = ShapeKind::kSphere, .radius = 0.3},
          {.kind = ShapeKind::kBox, .size = Vec3(0.2, 0.6, 0.4)},
          {.kind = ShapeKind::kCapsule, .radius = 0.2, .length = 0.5},
          {.kind = ShapeKind::kCylinder, .radius = 0.3, .length = 0.4},
          HullShape(random, 20, 0.6)};
}

Pose RandomPose(Random* random, double reach) {
  const Vec3 p = random->InBox(reach);
  return {p, random->Rotation()};
}

std::vector<Vec3> RandomPoints(Random* random, int count, double half) {
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i) points.push_back(random->InBox(half));
  return points;
}

/// The k smallest of all distances, by sorting all.
std::vector<int> SortedIndices(const std::vector<double>& phi) {
  std::vector<int> order(phi.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return phi[a] < phi[b]; });
  return order;
}

struct Query {
  const CloudTree& cloud;
  Pose X_WB;
  Pose X_WA;
  const Shape* shape;  // null: the half-space below the x-y plane of A

  HalfSpace Half() const {
    const Vec3 n_W = X_WA.q * Vec3::UnitZ();
    return {n_W, n_W.dot(X_WA.p)};
  }
  int Find(std::span<CloudCandidate> closest) const {
    return shape == nullptr ? FindClosest(cloud, X_WB, Half(), closest)
                            : FindClosest(cloud, X_WB, *shape, X_WA, closest);
  }
  void CalcAll(std::span<double> phi, std::span<Vec3> n_W = {}) const {
    shape == nullptr ? CalcCloudDistances(cloud, X_WB, Half(), phi, n_W)
                     : CalcCloudDistances(cloud, X_WB, *shape, X_WA, phi, n_W);
  }
};

/// Every bit of FindClosest against looking at all points.
void ExpectSameAsAll(const Query& query, int k) {
  std::vector<double> phi(query.cloud.size());
  std::vector<Vec3> n_W(query.cloud.size());
  query.CalcAll(phi, n_W);
  const std::vector<int> order = SortedIndices(phi);
  std::vector<CloudCandidate> closest(k);
  const int found = query.Find(closest);
  ASSERT_EQ(found, std::min(k, query.cloud.size()));
  for (int i = 0; i < found; ++i) {
    ASSERT_EQ(closest[i].point, order[i]) << i;
    ASSERT_EQ(closest[i].phi, phi[order[i]]) << i;
    ASSERT_EQ(closest[i].n_W, n_W[order[i]]) << i;
    ASSERT_EQ(closest[i].beta_W, Vec3(query.X_WB.p + query.X_WB.q.toRotationMatrix() *
                                                         query.cloud.point(closest[i].point)));
    ASSERT_EQ(closest[i].alpha_W, Vec3(closest[i].beta_W - closest[i].phi * closest[i].n_W));
  }
}

CloudCandidate QueryOne(const Vec3& p, const Shape& shape) {
  const CloudTree cloud(std::span(&p, 1));
  std::array<CloudCandidate, 1> closest;
  EXPECT_EQ(FindClosest(cloud, {}, shape, {}, closest), 1);
  return closest[0];
}

TEST(CloudQuery, TreeHoldsEveryPointOnce) {
  Random random(1);
  for (const int n : {0, 1, 2, 31, 32, 33, 64, 65, 1000, 4097}) {
    std::vector<Vec3> points = RandomPoints(&random, n, 1);
    const CloudTree cloud(points);
    ASSERT_EQ(cloud.size(), n);
    std::vector<int> seen = cloud.index();
    std::sort(seen.begin(), seen.end());
    for (int i = 0; i < n; ++i) ASSERT_EQ(seen[i], i);
    int held = 0;
    for (const CloudTree::Node& node : cloud.nodes()) {
      held += node.count;
      EXPECT_LE(node.count, CloudTree::kLeaf);
      if (node.count > 0) EXPECT_EQ(node.first % CloudTree::kLanes, 0);
      for (int i = node.first; i < node.first + node.count; ++i) {
        const Vec3 p(cloud.coordinate(0)[i], cloud.coordinate(1)[i], cloud.coordinate(2)[i]);
        ASSERT_EQ(p, points[cloud.index()[i]]);
        ASSERT_LE((p - node.center).norm(), node.radius);
      }
    }
    EXPECT_EQ(held, n);
  }
}

// In each frame by its definition, far from and inside the obstacle.
TEST(CloudQuery, DistancesAreThoseOfTheShapes) {
  Random random(2);
  const std::vector<Shape> shapes = AllShapes(&random);
  for (int round = 0; round < 60; ++round) {
    const std::vector<Vec3> points = RandomPoints(&random, 50, 0.7);
    const CloudTree cloud(points);
    const Pose X_WB = RandomPose(&random, 0.3), X_WA = RandomPose(&random, 0.3);
    std::vector<double> phi(points.size());
    std::vector<Vec3> n_W(points.size());
    for (const Shape& shape : shapes) {
      Query{cloud, X_WB, X_WA, &shape}.CalcAll(phi, n_W);
      for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec3 x = X_WA.q.conjugate() * (X_WB * points[i] - X_WA.p);
        Vec3 normal;
        EXPECT_NEAR(phi[i], CalcPointDistance(shape, x, &normal), 1e-14);
        EXPECT_LT((n_W[i] - X_WA.q * normal).norm(), 1e-12);
        // the foot lies on the surface
        EXPECT_NEAR(CalcPointDistance(shape, x - phi[i] * (X_WA.q.conjugate() * n_W[i]), &normal),
                    0, 1e-13);
      }
    }
    const Query half{cloud, X_WB, X_WA, nullptr};
    half.CalcAll(phi, n_W);
    for (std::size_t i = 0; i < points.size(); ++i) {
      EXPECT_NEAR(phi[i], (X_WA.q.conjugate() * (X_WB * points[i] - X_WA.p)).z(), 1e-15);
      EXPECT_EQ(n_W[i], half.Half().n_W);
    }
  }
}

// The box by its definition as a set: the nearest point of it outside, the nearest face inside.
TEST(CloudQuery, BoxAgainstItsDefinition) {
  Random random(3);
  const Vec3 half(0.1, 0.3, 0.2);
  const Shape box{.kind = ShapeKind::kBox, .size = 2 * half};
  int inside = 0;
  for (int round = 0; round < 20000; ++round) {
    Vec3 p = random.InBox(0.4);
    // on planes of faces and of symmetry, too
    for (int i = 0; i < 3; ++i)
      if (const double pick = random.Uniform(0, 1); pick < 0.3)
        p[i] = pick < 0.1 ? half[i] : pick < 0.2 ? -half[i] : 0;
    const CloudCandidate found = QueryOne(p, box);
    EXPECT_NEAR(found.n_W.norm(), 1, 1e-14);
    const Vec3 nearest = p.cwiseMax(-half).cwiseMin(half);
    if (nearest != p) {
      EXPECT_NEAR(found.phi, (p - nearest).norm(), 1e-15);
      EXPECT_LT((found.alpha_W - nearest).norm(), 1e-15);
    } else {
      ++inside;
      double depth = kInfinity;
      Vec3 normal;
      for (int i = 0; i < 3; ++i)
        for (const int side : {1, -1})
          if (const double d = half[i] - side * p[i]; d < depth)
            depth = d, normal = side * Vec3::Unit(i);
      EXPECT_EQ(found.phi, -depth);
      EXPECT_EQ(found.n_W, normal) << p.transpose();
    }
  }
  EXPECT_GT(inside, 2000);
}

TEST(CloudQuery, NormalsWhereThereAreSeveral) {
  const Shape cube{.kind = ShapeKind::kBox, .size = Vec3::Constant(2)};
  EXPECT_EQ(QueryOne({0, 0, 0}, cube).n_W, Vec3(1, 0, 0));
  EXPECT_EQ(QueryOne({0, 0, 0}, cube).phi, -1);
  EXPECT_EQ(QueryOne({-0.5, 0.5, 0}, cube).n_W, Vec3(-1, 0, 0));
  EXPECT_EQ(QueryOne({0.2, -0.5, 0.5}, cube).n_W, Vec3(0, -1, 0));
  EXPECT_EQ(QueryOne({1, 1, 1}, cube).n_W, Vec3(1, 0, 0));
  EXPECT_EQ(QueryOne({1, 1, 1}, cube).phi, 0);
  EXPECT_EQ(QueryOne({0, -1, 0}, cube).n_W, Vec3(0, -1, 0));
  const CloudCandidate corner = QueryOne({2, 2, -2}, cube);
  EXPECT_NEAR(corner.phi, std::sqrt(3.0), 1e-15);
  EXPECT_LT((corner.n_W - Vec3(1, 1, -1).normalized()).norm(), 1e-15);
  EXPECT_LT((corner.alpha_W - Vec3(1, 1, -1)).norm(), 1e-15);
  const CloudCandidate edge = QueryOne({2, 0.5, 2}, cube);
  EXPECT_LT((edge.alpha_W - Vec3(1, 0.5, 1)).norm(), 1e-15);
  const Shape ball{.kind = ShapeKind::kSphere, .radius = 0.5};
  EXPECT_EQ(QueryOne({0, 0, 0}, ball).n_W, Vec3(0, 0, 1));
  EXPECT_EQ(QueryOne({0, 0, 0}, ball).phi, -0.5);
  EXPECT_EQ(QueryOne({1e-13, 0, 0}, ball).n_W, Vec3(0, 0, 1));
  EXPECT_EQ(QueryOne({1e-11, 0, 0}, ball).n_W, Vec3(1, 0, 0));
  const Shape capsule{.kind = ShapeKind::kCapsule, .radius = 0.1, .length = 1};
  EXPECT_EQ(QueryOne({0.2, 0, 0}, capsule).n_W, Vec3(0, 0, 1));
  EXPECT_EQ(QueryOne({0.7, 0, 0}, capsule).n_W, Vec3(1, 0, 0));
  const Shape can{.kind = ShapeKind::kCylinder, .radius = 0.1, .length = 1};
  EXPECT_EQ(QueryOne({0, 0, 0}, can).n_W, Vec3(0, 1, 0));
}

TEST(CloudQuery, FindsWhatLookingAtEveryPointFinds) {
  Random random(4);
  const std::vector<Shape> shapes = AllShapes(&random);
  for (const int n : {1, 2, 3, 5, 31, 32, 33, 63, 65, 200, 992, 5000}) {
    for (int round = 0; round < (n < 1000 ? 12 : 4); ++round) {
      std::vector<Vec3> points = RandomPoints(&random, n, 0.5);
      // every third a copy of another
      if (round % 2 == 1)
        for (int i = 0; i < n; i += 3) points[i] = points[(7 * i) % n];
      const CloudTree cloud(points);
      for (const double reach : {0.2, 1.0, 30.0}) {
        const Pose X_WB = RandomPose(&random, reach), X_WA = RandomPose(&random, reach);
        for (const int k : {1, 5, 40}) {
          ExpectSameAsAll({cloud, X_WB, X_WA, nullptr}, k);
          for (const Shape& shape : shapes) ExpectSameAsAll({cloud, X_WB, X_WA, &shape}, k);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST(CloudQuery, FindsTheSameInAHundredThousandLong) {
  Random random(5);
  const Soup ball = BallSoup(0.5, 60);
  const auto on_ball = SampleSurface(Clean(ball), 100000);
  ASSERT_TRUE(on_ball.ok());
  std::vector<Shape> shapes = AllShapes(&random);
  shapes.pop_back();  // a hull looked at by every point takes seconds
  for (const std::vector<Vec3>& points : {RandomPoints(&random, 100000, 0.5), *on_ball}) {
    const CloudTree cloud(points);
    for (int round = 0; round < 4; ++round) {
      const Pose X_WB = RandomPose(&random, 0.5), X_WA = RandomPose(&random, 0.5);
      ExpectSameAsAll({cloud, X_WB, X_WA, nullptr}, 5);
      for (const Shape& shape : shapes) ExpectSameAsAll({cloud, X_WB, X_WA, &shape}, 5);
      if (HasFatalFailure()) return;
    }
  }
}

// Measured a twentieth; without its tree the query would take as long.
TEST(CloudQuery, FindsInAHundredThousandWithoutLookingAtAllLong) {
  Random random(7);
  const std::vector<Vec3> points = RandomPoints(&random, 100000, 0.5);
  const CloudTree cloud(points);
  const Shape box{.kind = ShapeKind::kBox, .size = Vec3(0.2, 0.6, 0.4)};
  std::vector<double> phi(points.size());
  std::array<CloudCandidate, 5> closest;
  // processor time: the machine may be busy
  std::array<std::clock_t, 3> clock = {std::clock()};
  for (int i = 0; i < 50; ++i)
    FindClosest(cloud, {.p = Vec3(0.7 + 1e-3 * i, 0, 0)}, box, {}, closest);
  clock[1] = std::clock();
  for (int i = 0; i < 50; ++i)
    CalcCloudDistances(cloud, {.p = Vec3(0.7 + 1e-3 * i, 0, 0)}, box, {}, phi);
  clock[2] = std::clock();
  EXPECT_LT(3 * (clock[1] - clock[0]), clock[2] - clock[1]);
}

// All as near: the lowest indices, whatever the tree's order.
TEST(CloudQuery, TiesGoToTheLowestIndex) {
  std::vector<Vec3> points;
  for (int i = 0; i < 5000; ++i) points.emplace_back((i * 37) % 71 * 0.01, (i * 53) % 83 * 0.01, 0);
  const CloudTree cloud(points);
  std::array<CloudCandidate, 5> closest;
  const Pose X_WB = {.p = Vec3(0, 0, 0.25)};
  ASSERT_EQ(FindClosest(cloud, X_WB, HalfSpace{Vec3::UnitZ(), 0.0}, closest), 5);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(closest[i].point, i);
    EXPECT_EQ(closest[i].phi, 0.25);
  }
  const Shape table{.kind = ShapeKind::kBox, .size = Vec3(4, 4, 0.5)};
  ASSERT_EQ(FindClosest(cloud, X_WB, table, {}, closest), 5);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(closest[i].point, i);
  const std::vector<Vec3> one_place(3000, Vec3(0.1, 0.2, 0.3));
  ASSERT_EQ(FindClosest(CloudTree(one_place), {}, table, {}, closest), 5);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(closest[i].point, i);
}

// The grasp as it begins: four feet on the floor, and each pad sees the tip of its shoulder first.
TEST(CloudQuery, GraspOfTheBunny) {
  const auto bunny = ReadPointCloud(SourceFolder() + "/assets/clouds/bunny.xyz", 0);
  ASSERT_TRUE(bunny.ok());
  const CloudTree cloud(bunny->mesh.points);
  std::array<CloudCandidate, 5> closest;
  ASSERT_EQ(FindClosest(cloud, {}, HalfSpace{}, closest), 5);
  const std::array<int, 4> feet = {1, 2, 497, 498};
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(closest[i].point, feet[i]);
    EXPECT_EQ(closest[i].phi, 0);
  }
  EXPECT_GT(closest[4].phi, 0.006);
  const Shape pad{.kind = ShapeKind::kBox, .size = Vec3(0.020, 0.060, 0.060)};
  for (const int side : {1, -1}) {
    const Pose X_WA = {.p = Vec3(side * 0.060, 0.025, 0.060)};
    ASSERT_EQ(FindClosest(cloud, {}, pad, X_WA, closest), 5);
    EXPECT_EQ(closest[0].point, side > 0 ? 0 : 496);
    EXPECT_NEAR(closest[0].phi, 0.008, 1e-16);
    EXPECT_LT((closest[0].n_W - Vec3(-side, 0, 0)).norm(), 1e-15);
    EXPECT_LT((closest[0].alpha_W - Vec3(side * 0.050, 0.025, 0.060)).norm(), 1e-16);
    EXPECT_EQ(closest[0].beta_W, bunny->mesh.points[closest[0].point]);
    EXPECT_NEAR(closest[1].phi, 0.050 - 0.041384, 5e-7);
  }
}

TEST(CloudQuery, AnswersWhereThereIsLittleToFind) {
  std::array<CloudCandidate, 5> closest;
  const HalfSpace floor;
  EXPECT_EQ(FindClosest(CloudTree(), {}, floor, closest), 0);
  const std::vector<Vec3> two = {{0, 0, 1}, {0, 0, 0.5}};
  const CloudTree cloud(two);
  EXPECT_EQ(FindClosest(cloud, {}, floor, closest), 2);
  EXPECT_EQ(closest[0].point, 1);
  EXPECT_EQ(FindClosest(cloud, {}, floor, {}), 0);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Shape ball;
  for (const double bad : {nan, kInfinity}) {
    EXPECT_EQ(FindClosest(cloud, {.p = Vec3(0, 0, bad)}, floor, closest), 0);
    EXPECT_EQ(FindClosest(cloud, {.p = Vec3(0, 0, bad)}, ball, {}, closest), 0);
    EXPECT_EQ(FindClosest(cloud, {}, ball, {.p = Vec3(bad, 0, 0)}, closest), 0);
  }
  EXPECT_EQ(FindClosest(cloud, {.q = Quat(nan, 0, 0, 0)}, ball, {}, closest), 0);
  const Shape mesh{.kind = ShapeKind::kTriangleMesh};
  EXPECT_EQ(FindClosest(cloud, {}, mesh, {}, closest), 0);
  std::array<double, 2> phi;
  CalcCloudDistances(cloud, {}, mesh, {}, phi);
  EXPECT_EQ(phi[0], kInfinity);
}

TEST(CloudQuery, AllocatesNothing) {
  Random random(6);
  const std::vector<Shape> shapes = AllShapes(&random);
  const CloudTree cloud(RandomPoints(&random, 2000, 0.5));
  std::array<CloudCandidate, 5> closest;
  std::vector<double> phi(2000);
  std::vector<Vec3> n_W(2000);
  const AllocGuard guard;
  for (const Shape& shape : shapes) {
    FindClosest(cloud, {}, shape, {}, closest);
    CalcCloudDistances(cloud, {}, shape, {}, phi, n_W);
  }
  FindClosest(cloud, {}, HalfSpace{}, closest);
  EXPECT_EQ(guard.count(), 0u);
}

}  // namespace
}  // namespace slip::test
