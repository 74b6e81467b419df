// Point clouds in the picture: balls with the depth of balls, however near; how many and how large;
// the marks of chosen points.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "engine/geometry/mesh.h"
#include "engine/geometry/point_cloud.h"
#include "render/frame/scene_view.h"
#include "render/gl/gl.h"
#include "render/gl/offscreen.h"
#include "render/quantities/candidate_marks.h"
#include "render/quantities/picking.h"
#include "render/scene/cloud_points.h"
#include "render/scene/silhouettes.h"
#include "render/video/frame_writer.h"
#include "tests/support/methods.h"

namespace slip::render {
namespace {

std::shared_ptr<PointCloud> CloudOf(std::vector<Vec3> points, double radius) {
  auto cloud = std::make_shared<PointCloud>();
  cloud->points = std::move(points);
  cloud->radius = radius;
  return cloud;
}

Shape ShapeOf(std::shared_ptr<const PointCloud> cloud) {
  Shape shape{.kind = ShapeKind::kPointCloud, .cloud = cloud};
  shape.radius = cloud->radius;
  return shape;
}

/// Points on a sphere.
std::vector<Vec3> Globe(int count, double radius) {
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i) {
    const double z = 1 - 2 * (i + 0.5) / count, turn = 2.399963 * i, r = std::sqrt(1 - z * z);
    points.push_back(radius * Vec3(r * std::cos(turn), r * std::sin(turn), z));
  }
  return points;
}

/// One body of that shape, and behind the first one a box.
Snapshot SnapshotOf(const Shape& shape, int channels = 1) {
  auto model = std::make_shared<Model>();
  Body body;
  body.name = "thing";
  body.shape = shape;
  body.colour = {0.5, 0.5, 0.5, 1};
  model->bodies.push_back(body);
  Body box;
  box.name = "box";
  box.shape.kind = ShapeKind::kBox;
  box.shape.size = Vec3(0.02, 0.4, 0.4);
  box.colour = {0.1, 0.5, 0.1, 1};
  model->bodies.push_back(box);
  model->Finish();
  Snapshot snapshot;
  for (int c = 0; c < channels; ++c) {
    ChannelFrame frame;
    frame.config.step.method = static_cast<int>(MethodNamed("quasi-dynamic"));
    frame.bodies.resize(2);
    frame.bodies[1].X_WB.p = Vec3(0.03, 0, 0);
    snapshot.channels.push_back(frame);
  }
  snapshot.model = model;
  return snapshot;
}

class CloudPicture : public testing::Test {
 protected:
  void SetUp() override {
    auto context = OffscreenContext::Create();
    if (!context) GTEST_SKIP() << context.error().Text();
    context_ = std::move(context).value();
    auto view = SceneView::Create();
    ASSERT_TRUE(view.ok()) << view.error().Text();
    view_ = std::move(view).value();
    camera_.target = Vec3::Zero();
    camera_.distance = 1;
    camera_.azimuth = M_PI;  // from -x
    camera_.elevation = 0.3;
    camera_.field_of_view = 0.4;
    request_.quality = Quality::kLow;
    request_.msaa = 0;
    request_.outlines = false;
  }
  Image Shoot(const Snapshot& snapshot, int width = 300, int height = 300) {
    const ViewPicture& picture = view_->Draw(snapshot, Camera(camera_), request_, width, height);
    EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
    return ReadPixels(picture.framebuffer, picture.width, picture.height);
  }
  /// Pixels that the first body changes.
  std::set<std::size_t> Covered(Snapshot snapshot) {
    const Image with = Shoot(snapshot);
    request_.hidden.Set(0, true);
    const Image without = Shoot(snapshot);
    request_.hidden.Set(0, false);
    std::set<std::size_t> covered;
    for (std::size_t i = 0; i < with.pixels.size(); i += 4) {
      if (!std::equal(&with.pixels[i], &with.pixels[i] + 3, &without.pixels[i]))
        covered.insert(i / 4);
    }
    return covered;
  }
  /// Share of the pixels of either that only one of them covers.
  double Apart(const Snapshot& a, const Snapshot& b) {
    const std::set<std::size_t> first = Covered(a), second = Covered(b);
    EXPECT_GT(first.size(), 50u);
    std::vector<std::size_t> apart, all;
    std::set_symmetric_difference(first.begin(), first.end(), second.begin(), second.end(),
                                  std::back_inserter(apart));
    std::set_union(first.begin(), first.end(), second.begin(), second.end(),
                   std::back_inserter(all));
    return static_cast<double>(apart.size()) / static_cast<double>(all.size());
  }
  static Shape Ball(double radius) { return {.kind = ShapeKind::kSphere, .radius = radius}; }
  static Shape OnePoint(double radius) { return ShapeOf(CloudOf({Vec3::Zero()}, radius)); }

  std::unique_ptr<OffscreenContext> context_;
  std::unique_ptr<SceneView> view_;
  CameraSpec camera_;
  ViewRequest request_;
};

// Sunk into the box behind it: where the two surfaces meet depends on the depth at every pixel.
TEST_F(CloudPicture, APointIsABall) {
  EXPECT_LT(Apart(SnapshotOf(OnePoint(0.06)), SnapshotOf(Ball(0.06))), 0.02);
  // the same one drawn flat would cover other pixels of the box: the test can tell
  EXPECT_GT(Apart(SnapshotOf(OnePoint(0.06)), SnapshotOf(Ball(0.055))), 0.04);
}

TEST_F(CloudPicture, HoweverNear) {
  camera_.distance = 0.3;  // a ball of 400 pixels, more than points may be
  EXPECT_LT(Apart(SnapshotOf(OnePoint(0.06)), SnapshotOf(Ball(0.06))), 0.02);
}

TEST_F(CloudPicture, InEveryQualityAndInTheSideView) {
  for (Quality quality : {Quality::kLow, Quality::kMedium, Quality::kHigh}) {
    for (int msaa : {0, 4}) {
      request_.quality = quality;
      request_.msaa = msaa;
      EXPECT_LT(Apart(SnapshotOf(OnePoint(0.06)), SnapshotOf(Ball(0.06))), 0.08)
          << static_cast<int>(quality) << " " << msaa;
    }
  }
}

TEST_F(CloudPicture, LitAsOtherBodies) {
  request_.quality = Quality::kMedium;  // other bodies' light is worked out at every pixel there
  const Image cloud = Shoot(SnapshotOf(OnePoint(0.06)));
  const Image ball = Shoot(SnapshotOf(Ball(0.06)));
  // along a column through the middle, on the half of the ball without its dark quadrants' seam
  std::vector<double> apart;
  for (std::size_t y = 120; y < 180; ++y) {
    for (std::size_t x = 120; x < 180; ++x) {
      const std::size_t i = 4 * (y * 300 + x);
      const auto bright = [&](const Image& image) {
        return image.pixels[i] + image.pixels[i + 1] + image.pixels[i + 2];
      };
      if (bright(ball) < 0.9 * bright(cloud)) continue;  // a dark quadrant
      apart.push_back(std::abs(static_cast<double>(bright(ball) - bright(cloud))) / 3);
    }
  }
  ASSERT_GT(apart.size(), 500u);
  // within a percent of 255; the body is a mesh with flat sides and a seam between its quadrants
  std::sort(apart.begin(), apart.end());
  EXPECT_LT(apart[apart.size() / 2], 2.55);
}

TEST_F(CloudPicture, ThrowsAShadow) {
  request_.quality = Quality::kHigh;
  Snapshot snapshot = SnapshotOf(ShapeOf(CloudOf(Globe(3000, 0.05), 0.003)));
  auto model = std::make_shared<Model>(*snapshot.model);
  Surface ground;
  ground.point = Vec3(0, 0, -0.1);
  model->surfaces.push_back(ground);
  snapshot.model = model;
  snapshot.channels[0].bodies[1].X_WB.p = Vec3(10, 0, 0);
  // the shadow lies apart from the ball itself
  request_.hidden.Set(1, true);
  camera_.elevation = 0.9;
  const Image with = Shoot(snapshot);
  request_.hidden.Set(0, true);
  const Image without = Shoot(snapshot);
  int darker = 0;
  for (std::size_t i = 0; i < with.pixels.size(); i += 4) {
    const int before = without.pixels[i], after = with.pixels[i];
    darker += after < before - 8 && after > before - 60;
  }
  EXPECT_GT(darker, 300);
}

TEST_F(CloudPicture, GhostsAreSeenThroughAndNotFog) {
  Snapshot snapshot = SnapshotOf(ShapeOf(CloudOf(Globe(2000, 0.05), 0.004)), 2);
  snapshot.channels[1].bodies[0].X_WB.p = Vec3(-0.3, 0.1, 0);
  const Image ghost = Shoot(snapshot);
  request_.visible[1] = false;
  const Image alone = Shoot(snapshot);
  EXPECT_NE(ghost.pixels, alone.pixels);
  // many balls over each other are no more opaque than one: the picture does not depend on those
  // behind
  Snapshot filled = SnapshotOf(ShapeOf(CloudOf(Globe(2000, 0.05), 0.004)), 2);
  auto cloud = CloudOf(Globe(2000, 0.05), 0.004);
  for (const Vec3& p : Globe(500, 0.02)) cloud->points.push_back(p);
  filled = SnapshotOf(ShapeOf(cloud), 2);
  filled.channels[1].bodies[0].X_WB.p = snapshot.channels[1].bodies[0].X_WB.p;
  request_.visible[1] = true;
  const Image more = Shoot(filled);
  std::size_t differ = 0;
  for (std::size_t i = 0; i < more.pixels.size(); i += 4) {
    differ += std::abs(more.pixels[i] - ghost.pixels[i]) > 12;
  }
  EXPECT_LT(differ, more.pixels.size() / 4 / 50);
}

TEST(CloudPoints, EveryPrefixIsSpreadOverTheCloud) {
  std::vector<Vec3> points;
  for (int i = 0; i < 10000; ++i) points.emplace_back(i * 1e-4, 0, 0.1);
  const std::vector<float> vertices = MakeCloudVertices(*CloudOf(points, 1e-3));
  ASSERT_EQ(vertices.size(), 40000u);
  EXPECT_EQ(vertices, MakeCloudVertices(*CloudOf(points, 1e-3)));
  std::set<float> all;
  std::array<int, 10> tenths{};
  for (std::size_t i = 0; i < 10000; ++i) {
    const float x = vertices[4 * i], share = vertices[4 * i + 3];
    all.insert(x);
    EXPECT_NEAR(share, x / 0.9999, 1e-6);
    if (i < 1000) ++tenths[static_cast<std::size_t>(std::min(9.0f, 10 * x))];
  }
  EXPECT_EQ(all.size(), 10000u);
  for (const int count : tenths) EXPECT_NEAR(count, 100, 40);
  EXPECT_TRUE(MakeCloudVertices(PointCloud{}).empty());
}

TEST(CloudPoints, ThoseWithoutASizeAreDrawnByTheirSpacing) {
  std::vector<Vec3> grid;
  for (int i = 0; i < 20; ++i) {
    for (int j = 0; j < 20; ++j) grid.emplace_back(0.01 * i, 0.01 * j, 0);
  }
  EXPECT_NEAR(CalcSpacing(grid), 0.01, 1e-12);
  // those that coincide say nothing
  grid.insert(grid.end(), grid.begin(), grid.end());
  EXPECT_NEAR(CalcSpacing(grid), 0.01, 1e-12);
  EXPECT_EQ(CalcSpacing(std::vector<Vec3>(3, Vec3::Ones())), 0);
  auto cloud = CloudOf(grid, 0);
  EXPECT_EQ(DisplayRadius(ShapeOf(cloud)), 1e-3);  // nothing known
  cloud->spacing = 0.01;
  EXPECT_NEAR(DisplayRadius(ShapeOf(cloud)), 0.008, 1e-12);
  cloud->radius = 0.002;
  EXPECT_EQ(DisplayRadius(ShapeOf(cloud)), 0.002);
  EXPECT_EQ(DisplayRadius(Shape{.kind = ShapeKind::kPointCloud}), 0);
  // what is drawn can be picked
  cloud->radius = 0;
  EXPECT_TRUE(HitShape({Vec3(0.004, 0.003, 1), -Vec3::UnitZ()}, ShapeOf(cloud)).has_value());
}

TEST(CloudPoints, ThinnedCloudsCoverAsMuch) {
  EXPECT_EQ(ThinCloud(500, 1000).count, 500);
  EXPECT_EQ(ThinCloud(500, 1000).scale, 1);
  EXPECT_EQ(ThinCloud(4000, 1000).count, 1000);
  EXPECT_FLOAT_EQ(ThinCloud(4000, 1000).scale, 2);
  // whole groups alone: each is spread over the cloud, parts of one are not
  for (int most : {1, 7, 999, 1000, 1001, 3999}) {
    const Thinned thinned = ThinCloud(4000, most);
    EXPECT_LE(thinned.count, most);
    EXPECT_GT(thinned.count, 0.83 * most - 1);
    EXPECT_EQ(CloudPrefix(4000, thinned.count), thinned.count);
    EXPECT_FLOAT_EQ(thinned.scale * thinned.scale * static_cast<float>(thinned.count), 4000);
  }
  EXPECT_EQ(CloudPrefix(4000, 0), 0);
}

TEST(CloudPoints, NeighboursOfAGroupFollowEachOther) {
  const std::vector<Vec3> globe = Globe(20000, 0.1);
  const std::vector<float> v = MakeCloudVertices(*CloudOf(globe, 1e-3));
  const int half = CloudPrefix(20000, 10000);
  EXPECT_EQ(half, 10000);
  double step = 0;
  for (std::size_t i = 10001; i < 20000; ++i) {
    Vec3 way;
    for (std::size_t k = 0; k < 3; ++k) {
      way[static_cast<Eigen::Index>(k)] = static_cast<double>(v[4 * i + k] - v[4 * (i - 1) + k]);
    }
    step += way.norm() / 9999;
  }
  // the mean over points at random is 0.13
  EXPECT_LT(step, 0.02);
}

TEST(CloudPoints, ThoseThatCoverEachOtherAreNotSeen) {
  std::vector<Vec3> grid;
  for (int i = 0; i < 60; ++i) {
    for (int j = 0; j < 60; ++j) grid.emplace_back(0.01 * i, 0.01 * j, 0);
  }
  const double apart = CalcMeanSpacing(grid);
  EXPECT_NEAR(apart, 0.01, 0.003);
  // a quarter of them, in random order, are twice as far apart
  const std::vector<float> v = MakeCloudVertices(*CloudOf(grid, 1e-3));
  std::vector<Vec3> fewer;
  for (std::size_t i = 0; i < 900; ++i) fewer.emplace_back(v[4 * i], v[4 * i + 1], v[4 * i + 2]);
  EXPECT_NEAR(CalcMeanSpacing(fewer), 0.02, 0.006);
  EXPECT_EQ(CalcMeanSpacing(std::vector<Vec3>(8, Vec3::Ones())), 0);
  EXPECT_EQ(CalcMeanSpacing(std::vector<Vec3>(100, Vec3::Ones())), 0);
  EXPECT_EQ(CountSeen(1000, 20), 1000);
  EXPECT_EQ(CountSeen(1000, 0), 1000) << "not known";
  EXPECT_EQ(CountSeen(1000, 1.25), 250);
  EXPECT_EQ(CountSeen(1000, 1e-9), 1);
  // discs of that radius about points at random leave a twelfth open
  EXPECT_NEAR(std::exp(-M_PI * std::pow(CoveringRadius(1, true), 2)), 1 / 12.0, 0.01);
  EXPECT_LT(CoveringRadius(1, false), 0.8) << "points of a grid keep their radius";
}

// So far away that few of its points are drawn: every pixel of the ball that they lie on is
// covered.
TEST_F(CloudPicture, ThinnedCloudsHaveNoHoles) {
  auto cloud = CloudOf(Globe(60000, 0.06), 0);
  cloud->spacing = CalcSpacing(cloud->points);
  request_.hidden.Set(1, true);
  for (double distance : {0.5, 1.0, 2.0}) {
    camera_.distance = distance;
    const std::set<std::size_t> ball = Covered(SnapshotOf(Ball(0.06)));
    const std::set<std::size_t> covered = Covered(SnapshotOf(ShapeOf(cloud)));
    std::size_t holes = 0;
    for (const std::size_t i : ball) holes += covered.count(i) == 0 ? 1 : 0;
    EXPECT_GT(ball.size(), 500u);
    EXPECT_LT(holes, ball.size() / 100) << distance;
    // and the ball becomes no wider than by a point, 2.5 px, and what rounding to pixels adds
    const double wider = std::sqrt(static_cast<double>(covered.size()) / M_PI) -
                         std::sqrt(static_cast<double>(ball.size()) / M_PI);
    EXPECT_LT(wider, 3.5) << distance;
  }
}

TEST(CloudOutline, IsTheHullOfTheBalls) {
  CameraSpec spec;
  spec.distance = 2;
  const Camera camera(spec);
  const Snapshot snapshot = SnapshotOf(ShapeOf(CloudOf(Globe(4000, 0.1), 0.01)));
  const auto lines = Silhouette(camera, snapshot.model->bodies[0], Pose{}, false);
  ASSERT_EQ(lines.size(), 1u);
  ASSERT_GT(lines[0].size(), 20u);
  EXPECT_EQ(lines[0].front(), lines[0].back());
  const Vec3 forward = camera.forward_W();
  for (const Vec3& p : lines[0]) {
    // a circle of 11 cm about the middle, but for what the points leave open
    const Vec3 across = p - forward.dot(p) * forward;
    EXPECT_NEAR(across.norm(), 0.11, 0.003);
  }
  // too few points for a hull: none, and no crash
  for (int count : {0, 1, 2}) {
    const Snapshot few = SnapshotOf(ShapeOf(CloudOf(Globe(count, 0.1), 0.01)));
    EXPECT_TRUE(Silhouette(camera, few.model->bodies[0], Pose{}, false).empty());
  }
}

TEST(CandidateMarks, RingsForTheChosenBallsForTheLoaded) {
  Snapshot snapshot = SnapshotOf(ShapeOf(CloudOf(Globe(50, 0.05), 0.004)));
  auto& candidates = snapshot.channels[0].candidates;
  candidates.push_back({.surface = 0, .body = 0, .point = 3, .phi = 0.001, .fn = 0});
  candidates.push_back({.surface = 0, .body = 0, .point = 4, .phi = 0, .fn = 5});
  candidates.push_back({.surface = 0, .body = 0, .point = 50});  // no such point
  candidates.push_back({.surface = 0, .body = 7, .point = 0});   // no such body
  ViewRequest request;
  const Camera camera{CameraSpec{}};
  const DrawContext context{snapshot, request, camera, {400, 300}, ColoursOf(request.theme)};
  const auto marks = [&] {
    DrawList list;
    AppendCandidates(context, &list);
    return list.marks;
  };
  const auto shown = marks();
  ASSERT_EQ(shown.size(), 2 * 16u + 1);
  // the ball is at its point, in the model's colour
  const SolidInstance& ball = shown.back();
  const Vec3 p = snapshot.model->bodies[0].shape.cloud->points[4] - camera.spec().target;
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(ball.rows[i][3], p[i], 1e-6);
  float colour[4];
  SetColour(StyleOf(MethodNamed("quasi-dynamic")).colour(request.theme), colour);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(ball.colour[i], colour[i]);
  request.hidden.Set(0, true);
  EXPECT_TRUE(marks().empty());
  request.hidden.Set(0, false);
  request.candidates = false;
  EXPECT_TRUE(marks().empty());
}

}  // namespace
}  // namespace slip::render
