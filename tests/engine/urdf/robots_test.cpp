// The program's own robots: their masses and lengths, the merging of fixed links, and what is left
// of them when their files are mutilated.
#include <fmt/format.h>

#include <filesystem>
#include <numbers>

#include "engine/core/text_file.h"
#include "engine/geometry/mass_properties.h"
#include "tests/support/folders.h"
#include "tests/support/geometry.h"
#include "tests/support/urdf.h"

namespace slip::test {
namespace {

RobotDescription Own(const std::string& file) {
  const auto robot = ReadUrdf(SourceFolder() + "/assets/robots/" + file);
  EXPECT_TRUE(robot.ok()) << ErrorsOf(robot);
  return robot.ok() ? *robot : RobotDescription();
}

/// Mass, centre and inertia about it of all links where the joints stand at zero, in the root's
/// frame.
MassProperties Whole(const RobotDescription& robot) {
  std::vector<Pose> X_RL(robot.links.size());
  for (std::size_t i = 1; i < robot.links.size(); ++i) {
    const RobotJoint& joint = robot.joints[i - 1];
    const Pose& X_RP = X_RL[joint.parent];
    X_RL[i] = {X_RP * joint.X_PJ.p, X_RP.q * joint.X_PJ.q};
  }
  MassProperties whole;
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    whole.mass += robot.links[i].mass;
    whole.p_com += robot.links[i].mass * (X_RL[i] * robot.links[i].p_LC);
  }
  whole.p_com /= whole.mass;
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    const Vec3 d = X_RL[i] * robot.links[i].p_LC - whole.p_com;
    const Mat3 R = X_RL[i].q.toRotationMatrix();
    whole.inertia += R * robot.links[i].I_LC * R.transpose() +
                     robot.links[i].mass * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
  }
  return whole;
}

void ExpectSameWhole(const RobotDescription& a, const RobotDescription& b) {
  const MassProperties before = Whole(a), after = Whole(b);
  EXPECT_NEAR(before.mass, after.mass, 1e-13 * before.mass);
  EXPECT_LT((before.p_com - after.p_com).norm(), 1e-13);
  EXPECT_LT((before.inertia - after.inertia).norm(), 1e-13 * before.inertia.norm());
}

TEST(Robots, AreListed) {
  std::vector<std::string> names;
  for (const std::string& path : ListRobots()) {
    const auto robot = ReadUrdf(path);
    ASSERT_TRUE(robot.ok()) << ErrorsOf(robot);
    EXPECT_EQ(Flaw(*robot), "");
    ASSERT_GE(robot->notes.size(), 1u);
    ASSERT_LE(robot->notes.size(), 2u) << "a gripper's root has no mass";
    EXPECT_TRUE(HasNote(robot->notes, "velocity limits are not used"));
    names.push_back(robot->name);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"arm", "biped", "gripper", "pinch", "solo"}));
}

TEST(Robots, TheQuadrupedWeighsWhatSoloDoes) {
  const RobotDescription solo = Own("quadruped.urdf");
  EXPECT_EQ(solo.links.size(), 17u);
  EXPECT_NEAR(solo.CalcMass(), 2.50000279, 1e-12);
  const RobotDescription merged = MergeFixedLinks(solo);
  ASSERT_EQ(merged.links.size(), 13u);
  ASSERT_EQ(merged.joints.size(), 12u);
  EXPECT_EQ(Flaw(merged), "");
  ExpectSameWhole(solo, merged);
  int leg = 0;
  for (const char* name : {"FL", "FR", "HL", "HR"}) {
    const double fx = leg < 2 ? 1 : -1, sy = leg % 2 == 0 ? 1 : -1;
    const std::string n = name;
    // the order of joints that controllers count by
    EXPECT_EQ(merged.joints[3 * leg].name, n + "_HAA");
    EXPECT_EQ(merged.joints[3 * leg + 1].name, n + "_HFE");
    EXPECT_EQ(merged.joints[3 * leg + 2].name, n + "_KFE");
    EXPECT_EQ(merged.joints[3 * leg].axis, Vec3::UnitX());
    EXPECT_EQ(merged.joints[3 * leg].X_PJ.p, Vec3(0.1946 * fx, 0.0875 * sy, 0));
    const int lower = merged.FindLink(n + "_LOWER_LEG");
    ASSERT_GE(lower, 0);
    EXPECT_NEAR(merged.links[lower].mass, 0.03763607, 1e-15);
    EXPECT_LT((merged.links[lower].p_LC - Vec3(0, 0.00789921122913 * sy, -0.10224903071)).norm(),
              1e-12);
    const int foot = merged.FindFrame(n + "_FOOT");
    ASSERT_GE(foot, 0);
    EXPECT_EQ(merged.frames[foot].link, lower);
    EXPECT_EQ(merged.frames[foot].X_LF.p, Vec3(0, 0.008 * sy, -0.16));
    EXPECT_TRUE(HasNote(merged.notes, n + "_FOOT' is part of '" + n + "_LOWER_LEG"));
    // the height it stands at: HFE -0.8, KFE 1.6
    EXPECT_LT(merged.joints[3 * leg + 1].lower, -0.849);
    EXPECT_GT(merged.joints[3 * leg + 2].upper, 1.751);
    EXPECT_LT(merged.joints[3 * leg + 2].lower, -1.751);
    EXPECT_GE(merged.joints[3 * leg + 2].effort, 8);
    ++leg;
  }
  const RobotLink& shoulder = merged.links[merged.FindLink("HR_SHOULDER")];
  EXPECT_EQ(shoulder.p_LC, Vec3(0.078707, -0.01, 0));
  EXPECT_EQ(shoulder.I_LC(0, 1), 4.671e-5);
  EXPECT_EQ(merged.links[merged.FindLink("FR_UPPER_LEG")].I_LC(1, 2), -4.671e-5);
}

TEST(Robots, TheBipedStandsOnItsSoles) {
  const RobotDescription biped = Own("biped.urdf");
  ASSERT_EQ(biped.links.size(), 13u);
  // the base with trunk, head and arms, and two legs
  EXPECT_NEAR(biped.CalcMass(), 40.52937, 1e-9);
  EXPECT_EQ(MergeFixedLinks(biped).links.size(), 13u);
  const char* order[] = {"HipYaw", "HipRoll", "HipPitch", "KneePitch", "AnklePitch", "AnkleRoll"};
  double height = 0;
  for (int i = 0; i < 12; ++i) {
    EXPECT_EQ(biped.joints[i].name, std::string(i < 6 ? "L_" : "R_") + order[i % 6]);
    if (i < 6) height -= biped.joints[i].X_PJ.p.z();
  }
  EXPECT_NEAR(height, 0.20004 + 0.61, 1e-15);
  for (const auto& [side, sy] : {std::pair{"L", 1.0}, {"R", -1.0}}) {
    const std::string name = side;
    const RobotLink& foot = biped.links[biped.FindLink(name + "_ANKLE_ROLL")];
    EXPECT_EQ(foot.p_LC, Vec3(0.07856, -0.00603 * sy, -0.04513));
    ASSERT_EQ(foot.collisions.size(), 1u);
    const RobotShape& sole = foot.collisions[0];
    const Vec3 low = sole.X_LS.p - 0.5 * sole.shape.size,
               high = sole.X_LS.p + 0.5 * sole.shape.size;
    EXPECT_LT((low - Vec3(-0.05, -0.05, -0.07)).norm(), 1e-15);
    EXPECT_LT((high.head<2>() - Vec2(0.10, 0.05)).norm(), 1e-15);
    const RobotLink& yaw = biped.links[biped.FindLink(name + "_HIP_YAW")];
    EXPECT_EQ(biped.joints[yaw.parent_joint].X_PJ.p, Vec3(0, 0.096 * sy, -0.20004));
  }
}

TEST(Robots, TheArmReachesItsTip) {
  const RobotDescription arm = Own("arm.urdf");
  EXPECT_NEAR(arm.CalcMass(), 18, 1e-12);
  const RobotDescription merged = MergeFixedLinks(arm);
  ASSERT_EQ(merged.joints.size(), 7u);
  ExpectSameWhole(arm, merged);
  EXPECT_EQ(merged.links[0].name, "base");
  double reach = 0.015;  // the tool's radius
  for (int i = 0; i < 7; ++i) {
    EXPECT_EQ(merged.joints[i].name, fmt::format("J{}", i + 1));
    EXPECT_GT(merged.joints[i].effort, 0);
    EXPECT_GT(merged.joints[i].damping, 0);
    if (i > 1) reach += merged.joints[i].X_PJ.p.z();
  }
  const int tool = merged.FindFrame("tool");
  ASSERT_GE(tool, 0);
  EXPECT_EQ(merged.links[merged.frames[tool].link].name, "link7");
  EXPECT_NEAR(reach + merged.frames[tool].X_LF.p.z(), 0.85, 1e-12);
}

TEST(Robots, MergingFollowsTurnsAndChains) {
  const std::string turned = "<origin xyz=\"0.1 0.2 0.3\" rpy=\"0.4 -0.5 0.6\"/>";
  const std::string body =
      "<inertial><origin xyz=\"0.1 0 0.2\" rpy=\"0.3 0 0\"/><mass value=\"2\"/><inertia ixx=\"1\" "
      "iyy=\"2\" izz=\"2.5\" ixy=\"0.1\" ixz=\"0\" iyz=\"0.2\"/></inertial><visual>" +
      turned + "<geometry><sphere radius=\"1\"/></geometry></visual>";
  const auto read = ReadText(RobotText(
      LinkText("a", body) + LinkText("b", body) + LinkText("c", body) + LinkText("d", "") +
      JointText("j", "fixed", "base", "a", turned) + JointText("k", "fixed", "a", "b", turned) +
      JointText("l", "continuous", "b", "c", turned) + JointText("m", "fixed", "c", "d", turned)));
  ASSERT_TRUE(read.ok()) << ErrorsOf(read);
  const RobotDescription merged = MergeFixedLinks(*read);
  ASSERT_EQ(merged.links.size(), 2u);
  EXPECT_EQ(Flaw(merged), "");
  ExpectSameWhole(*read, merged);
  EXPECT_EQ(merged.links[0].visuals.size(), 2u);
  EXPECT_EQ(merged.frames.size(), 3u);
  EXPECT_EQ(merged.notes.size(), read->notes.size() + 3);
  // merging again changes nothing
  const RobotDescription again = MergeFixedLinks(merged);
  EXPECT_EQ(again.frames.size(), 3u);
  EXPECT_EQ(again.links[0].mass, merged.links[0].mass);
}

/// Mistakes as editors, disks and people make them.
std::string Mutilate(std::string text, int kind, Random* random) {
  const auto at = [&](std::size_t size) {
    return std::min(size - 1,
                    static_cast<std::size_t>(random->Uniform(0, 1) * static_cast<double>(size)));
  };
  const auto replace_number = [&](const std::string& with) {
    for (int tries = 0; tries < 100; ++tries) {
      const std::size_t begin = text.find_first_of("0123456789", at(text.size()));
      if (begin == text.npos) continue;
      text.replace(begin, text.find_first_not_of("0123456789.e-", begin) - begin, with);
      return;
    }
  };
  static const std::array<const char*, 12> kNumbers = {
      "nan",  "inf",   "-1",     "0",    "1e999", "",
      "1e-9", "1e300", "-1e-30", "0x10", "1,5",   "999999999999999999999"};
  switch (kind) {
    case 0:
      return text.substr(0, at(text.size()));
    case 1:
      replace_number(kNumbers[at(kNumbers.size())]);
      return text;
    case 2: {  // a line is lost
      const std::size_t begin = text.find('\n', at(text.size()));
      if (begin != text.npos) text.erase(begin, text.find('\n', begin + 1) - begin);
      return text;
    }
    case 3: {  // two lines trade places
      std::vector<std::string> lines;
      for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
        lines.push_back(text.substr(begin, end - begin));
        begin = end;
      }
      std::swap(lines[at(lines.size())], lines[at(lines.size())]);
      text.clear();
      for (const std::string& line : lines) text += line;
      return text;
    }
    case 4: {  // an attribute is lost
      const std::size_t begin = text.find(' ', text.find("=\"", at(text.size())));
      const std::size_t end = begin == text.npos ? begin : text.find("\"", begin + 40);
      if (end != text.npos) text.erase(begin, end - begin);
      return text;
    }
    case 5:
      for (int i = 0; i < 3; ++i)
        text[at(text.size())] = static_cast<char>(random->Uniform(0, 256));
      return text;
    case 6: {  // everything again, inside
      const std::size_t begin = text.find("<link", at(text.size()));
      return begin == text.npos ? text : text.insert(begin, text);
    }
    default: {  // a name becomes another's
      const std::size_t a = text.find("link=\"", at(text.size()));
      const std::size_t b = text.find("link=\"", at(text.size()));
      if (a == text.npos || b == text.npos) return text;
      const auto name = [&](std::size_t i) {
        return text.substr(i + 6, text.find('"', i + 6) - i - 6);
      };
      return text.replace(a + 6, name(a).size(), name(b));
    }
  }
}

TEST(Robots, MutilatedFilesAreRefusedOrSound) {
  const std::string folder = SourceFolder() + "/assets/robots";
  Random random(5);
  int read = 0, refused = 0;
  for (const char* file : {"quadruped.urdf", "biped.urdf", "arm.urdf"}) {
    const std::string text = *ReadTextFile(folder + "/" + file, {});
    for (int round = 0; round < 80; ++round) {
      std::string bad = text;
      for (int i = 0; i <= round / 40; ++i) bad = Mutilate(bad, (round + i) % 8, &random);
      const auto robot = ReadUrdfText(bad, file, folder);
      if (robot.ok()) {
        ++read;
        EXPECT_EQ(Flaw(*robot), "") << file << " round " << round;
        EXPECT_EQ(Flaw(MergeFixedLinks(*robot)), "") << file << " round " << round;
      } else {
        ++refused;
        for (const Error& error : robot.errors()) {
          EXPECT_FALSE(error.message.empty());
          EXPECT_EQ(error.message.find("the file cannot be read"), std::string::npos)
              << "what was checked could not be put together: " << error.Text();
        }
      }
    }
  }
  EXPECT_GT(refused, 100);
  EXPECT_GT(read, 20);
}

}  // namespace
}  // namespace slip::test
