// A resting surface that leans is drawn as a table over a level floor.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "render/scene/draw_list.h"
#include "tests/render/fake_scene.h"

namespace slip::render {
namespace {

class SlopeTest : public testing::Test {
 protected:
  SlopeTest() {
    auto model = std::make_shared<Model>(*snapshot_.model);
    slope_ = &model->surfaces[0];
    slope_->drive = -1;
    slope_->display_given = true;
    snapshot_.model = model;
    model_ = model.get();
    Lean(0.17);
  }
  void Lean(double angle) { camera_.SetGravity(9.81 * Vec3(std::sin(angle), 0, -std::cos(angle))); }
  DrawContext Context() const {
    return {snapshot_, request_, camera_, {1280, 720}, ColoursOf(request_.theme)};
  }
  bool Slopes() const { return IsSlope(Context(), *slope_); }

  Snapshot snapshot_ = MakeConveyorSnapshot();
  ViewRequest request_;
  Camera camera_{CameraSpec{}};
  Model* model_ = nullptr;
  Surface* slope_ = nullptr;
};

TEST_F(SlopeTest, StandsOnALevelFloor) {
  ASSERT_TRUE(Slopes());
  DrawList list;
  BuildScene(Context(), &list);
  EXPECT_TRUE(list.belts.empty()) << "slats are for what moves";
  ASSERT_EQ(list.ground.size(), 1u);
  // its third axis points up, not out of the slope
  const Vec3 up = camera_.up_W();
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(static_cast<double>(list.ground[0].rows[i][2]), up[i], 1e-6);
  EXPECT_GT(list.solids.size(), 8u) << "plank, rails, end plates, legs";
}

TEST_F(SlopeTest, OnlyWhatLeansAndHoldsEverything) {
  Lean(0);
  EXPECT_FALSE(Slopes());
  Lean(0.17);
  // one of the bodies has slid off the end
  snapshot_.channels[1].bodies[0].X_WB.p.x() = 2.1;
  EXPECT_FALSE(Slopes());
  snapshot_.channels[1].bodies[0].X_WB.p.x() = 1.9;
  EXPECT_TRUE(Slopes());
  slope_->display_given = false;
  EXPECT_FALSE(Slopes());
  slope_->display_given = true;
  slope_->drive = 0;
  EXPECT_FALSE(Slopes()) << "a conveyor is one anyway";
  slope_->drive = -1;
  model_->robots.emplace_back();
  EXPECT_FALSE(Slopes());
}

}  // namespace
}  // namespace slip::render
