// Limits of joints that files leave out or set to 0, joints that are said to follow and cannot, and
// roots that are the world.
#include <algorithm>

#include "tests/support/geometry.h"
#include "tests/support/urdf.h"

namespace slip::test {
namespace {

RobotDescription ReadGood(const std::string& text) {
  const auto read = ReadText(text);
  EXPECT_TRUE(read.ok()) << ErrorsOf(read);
  return read.ok() ? *read : RobotDescription{};
}

std::string Limit(const std::string& effort, const std::string& velocity) {
  return "<limit lower=\"-1\" upper=\"1\" effort=\"" + effort + "\" velocity=\"" + velocity +
         "\"/>";
}

std::string OneJoint(const std::string& type, const std::string& more) {
  return RobotText(LinkText("a") + JointText("j", type, "base", "a", more));
}

TEST(UrdfJoint, AnEffortOrVelocityOfZeroIsNotSet) {
  for (const char* type : {"revolute", "prismatic", "continuous"}) {
    const RobotDescription robot = ReadGood(OneJoint(type, Limit("0", "0.0")));
    ASSERT_EQ(robot.joints.size(), 1u);
    EXPECT_EQ(robot.joints[0].effort, kNoLimit) << type;
    EXPECT_EQ(robot.joints[0].velocity, kNoLimit) << type;
    EXPECT_TRUE(HasNote(robot.notes, "joint 'j': effort 0 is taken for \"not set\"")) << type;
    EXPECT_TRUE(HasNote(robot.notes, "joint 'j': velocity 0 is taken for \"not set\"")) << type;
    EXPECT_FALSE(HasNote(robot.notes, "velocity limits are not used"));
  }
  const RobotDescription set = ReadGood(OneJoint("revolute", Limit("1e-3", "0")));
  EXPECT_EQ(set.joints[0].effort, 1e-3);
  EXPECT_FALSE(HasNote(set.notes, "effort 0"));
  // one note for all
  std::string text;
  for (const char* name : {"a", "b", "c", "d", "e"})
    text += LinkText(name) +
            JointText(std::string("j_") + name, "revolute", "base", name, Limit("0", "1"));
  const RobotDescription many = ReadGood(RobotText(text));
  EXPECT_TRUE(HasNote(many.notes, "joints 'j_a', 'j_b', 'j_c' and 2 more: effort 0"));
  EXPECT_EQ(std::count_if(many.notes.begin(), many.notes.end(),
                          [](const std::string& note) { return note.find("effort 0") < 99; }),
            1);
}

TEST(UrdfJoint, AContinuousJointNeedsNoLimit) {
  const RobotDescription slow = ReadGood(OneJoint("continuous", "<limit velocity=\"3\"/>"));
  EXPECT_EQ(slow.joints.at(0).effort, kNoLimit);
  EXPECT_EQ(slow.joints.at(0).velocity, 3);
  EXPECT_TRUE(HasNote(slow.notes, "joint 'j': no effort is given: no limit"));
  const RobotDescription strong = ReadGood(OneJoint("continuous", "<limit effort=\"3\"/>"));
  EXPECT_EQ(strong.joints.at(0).effort, 3);
  EXPECT_EQ(strong.joints.at(0).velocity, kNoLimit);
  const RobotDescription bare = ReadGood(OneJoint("continuous", "<limit/>"));
  EXPECT_EQ(bare.joints.at(0).effort, kNoLimit);
  EXPECT_TRUE(ReadText(OneJoint("fixed", "<limit velocity=\"3\"/>")).ok());
  // one that has an end needs its force
  const auto sliding = ReadText(OneJoint("prismatic", "<limit lower=\"0\" upper=\"1\"/>"));
  ASSERT_FALSE(sliding.ok());
  EXPECT_NE(ErrorsOf(sliding).find("no effort of <limit>"), std::string::npos);
}

TEST(UrdfJoint, ALowerLimitAboveTheUpperOneIsNone) {
  // so Bullet's files say that there is none
  for (const char* type : {"revolute", "prismatic"}) {
    const RobotDescription robot =
        ReadGood(OneJoint(type, "<limit lower=\"1\" upper=\"-1\" effort=\"2\" velocity=\"3\"/>"));
    EXPECT_EQ(robot.joints.at(0).lower, -kNoLimit) << type;
    EXPECT_EQ(robot.joints.at(0).upper, kNoLimit) << type;
    EXPECT_EQ(robot.joints.at(0).effort, 2) << type;
    EXPECT_TRUE(HasNote(robot.notes, "joint 'j': its lower limit is above the upper one")) << type;
  }
  EXPECT_EQ(ReadGood(OneJoint("revolute", Limit("1", "1"))).joints.at(0).lower, -1);
}

TEST(UrdfJoint, SphericalJointsTurnEveryWay) {
  // a word of Bullet's
  const RobotDescription robot = ReadGood(OneJoint("spherical", "<axis xyz=\"0 0 0\"/>"));
  ASSERT_EQ(robot.joints.size(), 1u);
  EXPECT_EQ(robot.joints[0].kind, RobotJointKind::kBall);
  const auto led =
      ReadText(RobotText(LinkText("a") + LinkText("b") + JointText("j", "spherical", "base", "a") +
                         JointText("k", "continuous", "a", "b", "<mimic joint=\"j\"/>")));
  ASSERT_FALSE(led.ok());
  EXPECT_NE(ErrorsOf(led).find("it follows 'j', which is spherical"), std::string::npos);
  const auto follows =
      ReadText(RobotText(LinkText("a") + LinkText("b") + JointText("j", "continuous", "base", "a") +
                         JointText("k", "spherical", "a", "b", "<mimic joint=\"j\"/>")));
  ASSERT_FALSE(follows.ok());
  EXPECT_NE(ErrorsOf(follows).find("a spherical joint cannot follow"), std::string::npos);
}

TEST(UrdfJoint, AFixedJointThatFollowsStaysFixed) {
  const RobotDescription robot = ReadGood(
      RobotText(LinkText("a") + LinkText("b") + JointText("j", "continuous", "base", "a") +
                JointText("k", "fixed", "a", "b", "<mimic joint=\"j\" multiplier=\"2\"/>")));
  ASSERT_EQ(robot.joints.size(), 2u);
  EXPECT_FALSE(robot.joints[1].mimic.has_value());
  EXPECT_TRUE(HasNote(robot.notes, "joint 'k': it is fixed, so its <mimic> is not read"));
  EXPECT_EQ(MergeFixedLinks(robot).joints.size(), 1u);
}

TEST(UrdfJoint, ARootWithoutMassThatIsCalledWorldIsTheWorld) {
  const auto on = [](const std::string& name, const std::string& root) {
    return "<robot name=\"r\">" + LinkText(name, root) + LinkText("a") + LinkText("b") +
           JointText("j", "fixed", name, "a") + JointText("k", "fixed", name, "b") + "</robot>";
  };
  const std::string none =
      "<inertial><mass value=\"0\"/><inertia ixx=\"0\" ixy=\"0\" ixz=\"0\" iyy=\"0\" iyz=\"0\" "
      "izz=\"0\"/></inertial>";
  for (const std::string& root : {std::string(), none}) {
    const RobotDescription robot = ReadGood(on("world", root));
    EXPECT_TRUE(robot.on_world);
    EXPECT_TRUE(HasNote(robot.notes, "link 'world', the root, is the world"));
    const RobotDescription merged = MergeFixedLinks(robot);
    EXPECT_TRUE(merged.on_world);
    EXPECT_EQ(merged.links.at(0).mass, 2);
  }
  EXPECT_TRUE(ReadGood(on("World", "")).on_world);
  // what weighs something is a link
  EXPECT_FALSE(ReadGood(on("world", kBody)).on_world);
  EXPECT_FALSE(ReadGood(on("base_footprint", "")).on_world);
}

}  // namespace
}  // namespace slip::test
