// Camera: projection and ray are inverses; gestures keep what they promise.
#include "render/scene/camera.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "render/quantities/contact_glyphs.h"
#include "tests/render/fake_scene.h"
#include "tests/support/methods.h"

namespace slip::render {
namespace {

const Viewport kView{920, 524};

TEST(CameraTest, ProjectionAndRayRoundTrip) {
  for (bool orthographic : {false, true}) {
    Camera camera(ConveyorCamera());
    camera.set_orthographic(orthographic);
    camera.SetGravity(Vec3(2, 0, -9));
    for (const Vec3& p : {Vec3(0, 0, 0), Vec3(0.4, -0.2, 0.3), Vec3(-0.5, 0.3, 0.1)}) {
      const auto pixel = camera.Project(p, kView);
      ASSERT_TRUE(pixel.has_value());
      const Ray ray = camera.PixelRay(pixel->head<2>(), kView);
      const double off = (p - ray.origin).cross(ray.direction).norm();
      EXPECT_LT(off, 1e-9);
    }
  }
}

TEST(CameraTest, MatricesAgreeWithProject) {
  Camera camera(ConveyorCamera());
  const Vec3 p(0.3, 0.1, 0.2);
  const Vec3 r = p - camera.spec().target;
  const Eigen::Vector4d clip =
      camera.Projection(kView) * camera.View() * Eigen::Vector4d(r.x(), r.y(), r.z(), 1);
  const auto pixel = camera.Project(p, kView);
  ASSERT_TRUE(pixel.has_value());
  EXPECT_NEAR(pixel->x(), (0.5 + 0.5 * clip.x() / clip.w()) * kView.width, 1e-9);
  EXPECT_NEAR(pixel->y(), (0.5 - 0.5 * clip.y() / clip.w()) * kView.height, 1e-9);
}

TEST(CameraTest, DollyKeepsThePointUnderTheCursor) {
  Camera camera(ConveyorCamera());
  const Vec2 pixel(700, 100);
  const Ray before = camera.PixelRay(pixel, kView);
  const double t = camera.spec().distance / camera.forward_W().dot(before.direction);
  const Vec3 p = before.At(t);
  camera.Dolly(0.5, pixel, kView);
  const auto after = camera.Project(p, kView);
  ASSERT_TRUE(after.has_value());
  EXPECT_NEAR(after->x(), pixel.x(), 1e-6);
  EXPECT_NEAR(after->y(), pixel.y(), 1e-6);
}

TEST(CameraTest, PanMovesTheTargetPointWithTheMouse) {
  Camera camera(ConveyorCamera());
  const Vec3 p = camera.spec().target;
  camera.Pan(40, -25, kView);
  const auto after = camera.Project(p, kView);
  ASSERT_TRUE(after.has_value());
  EXPECT_NEAR(after->x(), 460 + 40, 1e-6);
  EXPECT_NEAR(after->y(), 262 - 25, 1e-6);
}

TEST(CameraTest, GravityPointsDownOnTheScreen) {
  Camera camera(ConveyorCamera());
  const Vec3 gravity(9.81 * std::sin(0.3), 0, -9.81 * std::cos(0.3));
  camera.SetGravity(gravity);
  EXPECT_NEAR((camera.up_W() + gravity.normalized()).norm(), 0, 1e-12);
  camera.SetGravity(Vec3::Zero());
  EXPECT_NEAR((camera.up_W() + gravity.normalized()).norm(), 0, 1e-12);
}

TEST(CameraTest, FlightArrivesAfterAQuarterSecond) {
  Camera camera(ConveyorCamera());
  camera.Focus(Vec3(1, 2, 3), 0.7);
  EXPECT_TRUE(camera.Update(0.1));
  EXPECT_NE(camera.spec().target, Vec3(1, 2, 3));
  EXPECT_FALSE(camera.Update(0.2));
  EXPECT_EQ(camera.spec().target, Vec3(1, 2, 3));
  EXPECT_EQ(camera.spec().distance, 0.7);
}

TEST(CameraTest, SurvivesNonsense) {
  CameraSpec spec;
  spec.target.setConstant(std::numeric_limits<double>::quiet_NaN());
  spec.distance = -1;
  spec.azimuth = std::numeric_limits<double>::infinity();
  Camera camera(spec);
  EXPECT_TRUE(camera.eye_W().allFinite());
  EXPECT_FALSE(camera.Project(Vec3::Zero(), Viewport{0, 0}).has_value());
  camera.Dolly(0.5, Vec2(0, 0), Viewport{0, 0});
  EXPECT_TRUE(camera.eye_W().allFinite());
}

TEST(ArrowTest, LogarithmicLengths) {
  EXPECT_NEAR(ArrowLength(0.1, 1, ArrowScale::kLog, 0), 0.035, 1e-12);
  EXPECT_NEAR(ArrowLength(1, 1, ArrowScale::kLog, 0), 0.035 + 0.062, 1e-12);
  EXPECT_NEAR(ArrowLength(10, 2, ArrowScale::kLog, 0), 2 * (0.035 + 2 * 0.062), 1e-12);
  EXPECT_NEAR(ArrowLength(0.05, 1, ArrowScale::kLog, 0), 0.0175, 1e-12);
  EXPECT_EQ(ArrowLength(0, 1, ArrowScale::kLog, 0), 0);
  EXPECT_NEAR(ArrowLength(20, 3, ArrowScale::kFixed, 10), 0.2, 1e-12);
  EXPECT_NEAR(ArrowLength(20, 3, ArrowScale::kLinear, 10), 0.6, 1e-12);
  // from the weight: straight to 20 cm, then six more for every tenfold
  EXPECT_NEAR(ArrowLength(15, 2, ArrowScale::kAuto, 10), 0.3, 1e-12);
  EXPECT_NEAR(ArrowLength(20, 1, ArrowScale::kAuto, 10), 0.2, 1e-12);
  EXPECT_NEAR(ArrowLength(2000, 1, ArrowScale::kAuto, 10), 0.32, 1e-12);
}

TEST(ArrowTest, AutomaticScaleFollowsTheWeight) {
  Snapshot snapshot = MakeConveyorSnapshot();
  EXPECT_EQ(NewtonsPer10cm(snapshot, {}), 10);  // 1 kg
  EXPECT_EQ(NewtonsPer10cm(Snapshot{}, {}), 10);
}

TEST(StyleTest, SecondChannelOfAModelIsHollow) {
  constexpr MethodId kModels[] = {method_id::kSap, method_id::kSap};
  const ChannelStyle first = StyleOfChannel(kModels, 0, Theme::kDark);
  const ChannelStyle second = StyleOfChannel(kModels, 1, Theme::kDark);
  EXPECT_FALSE(first.hollow);
  EXPECT_TRUE(second.hollow);
  EXPECT_EQ(first.mark, second.mark);
  EXPECT_FALSE(first.colour == second.colour);
  EXPECT_EQ(StyleOf(method_id::kSap).dark.Packed(), 0xFFE69E3Eu);
}

}  // namespace
}  // namespace slip::render
