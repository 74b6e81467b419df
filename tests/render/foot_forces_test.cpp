// What is drawn at feet: one force at the centre of pressure, and the way they went.
#include "render/quantities/foot_forces.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/run/scope/scope.h"
#include "engine/scene/scene.h"
#include "engine/sim/foot_load.h"
#include "render/quantities/contact_glyphs.h"
#include "render/quantities/quantity.h"

namespace slip::render {
namespace {

class FeetTest : public testing::Test {
 protected:
  void Run(const char* scene_id, int marks) {
    const auto scene = FindScene(scene_id);
    ASSERT_TRUE(scene.ok());
    scope_.Apply(LoadScene{*scene});
    for (int i = 0; i < marks; ++i) ASSERT_TRUE(scope_.Advance());
    scope_.Fill(&snapshot_);
    camera_.Set((*scene)->camera);
    request_.compare = CompareMode::kSingle;
  }
  DrawContext Context() const {
    return {snapshot_, request_, camera_, {800, 600}, ColoursOf(request_.theme)};
  }
  std::vector<LabelAnchor> Glyphs(DrawList* list) const {
    list->clear();
    return AppendGlyphs(Context(), list);
  }
  Scope scope_;
  Snapshot snapshot_;
  Camera camera_;
  ViewRequest request_;
};

TEST_F(FeetTest, OneArrowForAFlatFoot) {
  Run("biped-walk", 40);
  const Model& model = *snapshot_.model;
  const ChannelFrame& frame = snapshot_.channels[0];
  ASSERT_EQ(model.robots[0].feet.size(), 2u);
  ASSERT_EQ(std::count_if(frame.contacts.begin(), frame.contacts.end(),
                          [](const ContactFrame& c) { return c.fn > 0; }),
            8);
  request_.split_forces = false;
  DrawList list;
  auto labels = Glyphs(&list);
  ASSERT_EQ(list.arrows.size(), 2u);
  ASSERT_EQ(labels.size(), 2u);
  for (std::size_t f = 0; f < 2; ++f) {
    const Robot::Foot& foot = model.robots[0].feet[f];
    const FootLoad load = CalcFootLoad(
        model, foot, frame.bodies[static_cast<std::size_t>(foot.body)].X_WB, frame.contacts);
    const ArrowInstance& arrow = list.arrows[f];
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(static_cast<double>(arrow.origin[i]), (load.cop_W - camera_.spec().target)[i],
                  1e-6);
      EXPECT_NEAR(static_cast<double>(arrow.direction[i]), load.force_W.normalized()[i], 1e-6);
    }
    EXPECT_EQ(std::count_if(labels.begin(), labels.end(),
                            [&](const LabelAnchor& label) {
                              return label.kind == LabelKind::kContactForce &&
                                     label.value == load.force_W.norm();
                            }),
              1);
  }
  // split: the two parts add up to the load
  request_.split_forces = true;
  labels = Glyphs(&list);
  double normal = 0, sum = 0;
  for (const LabelAnchor& label : labels) {
    if (label.kind == LabelKind::kNormalForce) normal += label.value;
  }
  for (const ContactFrame& c : frame.contacts) sum += c.fn;
  EXPECT_NEAR(normal, sum, 1e-9);
  // off, or of the contact that was chosen: each point's own
  request_.split_forces = false;
  request_.selected_key = frame.contacts[0].key;
  Glyphs(&list);
  EXPECT_EQ(list.arrows.size(), 3u);
  request_.selected_key = -1;
  request_.foot_forces = false;
  Glyphs(&list);
  EXPECT_EQ(list.arrows.size(), 8u);
}

TEST_F(FeetTest, PointFeetKeepTheirArrows) {
  Run("quadruped-trot", 40);
  request_.split_forces = false;
  DrawList list;
  Glyphs(&list);
  const std::size_t with = list.arrows.size();
  EXPECT_EQ(with, 4u);
  request_.foot_forces = false;
  Glyphs(&list);
  EXPECT_EQ(list.arrows.size(), with);
}

TEST_F(FeetTest, ARobotIsNoPile) {
  Run("quadruped-trot", 1);
  EXPECT_GT(snapshot_.model->bodies.size(), 20u);
  EXPECT_FALSE(IsPile(snapshot_, request_));
  EXPECT_FALSE(DrawsChains(snapshot_, request_));
  // its links weigh on the ground together: 24.5 N are drawn 12.3 cm long
  EXPECT_EQ(NewtonsPer10cm(snapshot_, request_), 20);
}

TEST_F(FeetTest, AnArmIsNotCarriedByItsContacts) {
  Run("arm-press", 1);
  EXPECT_EQ(NewtonsPer10cm(snapshot_, request_), 10);
}

TEST_F(FeetTest, TrailsAreDrawnAsFarAsTheyAreKnown) {
  scope_.Apply(TrailFeet{true});
  Run("quadruped-trot", 600);
  DrawList list;
  kFootTrails.draw(Context(), &list, nullptr);
  EXPECT_TRUE(list.lines.empty()) << "not asked for";
  request_.foot_trails = true;
  kFootTrails.draw(Context(), &list, nullptr);
  ASSERT_FALSE(list.lines.empty());
  // the newest piece ends where the foot is
  const FootTrail& last = snapshot_.channels[0].trails.back();
  const Vec3 foot = *camera_.Project(last.p_W.back(), {800, 600});
  EXPECT_NEAR((list.lines.back().segments.back().to - foot).head<2>().norm(), 0, 1e-6);
  EXPECT_EQ(list.lines.back().colour.a, 1);
  EXPECT_LT(list.lines.front().colour.a, 0.3f);
  snapshot_.channels[0].trails.clear();
  list.clear();
  kFootTrails.draw(Context(), &list, nullptr);
  EXPECT_TRUE(list.lines.empty());
}

}  // namespace
}  // namespace slip::render
