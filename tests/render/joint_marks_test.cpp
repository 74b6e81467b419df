// Axes of joints and arcs of torques: where they lie and which way they turn.
#include "render/quantities/joint_marks.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/run/scope/scope.h"
#include "engine/scene/scene.h"

namespace slip::render {
namespace {

TEST(JointMarks, AxisAndShareOfTheLimit) {
  Model model;
  Body body;
  body.SetJoint(JointKind::kRevolute);
  body.joint.X_BM.p = Vec3(0, 0, 0.1);
  body.joint.X_BM.q = Quat(Eigen::AngleAxisd(M_PI / 2, Vec3::UnitZ()));
  body.joint.axis = Vec3::UnitX();
  model.bodies = {body};
  Pose X_WB;
  X_WB.p = Vec3(1, 2, 3);
  X_WB.q = Quat(Eigen::AngleAxisd(M_PI / 2, Vec3::UnitX()));
  JointFrame joint;
  joint.force = -2;
  joint.limit = 8;
  const auto mark = CalcJointMark(model, joint, X_WB);
  ASSERT_TRUE(mark.has_value());
  EXPECT_TRUE(mark->turns);
  EXPECT_NEAR((mark->origin_W - Vec3(1, 1.9, 3)).norm(), 0, 1e-12);
  EXPECT_NEAR((mark->axis_W - Vec3(0, 0, 1)).norm(), 0, 1e-12);  // x, y on the body, z in the world
  EXPECT_NEAR(mark->effort, -0.25, 1e-12);
  joint.force = 20;
  EXPECT_EQ(CalcJointMark(model, joint, X_WB)->effort, 1);
  joint.force = NAN;
  EXPECT_EQ(CalcJointMark(model, joint, X_WB)->effort, 0);
  // without a limit there is no share
  joint.force = 3;
  joint.limit = HUGE_VAL;
  EXPECT_EQ(CalcJointMark(model, joint, X_WB)->effort, 0);
  model.bodies[0].joint.kind = JointKind::kBall;
  EXPECT_FALSE(CalcJointMark(model, joint, X_WB));
  joint.body = 1;
  EXPECT_FALSE(CalcJointMark(model, joint, X_WB));
}

class ArmMarks : public testing::Test {
 protected:
  void SetUp() override {
    const auto scene = FindScene("arm-press");
    ASSERT_TRUE(scene.ok());
    scope_.Apply(LoadScene{*scene});
    for (int i = 0; i < 300; ++i) ASSERT_TRUE(scope_.Advance());
    scope_.Fill(&snapshot_);
    // the eye over the first joint, which stands upright: its axis points at the eye
    CameraSpec spec;
    spec.target = Vec3(0, 0, 0.3);
    spec.elevation = M_PI / 2 - 1e-3;
    camera_.Set(spec);
  }
  DrawList Build() const {
    const DrawContext context{snapshot_, request_, camera_, {800, 800}, ColoursOf(request_.theme)};
    DrawList list;
    AppendJointMarks(context, &list);
    return list;
  }
  ChannelFrame& lead() { return snapshot_.channels[0]; }
  Scope scope_;
  Snapshot snapshot_;
  Camera camera_;
  ViewRequest request_;
};

TEST_F(ArmMarks, RatesTurnByTheRightHand) {
  const Model& model = *snapshot_.model;
  ASSERT_EQ(lead().joints.size(), 7u);
  double most = 0;
  for (const JointFrame& joint : lead().joints) {
    const auto body = static_cast<std::size_t>(joint.body);
    const auto mark = CalcJointMark(model, joint, lead().bodies[body].X_WB);
    ASSERT_TRUE(mark.has_value());
    const int parent = model.bodies[body].joint.parent;
    Vec3 w = lead().bodies[body].V_WB.head<3>();
    if (parent >= 0) w -= lead().bodies[static_cast<std::size_t>(parent)].V_WB.head<3>();
    EXPECT_NEAR(mark->axis_W.dot(w), joint.rate, 1e-9);
    EXPECT_NEAR((w - joint.rate * mark->axis_W).norm(), 0, 1e-9);
    most = std::max(most, std::abs(joint.rate));
  }
  EXPECT_GT(most, 0.01);
}

TEST_F(ArmMarks, ThePositiveArcTurnsToTheLeft) {
  request_.joint_marks = true;
  request_.compare = CompareMode::kSingle;
  lead().joints.resize(1);
  JointFrame& joint = lead().joints[0];
  joint.limit = 150;
  for (const double effort : {0.5, -0.25}) {
    joint.force = effort * joint.limit;
    const auto mark = CalcJointMark(*snapshot_.model, joint,
                                    lead().bodies[static_cast<std::size_t>(joint.body)].X_WB);
    ASSERT_GT(mark->axis_W.z(), 0.99);
    const DrawList list = Build();
    // the arc is the one wide line
    const LineBatch* arc = nullptr;
    for (const LineBatch& batch : list.lines) {
      if (batch.width > 2.5) arc = &batch;
    }
    ASSERT_NE(arc, nullptr);
    double turned = 0;
    const Vec3 centre = *camera_.Project(mark->origin_W, {800, 800});
    for (const LineSegment& s : arc->segments) {
      const Vec2 a = (s.from - centre).head<2>(), b = (s.to - centre).head<2>();
      turned += std::atan2(a.y() * b.x() - a.x() * b.y(), a.dot(b));  // pixels grow downwards
    }
    EXPECT_NEAR(turned, effort * kFullArc, 0.02);
  }
}

TEST_F(ArmMarks, OfTheSelectedLinkWithoutBeingAsked) {
  EXPECT_TRUE(Build().lines.empty());
  request_.selected_body = lead().joints[2].body;
  const std::size_t one = Build().lines.size();
  EXPECT_GT(one, 0u);
  request_.joint_marks = true;
  EXPECT_GT(Build().lines.size(), 5 * one);
  const std::size_t both = Build().lines.size();
  request_.ghost_forces = false;
  EXPECT_LT(Build().lines.size(), both);
}

}  // namespace
}  // namespace slip::render
