// Hulls: the invariants of a polyhedron, brute force on small sets, and awkward inputs.
#include <set>

#include "engine/core/numbers.h"
#include "engine/geometry/mass_properties.h"
#include "tests/support/geometry.h"

namespace slip::test {
namespace {

// Closed, Euler's number of a sphere, convex, and all points inside up to `tolerance`.
void ExpectHull(const ConvexMesh& mesh, const std::vector<Vec3>& points, double tolerance) {
  const std::size_t sides = mesh.face_corners.size();
  EXPECT_EQ(2 * mesh.vertices.size() + 2 * mesh.faces.size(), sides + 4);
  std::set<std::pair<int, int>> edges;
  for (const ConvexMesh::Face& face : mesh.faces) {
    ASSERT_NEAR(face.normal.norm(), 1, 1e-12);
    for (int i = 0; i < face.count; ++i) {
      const int a = mesh.face_corners[face.first + i];
      const int b = mesh.face_corners[face.first + (i + 1) % face.count];
      EXPECT_TRUE(edges.insert({a, b}).second);
      EXPECT_NEAR(face.normal.dot(mesh.vertices[a]), face.offset, tolerance);
    }
  }
  for (const auto& [a, b] : edges) EXPECT_TRUE(edges.count({b, a}));
  double worst = -1;
  const std::size_t stride = 1 + points.size() * mesh.faces.size() / 20000000;
  for (std::size_t i = 0; i < points.size(); i += stride)
    for (const ConvexMesh::Face& face : mesh.faces)
      worst = std::max(worst, face.normal.dot(points[i]) - face.offset);
  EXPECT_LT(worst, tolerance);
}

TEST(ConvexHull, AgreesWithBruteForce) {
  Random random(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<Vec3> points;
    const int n = 4 + round % 10;
    for (int i = 0; i < n; ++i) points.push_back(random.InBox(1));
    // a triangle is on the hull when all points lie on one side of it
    std::set<std::set<int>> expected;
    for (int a = 0; a < n; ++a)
      for (int b = a + 1; b < n; ++b)
        for (int c = b + 1; c < n; ++c) {
          const Vec3 normal = (points[b] - points[a]).cross(points[c] - points[a]);
          int above = 0, below = 0;
          for (int d = 0; d < n; ++d) {
            if (d == a || d == b || d == c) continue;
            (normal.dot(points[d] - points[a]) > 0 ? above : below) += 1;
          }
          if (above == 0 || below == 0) expected.insert({a, b, c});
        }
    const auto hull = CalcHullTriangles(points);
    ASSERT_TRUE(hull.ok());
    std::set<std::set<int>> found;
    for (const auto& t : *hull) found.insert({t[0], t[1], t[2]});
    EXPECT_EQ(found, expected) << "round " << round;
  }
}

TEST(ConvexHull, RandomPointsKeepTheInvariants) {
  Random random(2);
  for (int round = 0; round < 60; ++round) {
    std::vector<Vec3> points;
    const double size = std::pow(10, random.Uniform(-3, 3));
    const Vec3 far = random.InBox(round % 3 == 0 ? 100 * size : 0);
    for (int i = 0; i < 300; ++i)
      points.push_back(far + size * (round % 2 == 0 ? random.InBox(1) : random.Direction()));
    const auto hull = CalcConvexHull(points);
    ASSERT_TRUE(hull.ok());
    ExpectHull(*hull, points, 6e-6 * size);
  }
}

TEST(ConvexHull, GridsOfCoplanarAndRepeatedPointsGiveABox) {
  Random random(3);
  for (int round = 0; round < 50; ++round) {
    const Quat q = round == 0 ? Quat::Identity() : random.Rotation();
    const Vec3 shift = round < 2 ? Vec3::Zero().eval() : random.InBox(3);
    std::vector<Vec3> points;
    for (int i = 0; i <= 8; ++i)
      for (int j = 0; j <= 8; ++j)
        for (int k = 0; k <= 4; ++k)
          for (int twice = 0; twice < 2; ++twice) points.push_back(shift + q * (Vec3(i, j, k) / 8));
    const auto hull = CalcConvexHull(points);
    ASSERT_TRUE(hull.ok());
    EXPECT_EQ(hull->vertices.size(), 8u) << "round " << round;
    EXPECT_EQ(hull->faces.size(), 6u);
    ExpectHull(*hull, points, 1e-9);
    EXPECT_NEAR(CalcMassProperties(*hull, 1).volume, 0.5, 1e-12);
  }
}

TEST(ConvexHull, CornersInSinglePrecisionStillMakeFaces) {
  Random random(4);
  for (int round = 0; round < 50; ++round) {
    const Quat q = random.Rotation();
    std::vector<Vec3> points;
    for (const Vec3& p : BoxSoup({1, 0.7, 0.4}).vertices)
      points.push_back((q * p).cast<float>().cast<double>());
    const auto hull = CalcConvexHull(points);
    ASSERT_TRUE(hull.ok());
    EXPECT_EQ(hull->faces.size(), 6u);
    EXPECT_EQ(hull->vertices.size(), 8u);
  }
}

TEST(ConvexHull, NearlyFlatAndNearlyDegenerateInputs) {
  Random random(5);
  for (const double thickness : {1e-3, 1e-5, 1e-7, 1e-8, 3e-9, 1e-9, 1e-10, 0.0}) {
    for (int round = 0; round < 20; ++round) {
      std::vector<Vec3> points;
      for (int i = 0; i < 100; ++i)
        points.emplace_back(random.Uniform(-1, 1), random.Uniform(-1, 1),
                            random.Uniform(-thickness, thickness));
      const auto hull = CalcConvexHull(points);
      if (thickness >= 1e-7) ASSERT_TRUE(hull.ok());
      if (thickness < 1e-9) ASSERT_FALSE(hull.ok());
      if (hull.ok() && thickness >= 1e-5) ExpectHull(*hull, points, 6e-6);
    }
  }
}

TEST(ConvexHull, RefusesWhatSpansNoVolume) {
  const Vec3 a(0, 0, 0), b(1, 0, 0), c(0, 1, 0);
  EXPECT_FALSE(CalcConvexHull(std::vector<Vec3>{}).ok());
  EXPECT_FALSE(CalcConvexHull(std::vector<Vec3>{a, b, c}).ok());
  EXPECT_FALSE(CalcConvexHull(std::vector<Vec3>{a, a, a, a, a}).ok());
  EXPECT_FALSE(CalcConvexHull(std::vector<Vec3>{a, b, 2 * b, 3 * b, 4 * b}).ok());
  EXPECT_FALSE(CalcConvexHull(std::vector<Vec3>{a, b, c, b + c, b}).ok());
  EXPECT_FALSE(CalcConvexHull(std::vector<Vec3>{a, b, c, Vec3::Constant(NAN)}).ok());
}

TEST(ConvexHull, ARoughHullHasFewerCornersAndHoldsAllPoints) {
  // rows of points, as surfaces of revolution have them, on an ellipsoid and on a torus
  constexpr int kAround = 200, kAlong = 150;
  constexpr double kRough = 1e-3;
  for (const bool torus : {false, true}) {
    std::vector<Vec3> points;
    for (int i = 0; i < kAround; ++i)
      for (int j = 0; j < kAlong; ++j) {
        const double u = 2 * kPi * i / kAround, v = (torus ? 2 : 1) * kPi * (j + 0.5) / kAlong;
        const double r = torus ? 0.06 + 0.02 * std::cos(v) : 0.05 * std::sin(v);
        points.emplace_back(r * std::cos(u), r * std::sin(u), (torus ? 0.02 : 0.08) * std::sin(v));
        if (!torus) points.back().z() = 0.08 * std::cos(v);
      }
    const double thickness = torus ? 0.04 : 0.1;
    const auto exact = CalcHullTriangles(points), rough = CalcHullTriangles(points, kRough);
    ASSERT_TRUE(exact.ok() && rough.ok());
    EXPECT_LT(rough->size(), 0.8 * static_cast<double>(exact->size())) << torus;
    const auto hull = CalcConvexHull(points, kRough);
    ASSERT_TRUE(hull.ok());
    ExpectHull(*hull, points, kRough * thickness);
  }
}

TEST(ConvexHull, VolumesOfRoughHullsAreNearlyThoseOfHulls) {
  Random random(12);
  for (int i = 0; i < 20; ++i) {
    std::vector<Vec3> points;
    for (int k = 0; k < 200; ++k) points.push_back(random.InBox(0.5));
    double volume = 0;
    const auto triangles = CalcHullTriangles(points).value();
    for (const auto& [a, b, c] : triangles)
      volume += At(points, a).dot(At(points, b).cross(At(points, c))) / 6;
    EXPECT_NEAR(CalcRoughHullVolume(points, 1e-3), volume, 0.005 * volume);
    EXPECT_NEAR(CalcRoughHullVolume(points, 1e-9), volume, 1e-9 * volume);
  }
  EXPECT_EQ(CalcRoughHullVolume(std::vector<Vec3>(4, Vec3::Zero()), 1e-3), 0);
}

TEST(ConvexHull, AHundredThousandPointsOnASphereLong) {
  Random random(6);
  std::vector<Vec3> points;
  for (int i = 0; i < 100000; ++i) points.push_back(random.Direction());
  const auto hull = CalcConvexHull(points);
  ASSERT_TRUE(hull.ok());
  ExpectHull(*hull, points, 6e-6);
  EXPECT_NEAR(CalcMassProperties(*hull, 1).volume, 4 * kPi / 3, 1e-3);
}

TEST(ConvexHull, PolygonalPrismHasPolygonalCaps) {
  std::vector<Vec3> points;
  for (int i = 0; i < 64; ++i)
    for (const double z : {-0.5, 0.5})
      points.emplace_back(std::cos(2 * kPi * i / 64), std::sin(2 * kPi * i / 64), z);
  const auto hull = CalcConvexHull(points);
  ASSERT_TRUE(hull.ok());
  EXPECT_EQ(hull->faces.size(), 66u);
  EXPECT_EQ(hull->vertices.size(), 128u);
}

}  // namespace
}  // namespace slip::test
