// Shadows without a map: dark under what floats, farther away the higher it is, on the surface
// that lies below, of ghosts too.
#include "render/quantities/shadows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "render/frame/scene_view.h"
#include "render/gl/offscreen.h"
#include "render/video/frame_writer.h"
#include "tests/render/fake_pile.h"
#include "tests/render/fake_scene.h"

namespace slip::render {
namespace {

/// A box of 20 cm, its middle at `p`, over a plane through the origin.
Snapshot BoxOver(const Vec3& p, const Vec3& normal = Vec3::UnitZ(), bool slope = false) {
  auto model = std::make_shared<Model>();
  Body box;
  box.shape.kind = ShapeKind::kBox;
  box.shape.size = Vec3::Constant(0.2);
  model->bodies.push_back(box);
  Surface ground;
  ground.normal = normal;
  ground.belt_axis = Vec3(normal.z(), 0, -normal.x());
  ground.display_given = slope;
  ground.display_size = Vec2(2, 1);
  model->surfaces.push_back(ground);
  model->Finish();
  Snapshot snapshot;
  ChannelFrame frame;
  frame.bodies.resize(1);
  frame.bodies[0].X_WB.p = p;
  snapshot.channels.push_back(frame);
  snapshot.model = model;
  return snapshot;
}

class ShadowTest : public ::testing::Test {
 protected:
  ShadowTest() {
    CameraSpec spec;
    spec.target = Vec3(0.1, 0.1, 0.1);
    spec.distance = 3;
    spec.azimuth = -1.2;
    spec.elevation = 0.7;
    camera_.Set(spec);
    request_.quality = Quality::kLow;
    request_.msaa = 0;
    request_.outlines = request_.support = false;
  }

  DrawList Build() const {
    DrawList list;
    AppendShadows({snapshot_, request_, camera_, {320, 240}, ColoursOf(request_.theme)}, &list);
    return list;
  }

  /// Where the key light takes p to the plane z = 0.
  Vec3 Thrown(const Vec3& p) const {
    const Vec3 light = ToKeyLight(camera_);
    return p - p.z() / light.z() * light;
  }

  /// Brightness of the picture at points of the world.
  std::vector<double> Brightness(const std::vector<Vec3>& points) {
    auto context = OffscreenContext::Create();
    if (!context) return {};
    auto view = SceneView::Create();
    EXPECT_TRUE(view.ok());
    const ViewPicture& picture = (*view)->Draw(snapshot_, camera_, request_, 320, 240);
    const Image image = ReadPixels(picture.framebuffer, picture.width, picture.height);
    std::vector<double> out;
    for (const Vec3& p : points) {
      const auto pixel = camera_.Project(p, {320, 240});
      const int x = static_cast<int>(pixel->x()), y = static_cast<int>(pixel->y());
      double sum = 0;  // 3 by 3: lines of the grid are thin
      for (int i = -1; i <= 1; ++i) {
        for (int j = -1; j <= 1; ++j) {
          const auto at = static_cast<std::size_t>(4 * ((y + j) * image.width + x + i));
          sum += image.pixels[at] + image.pixels[at + 1] + image.pixels[at + 2];
          EXPECT_EQ(image.pixels[at + 3], 255);  // the picture stays opaque
        }
      }
      out.push_back(sum / 27);
    }
    return out;
  }

  Snapshot snapshot_ = BoxOver(Vec3(0, 0, 0.5));
  ViewRequest request_;
  Camera camera_;
};

TEST_F(ShadowTest, AFloatingBoxDarkensTheGroundWhereTheLightTakesIt) {
  const Vec3 shadow = Thrown(Vec3(0, 0, 0.5)), beside(0.8, -0.3, 0), resting(0.06, 0.08, 0);
  const auto high = Brightness({shadow, beside, Vec3(0.35, 0.45, 0)});
  if (high.empty()) GTEST_SKIP() << "no OpenGL";
  EXPECT_LT(high[0], high[1] - 8);
  // lower, the shadow has come nearer: where it was there is light
  snapshot_ = BoxOver(Vec3(0, 0, 0.15));
  const auto low =
      Brightness({Vec3(shadow + Vec3(0.07, 0.09, 0)), beside, Thrown(Vec3(0, 0, 0.15))});
  EXPECT_GT(low[0], high[0] + 6);
  EXPECT_NEAR(low[1], high[1], 1);
}

/// Middle of the darkest polygon, the cast one, minus that of the footprint.
double Apart(const ShadowLayer& layer) {
  Vec2 first(layer.wedges.front().middle[0], layer.wedges.front().middle[1]);
  Vec2 last(layer.wedges.back().middle[0], layer.wedges.back().middle[1]);
  return (last - first).norm();
}

TEST_F(ShadowTest, TheHigherTheFartherFainterAndSofter) {
  double apart = 0, dark = 1, width = 0;
  for (const double height : {0.1, 0.12, 0.2, 0.4}) {
    snapshot_ = BoxOver(Vec3(0, 0, height));
    const DrawList list = Build();
    ASSERT_EQ(list.shadows.size(), 1u);
    const ShadowLayer& layer = list.shadows[0].layers.at(0);
    const ShadowWedge& blob = layer.wedges.front();
    const double soft = std::hypot(static_cast<double>(blob.outer[0] - blob.inner[0]),
                                   static_cast<double>(blob.outer[1] - blob.inner[1]));
    EXPECT_GT(Apart(layer), apart);
    EXPECT_LT(static_cast<double>(blob.dark), dark);
    EXPECT_GT(soft, width);
    apart = Apart(layer);
    dark = static_cast<double>(blob.dark);
    width = soft;
  }
}

TEST_F(ShadowTest, GhostsThrowALighterOneOfTheirOwn) {
  snapshot_.channels.push_back(snapshot_.channels[0]);
  request_.fan_out = 0.6;
  const DrawList list = Build();
  ASSERT_EQ(list.shadows.size(), 2u);
  // the lead last: it is the darker where they meet
  EXPECT_LT(list.shadows[0].colour.a, list.shadows[1].colour.a);
  const Vec3 ghost = Thrown(Vec3(0, 0.6, 0.5));
  const auto seen = Brightness({ghost, Vec3(0.8, -0.3, 0), Thrown(Vec3(0, 0, 0.5))});
  if (seen.empty()) GTEST_SKIP() << "no OpenGL";
  EXPECT_LT(seen[0], seen[1] - 4);
  EXPECT_LT(seen[2], seen[0]);
  // with a map the lead's comes from there, the ghost's does not
  request_.quality = Quality::kHigh;
  EXPECT_GT(Build().shadows[0].layers[0].wedges.size(), Build().shadows[1].layers[0].wedges.size());
}

TEST_F(ShadowTest, OnASlopeItLiesOnTheSlope) {
  const Vec3 n(std::sin(0.3), 0, std::cos(0.3));
  snapshot_ = BoxOver(0.12 * n, n, true);
  snapshot_.channels[0].bodies[0].X_WB.q = Quat(Eigen::AngleAxisd(0.3, Vec3::UnitY()));
  const DrawList list = Build();
  const ShadowLayer& layer = list.shadows.at(0).layers.at(0);
  ASSERT_FALSE(layer.wedges.empty());
  EXPECT_NEAR(static_cast<double>(layer.half[0]), 1, 1e-6);
  // its plane is the slope's: both directions are across the normal
  for (const auto* way : {layer.x, layer.y}) {
    const Vec3 v(way[0], way[1], way[2]);
    EXPECT_NEAR(v.dot(n), 0, 1e-6);
  }
  // the footprint's middle is the box's foot
  EXPECT_NEAR(static_cast<double>(layer.wedges.front().middle[0]), 0, 1e-6);
}

TEST_F(ShadowTest, WhatFliesPastABeltsEndFallsOnTheFloorToo) {
  snapshot_ = MakeConveyorSnapshot();
  // so high that it does not stand on the belt, which would go on under it
  for (ChannelFrame& frame : snapshot_.channels) {
    frame.bodies[0].X_WB.p.x() = 1.98;
    frame.bodies[0].X_WB.p.z() = 0.3;
  }
  const DrawList list = Build();
  for (const ShadowGroup& group : list.shadows) {
    ASSERT_EQ(group.layers.size(), 2u);
    EXPECT_FALSE(group.layers[0].wedges.empty());
    EXPECT_FALSE(group.layers[1].wedges.empty());
    EXPECT_NEAR(static_cast<double>(group.layers[0].half[0]), 2, 1e-6);
  }
}

TEST_F(ShadowTest, NothingIsThrownUpwards) {
  snapshot_ = BoxOver(Vec3(0, 0, -0.3));
  EXPECT_TRUE(Build().shadows.at(0).layers.at(0).wedges.empty());
  // nor on what is seen from below
  CameraSpec below = camera_.spec();
  below.elevation = -0.5;
  camera_.Set(below);
  EXPECT_TRUE(Build().shadows.empty());
}

TEST_F(ShadowTest, OfManyBodiesEachIsADisc) {
  snapshot_ = MakePileSnapshot(400);
  const DrawList list = Build();
  std::size_t discs = 0;
  for (const ShadowLayer& layer : list.shadows.at(0).layers) {
    EXPECT_TRUE(layer.wedges.empty());
    discs += layer.discs.size();
  }
  // of those that lie in each other only the darkest
  EXPECT_GE(discs, 60u);
  EXPECT_LE(discs, 400u);
}

}  // namespace
}  // namespace slip::render
