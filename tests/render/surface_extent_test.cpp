// A belt or a wall goes on under the bodies that have come past its end: none stands on air.
#include "render/scene/surface_extent.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "render/quantities/shadows.h"
#include "tests/render/fake_scene.h"

namespace slip::render {
namespace {

class SurfaceExtentTest : public testing::Test {
 protected:
  DrawContext Context() const {
    return {snapshot_, request_, camera_, {1280, 720}, ColoursOf(request_.theme)};
  }
  DrawList Build() const {
    DrawList list;
    BuildScene(Context(), &list);
    return list;
  }
  /// First and last point of a box along world x, on what is drawn [m].
  Vec2 EndsOf(const SolidInstance& solid) const {
    const double x = static_cast<double>(solid.rows[0][3]) + camera_.spec().target.x();
    const double half = static_cast<double>(solid.half[0]);
    return {x - half, x + half};
  }
  Vec2 Belt() const { return EndsOf(Build().belts.at(0)); }
  Vec3& Box(int channel) {
    return snapshot_.channels[static_cast<std::size_t>(channel)].bodies[0].X_WB.p;
  }
  double Bound() const { return snapshot_.model->bodies[0].bound; }

  Snapshot snapshot_ = MakeConveyorSnapshot();
  ViewRequest request_;
  Camera camera_{CameraSpec{}};
};

TEST_F(SurfaceExtentTest, ABeltIsAsLongAsTheSceneSaysWhileAllIsOnIt) {
  EXPECT_NEAR(Belt()[0], -2, 1e-6);
  EXPECT_NEAR(Belt()[1], 2, 1e-6);
  Box(1).x() = 2 - Bound() - 0.01;
  EXPECT_NEAR(Belt()[1], 2, 1e-6);
}

TEST_F(SurfaceExtentTest, ItGoesOnUnderABoxOfAnyModelByWholeParts) {
  const double part = LegsOf(snapshot_.model->surfaces[0]).distance;
  for (const double x : {2.0, 3.1, 7.3, 61.0}) {
    Box(1).x() = x;
    Box(2).x() = -0.5 * x;
    const Vec2 ends = Belt();
    EXPECT_GE(ends[1], x + Bound()) << x;
    EXPECT_LT(ends[1], x + Bound() + part) << x;
    EXPECT_LE(ends[0], -0.5 * x - Bound() + 1e-5) << x;
    EXPECT_NEAR(std::remainder(ends[1] - 2, part), 0, 1e-4) << x;
  }
  request_.visible[1] = request_.visible[2] = false;
  EXPECT_NEAR(Belt()[1], 2, 1e-6) << "nothing that is drawn stands there";
}

TEST_F(SurfaceExtentTest, WhatFliesOrLiesBelowNeedsNoBelt) {
  Box(0) = Vec3(5, 0, 1);
  EXPECT_NEAR(Belt()[1], 2, 1e-6);
  Box(0) = Vec3(5, 0, -1);
  EXPECT_NEAR(Belt()[1], 2, 1e-6);
  Box(0) = Vec3(5, 0, 0.13);
  EXPECT_GT(Belt()[1], 5);
  Box(0) = Vec3(1e30, 0, 0.1);
  EXPECT_TRUE(std::isfinite(Belt()[1]));
}

TEST_F(SurfaceExtentTest, SlatsStayWhereTheDriveHasCarriedThem) {
  const auto slat_at = [&] {  // place of one slat on the world's x axis, within a pitch
    const SolidInstance belt = Build().belts.at(0);
    const Vec2 ends = EndsOf(belt);
    return 0.5 * (ends[0] + ends[1]) + static_cast<double>(belt.params[3]);
  };
  const double pitch = static_cast<double>(Build().belts.at(0).params[2]);
  const double before = slat_at();
  Box(0).x() = 4.4;
  EXPECT_NEAR(std::remainder(slat_at() - before, pitch), 0, 1e-5);
}

TEST_F(SurfaceExtentTest, LegsStayAndFollowToWhereTheEyeIs) {
  const auto legs = [&] {
    std::vector<double> places;
    for (const SolidInstance& solid : Build().solids.Of(Mesh::kBox)) {
      const Vec2 ends = EndsOf(solid);
      if (std::abs(ends[1] - ends[0] - 0.06) < 1e-3) places.push_back(0.5 * (ends[0] + ends[1]));
    }
    return places;
  };
  const std::vector<double> before = legs();
  ASSERT_EQ(before.size(), 8u);
  Box(0).x() = 3.5;
  std::vector<double> after = legs();
  EXPECT_EQ(after.size(), 12u);
  for (const double x : before) {
    EXPECT_TRUE(std::any_of(after.begin(), after.end(), [x](double other) {
      return std::abs(other - x) < 1e-4;
    })) << x;
  }
  Box(0).x() = 300;
  CameraSpec spec;
  spec.target = Vec3(300, 0, 0);
  camera_ = Camera(spec);
  after = legs();
  EXPECT_LT(after.size(), 100u);
  EXPECT_TRUE(
      std::any_of(after.begin(), after.end(), [](double x) { return std::abs(x - 300) < 1.3; }));
}

TEST_F(SurfaceExtentTest, TheShadowFallsOnItThere) {
  Box(0).x() = 7.3;
  const std::vector<ShadowPlane> planes = ShadowPlanes(Context());
  ASSERT_FALSE(planes.empty());
  EXPECT_GE(planes[0].point.x() + planes[0].half.x(), 7.3 + Bound());
  EXPECT_NEAR(planes[0].point.x() - planes[0].half.x(), -2, 1e-9);
}

TEST_F(SurfaceExtentTest, AWallGoesOnBehindABallThatIsAtIt) {
  auto model = std::make_shared<Model>(*snapshot_.model);
  Surface& wall = model->surfaces[0];
  wall.drive = -1;
  wall.normal = Vec3::UnitX();
  wall.belt_axis = Vec3::UnitY();
  wall.point = Vec3(0, 0, 0.5);
  wall.display_size = Vec2(2, 1);
  wall.display_given = true;
  snapshot_.model = model;
  const auto top = [&] {
    double highest = 0;
    for (const SolidInstance& bar : Build().solids.Of(Mesh::kBlock))
      highest = std::max(highest, static_cast<double>(bar.rows[2][3]) + camera_.spec().target.z());
    return highest;
  };
  for (int c = 0; c < 3; ++c) Box(c) = Vec3(0.1, 0, 0.1);
  EXPECT_NEAR(top(), 1, 0.01);
  Box(1).z() = 1.6;
  EXPECT_GT(top(), 1.6);
  Box(1).x() = 0.5;
  EXPECT_NEAR(top(), 1, 0.01) << "far from the wall";
}

}  // namespace
}  // namespace slip::render
