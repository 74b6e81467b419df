// What takes long to read asks whether anybody still waits for it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "engine/collide/cloud_query.h"
#include "engine/core/thread_stop.h"
#include "engine/geometry/convex_hull.h"
#include "engine/geometry/mesh_source.h"
#include "engine/geometry/mesh_text.h"
#include "engine/geometry/obj_faces.h"
#include "engine/geometry/sort_or_stop.h"
#include "tests/support/temp_folder.h"

namespace slip {
namespace {

/// Points on a ball: all of them are corners of the hull.
std::vector<Vec3> OnABall(int count) {
  std::mt19937 random(7);
  std::normal_distribution<double> any;
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i)
    points.push_back(Vec3(any(random), any(random), any(random)).normalized());
  return points;
}

TEST(ReadingStop, AHullIsGivenUp) {
  const std::vector<Vec3> points = OnABall(2000);
  int asked = 0;
  {
    const ThreadStop stop([&] { return ++asked > 3; });
    EXPECT_FALSE(CalcConvexHull(points).ok());
    EXPECT_EQ(asked, 4) << "it ends when it is told to";
  }
  // and is whole for those who wait
  asked = 0;
  const ThreadStop stop([&] { return ++asked < 0; });
  const auto hull = CalcConvexHull(points);
  ASSERT_TRUE(hull.ok());
  EXPECT_EQ(hull->vertices.size(), points.size());
  EXPECT_GT(asked, 100);
}

TEST(ReadingStop, ThePollIsThatOfTheInnermost) {
  EXPECT_FALSE(ThreadStop::Asked());
  const ThreadStop outer([] { return true; });
  EXPECT_TRUE(ThreadStop::Asked());
  {
    const ThreadStop inner([] { return false; });
    EXPECT_FALSE(ThreadStop::Asked());
  }
  EXPECT_TRUE(ThreadStop::Asked());
}

TEST(ReadingStop, TheTreeOfACloudIsGivenUp) {
  const std::vector<Vec3> points = OnABall(60000);
  int asked = 0;
  const StopPoll stop = [&] { return ++asked > 2; };
  EXPECT_FALSE(CloudTree(points, &stop).whole());
  EXPECT_EQ(asked, 3);
  asked = -1000000;
  const CloudTree whole(points, &stop);
  EXPECT_TRUE(whole.whole());
  EXPECT_EQ(whole.nodes().size(), CloudTree(points).nodes().size());
}

/// A sheet of so many squares a side, two triangles each: small ones first, then vertices and faces
/// by turns, the latter counting back.
std::string Sheet(int side) {
  std::string text = "f 1 2 3\r\nf 2/7/1 1//4 4 # back\r\n";
  for (int i = 0; i < side * side; ++i) {
    const double x = i % side, y = i / side;
    for (const auto& [dx, dy] : {std::pair{0., 0.}, {1., 0.}, {0., 1.}, {1., 1.}})
      text += "v " + std::to_string(x + dx) + " " + std::to_string(y + dy) + " 0\r\nvn 0 0 1\n";
    text += "usemtl m\ng part\nf -4/1/2 -3/9 -1//2 -2 # four corners\n\n";
  }
  return text;
}

TEST(ReadingStop, TheFacesOfATextAreThoseOfItsLines) {
  // many groups of the stream behind
  constexpr int kSide = 120;
  std::string problem;
  const auto triangles = ParseObjFaces(Sheet(kSide), 4 * kSide * kSide, &problem);
  EXPECT_EQ(problem, "");
  ASSERT_EQ(triangles.size(), 2u + 2 * kSide * kSide);
  EXPECT_EQ(triangles[0], (std::array{0, 1, 2}));
  EXPECT_EQ(triangles[1], (std::array{1, 0, 3}));
  for (int i = 0; i < kSide * kSide; ++i) {
    // both diagonals are as long; the second one is taken
    const int v = 4 * i;
    const std::size_t t = 2 + 2 * static_cast<std::size_t>(i);
    ASSERT_EQ(triangles[t], (std::array{v, v + 1, v + 2})) << i;
    ASSERT_EQ(triangles[t + 1], (std::array{v + 1, v + 3, v + 2})) << i;
  }
}

TEST(ReadingStop, TheTextOfAMeshIsGivenUp) {
  const std::string text = Sheet(120);
  int asked = 0, last = -1;
  const auto read = [&] {
    const ThreadStop stop([&] { return ++asked > last; });
    return ReadTriangleMeshText(text, "a.obj", MeshUse::kSurface, 1).ok();
  };
  // how often it is asked by those who wait
  last = 1000000;
  ASSERT_TRUE(read());
  const int often = asked;
  EXPECT_GT(often, 100);
  std::string problem;
  {
    const ThreadStop stop([&] { return ++asked > 1000000; });
    asked = 0;
    EXPECT_FALSE(ParseObjFaces(text, 4 * 120 * 120, &problem).empty());
    EXPECT_GT(asked, 50) << "most of all while the library reads";
  }
  for (last = 0; last < often; last += 1 + often / 12) {
    asked = 0;
    EXPECT_FALSE(read()) << last;
    EXPECT_LT(asked, last + 10) << "as soon as it is asked";
  }
}

TEST(ReadingStop, FilesAreNotReadForNobody) {
  const TempFolder folder;
  const std::string path = folder.path("a.stl");
  WriteText(path, "no mesh");
  MeshStore store;
  const ThreadStop stop([] { return true; });
  store.Prefetch({path, folder.path("b.stl")});
  const auto read = store.Read(path);
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().message, "it was stopped");
}

TEST(ReadingStop, PointsAreGivenUpToo) {
  std::string text;
  for (int i = 0; i < 100000; ++i)
    text += std::to_string(i % 977) + " " + std::to_string(i) + " 0\n";
  for (const char* name : {"a.xyz", "a.ply"}) {
    std::string all = text;
    if (name == std::string("a.ply"))
      all =
          "ply\nformat ascii 1.0\nelement vertex 100000\nproperty float x\nproperty float y\n"
          "property float z\nend_header\n" +
          text;
    int asked = 0;
    const ThreadStop stop([&] { return ++asked > 3; });
    EXPECT_FALSE(ReadPointCloudText(all, name, 0.1, 1).ok()) << name;
    EXPECT_LT(asked, 10) << name;
  }
}

TEST(ReadingStop, SortingIsAsEver) {
  std::mt19937 random(11);
  for (const int kinds : {1, 2, 1000, 1 << 30}) {
    for (const int order : {0, 1, 2}) {
      std::vector<int> items(300000);
      for (int& item : items) item = static_cast<int>(random() % static_cast<unsigned>(kinds));
      if (order > 0) std::sort(items.begin(), items.end());
      if (order > 1) std::reverse(items.begin(), items.end());
      std::vector<int> expected = items;
      std::sort(expected.begin(), expected.end());
      SortOrStop(items.begin(), items.end(), std::less<>());
      EXPECT_EQ(items, expected) << kinds << " kinds, order " << order;
    }
  }
}

}  // namespace
}  // namespace slip
