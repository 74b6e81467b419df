// How a robot stands: its polygon, its mass, and the distance between them.
#include "render/quantities/support_polygon.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "engine/run/scope/scope.h"
#include "engine/scene/scene.h"
#include "render/frame/scene_view.h"
#include "render/gl/offscreen.h"
#include "render/video/frame_writer.h"

namespace slip::render {
namespace {

// A trunk of 2 kg with a link of 1 kg, over a floor and beside a block that stands.
class SupportTest : public testing::Test {
 protected:
  SupportTest() {
    Body trunk, link, block, ball;
    trunk.mass = 2;
    link.mass = 1;
    link.joint.parent = 0;
    link.SetJoint(JointKind::kRevolute);
    trunk.robot = link.robot = 0;
    block.SetJoint(JointKind::kFixed);
    model_.bodies = {trunk, link, block, ball};
    model_.surfaces.emplace_back();
    Robot& robot = model_.robots.emplace_back();
    robot.bodies = 2;
    model_.Finish();
    frame_.bodies.resize(4);
    SetCom(0, 0);
  }
  // The link hangs 0.3 m beside the trunk: their mean is where it is asked to be.
  void SetCom(double x, double y) {
    frame_.bodies[0].X_WB.p = Vec3(x - 0.1, y, 0.35);
    frame_.bodies[1].X_WB.p = Vec3(x + 0.2, y, 0.2);
  }
  void Load(double x, double y, double fn = 5) {
    ContactFrame contact;
    contact.surface = 0;
    contact.p_W = Vec3(x, y, 0);
    contact.fn = fn;
    frame_.contacts.push_back(contact);
  }
  void LoadRectangle() {
    for (const double x : {-0.1, 0.1}) {
      for (const double y : {-0.05, 0.05}) Load(x, y);
    }
  }
  std::optional<Support> Calc() const {
    return CalcSupport(model_, model_.robots[0], frame_, gravity_W_);
  }

  Model model_;
  ChannelFrame frame_;
  Vec3 gravity_W_ = Vec3(0, 0, -9.81);
};

TEST_F(SupportTest, TheMassHangsOverTheGround) {
  SetCom(0.02, 0.01);
  const auto support = Calc();
  ASSERT_TRUE(support.has_value());
  EXPECT_TRUE(support->com_W.isApprox(Vec3(0.02, 0.01, 0.3), 1e-12));
  EXPECT_NEAR((support->ground_W - Vec3(0.02, 0.01, 0)).norm(), 0, 1e-12);
  EXPECT_EQ(support->points, 0);
  EXPECT_TRUE(std::isnan(support->margin));
  // down a slope the line of gravity meets it elsewhere than the shortest way does
  model_.surfaces[0].normal = Vec3(std::sin(0.3), 0, std::cos(0.3));
  EXPECT_NEAR(Calc()->ground_W.x(), 0.02, 1e-12);
  EXPECT_NEAR(Calc()->ground_W.z(), -0.02 * std::tan(0.3), 1e-12);
}

TEST_F(SupportTest, DistanceToARectangle) {
  LoadRectangle();
  Load(0.03, 0.02);    // inside
  Load(0.1, 0);        // on the border
  Load(0.1, 0.05);     // twice
  Load(0.5, 0, 1e-3);  // hardly touches
  SetCom(0.02, 0.01);
  const auto inside = Calc();
  ASSERT_TRUE(inside.has_value());
  EXPECT_EQ(inside->points, 7);
  ASSERT_EQ(inside->corners_W.size(), 4u);
  double area = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const Vec3 &a = inside->corners_W[i], &b = inside->corners_W[(i + 1) % 4];
    area += 0.5 * a.cross(b).z();
  }
  EXPECT_NEAR(area, 0.02, 1e-12);  // positive: counter-clockwise
  EXPECT_NEAR(inside->margin, 0.04, 1e-12);
  SetCom(0.13, 0.01);
  EXPECT_NEAR(Calc()->margin, -0.03, 1e-12);
  SetCom(0.13, 0.09);  // beyond a corner
  EXPECT_NEAR(Calc()->margin, -0.05, 1e-12);
}

TEST_F(SupportTest, TwoFeetAreALineAndOneAPoint) {
  Load(-0.1, -0.1);
  Load(0.1, 0.1);
  Load(0.03, 0.03);
  SetCom(0.01, -0.01);
  EXPECT_EQ(Calc()->corners_W.size(), 2u);
  EXPECT_NEAR(Calc()->margin, -0.01 * std::sqrt(2.0), 1e-12);
  SetCom(0, 0);
  EXPECT_NEAR(Calc()->margin, 0, 1e-12);
  frame_.contacts.resize(1);
  EXPECT_EQ(Calc()->corners_W.size(), 1u);
  EXPECT_NEAR(Calc()->margin, -0.1 * std::sqrt(2.0), 1e-12);
}

TEST_F(SupportTest, OnlyWhatStandsCarries) {
  LoadRectangle();
  SetCom(0.15, 0);
  ContactFrame contact;
  contact.fn = 5;
  contact.body = 0;
  contact.body_a = 3;  // a ball that moves
  contact.p_W = Vec3(0.3, 0, 0.1);
  frame_.contacts.push_back(contact);
  EXPECT_NEAR(Calc()->margin, -0.05, 1e-12);
  frame_.contacts.back().body_a = 1;  // its own link
  EXPECT_NEAR(Calc()->margin, -0.05, 1e-12);
  frame_.contacts.back().surface = 0;  // the ball's contact with the floor
  frame_.contacts.back().body_a = -1;
  frame_.contacts.back().body = 3;
  EXPECT_NEAR(Calc()->margin, -0.05, 1e-12);
  frame_.contacts.back().surface = -1;  // the block, whichever is called A
  for (const auto& [a, b] : {std::pair{2, 1}, std::pair{1, 2}}) {
    frame_.contacts.back().body_a = a;
    frame_.contacts.back().body = b;
    EXPECT_GT(Calc()->margin, 0.01);
  }
}

TEST_F(SupportTest, NothingWhereNothingStands) {
  frame_.bodies[1].X_WB.p.x() = NAN;
  EXPECT_FALSE(Calc());
  SetCom(0, 0);
  gravity_W_.setZero();
  EXPECT_FALSE(Calc());
  gravity_W_ = Vec3(0, 0, -9.81);
  EXPECT_TRUE(Calc());
  frame_.bodies.resize(1);
  EXPECT_FALSE(Calc());
  frame_.bodies.resize(4);
  SetCom(0, 0);
  model_.bodies[0].SetJoint(JointKind::kFixed);
  model_.Finish();
  EXPECT_FALSE(Calc()) << "an arm on a fixed base cannot fall";
}

// The distance of a point from a convex set is the least room over all directions.
TEST_F(SupportTest, DistanceToRandomHulls) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> place(-0.2, 0.2);
  for (int i = 0; i < 60; ++i) {
    frame_.contacts.clear();
    for (int k = 0; k < 1 + i % 9; ++k) Load(place(random), place(random));
    const Vec2 com(place(random), place(random));
    SetCom(com.x(), com.y());
    double least = 1e9;
    constexpr int kDirections = 20000;
    for (int k = 0; k < kDirections; ++k) {
      const double angle = 2 * M_PI * k / kDirections;
      const Vec2 u(std::cos(angle), std::sin(angle));
      double most = -1e9;
      for (const ContactFrame& c : frame_.contacts) most = std::max(most, u.dot(c.p_W.head<2>()));
      least = std::min(least, most - u.dot(com));
    }
    EXPECT_NEAR(Calc()->margin, least, 1e-4) << i;
  }
}

class TrotPicture : public testing::Test {
 protected:
  void SetUp() override {
    const auto scene = FindScene("quadruped-trot");
    ASSERT_TRUE(scene.ok());
    scope_.Apply(LoadScene{*scene});
    camera_.Set((*scene)->camera);
    for (int i = 0; i < 40; ++i) ASSERT_TRUE(scope_.Advance());
    scope_.Fill(&snapshot_);
    request_.quality = Quality::kLow;
    request_.msaa = 0;
  }
  Scope scope_;
  Snapshot snapshot_;
  Camera camera_;
  ViewRequest request_;
};

TEST_F(TrotPicture, TheMassIsThatOfAllLinks) {
  const Model& model = *snapshot_.model;
  for (const ChannelFrame& frame : snapshot_.channels) {
    const auto support = CalcSupport(model, model.robots[0], frame, snapshot_.gravity_W);
    ASSERT_TRUE(support.has_value());
    Vec3 moment = Vec3::Zero();
    double mass = 0;
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
      if (model.bodies[b].shape_of_link >= 0) continue;
      mass += model.bodies[b].mass;
      moment += model.bodies[b].mass * frame.bodies[b].X_WB.p;
    }
    EXPECT_NEAR(mass, 2.5, 0.05);
    EXPECT_NEAR((support->com_W - moment / mass).norm(), 0, 1e-12);
    // it stands on four feet at first
    EXPECT_EQ(support->points, 4);
    EXPECT_EQ(support->corners_W.size(), 4u);
    EXPECT_GT(support->margin, 0.05);
    for (const Vec3& corner : support->corners_W) EXPECT_NEAR(corner.z(), 0, 1e-3);
  }
}

TEST_F(TrotPicture, TheReadingIsTheLeads) {
  const DrawContext context{snapshot_, request_, camera_, {640, 400}, ColoursOf(request_.theme)};
  DrawList list;
  const SupportReading reading = AppendSupport(context, &list);
  const Model& model = *snapshot_.model;
  const auto support =
      CalcSupport(model, model.robots[0], snapshot_.channels[0], snapshot_.gravity_W);
  EXPECT_EQ(reading.robot, 0);
  EXPECT_EQ(reading.points, 4);
  EXPECT_EQ(reading.margin, support->margin);
  EXPECT_FALSE(list.lines.empty());
  list.clear();
  request_.support = false;
  EXPECT_EQ(AppendSupport(context, &list).robot, -1);
  EXPECT_TRUE(list.lines.empty());
}

TEST_F(TrotPicture, IsSeenWhereItIs) {
  auto gl = OffscreenContext::Create();
  if (!gl) GTEST_SKIP() << gl.error().Text();
  auto view = SceneView::Create();
  ASSERT_TRUE(view.ok()) << view.error().Text();
  const auto shoot = [&] {
    const ViewPicture& picture = (*view)->Draw(snapshot_, camera_, request_, 640, 400);
    return ReadPixels(picture.framebuffer, picture.width, picture.height);
  };
  request_.forces = request_.contact_points = false;
  const Image with = shoot();
  request_.support = false;
  const Image without = shoot();
  EXPECT_NE(with.pixels, without.pixels);
  const Model& model = *snapshot_.model;
  const auto support =
      CalcSupport(model, model.robots[0], snapshot_.channels[0], snapshot_.gravity_W);
  const auto level = [&](const Vec3& p_W, int dx, int dy) {
    const auto pixel = camera_.Project(p_W, {640, 400});
    const auto x = static_cast<std::size_t>(std::lround(pixel->x())) + static_cast<std::size_t>(dx);
    const auto y = static_cast<std::size_t>(std::lround(pixel->y())) + static_cast<std::size_t>(dy);
    const std::size_t i = 4 * (y * static_cast<std::size_t>(with.width) + x);
    return std::array<int, 2>{with.pixels[i], without.pixels[i]};
  };
  // quarters of the disc: bright and dark
  EXPECT_GT(level(support->com_W, 3, 3)[0], 240);
  EXPECT_LT(level(support->com_W, -3, 3)[0], 60);
  // the point on the ground under it
  EXPECT_GT(level(support->ground_W, 0, 0)[0], level(support->ground_W, 0, 0)[1] + 50);
}

}  // namespace
}  // namespace slip::render
