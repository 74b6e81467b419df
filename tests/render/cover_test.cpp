// Bodies hidden by others are left out of the picture, and only those.
#include "render/scene/cover.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "render/quantities/picking.h"
#include "render/scene/draw_list.h"
#include "tests/render/fake_pile.h"

namespace slip::render {
namespace {

class CoverTest : public testing::Test {
 protected:
  DrawList Build() const {
    DrawList list;
    BuildScene({snapshot_, request_, camera_, {1280, 720}, ColoursOf(request_.theme)}, &list);
    return list;
  }

  Snapshot snapshot_;
  ViewRequest request_;
  Camera camera_{PileCamera()};
};

/// Whether something of `hidden` is seen past all of `others`, by rays to points on it.
bool Peeps(const Camera& camera, const Vec3& centre, double radius,
           const std::vector<std::pair<Vec3, double>>& others) {
  const Shape ball{.kind = ShapeKind::kSphere};
  for (int i = 0; i < 150; ++i) {
    const double z = 1 - 2 * (i + 0.5) / 150, turn = 2.399963 * i, r = std::sqrt(1 - z * z);
    const Vec3 p = centre + radius * Vec3(r * std::cos(turn), r * std::sin(turn), z);
    const Vec3 eye = camera.eye_W(), way = (p - eye).normalized();
    const bool covered = std::any_of(others.begin(), others.end(), [&](const auto& other) {
      Shape shape = ball;
      shape.radius = other.second;
      const auto t = HitShape({eye - other.first, way}, shape);
      return t && *t <= (p - eye).norm();
    });
    if (!covered) return true;
  }
  return false;
}

TEST_F(CoverTest, WhatIsCalledHiddenIsHidden) {
  // a wide view from near by: outlines of balls are far from circles
  CameraSpec spec = PileCamera(1.4);
  spec.field_of_view = 1.2;
  const Camera camera(spec);
  const Viewport viewport{1280, 720};
  snapshot_ = MakePileSnapshot(1000, 10);
  std::vector<std::pair<double, Vec3>> order;
  for (const BodyFrame& body : snapshot_.channels[0].bodies) {
    order.emplace_back(camera.Depth(body.X_WB.p), body.X_WB.p);
  }
  std::sort(order.begin(), order.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  Cover cover(camera, viewport, 0.05);
  std::vector<std::pair<Vec3, double>> shown;
  int hidden = 0, outside = 0;
  const Frustum frustum(camera, viewport);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Vec3 p = order[i].second;
    const double radius = i % 3 == 0 ? 0.03 : 0.05;
    if (!frustum.Sees(p, radius)) {
      ++outside;
    } else if (cover.Hides(p, radius)) {
      ++hidden;
      const bool whole = frustum.Sees(p, -radius);
      EXPECT_FALSE(whole && Peeps(camera, p, radius, shown)) << i;
    } else {
      cover.Add(p, radius);
      shown.emplace_back(p, radius);
    }
  }
  EXPECT_GT(hidden, 300) << outside << " outside";
  EXPECT_FALSE(Cover(camera, viewport, 1).Hides(spec.target, 0.05));  // nothing is in front
}

TEST_F(CoverTest, ABodyThatReachesThroughAWallOfSmallOnesIsSeen) {
  const Vec3 target = camera_.spec().target, forward = camera_.forward_W();
  const Vec3 right = camera_.right_W(), up = right.cross(forward);
  const auto hides = [&](double behind) {
    Cover cover(camera_, {1280, 720}, 0.05);
    for (int i = -30; i <= 30; ++i) {
      for (int j = -30; j <= 30; ++j) cover.Add(target + 0.005 * (i * right + j * up), 0.01);
    }
    return cover.Hides(target + behind * forward, 0.05);
  };
  EXPECT_FALSE(hides(0.02));
  EXPECT_TRUE(hides(0.08));
  EXPECT_FALSE(hides(-0.08));
}

TEST_F(CoverTest, OfAPileThatIsDrawnTheInsideIsNot) {
  snapshot_ = MakePileSnapshot(2000, 12);
  auto& model = const_cast<Model&>(*snapshot_.model);
  model.surfaces.clear();
  for (Body& body : model.bodies) {  // close together
    body.shape.radius = 0.045;
    body.shape.size.setConstant(0.085);
    body.bound =
        body.shape.kind == ShapeKind::kSphere ? body.shape.radius : 0.5 * body.shape.size.norm();
  }
  camera_.Set(PileCamera(6));
  const DrawList high = Build();
  EXPECT_LT(high.solids.size(), 1200u);
  // but it may throw shadows
  EXPECT_EQ(high.solids.size() + high.casters.size(), 2000u);
  request_.quality = Quality::kLow;
  EXPECT_EQ(Build().casters.size(), 0u);
  EXPECT_EQ(Build().solids.size(), high.solids.size());
  request_.com_marks = true;
  EXPECT_GE(Build().marks.size(), 2000u);
  request_.transparent = true;
  EXPECT_EQ(Build().ghosts.size(), 2000u);
  request_.transparent = false;
  request_.wireframe = true;
  EXPECT_EQ(Build().solids.size(), 2000u);
}

}  // namespace
}  // namespace slip::render
