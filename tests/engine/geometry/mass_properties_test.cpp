// Mass properties against closed forms, integrals over fine meshes, and the parallel-axis theorem.
#include "engine/geometry/mass_properties.h"

#include "tests/support/geometry.h"

namespace slip::test {
namespace {

void ExpectSame(const MassProperties& a, const MassProperties& b, double tolerance) {
  EXPECT_NEAR(a.volume / b.volume, 1, tolerance);
  EXPECT_NEAR(a.mass / b.mass, 1, tolerance);
  EXPECT_LT((a.p_com - b.p_com).norm(), tolerance);
  EXPECT_LT((a.inertia - b.inertia).norm(), tolerance * b.inertia.norm()) << a.inertia << "\n\n"
                                                                          << b.inertia;
}

TEST(MassProperties, BoxInThreeWays) {
  const Vec3 size(0.3, 0.5, 0.8);
  Shape box{.kind = ShapeKind::kBox, .size = size};
  const MassProperties exact = CalcMassProperties(box, 1000);
  EXPECT_NEAR(exact.mass, 120, 1e-12);
  EXPECT_NEAR(exact.inertia(0, 0), 120 * (0.25 + 0.64) / 12, 1e-12);
  ExpectSame(CalcMassProperties(MakeConvexBox(size), 1000), exact, 1e-12);
  ExpectSame(CalcMassProperties(Clean(BoxSoup(size)), 1000), exact, 1e-12);
}

// A body of revolution about x from its profile radius(x), as a hull of many rings.
ConvexMesh Turned(double half, const std::function<double(double)>& radius, int rings) {
  std::vector<Vec3> points;
  for (int i = 0; i <= rings; ++i) {
    const double x = -half * std::cos(kPi * i / rings), r = radius(x);
    for (int j = 0; j < 200; ++j)
      points.emplace_back(x, r * std::cos(2 * kPi * j / 200), r * std::sin(2 * kPi * j / 200));
  }
  return CalcConvexHull(points).value();
}

TEST(MassProperties, RoundShapesAgreeWithFineHulls) {
  const double r = 0.3, length = 0.5;
  Shape sphere{.kind = ShapeKind::kSphere, .radius = r};
  ExpectSame(CalcMassProperties(Turned(
                                    r, [&](double x) { return std::sqrt(r * r - x * x); }, 150),
                                7),
             CalcMassProperties(sphere, 7), 2e-3);
  Shape cylinder{.kind = ShapeKind::kCylinder, .radius = r, .length = length};
  ExpectSame(CalcMassProperties(Turned(
                                    length / 2, [&](double) { return r; }, 1),
                                7),
             CalcMassProperties(cylinder, 7), 2e-3);
  Shape capsule{.kind = ShapeKind::kCapsule, .radius = r, .length = length};
  const auto profile = [&](double x) {
    const double beyond = std::max(0.0, std::abs(x) - length / 2);
    return std::sqrt(std::max(0.0, r * r - beyond * beyond));
  };
  ExpectSame(CalcMassProperties(Turned(length / 2 + r, profile, 200), 7),
             CalcMassProperties(capsule, 7), 2e-3);
}

TEST(MassProperties, ACapsuleWithoutLengthIsASphere) {
  Shape sphere{.kind = ShapeKind::kSphere, .radius = 0.3};
  Shape capsule{.kind = ShapeKind::kCapsule, .radius = 0.3, .length = 0};
  ExpectSame(CalcMassProperties(capsule, 5), CalcMassProperties(sphere, 5), 1e-13);
}

TEST(MassProperties, TetrahedronAgainstClosedForm) {
  // unit corner tetrahedron, density 1: m = 1/6, ∫x² = 1/60, ∫xy = 1/120
  Soup soup;
  soup.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  soup.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  const MassProperties m = CalcMassProperties(Clean(soup), 1);
  EXPECT_NEAR(m.mass, 1.0 / 6, 1e-15);
  EXPECT_LT((m.p_com - Vec3::Constant(0.25)).norm(), 1e-15);
  const double diagonal = 2.0 / 60 - 2.0 / 6 / 16, product = -(1.0 / 120 - 1.0 / 6 / 16);
  EXPECT_NEAR(m.inertia(0, 0), diagonal, 1e-15);
  EXPECT_NEAR(m.inertia(0, 1), product, 1e-15);
}

TEST(MassProperties, DoNotDependOnTheFrame) {
  Random random(1);
  for (int round = 0; round < 200; ++round) {
    const ConvexMesh mesh = RandomHull(&random, 20, 0.5);
    const MassProperties m = CalcMassProperties(mesh, 3);
    const Pose pose{.p = random.InBox(2), .q = random.Rotation()};
    std::vector<Vec3> moved;
    for (const Vec3& p : mesh.vertices) moved.push_back(pose * p);
    MassProperties expected = m;
    expected.p_com = pose * m.p_com;
    const Mat3 rotation = pose.q.toRotationMatrix();
    expected.inertia = rotation * m.inertia * rotation.transpose();
    ExpectSame(CalcMassProperties(CalcConvexHull(moved).value(), 3), expected, 1e-9);
  }
}

TEST(MassProperties, PrincipalFrameIsCentredAndDiagonal) {
  Random random(2);
  for (int round = 0; round < 200; ++round) {
    const Pose pose{.p = random.InBox(2), .q = random.Rotation()};
    Soup soup = BoxSoup({random.Uniform(0.1, 1), random.Uniform(0.1, 1), random.Uniform(0.1, 1)});
    soup.vertices[7] *= 1.3;
    for (Vec3& p : soup.vertices) p = pose * p;
    TriangleMesh mesh = Clean(soup);
    const TriangleMesh before = mesh;
    const Pose old_in_new = MoveToPrincipalFrame(&mesh);
    EXPECT_LT((old_in_new * before.vertices[3] - mesh.vertices[3]).norm(), 1e-13);
    const MassProperties m = CalcMassProperties(mesh, 1);
    EXPECT_LT(m.p_com.norm(), 1e-12);
    const Mat3 off = m.inertia - Mat3(m.inertia.diagonal().asDiagonal());
    EXPECT_LT(off.norm(), 1e-11 * m.inertia.norm());
    EXPECT_LT((mesh.normals[5] - Clean({mesh.vertices, mesh.triangles}).normals[5]).norm(), 1e-9);

    ConvexMesh hull = CalcConvexHull(soup.vertices).value();
    MoveToPrincipalFrame(&hull);
    EXPECT_LT(CalcMassProperties(hull, 1).p_com.norm(), 1e-12);
    for (const ConvexMesh::Face& face : hull.faces)
      EXPECT_NEAR(face.normal.dot(hull.vertices[hull.face_corners[face.first]]), face.offset, 1e-6);
  }
}

TEST(MassProperties, PrincipalAxesStayWhereTheyAre) {
  const PrincipalAxes plain = CalcPrincipalAxes(Vec3(3, 1, 2).asDiagonal());
  EXPECT_EQ(plain.axes, Mat3::Identity());
  EXPECT_EQ(plain.moments, Vec3(3, 1, 2));
  ConvexMesh cube = MakeConvexBox({1, 1, 1});
  EXPECT_LT(MoveToPrincipalFrame(&cube).q.angularDistance(Quat::Identity()), 1e-12);
  Random random(3);
  for (int round = 0; round < 500; ++round) {
    const Mat3 rotation = random.Rotation().toRotationMatrix();
    const Vec3 moments(1, 1 + (round % 5) * 1e-4, random.Uniform(1, 1.9));
    const Mat3 inertia = rotation * moments.asDiagonal() * rotation.transpose();
    const PrincipalAxes axes = CalcPrincipalAxes(inertia);
    EXPECT_NEAR(axes.axes.determinant(), 1, 1e-12);
    EXPECT_LT((axes.axes * axes.moments.asDiagonal() * axes.axes.transpose() - inertia).norm(),
              1e-11);
  }
}

}  // namespace
}  // namespace slip::test
