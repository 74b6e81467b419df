// Surfaces with fewer triangles stay closed, and thin plates are still seen.
#include "engine/geometry/cluster_mesh.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/core/numbers.h"
#include "engine/geometry/mesh_pieces.h"
#include "tests/support/concave.h"
#include "tests/support/mesh_files.h"

namespace slip::test {
namespace {

Soup Clustered(const Soup& soup, std::size_t most) {
  ClusteredMesh light = ClusterMesh(soup.vertices, soup.triangles, most);
  EXPECT_EQ(light.origin.size(), light.triangles.size());
  EXPECT_TRUE(std::is_sorted(light.origin.begin(), light.origin.end()));
  Soup out;
  out.vertices = std::move(light.vertices);
  out.triangles = std::move(light.triangles);
  return out;
}

double AreaOf(const Soup& soup) {
  double area = 0;
  for (const auto& t : soup.triangles) {
    const Vec3& a = At(soup.vertices, t[0]);
    area += (At(soup.vertices, t[1]) - a).cross(At(soup.vertices, t[2]) - a).norm() / 2;
  }
  return area;
}

/// A ball with waves, of n meridians and n parallels.
Soup WavySoup(int n) {
  Soup soup = BallSoup(0.1, n);
  for (Vec3& p : soup.vertices)
    p *= 1 + 0.2 * std::sin(60 * p.x()) * std::sin(50 * p.y() + 1) * std::sin(70 * p.z() + 2);
  return soup;
}

TEST(ClusterMesh, AClosedSurfaceStaysClosed) {
  for (const Soup& soup : {WavySoup(160), BowlSoup(200, 100, 0.1, 0.02)})
    for (const std::size_t most : {1500u, 8000u}) {
      const TriangleMesh mesh = Clean(Clustered(soup, most));
      std::size_t open = 0;
      for (const MeshPiece& piece : FindPieces(mesh, 100).list) open += piece.open_edges;
      EXPECT_LE(open, mesh.triangles.size() / 500) << most;
    }
}

TEST(ClusterMesh, APlateThinnerThanACellIsStillSeen) {
  std::vector<double> along;
  for (int i = 0; i <= 60; ++i) along.push_back(0.005 * i);
  const Soup plate = GridSoup({{along, along, {0, 1e-5}}}, [](int, int, int) { return true; });
  const Soup light = Clustered(plate, 2000);
  EXPECT_LE(light.triangles.size(), 2000u);
  EXPECT_GT(AreaOf(light), 0.9 * 0.3 * 0.3);
}

}  // namespace
}  // namespace slip::test
