// What robots' files have beside URDF: elements of other programs, slips that every reader passes
// over, and files that are none of URDF at all.
#include <algorithm>

#include "engine/mjcf/mjcf.h"
#include "engine/scene/robot_scene.h"
#include "engine/scene/scene.h"
#include "tests/support/geometry.h"
#include "tests/support/temp_folder.h"
#include "tests/support/urdf.h"

namespace slip::test {
namespace {

/// A hand of two fingers, with more in the robot.
std::string Hand(const std::string& more, const std::string& limit = "") {
  return RobotText(LinkText("left") + LinkText("right") +
                   JointText("lead", "revolute", "base", "left",
                             "<limit effort=\"5\" velocity=\"0\"/>" + limit) +
                   JointText("follow", "continuous", "base", "right") + more);
}

RobotDescription ReadHand(const std::string& more) {
  const auto read = ReadText(Hand(more));
  EXPECT_TRUE(read.ok()) << ErrorsOf(read);
  return read.ok() ? *read : RobotDescription{};
}

const RobotJoint& JointOf(const RobotDescription& robot, std::string_view name) {
  return robot.joints.at(static_cast<std::size_t>(robot.FindJoint(name)));
}

TEST(UrdfForeign, LimitsAndFollowersOfRos2ControlAreRead) {
  const RobotDescription robot = ReadHand(R"(
<ros2_control name="a" type="system"><hardware><plugin>p</plugin></hardware>
 <joint name="lead">
  <command_interface name="position"><param name="min">-0.5</param><param name="max">0.7</param>
  </command_interface>
  <command_interface name="effort"><param name="min">-3</param><param name="max">2</param>
  </command_interface>
  <command_interface name="velocity"><param name="min">-4</param><param name="max">4</param>
  </command_interface>
  <state_interface name="position"/></joint>
 <joint name="follow"><param name="mimic">lead</param><param name="multiplier">-2</param></joint>
 <joint name="nobody"><param name="mimic">lead</param></joint>
</ros2_control>)");
  const RobotJoint& lead = JointOf(robot, "lead");
  EXPECT_EQ(lead.lower, -0.5);
  EXPECT_EQ(lead.upper, 0.7);
  EXPECT_EQ(lead.effort, 3);
  EXPECT_EQ(lead.velocity, 4);
  const RobotJoint& follow = JointOf(robot, "follow");
  ASSERT_TRUE(follow.mimic.has_value());
  EXPECT_EQ(follow.mimic->joint, robot.FindJoint("lead"));
  EXPECT_EQ(follow.mimic->multiplier, -2);
  EXPECT_TRUE(HasNote(robot.notes, "joint 'lead': its effort limit is that of <ros2_control>"));
  EXPECT_TRUE(HasNote(robot.notes, "joint 'follow': it follows joint 'lead', as <ros2_control>"));
  EXPECT_TRUE(HasNote(robot.notes, "<ros2_control> is not read, but for what is said here"));
  // a limit that the joint has is not widened
  const auto strong = ReadHand(
      "<ros2_control><joint name=\"lead\"><command_interface name=\"effort\"><param "
      "name=\"min\">-9</param><param name=\"max\">9</param></command_interface></joint>"
      "</ros2_control>");
  EXPECT_EQ(JointOf(strong, "lead").effort, 5);
}

TEST(UrdfForeign, TheRotorBehindAGearIsArmature) {
  const RobotDescription robot = ReadHand(R"(
<transmission name="t" type="SimpleTransmission"><joint name="lead"/><actuator name="m"/>
 <motorInertia>0.0002</motorInertia><mechanicalReduction>50</mechanicalReduction></transmission>
<transmission name="u"><type>transmission_interface/SimpleTransmission</type>
 <joint name="follow"/><actuator name="n"><mechanicalReduction>7</mechanicalReduction></actuator>
</transmission>)");
  EXPECT_NEAR(JointOf(robot, "lead").armature, 0.5, 1e-15);
  // a gear alone says nothing of the joint
  EXPECT_EQ(JointOf(robot, "follow").armature, 0);
  EXPECT_TRUE(HasNote(robot.notes, "joint 'lead': its rotor"));
  EXPECT_TRUE(HasNote(robot.notes, "<transmission> is not read, but for"));
  EXPECT_TRUE(HasNote(robot.notes, "(2 of them)"));
}

TEST(UrdfForeign, GazebosFollowersAreReadAndTheRestIsSaidOnce) {
  const RobotDescription robot = ReadHand(R"(
<gazebo><plugin filename="libmimic.so" name="p"><joint>lead</joint><mimicJoint>follow</mimicJoint>
 <multiplier>0.5</multiplier><offset>0.1</offset></plugin></gazebo>
<gazebo reference="left"><mu1>0.3</mu1></gazebo><gazebo reference="right"/>)");
  const RobotJoint& follow = JointOf(robot, "follow");
  ASSERT_TRUE(follow.mimic.has_value());
  EXPECT_EQ(follow.mimic->multiplier, 0.5);
  EXPECT_EQ(follow.mimic->offset, 0.1);
  EXPECT_EQ(std::count_if(robot.notes.begin(), robot.notes.end(),
                          [](const std::string& note) { return note.find("<gazebo>") == 0; }),
            1);
  // nobody follows himself, or one who follows
  const RobotDescription self = ReadHand(
      "<gazebo><plugin><joint>lead</joint><mimicJoint>lead</mimicJoint></plugin></gazebo>");
  EXPECT_FALSE(JointOf(self, "lead").mimic.has_value());
  EXPECT_TRUE(HasNote(self.notes, "<gazebo> is not read (1 of them)"));
}

TEST(UrdfForeign, AJointThatShouldFollowNobodyMovesByItself) {
  const auto read =
      ReadText(RobotText(LinkText("a") + LinkText("b") + JointText("j", "continuous", "base", "a") +
                         JointText("k", "continuous", "a", "b", "<mimic joint=\"jj\"/>")));
  ASSERT_TRUE(read.ok()) << ErrorsOf(read);
  EXPECT_FALSE(read->joints[1].mimic.has_value());
  EXPECT_TRUE(HasNote(read->notes,
                      "joint 'k': it should follow joint 'jj', which there is not, and moves by "
                      "itself (did you mean 'j'?)"));
}

TEST(UrdfForeign, OfTwoThingsForTheEyesTheFirstIsTaken) {
  std::string links, joints;
  for (const char* name : {"a", "b", "c", "d", "e"}) {
    links += LinkText(name,
                      "<visual><geometry><sphere radius=\"1\"/><material name=\"m\"/></geometry>"
                      "<material name=\"m\"><color rgba=\"1 0 0 1\"/></material>"
                      "<material name=\"m\"><color rgba=\"0 1 0 1\"/></material></visual>");
    joints += JointText(std::string("j") + name, "fixed", "base", name);
  }
  const auto read = ReadText(RobotText(links + joints));
  ASSERT_TRUE(read.ok()) << ErrorsOf(read);
  EXPECT_EQ((*read->links[1].visuals.at(0).color)[0], 1);
  // one note each, however many links it is true of
  EXPECT_TRUE(HasNote(read->notes,
                      "link 'a', link 'b', link 'c' and 2 more: there is a second <material>, and "
                      "the first is taken"));
  EXPECT_TRUE(HasNote(read->notes, "there is a second element in a <geometry>"));
}

TEST(UrdfForeign, AVisualOfSizeZeroIsNotDrawn) {
  for (const char* shape : {"<box size=\"0 0 0\"/>", "<sphere radius=\"0.0\"/>",
                            "<cylinder radius=\"1\" length=\"0\"/>"}) {
    const auto read = ReadText(RobotText(
        LinkText("a", std::string("<visual><geometry>") + shape + "</geometry></visual>") +
        JointText("j", "fixed", "base", "a")));
    ASSERT_TRUE(read.ok()) << ErrorsOf(read);
    EXPECT_TRUE(read->links[1].visuals.empty()) << shape;
    EXPECT_TRUE(HasNote(read->notes, "link 'a': a visual of size 0 is not drawn")) << shape;
  }
}

TEST(UrdfForeign, APlaneIsTheUpperSideOfABox) {
  const auto read = ReadText(
      RobotText(LinkText("a",
                         "<collision><origin xyz=\"0 0 2\"/><geometry><plane normal=\"1 0 0\"/>"
                         "</geometry></collision>"
                         "<collision><geometry><plane/></geometry></collision>") +
                JointText("j", "fixed", "base", "a")));
  ASSERT_TRUE(read.ok()) << ErrorsOf(read);
  const auto& shapes = read->links[1].collisions;
  ASSERT_EQ(shapes.size(), 2u);
  const auto top = [](const RobotShape& shape) {
    return Vec3(shape.X_LS * Vec3(0, 0, shape.shape.size.z() / 2));
  };
  EXPECT_LT((top(shapes[0]) - Vec3(0, 0, 2)).norm(), 1e-12);
  EXPECT_LT((shapes[0].X_LS.q * Vec3::UnitZ() - Vec3::UnitX()).norm(), 1e-12);
  EXPECT_LT(top(shapes[1]).norm(), 1e-12);
  EXPECT_GE(shapes[1].shape.size.x(), 100);
  EXPECT_TRUE(HasNote(read->notes, "link 'a': a <plane> is the upper side of a box of 100 m"));
}

TEST(UrdfForeign, CapsulesAreRead) {
  const auto read = ReadText(
      RobotText(LinkText("a",
                         "<collision><geometry><capsule radius=\"0.1\" length=\"0.4\"/></geometry>"
                         "</collision>") +
                JointText("j", "fixed", "base", "a")));
  ASSERT_TRUE(read.ok()) << ErrorsOf(read);
  const RobotShape& capsule = read->links[1].collisions.at(0);
  EXPECT_EQ(capsule.shape.kind, ShapeKind::kCapsule);
  EXPECT_EQ(capsule.shape.length, 0.4);
  EXPECT_TRUE((capsule.X_LS.q * Vec3::UnitX()).isApprox(Vec3::UnitZ(), 1e-15));
}

std::string OnlyError(const Result<RobotDescription>& read) {
  EXPECT_FALSE(read.ok());
  EXPECT_EQ(read.errors().size(), 1u) << ErrorsOf(read);
  return read.ok() ? std::string() : read.error().Text();
}

TEST(UrdfForeign, AMacrosSourceIsTakenForWhatItIsAndNeverEvaluated) {
  const std::string space = " xmlns:xacro=\"http://ros.org/wiki/xacro\"";
  for (const std::string& text :
       {std::string("<robot name=\"r\"><xacro:macro/></robot>"),
        "<robot" + space + "><link name=\"a\"><xacro:box/></link></robot>",
        "<robot name=\"r\"" + space + "><link name=\"${prefix}a\"/></robot>",
        "<robot name=\"r\"" + space +
            "><link name=\"a\"><visual><geometry><mesh "
            "filename=\"$(find p)/m.obj\"/></geometry></visual></link></robot>"}) {
    const std::string said = OnlyError(ReadText(text));
    EXPECT_NE(said.find("this is a xacro file"), std::string::npos) << said;
    EXPECT_NE(said.find("xacro test.urdf > robot.urdf"), std::string::npos) << said;
  }
  // what a macro has made keeps its namespace
  EXPECT_TRUE(ReadText("<robot name=\"r\"" + space + "><link name=\"a\"/></robot>").ok());
  const TempFolder folder;
  WriteText(folder.path("r.urdf.xacro"), "<robot name=\"r\"><link name=\"a\"/></robot>");
  const auto scene = FindScene(folder.path("r.urdf.xacro"));
  ASSERT_FALSE(scene.ok());
  EXPECT_NE(scene.error().Text().find("this is a xacro file"), std::string::npos)
      << scene.error().Text();
  EXPECT_FALSE(IsRobotFile("r.urdf.xacro"));
}

TEST(UrdfForeign, FilesThatBelongToRobotsAreToldApart) {
  const std::string group =
      "<robot name=\"r\"><group name=\"arm\"><joint name=\"j\"/></group></robot>";
  EXPECT_NE(OnlyError(ReadText(group)).find("this is an SRDF file"), std::string::npos);
  const TempFolder folder;
  WriteText(folder.path("r.srdf"), "<robot name=\"r\"/>");
  EXPECT_NE(OnlyError(ReadRobotFile(folder.path("r.srdf"))).find("this is an SRDF file"),
            std::string::npos);
  WriteText(folder.path("r.sdf"), "<sdf version=\"1.8\"/>");
  EXPECT_NE(OnlyError(ReadRobotFile(folder.path("r.sdf"))).find("SDF is not read"),
            std::string::npos);
  // the root decides
  WriteText(folder.path("m.urdf"),
            "<mujoco><worldbody><body><joint/><geom size=\"0.1\"/></body></worldbody></mujoco>");
  const auto model = ReadRobotFile(folder.path("m.urdf"));
  ASSERT_TRUE(model.ok()) << ErrorsOf(model);
  EXPECT_TRUE(model->world);
}

TEST(UrdfForeign, ARobotWithoutANameIsCalledAsItsFile) {
  const auto read = ReadText("<robot><link name=\"a\"/></robot>");
  ASSERT_TRUE(read.ok()) << ErrorsOf(read);
  EXPECT_EQ(read->name, "test");  // .urdf
  EXPECT_TRUE(HasNote(read->notes, "<robot> has no name: it is called as its file is"));
}

TEST(UrdfForeign, ProductsOfInertiaThatAreNotGivenAreZero) {
  const auto read =
      ReadText(RobotText(LinkText("a",
                                  "<inertial><mass value=\"2\"/><inertia ixx=\"0.3\" iyy=\"0.2\" "
                                  "izz=\"0.4\" iyz=\"0.01\"/></inertial>") +
                         JointText("j", "continuous", "base", "a")));
  ASSERT_TRUE(read.ok()) << ErrorsOf(read);
  Mat3 expected;
  expected << 0.3, 0, 0, 0, 0.2, 0.01, 0, 0.01, 0.4;
  EXPECT_TRUE(read->links.at(1).I_LC.isApprox(expected, 1e-15)) << read->links.at(1).I_LC;
  EXPECT_TRUE(HasNote(read->notes, "link 'a': products of inertia that are not given are 0"));
  // a moment is needed
  const auto without =
      ReadText(RobotText(LinkText("a",
                                  "<inertial><mass value=\"2\"/><inertia ixx=\"0.3\" iyy=\"0.2\"/>"
                                  "</inertial>") +
                         JointText("j", "continuous", "base", "a")));
  ASSERT_FALSE(without.ok());
  EXPECT_NE(ErrorsOf(without).find("no izz of <inertia>"), std::string::npos);
}

TEST(UrdfForeign, WhatIsSaidTwiceAlikeIsSaidOnce) {
  const auto twice = [](const std::string& first, const std::string& second) {
    return ReadText(RobotText(
        LinkText("a") + JointText("j", "continuous", "base", "a",
                                  "<axis xyz=\"" + first + "\"/><axis xyz=\"" + second + "\"/>")));
  };
  const auto same = twice("0 1 0", "0 1 0");
  ASSERT_TRUE(same.ok()) << ErrorsOf(same);
  EXPECT_EQ(same->joints.at(0).axis, Vec3::UnitY());
  const auto other = twice("0 1 0", "0 0 1");
  ASSERT_FALSE(other.ok());
  EXPECT_NE(ErrorsOf(other).find("a second <axis>"), std::string::npos);
}

TEST(UrdfForeign, AFileMayEndAsAString) {
  const std::string text = RobotText(LinkText("a") + JointText("j", "continuous", "base", "a"));
  EXPECT_TRUE(ReadText(text + std::string(2, '\0')).ok());
  EXPECT_FALSE(ReadText(text + std::string(1, '\0') + "x").ok());
}

}  // namespace
}  // namespace slip::test
