// The rabbits of assets/ are those that tests/support/bunny.cpp makes.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "engine/core/output_file.h"
#include "engine/geometry/mass_properties.h"
#include "engine/geometry/point_cloud.h"
#include "tests/support/bunny.h"
#include "tests/support/folders.h"

namespace slip::test {
namespace {

const std::string kAssets = SourceFolder() + "/assets/";
const std::string kCloudFile = kAssets + "clouds/bunny.xyz";
const std::string kMeshFile = kAssets + "meshes/bunny.obj";

bool WritesAssets() {
  const char* mode = std::getenv("SLIPSCOPE_ASSETS");
  return mode != nullptr && std::string_view(mode) == "write";
}

TEST(BunnyFiles, CloudIsTheOneThatIsMade) {
  const std::vector<Vec3> made = MakeBunnyCloud();
  if (WritesAssets()) {
    const char* comment = "A rabbit for the grasp: y to the nose, floor z = 0. Lengths in metres.";
    ASSERT_TRUE(WritePointCloud(made, kCloudFile, true, comment).ok());
  }
  const auto read = ReadPointCloud(kCloudFile, 0);
  ASSERT_TRUE(read.ok()) << read.error().Text();
  EXPECT_TRUE(read->notes.empty());
  ASSERT_EQ(read->mesh.points.size(), made.size());
  // sines and cosines of other libraries differ in the last bit
  for (std::size_t i = 0; i < made.size(); ++i)
    EXPECT_LT((read->mesh.points[i] - made[i]).norm(), 1e-12) << i;
}

TEST(BunnyFiles, CloudHasOneFarthestPointEachSide) {
  const auto read = ReadPointCloud(kCloudFile, 0);
  ASSERT_TRUE(read.ok());
  const std::vector<Vec3>& points = read->mesh.points;
  ASSERT_EQ(points.size(), 992u);
  EXPECT_EQ(points[0], Vec3(0.042, 0.025, 0.060));
  EXPECT_EQ(points[1], Vec3(0.020, 0.030, 0));
  EXPECT_EQ(points[2], Vec3(0.020, -0.030, 0));
  double next = 0;
  int on_floor = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i != 0) next = std::max(next, points[i].x());
    if (points[i].z() == 0) ++on_floor;
    if (i < 496) EXPECT_EQ(points[i + 496], Vec3(-points[i].x(), points[i].y(), points[i].z()));
  }
  EXPECT_NEAR(next, 0.041384, 5e-7);
  EXPECT_EQ(on_floor, 4);
  EXPECT_EQ(CountDuplicates(points), 0);
}

TEST(BunnyFiles, MeshIsTheOneThatIsMade) {
  const Soup made = MakeBunnyMesh();
  if (WritesAssets()) {
    std::string text =
        "# A rabbit: ellipsoids blended into one closed surface. y to the nose, floor z = 0.\n"
        "# Lengths in metres.\n";
    for (const Vec3& p : made.vertices)
      text += fmt::format("v {:.6f} {:.6f} {:.6f}\n", p.x(), p.y(), p.z());
    for (const auto& t : made.triangles)
      text += fmt::format("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
    ASSERT_TRUE(WriteFile(kMeshFile, text, true).ok());
  }
  const auto read = ReadTriangleMesh(kMeshFile, MeshUse::kSolid);
  ASSERT_TRUE(read.ok()) << read.error().Text();
  EXPECT_TRUE(read->notes.empty());
  EXPECT_EQ(read->mesh.triangles, made.triangles);
  ASSERT_EQ(read->mesh.vertices.size(), made.vertices.size());
  for (std::size_t i = 0; i < made.vertices.size(); ++i)
    EXPECT_LT((read->mesh.vertices[i] - made.vertices[i]).cwiseAbs().maxCoeff(), 5.1e-7) << i;
}

TEST(BunnyFiles, MeshIsOneClosedSurfaceThatIsItsMirrorImage) {
  const auto read = ReadTriangleMesh(kMeshFile, MeshUse::kSolid);
  ASSERT_TRUE(read.ok());
  const TriangleMesh& mesh = read->mesh;
  EXPECT_EQ(mesh.open_edges, 0);
  // a ball without handles
  const auto V = static_cast<int>(mesh.vertices.size()),
             F = static_cast<int>(mesh.triangles.size());
  EXPECT_EQ(V - 3 * F / 2 + F, 2);
  const MassProperties mass = CalcMassProperties(mesh, 1000);
  EXPECT_GT(mass.volume, 4e-4);
  EXPECT_LT(mass.volume, 6e-4);
  EXPECT_NEAR(mass.p_com.x(), 0, 1e-7);
  EXPECT_NEAR(mass.inertia(0, 1), 0, 1e-5 * mass.inertia(0, 0));
  double lowest = 1;
  for (const Vec3& p : mesh.vertices) lowest = std::min(lowest, p.z());
  EXPECT_NEAR(lowest, 0, 1e-3);
  for (const Vec3& p : mesh.vertices) {
    const auto mirror = [&](const Vec3& q) {
      return (Vec3(-p.x(), p.y(), p.z()) - q).norm() < 2e-6;
    };
    EXPECT_TRUE(std::any_of(mesh.vertices.begin(), mesh.vertices.end(), mirror));
  }
}

}  // namespace
}  // namespace slip::test
