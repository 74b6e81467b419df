// Cleaning of meshes: what is repaired and what is refused.
#include <algorithm>
#include <array>

#include "engine/geometry/sort_by_vertex.h"
#include "tests/support/geometry.h"

namespace slip::test {
namespace {

Result<Imported<TriangleMesh>> Solid(const Soup& soup) {
  return CleanMesh(soup.vertices, soup.triangles, MeshUse::kSolid);
}

TEST(Mesh, ACleanBoxNeedsNoRepair) {
  const auto box = Solid(BoxSoup({1, 2, 3}));
  ASSERT_TRUE(box.ok());
  EXPECT_TRUE(box->notes.empty());
  EXPECT_NEAR(CalcVolume(box->mesh), 6, 1e-12);
  EXPECT_TRUE(IsConvex(box->mesh));
  for (const auto& sides : box->mesh.neighbors)
    for (int other : sides) EXPECT_GE(other, 0);
}

TEST(Mesh, MergesDuplicateVertices) {
  const Soup box = BoxSoup({1, 1, 1});
  Soup soup;
  for (const auto& t : box.triangles) {
    const int n = static_cast<int>(soup.vertices.size());
    for (int v : t) soup.vertices.push_back(box.vertices[v] + Vec3::Constant(1e-12 * n));
    soup.triangles.push_back({n, n + 1, n + 2});
  }
  const auto mesh = Solid(soup);
  ASSERT_TRUE(mesh.ok()) << mesh.error().Text();
  EXPECT_TRUE(HasNote(mesh->notes, "28 duplicate vertices merged"));
  EXPECT_EQ(mesh->mesh.vertices.size(), 8u);
}

TEST(Mesh, SortsByVertexAsBySorting) {
  Random random(3);
  // one vertex has most of them, some have none
  std::vector<std::array<int, 2>> items;
  for (int i = 0; i < 4000; ++i)
    items.push_back({i % 3 == 0 ? static_cast<int>(random.Uniform(0, 2000)) : 17,
                     static_cast<int>(random.Uniform(0, 500))});
  std::vector<std::array<int, 2>> sorted = items;
  std::sort(sorted.begin(), sorted.end());
  SortByVertex(
      &items, [](const auto& item) { return item[0]; }, std::less<>());
  EXPECT_EQ(items, sorted);
}

TEST(Mesh, TurnsInsideOutMeshes) {
  Soup soup = BoxSoup({1, 1, 1});
  for (auto& t : soup.triangles) std::swap(t[0], t[1]);
  const auto mesh = Solid(soup);
  ASSERT_TRUE(mesh.ok());
  EXPECT_TRUE(HasNote(mesh->notes, "inside out"));
  EXPECT_NEAR(CalcVolume(mesh->mesh), 1, 1e-12);
  EXPECT_TRUE(IsConvex(mesh->mesh));
}

TEST(Mesh, RepairsMixedWinding) {
  Random random(1);
  for (int round = 0; round < 50; ++round) {
    Soup soup = BallSoup(1, 8);
    for (auto& t : soup.triangles)
      if (random.Uniform(0, 1) < 0.5) std::swap(t[1], t[2]);
    const auto mesh = Solid(soup);
    ASSERT_TRUE(mesh.ok());
    EXPECT_TRUE(HasNote(mesh->notes, "agree"));
    EXPECT_TRUE(IsConvex(mesh->mesh));
    EXPECT_NEAR(CalcVolume(mesh->mesh), CalcVolume(Clean(BallSoup(1, 8))), 1e-12);
  }
}

TEST(Mesh, NeighborsSurviveFlips) {
  Soup soup = BallSoup(1, 8);
  for (std::size_t i = 0; i < soup.triangles.size(); i += 3)
    std::swap(soup.triangles[i][1], soup.triangles[i][2]);
  const TriangleMesh mesh = Clean(soup);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (int i = 0; i < 3; ++i) {
      const auto& other = mesh.triangles[mesh.neighbors[t][i]];
      const int a = mesh.triangles[t][i], b = mesh.triangles[t][(i + 1) % 3];
      bool opposite = false;
      for (int j = 0; j < 3; ++j) opposite |= other[j] == b && other[(j + 1) % 3] == a;
      EXPECT_TRUE(opposite);
    }
}

TEST(Mesh, DropsDegenerateAndRepeatedTriangles) {
  Soup soup = BoxSoup({1, 1, 1});
  soup.triangles.push_back({0, 0, 1});
  soup.triangles.push_back(soup.triangles[3]);
  const auto mesh = Solid(soup);
  ASSERT_TRUE(mesh.ok()) << mesh.error().Text();
  EXPECT_TRUE(HasNote(mesh->notes, "1 degenerate triangle dropped"));
  EXPECT_TRUE(HasNote(mesh->notes, "1 repeated triangle dropped"));
  EXPECT_EQ(mesh->mesh.triangles.size(), 12u);
}

TEST(Mesh, KeepsSliversThatCloseTheSurface) {
  // an edge of the box split on one side only, the gap filled by a triangle without area
  Soup soup = BoxSoup({1, 1, 1});
  soup.vertices.emplace_back(0, -0.5, -0.5);
  soup.triangles[4] = {0, 8, 5};
  soup.triangles.push_back({8, 1, 5});
  soup.triangles.push_back({0, 1, 8});
  const auto mesh = Solid(soup);
  ASSERT_TRUE(mesh.ok()) << mesh.error().Text();
  EXPECT_TRUE(HasNote(mesh->notes, "1 triangle without area kept"));
  EXPECT_NEAR(CalcVolume(mesh->mesh), 1, 1e-12);
}

TEST(Mesh, RefusesOpenAndFlatSolids) {
  Soup open = BoxSoup({1, 1, 1});
  open.triangles.pop_back();
  const auto holed = Solid(open);
  ASSERT_FALSE(holed.ok());
  EXPECT_NE(holed.error().message.find("3 edges"), std::string::npos) << holed.error().Text();
  EXPECT_TRUE(CleanMesh(open.vertices, open.triangles, MeshUse::kSurface).ok());

  Soup flat = BoxSoup({1, 1, 0});
  const auto none = Solid(flat);
  ASSERT_FALSE(none.ok());

  Soup sheet = BoxSoup({1, 1, 1});
  sheet.triangles.push_back({0, 1, 6});
  EXPECT_FALSE(Solid(sheet).ok());
}

TEST(Mesh, RefusesBadIndicesAndNumbers) {
  Soup soup = BoxSoup({1, 1, 1});
  soup.triangles[0][0] = 8;
  EXPECT_FALSE(Solid(soup).ok());
  soup.triangles[0][0] = -1;
  EXPECT_FALSE(Solid(soup).ok());
  soup = BoxSoup({1, 1, 1});
  soup.vertices[3].x() = NAN;
  EXPECT_FALSE(Solid(soup).ok());
  EXPECT_FALSE(Solid({}).ok());
}

TEST(Mesh, AMoebiusStripHasOneSide) {
  Soup soup;
  const int n = 12;
  for (int i = 0; i < n; ++i) {
    const double a = 2 * kPi * i / n;
    for (const double s : {-0.2, 0.2})
      soup.vertices.emplace_back((1 + s * std::cos(a / 2)) * std::cos(a),
                                 (1 + s * std::cos(a / 2)) * std::sin(a), s * std::sin(a / 2));
  }
  for (int i = 0; i < n; ++i) {
    const bool last = i == n - 1;
    const int a = 2 * i, b = a + 1, c = last ? 1 : a + 2, d = last ? 0 : a + 3;
    soup.triangles.push_back({a, c, b});
    soup.triangles.push_back({b, c, d});
  }
  const auto strip = CleanMesh(soup.vertices, soup.triangles, MeshUse::kSurface);
  ASSERT_TRUE(strip.ok());
  EXPECT_TRUE(HasNote(strip->notes, "one side"));
}

TEST(Mesh, ConvexityIsTold) {
  EXPECT_TRUE(IsConvex(Clean(BallSoup(1, 16))));
  EXPECT_FALSE(IsConvex(Clean(FloorSoup(1, 4))));
  Soup dent = BallSoup(1, 16);
  dent.vertices.back() *= 0.8;
  EXPECT_FALSE(IsConvex(Clean(dent)));
  Soup two = BoxSoup({1, 1, 1});
  for (const auto& t : BoxSoup({1, 1, 1}).triangles)
    two.triangles.push_back({t[0] + 8, t[1] + 8, t[2] + 8});
  for (const Vec3& p : BoxSoup({1, 1, 1}).vertices) two.vertices.emplace_back(p + Vec3(3, 0, 0));
  EXPECT_FALSE(IsConvex(Clean(two)));
}

TEST(Mesh, TheTreeHoldsEveryTriangleOnce) {
  const TriangleMesh mesh = Clean(BallSoup(1, 20));
  std::vector<int> seen(mesh.triangles.size(), 0);
  for (const MeshNode& node : mesh.tree)
    for (int i = node.first; i < node.first + node.count; ++i) {
      ++seen[mesh.tree_order[i]];
      for (int v : mesh.triangles[mesh.tree_order[i]]) {
        EXPECT_TRUE((mesh.vertices[v].array() >= node.lower.array()).all());
        EXPECT_TRUE((mesh.vertices[v].array() <= node.upper.array()).all());
      }
    }
  for (int count : seen) EXPECT_EQ(count, 1);
}

}  // namespace
}  // namespace slip::test
