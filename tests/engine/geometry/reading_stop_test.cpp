// What takes long to read asks whether anybody still waits for it.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "engine/collide/cloud_query.h"
#include "engine/core/thread_stop.h"
#include "engine/geometry/convex_hull.h"

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

}  // namespace
}  // namespace slip
