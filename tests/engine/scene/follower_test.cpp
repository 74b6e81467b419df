// Joints that follow others: where they start, and what a scene may say of them.
#include <gtest/gtest.h>

#include "engine/run/study/plan_notes.h"
#include "engine/scene/scene.h"
#include "engine/urdf/robot_description.h"
#include "tests/support/temp_folder.h"

namespace slip {
namespace {

std::string Link(const std::string& name) {
  return "<link name='" + name +
         "'><inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/>"
         "</inertial></link>\n";
}

std::string Joint(const std::string& name, const std::string& parent, const std::string& child,
                  const std::string& mimic) {
  return "<joint name='" + name + "' type='revolute'><parent link='" + parent + "'/><child link='" +
         child +
         "'/><origin xyz='0 0 1'/><axis xyz='0 1 0'/>"
         "<limit lower='-0.5' upper='0.5' effort='9' velocity='9'/>" +
         mimic + "</joint>\n";
}

class FollowerTest : public testing::Test {
 protected:
  void WriteRobot(const std::string& offset) const {
    WriteText(
        folder_.path("r.urdf"),
        "<robot name='r'><link name='world'/>" + Link("a") + Link("b") + Link("c") +
            Joint("j1", "world", "a", "") +
            Joint("j2", "a", "b", "<mimic joint='j1' multiplier='1' offset='" + offset + "'/>") +
            Joint("j3", "b", "c", "<mimic joint='j2'/>") + "</robot>\n");
  }
  Result<std::shared_ptr<const Scene>> Read(const std::string& keys) const {
    WriteText(folder_.path("s.toml"),
              "title = \"T\"\n[material.m]\n[robot.arm]\nfile = \"r.urdf\"\n" + keys);
    return FindScene(folder_.path("s.toml"));
  }
  TempFolder folder_;
};

TEST_F(FollowerTest, AStartOutsideOfItsOwnLimitsIsNoted) {
  WriteRobot("0.8");
  const auto scene = Read("");
  ASSERT_TRUE(scene.ok()) << scene.error().Text();
  const auto notes = StartNotes(*(*scene)->model);
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_EQ(notes[0],
            "joint 'arm/j2' follows 'arm/j1' and starts at 0.8 rad, outside of its own limits -0.5 "
            "to 0.5 rad");
  const auto plan = MakeRunPlan(*scene, {}, {}, {});
  ASSERT_TRUE(plan.ok());
  const auto told = PlanNotes(*plan);
  ASSERT_EQ(told.size(), notes.size());
  for (std::size_t i = 0; i < told.size(); ++i) EXPECT_EQ(told[i].text, notes[i]);
  // the leader makes up for it
  const auto inside = Read("joints = { j1 = -0.4 }\n");
  ASSERT_TRUE(inside.ok()) << inside.error().Text();
  EXPECT_TRUE(StartNotes(*(*inside)->model).empty());
  WriteRobot("0.5");
  EXPECT_TRUE(StartNotes(*(*Read(""))->model).empty()) << "at a limit";
}

TEST_F(FollowerTest, AStartOfItsOwnIsRefusedByTheNameOfTheLeader) {
  WriteRobot("0");
  for (const char* keys : {"joints = { j2 = 0.1 }\n", "joints = { j3 = 0.1 }\n"}) {
    const auto scene = Read(keys);
    ASSERT_FALSE(scene.ok());
    EXPECT_NE(scene.error().Text().find("follows 'j1', so it has no start of its own"),
              std::string::npos)
        << scene.error().Text();
    EXPECT_EQ(scene.error().line, 5);
  }
  const auto motor = Read("joint_stiffness = { j3 = 10 }\n");
  ASSERT_FALSE(motor.ok());
  EXPECT_NE(motor.error().Text().find("follows 'j1', so it has no motor of its own"),
            std::string::npos)
      << motor.error().Text();
}

TEST_F(FollowerTest, ANumberWithAUnitIsQuotedWhole) {
  const auto robot = ReadUrdfText(
      "<robot name='r'><link name='a'><inertial><mass value='1 kg'/><inertia ixx='1' ixy='0' "
      "ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link></robot>",
      "r.urdf", folder_.path());
  ASSERT_FALSE(robot.ok());
  const std::string text = robot.error().Text();
  EXPECT_NE(text.find("'1 kg'; expected a number alone"), std::string::npos) << text;
  EXPECT_NE(text.find("without a unit: it is in kg"), std::string::npos) << text;
}

}  // namespace
}  // namespace slip
