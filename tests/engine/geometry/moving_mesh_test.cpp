// Meshes that move have the same bits whether they are made, read out of the cache, or made by many
// threads at a time.
#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "engine/geometry/convex_hull.h"
#include "engine/geometry/mesh_source.h"
#include "tests/support/cache_home.h"
#include "tests/support/concave.h"
#include "tests/support/mesh_files.h"
#include "tests/support/temp_folder.h"

namespace slip::test {
namespace {

void ExpectSame(const ConvexMesh& a, const ConvexMesh& b) {
  EXPECT_EQ(a.vertices, b.vertices);
  EXPECT_EQ(a.face_corners, b.face_corners);
  EXPECT_EQ(a.vertex_neighbors.first, b.vertex_neighbors.first);
  EXPECT_EQ(a.vertex_neighbors.items, b.vertex_neighbors.items);
  EXPECT_EQ(a.vertex_faces.first, b.vertex_faces.first);
  EXPECT_EQ(a.vertex_faces.items, b.vertex_faces.items);
  EXPECT_EQ(a.radius, b.radius);
  ASSERT_EQ(a.faces.size(), b.faces.size());
  for (std::size_t i = 0; i < a.faces.size(); ++i) {
    EXPECT_EQ(a.faces[i].normal, b.faces[i].normal);
    EXPECT_EQ(a.faces[i].offset, b.faces[i].offset);
    EXPECT_EQ(a.faces[i].first, b.faces[i].first);
    EXPECT_EQ(a.faces[i].count, b.faces[i].count);
  }
}

std::vector<ConvexMesh> Make(const Soup& soup) {
  MeshSource source;
  source.vertices = soup.vertices;
  source.triangles = soup.triangles;
  auto made = MakeMovingMesh(std::move(source), "it.obj", MeshCollision::kParts);
  EXPECT_TRUE(made.ok());
  return made.ok() ? std::move(made.value().mesh.parts) : std::vector<ConvexMesh>();
}

TEST(MovingMesh, HasTheSameBitsOutOfTheCacheAndByManyThreads) {
  for (const Soup& soup : {BallSoup(0.1, 32), RingSoup(24, 0.1, 0.06, 0.03)}) {
    const TempFolder home;
    const CacheHome cache(home.path());
    const std::vector<ConvexMesh> fresh = Make(soup);
    std::size_t entries = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(home.path()))
      entries += entry.path().extension() == ".mesh" ? 1 : 0;
    EXPECT_EQ(entries, 1u) << "hulls of many points are kept, too";
    const std::vector<ConvexMesh> kept = Make(soup);
    ASSERT_EQ(fresh.size(), kept.size());
    for (std::size_t i = 0; i < fresh.size(); ++i) ExpectSame(fresh[i], kept[i]);
    std::filesystem::remove_all(home.path("slipscope"));
    std::vector<std::vector<ConvexMesh>> many(4);
    std::vector<std::thread> threads;
    for (auto& made : many) threads.emplace_back([&] { made = Make(soup); });
    for (std::thread& thread : threads) thread.join();
    for (const auto& made : many) {
      ASSERT_EQ(made.size(), fresh.size());
      for (std::size_t i = 0; i < fresh.size(); ++i) ExpectSame(made[i], fresh[i]);
    }
  }
}

TEST(MovingMesh, APolyhedronOfFacesIsConvexOrNone) {
  const std::vector<std::vector<int>> faces = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                               {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i) corners.emplace_back(i & 1, i >> 1 & 1, i >> 2);
  EXPECT_TRUE(MakePolyhedron(corners, faces));
  std::vector<Vec3> dented = corners;
  dented[7] = {0.4, 0.4, 0.4};
  EXPECT_FALSE(MakePolyhedron(dented, faces));
  EXPECT_FALSE(MakePolyhedron(corners, {faces.begin(), faces.end() - 1}));
  EXPECT_FALSE(MakePolyhedron(corners, {}));
}

}  // namespace
}  // namespace slip::test
