// What a robot's file is told of: one robot for each kind, and sane ones of which nothing is wrong.
#include "engine/tell/robot_surprises.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/mjcf/mjcf.h"
#include "engine/scene/robot_scene.h"
#include "engine/tell/robot_shapes.h"
#include "tests/support/urdf.h"

namespace slip {
namespace {

using test::JointText;

/// A link whose shapes are boxes.
struct BoxLink {
  double mass = 1;
  Vec3 size = Vec3(0.1, 0.1, 0.2);
  Vec3 visual = Vec3::Zero();  ///< where its middle is [m]
  Vec3 centre = Vec3::Zero();  ///< of mass
  double drawn = 1;            ///< size of what is drawn over that of what collides
  double inertia = 1;          ///< of the solid box's
  bool has_visual = true, has_collision = true;
};

std::string Vector(const Vec3& v) { return fmt::format("{} {} {}", v.x(), v.y(), v.z()); }

std::string Link(const std::string& name, const BoxLink& box = {}) {
  const Vec3 squares = box.size.cwiseProduct(box.size);
  const Vec3 I = box.inertia * box.mass / 12 * (squares.sum() * Vec3::Ones() - squares);
  std::string text = fmt::format(
      "<inertial><origin xyz='{}'/><mass value='{}'/><inertia ixx='{}' ixy='0' ixz='0' iyy='{}' "
      "iyz='0' izz='{}'/></inertial>",
      Vector(box.centre), box.mass, I.x(), I.y(), I.z());
  const auto shape = [&](const char* kind, const Vec3& at, double factor) {
    return fmt::format("<{0}><origin xyz='{1}'/><geometry><box size='{2}'/></geometry></{0}>", kind,
                       Vector(at), Vector(factor * box.size));
  };
  if (box.has_visual) text += shape("visual", box.visual, box.drawn);
  if (box.has_collision) text += shape("collision", Vec3::Zero(), 1);
  return test::LinkText(name, text);
}

std::string Hinge(const std::string& child, const Vec3& at, const std::string& more = {}) {
  return JointText("to_" + child, "continuous", "base", child,
                   "<origin xyz='" + Vector(at) + "'/>" + more);
}

/// A base with arms "a", "b" and "c", some of which are other than they should be.
std::string Robot(const std::string& a, const std::string& joint_of_a = {}, const BoxLink& b = {},
                  const BoxLink& c = {}, const BoxLink& base = {}) {
  return "<robot name='r'>" + Link("base", base) + a + Link("b", b) + Link("c", c) +
         (joint_of_a.empty() ? Hinge("a", Vec3(0.5, 0, 0)) : joint_of_a) +
         Hinge("b", Vec3(0, 0.5, 0)) + Hinge("c", Vec3(0, -0.5, 0)) + "</robot>";
}

std::shared_ptr<const Scene> SceneOfText(const std::string& urdf) {
  const auto robot = test::ReadText(urdf);
  EXPECT_TRUE(robot.ok()) << test::ErrorsOf(robot);
  if (!robot) return std::make_shared<Scene>();
  const auto scene = ReadRobotScene(*robot, "test.urdf");
  EXPECT_TRUE(scene.ok()) << scene.error().Text();
  return scene.ok() ? *scene : std::make_shared<Scene>();
}

std::vector<Surprise> Of(const std::string& urdf) { return FindSurprises(*SceneOfText(urdf)); }

const Surprise* Find(const std::vector<Surprise>& list, std::string_view id) {
  for (const Surprise& one : list)
    if (one.id == id) return &one;
  return nullptr;
}

std::string Wrong(const std::vector<Surprise>& list) {
  std::string text;
  for (const Surprise& one : list)
    if (one.kind == SurpriseKind::kWrong) text += SurpriseLine(one) + "\n";
  return text;
}

/// The only thing that is wrong.
Surprise OnlyWrong(const std::vector<Surprise>& list, std::string_view id) {
  for (const Surprise& one : list)
    EXPECT_EQ(one.kind == SurpriseKind::kWrong, one.id == id) << SurpriseLine(one);
  const Surprise* found = Find(list, id);
  EXPECT_NE(found, nullptr) << id;
  return found != nullptr ? *found : Surprise{};
}

TEST(RobotSurprises, OfAWellMadeRobotNothingIsWrong) {
  const auto list = Of(Robot(Link("a")));
  EXPECT_EQ(Wrong(list), "");
  ASSERT_NE(Find(list, "drawn_right"), nullptr);
  EXPECT_EQ(Find(list, "drawn_right")->text,
            "all 4 links that are drawn and collide do so in one place");
  ASSERT_NE(Find(list, "inertia_right"), nullptr);
  EXPECT_EQ(Find(list, "inertia_right")->text, "mass and inertia of 4 links fit their shapes");
}

TEST(RobotSurprises, ALinkThatIsDrawnAside) {
  const auto scene = SceneOfText(Robot(Link("a", {.visual = Vec3(0, 0, 1.5)})));
  const Surprise said = OnlyWrong(FindSurprises(*scene), "drawn_aside");
  EXPECT_EQ(said.text, "link 'a' is drawn 1.50 m aside of the shape that collides");
  ASSERT_EQ(said.bodies.size(), 1u);
  EXPECT_EQ(scene->model->body(said.bodies[0]).name, "r/a");
  // a part of what is drawn may collide, and so may something that is a little off
  EXPECT_EQ(Wrong(Of(Robot(Link("a", {.visual = Vec3(0, 0, 0.05), .drawn = 1.5})))), "");
  EXPECT_EQ(Wrong(Of(Robot(Link("a", {.visual = Vec3(0, 0, 0.01)})))), "");
}

TEST(RobotSurprises, EqualOnesAreOne) {
  const BoxLink aside{.visual = Vec3(0, 0, 0.2)};
  const auto list = Of(Robot(Link("a", {.visual = Vec3(0, 0, 0.3)}), {}, aside, aside));
  const Surprise said = OnlyWrong(list, "drawn_aside");
  EXPECT_EQ(said.names, (std::vector<std::string>{"a", "b", "c"})) << "the worst first";
  EXPECT_EQ(said.bodies.size(), 3u);
  EXPECT_NE(SurpriseLine(said).find("; 2 more likewise: b, c"), std::string::npos)
      << SurpriseLine(said);
  // what is right comes first, what was assumed last
  for (std::size_t i = 1; i < list.size(); ++i) EXPECT_LE(list[i - 1].kind, list[i].kind);
}

TEST(RobotSurprises, AShapeFarLargerThanWhatIsDrawn) {
  const Surprise said = OnlyWrong(Of(Robot(Link("a", {.drawn = 0.25}))), "collides_larger");
  EXPECT_EQ(said.text, "link 'a' collides with a shape 4.0 times as large as what is drawn");
}

// pybullet's plane.urdf: a sheet over a box that is larger.
TEST(RobotSurprises, GroundGoesOnWhereNothingIsDrawn) {
  const auto ground = [](const Vec3& drawn, const Vec3& at, const char* mass) {
    return fmt::format(
        "<robot name='plane'><link name='ground'><inertial><mass value='{}'/><inertia ixx='0' "
        "ixy='0' ixz='0' iyy='0' iyz='0' izz='0'/></inertial><visual><origin xyz='{}'/><geometry>"
        "<box size='{}'/></geometry></visual><collision><origin xyz='0 0 -5'/><geometry><box "
        "size='30 30 10'/></geometry></collision></link></robot>",
        mass, Vector(at), Vector(drawn));
  };
  const Vec3 sheet(10, 10, 0.001);
  const auto list = Of(ground(sheet, Vec3::Zero(), "0"));
  EXPECT_EQ(Wrong(list), "");
  EXPECT_NE(Find(list, "drawn_right"), nullptr);
  EXPECT_EQ(Wrong(Of(ground(sheet, Vec3(0, 0, 0.01), "0"))), "") << "a hair above it";
  // a sheet elsewhere, a thing of its own, and what reaches out of the ground
  EXPECT_NE(Find(Of(ground(sheet, Vec3(0, 0, -5), "0")), "collides_larger"), nullptr);
  EXPECT_NE(Find(Of(ground(Vec3(10, 10, 1), Vec3(0, 0, -0.5), "0")), "collides_larger"), nullptr);
  EXPECT_NE(Find(Of(ground(sheet, Vec3(12, 0, 0), "0")), "collides_larger"), nullptr);
}

TEST(RobotSurprises, ARobotWithoutShapesIsSketched) {
  const BoxLink none{.has_visual = false, .has_collision = false};
  const auto list = Of(Robot(Link("a", none), {}, none, none, none));
  EXPECT_EQ(Wrong(list), "");
  const Surprise* said = Find(list, "no_shapes");
  ASSERT_NE(said, nullptr);
  EXPECT_EQ(SurpriseLine(*said),
            "robot 'r' has no shapes in its file: bars from joint to joint are drawn in their "
            "place");
  EXPECT_EQ(Find(Of(Robot(Link("a"))), "no_shapes"), nullptr);
}

TEST(RobotSurprises, AFingerOfMillimetres) {
  const auto list = Of(Robot(Link("a", {.size = Vec3(10, 10, 100)}), Hinge("a", Vec3(0, 0, 200))));
  const Surprise said = OnlyWrong(list, "size");
  EXPECT_EQ(said.text, "link 'a' is 101 m large, 412 times the middle link");
  EXPECT_NE(said.hint.find("0.001"), std::string::npos) << said.hint;
  // a mesh of the eyes alone
  const Surprise drawn = OnlyWrong(Of(Robot(Link("a", {.drawn = 1000}))), "size");
  EXPECT_EQ(drawn.text, "link 'a' is drawn 245 m large, 1000 times the middle link");
}

TEST(RobotSurprises, AnInertiaOfAnotherScale) {
  const auto large = OnlyWrong(Of(Robot(Link("a", {.inertia = 1000}))), "inertia");
  EXPECT_EQ(large.text,
            "link 'a': inertia is 1000 times that of a box around its shapes at 1.00 kg");
  const auto small = OnlyWrong(Of(Robot(Link("a", {.inertia = 1e-3}))), "inertia");
  EXPECT_EQ(small.text, "link 'a': inertia is 1.0×10⁻³ times that of its shape at 1.00 kg");
  EXPECT_EQ(Find(Of(Robot(Link("a", {.inertia = 1e-3}))), "inertia_right"), nullptr);
  EXPECT_EQ(Wrong(Of(Robot(Link("a", {.inertia = 2})))), "");
  EXPECT_EQ(Wrong(Of(Robot(Link("a", {.inertia = 0.5})))), "");
}

TEST(RobotSurprises, AMassOutsideOfItsShape) {
  const auto said = OnlyWrong(Of(Robot(Link("a", {.centre = Vec3(0, 0, 1.1)}))), "mass_outside");
  EXPECT_EQ(said.text, "link 'a': its centre of mass is 1.00 m outside of its shapes");
}

TEST(RobotSurprises, WhatIsNotThere) {
  const auto list = Of(Robot(Link("a", {.has_collision = false}), {}, {.has_visual = false}, {}));
  EXPECT_EQ(Wrong(list), "");
  ASSERT_NE(Find(list, "no_collision"), nullptr);
  EXPECT_EQ(Find(list, "no_collision")->text,
            "link 'a' is drawn and does not collide: nothing "
            "touches it");
  ASSERT_NE(Find(list, "not_drawn"), nullptr);
  EXPECT_EQ(Find(list, "not_drawn")->names, std::vector<std::string>{"b"});
  const BoxLink seen{.has_collision = false};
  EXPECT_EQ(OnlyWrong(Of(Robot(Link("a", seen), {}, seen, seen, seen)), "no_collision").text,
            "nothing of the robot collides: it is only drawn");
}

TEST(RobotSurprises, ALinkThatWeighsNextToNothing) {
  const auto said = OnlyWrong(Of(Robot(Link("a", {.mass = 1e-5}))), "mass_ratio");
  EXPECT_EQ(said.names, std::vector<std::string>{"a"});
  EXPECT_NE(said.text.find("'base' beside it"), std::string::npos) << said.text;
}

TEST(RobotSurprises, JointsThatCannotBeWhereTheyAre) {
  const auto limit = [](double lower, double upper) {
    return fmt::format("<limit lower='{}' upper='{}' effort='1' velocity='1'/>", lower, upper);
  };
  const std::string origin = "<origin xyz='0.5 0 0'/>";
  const auto still = OnlyWrong(
      Of(Robot(Link("a"), JointText("to_a", "revolute", "base", "a", origin + limit(0, 0)))),
      "no_range");
  EXPECT_EQ(still.text.substr(0, 25), "joint 'to_a' cannot move:");
  // a follower begins where its leader puts it
  const auto outside = OnlyWrong(
      Of(Robot(Link("a"), JointText("to_a", "revolute", "base", "a",
                                    origin + limit(-1, 1) + "<mimic joint='to_b' offset='2'/>"))),
      "start_outside");
  EXPECT_EQ(outside.names, std::vector<std::string>{"to_a"});
}

TEST(RobotSurprises, ShapesThatStartInEachOther) {
  const auto model = [](double apart, double height) {
    const auto arm = [](const char* name, double x) {
      return fmt::format(
          "<body name='{}' pos='{} 0 0'><joint axis='0 1 0'/><geom type='box' size='0.1 0.1 "
          "0.1'/></body>",
          name, x);
    };
    return fmt::format(
        "<mujoco model='m'><worldbody><geom type='plane' size='1 1 1'/><body name='torso' pos='0 0 "
        "{}'><freejoint/><geom type='box' size='0.1 0.1 0.1'/>{}{}</body></worldbody></mujoco>",
        height, arm("left", -apart), arm("right", apart));
  };
  const auto of = [](const std::string& text) {
    const auto robot = ReadMjcfText(text, "m.xml", testing::TempDir());
    EXPECT_TRUE(robot.ok());
    const auto scene = ReadRobotScene(*robot, "m.xml");
    EXPECT_TRUE(scene.ok()) << scene.error().Text();
    return FindSurprises(**scene);
  };
  EXPECT_EQ(Wrong(of(model(0.3, 1))), "");
  const auto said = OnlyWrong(of(model(0.05, 1)), "overlap");
  EXPECT_EQ(said.text, "links 'left' and 'right' collide, and start 0.10 m deep in each other");
  EXPECT_EQ(OnlyWrong(of(model(0.3, 0.05)), "in_surface").names.size(), 3u);
}

TEST(RobotSurprises, OfTheShippedRobotsNothingIsWrong) {
  const auto robots = ListRobots();
  ASSERT_GE(robots.size(), 4u);
  for (const std::string& path : robots) {
    const auto scene = ReadScene(path);
    ASSERT_TRUE(scene.ok()) << path;
    EXPECT_EQ(Wrong(FindSurprises(**scene)), "") << path;
  }
}

TEST(RobotSurprises, OfScenesWithoutRobotsNothingIsSaid) {
  const auto scene = FindScene("conveyor");
  ASSERT_TRUE(scene.ok());
  EXPECT_TRUE(FindSurprises(**scene).empty());
}

TEST(RobotSurprises, RemarksThatDifferInNamesAreOne) {
  const std::vector<std::string> remarks = {
      "link 'a' is part of 'b': joint 'j' is fixed", "mesh \"x.stl\": 3 vertices merged",
      "link 'c' is part of 'b': joint 'k' is fixed", "mesh \"y.stl\": 12 vertices merged"};
  const auto folded = FoldRemarks(remarks);
  ASSERT_EQ(folded.size(), 2u);
  EXPECT_EQ(SurpriseLine(folded[0]), remarks[0] + "; 1 more likewise");
  EXPECT_EQ(folded[1].names, (std::vector<std::string>{remarks[1], remarks[3]}));
}

TEST(RobotShapes, AreCounted) {
  const auto scene = SceneOfText(Robot(Link("a"), {}, {.has_visual = false}));
  EXPECT_EQ(ShapeCountText(CountDrawn(*scene)), "4 boxes") << "what stands in is drawn, too";
  EXPECT_EQ(ShapeCountText(CountColliding(*scene)), "4 boxes");
  EXPECT_EQ(ShapeCountText({}), "nothing");
  // points of feet stand for the shapes of their links
  const auto stand = FindScene("quadruped-stand");
  ASSERT_TRUE(stand.ok());
  EXPECT_NE(ShapeCountText(CountColliding(**stand)).find("4 points"), std::string::npos)
      << ShapeCountText(CountColliding(**stand));
  EXPECT_NE(ShapeCountText(CountDrawn(**stand)).find(" OBJ"), std::string::npos)
      << ShapeCountText(CountDrawn(**stand));
}

}  // namespace
}  // namespace slip
