// Joints of one limb are a group, and are called as people call them.
#include "app/panels/common/joint_groups.h"

#include <gtest/gtest.h>

#include "engine/scene/robot_scene.h"
#include "engine/sim/simulation.h"
#include "tests/support/urdf.h"

namespace slip::app {
namespace {

TEST(JointGroups, LegsAreGroupsAndAnArmIsOne) {
  const auto groups_of = [](const char* scene) {
    const auto found = FindScene(scene);
    EXPECT_TRUE(found.ok());
    const Simulation sim((*found)->model, (*found)->config);
    std::vector<JointFrame> joints;
    sim.GetJoints(&joints);
    std::string text;
    for (const JointGroup& group : GroupJoints(*(*found)->model, joints)) {
      text += group.title + ":";
      for (std::size_t j = group.first; j < group.first + group.count; ++j)
        text += " " + std::string(NameInGroup(*(*found)->model, group, joints[j]));
      text += "\n";
    }
    return text;
  };
  EXPECT_EQ(groups_of("quadruped-stand"),
            "FL: HAA HFE KFE\nFR: HAA HFE KFE\nHL: HAA HFE KFE\nHR: HAA HFE KFE\n");
  EXPECT_EQ(groups_of("arm-press"), "arm: J1 J2 J3 J4 J5 J6 J7\n");
}

std::string GroupsOf(const std::vector<const char*>& names) {
  std::string links, joints;
  for (const char* name : names) {
    const std::string link = std::string(name) + "_link";
    links += test::LinkText(link);
    joints += test::JointText(std::string(name) + "_joint", "continuous", "base", link);
  }
  const auto robot = test::ReadText(test::RobotText(links + joints));
  EXPECT_TRUE(robot.ok()) << test::ErrorsOf(robot);
  const auto scene = ReadRobotScene(*robot, "r.urdf");
  EXPECT_TRUE(scene.ok()) << scene.error().Text();
  const Simulation sim((*scene)->model, (*scene)->config);
  std::vector<JointFrame> frames;
  sim.GetJoints(&frames);
  std::string text;
  for (const JointGroup& group : GroupJoints(*(*scene)->model, frames)) {
    text += group.title + " " + std::string(group.words) + ":";
    for (std::size_t j = group.first; j < group.first + group.count; ++j)
      text += " " + std::string(NameInGroup(*(*scene)->model, group, frames[j]));
    text += "\n";
  }
  return text;
}

// Names as robots of others have them.
TEST(JointGroups, LimbsAreSaidWhereNamesSaySo) {
  EXPECT_EQ(GroupsOf({"left_hip_pitch", "left_knee", "right_hip_pitch", "right_knee",
                      "left_shoulder", "left_elbow", "waist"}),
            "left leg: hip_pitch knee\nright leg: hip_pitch knee\nleft arm: shoulder elbow\n"
            "r : waist\n");
}

TEST(JointGroups, APrefixOfAllIsLeftOut) {
  EXPECT_EQ(GroupsOf({"panda_shoulder", "panda_elbow", "panda_finger_1"}),
            "r : shoulder elbow finger_1\n");
  EXPECT_EQ(GroupsOf({"panda_shoulder", "panda_elbow", "tool"}),
            "r : panda_shoulder panda_elbow tool\n");
}

}  // namespace
}  // namespace slip::app
