// <replicate> and <attach>: what they stand for, written out by hand, is the same robot.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/mjcf_models.h"
#include "tests/support/temp_folder.h"

namespace slip {
namespace {

using test::MjcfErrors;
using test::MjcfWorld;
using test::ReadMjcfString;

void ExpectSamePose(const Pose& a, const Pose& b, const std::string& what) {
  EXPECT_LT((a.p - b.p).norm(), 1e-14) << what;
  EXPECT_LT(a.q.angularDistance(b.q), 1e-7) << what;
}

void ExpectSameRobot(const RobotDescription& a, const RobotDescription& b) {
  ASSERT_EQ(a.links.size(), b.links.size());
  for (std::size_t i = 0; i < a.links.size(); ++i) {
    const RobotLink &x = a.links[i], &y = b.links[i];
    EXPECT_EQ(x.name, y.name);
    EXPECT_NEAR(x.mass, y.mass, 1e-14 * y.mass) << y.name;
    EXPECT_LT((x.I_LC - y.I_LC).norm(), 1e-14) << y.name;
    ASSERT_EQ(x.collisions.size(), y.collisions.size()) << y.name;
    for (std::size_t s = 0; s < x.collisions.size(); ++s) {
      EXPECT_EQ(x.collisions[s].name, y.collisions[s].name);
      EXPECT_EQ(x.collisions[s].shape.kind, y.collisions[s].shape.kind);
      EXPECT_EQ(x.collisions[s].color, y.collisions[s].color) << y.name;
      ExpectSamePose(x.collisions[s].X_LS, y.collisions[s].X_LS, y.name);
    }
  }
  for (std::size_t j = 0; j < a.joints.size(); ++j) {
    const RobotJoint &x = a.joints[j], &y = b.joints[j];
    EXPECT_EQ(x.name, y.name);
    EXPECT_EQ(x.kind, y.kind) << y.name;
    ExpectSamePose(x.X_PJ, y.X_PJ, y.name);
    EXPECT_LT((x.axis - y.axis).norm(), 1e-15) << y.name;
    if (x.lower != y.lower) EXPECT_NEAR(x.lower, y.lower, 1e-15) << y.name;
    EXPECT_EQ(x.damping, y.damping) << y.name;
    EXPECT_EQ(x.stiffness, y.stiffness) << y.name;
    EXPECT_EQ(x.mimic.has_value(), y.mimic.has_value()) << y.name;
    if (x.mimic && y.mimic) EXPECT_EQ(x.mimic->joint, y.mimic->joint) << y.name;
  }
  EXPECT_EQ(a.apart, b.apart);
  EXPECT_EQ(a.together, b.together);
}

RobotDescription ReadGood(const std::string& text) {
  const auto robot = ReadMjcfString(text);
  EXPECT_TRUE(robot.ok()) << MjcfErrors(text);
  return robot.ok() ? *robot : RobotDescription{};
}

TEST(MjcfReplicate, CopiesStandOneBehindTheOther) {
  const auto body = [](const std::string& suffix, const std::string& frame) {
    return fmt::format(
        "<frame {1}><body name='b{0}' pos='0.1 0 0'><joint name='j{0}' range='-30 40'/><geom "
        "name='g{0}' size='0.05'/></body></frame>",
        suffix, frame);
  };
  std::string copies, motors, apart;
  // each offset is turned by what was turned before: 1, then 1 at 30 degrees, ...
  const double c = std::cos(0.5235987755982988), s = 0.5;
  const double places[4][2] = {{0, 0}, {1, 0}, {1 + c, s}, {1 + c + s, s + c}};
  for (int i = 0; i < 4; ++i) {
    copies += body(std::to_string(i), fmt::format("pos='{} {} {}' euler='0 0 {}'", places[i][0],
                                                  places[i][1], 0.2 * i, 30 * i));
    motors += fmt::format("<position name='m{0}' joint='j{0}' kp='7'/>", i);
    apart += fmt::format("<exclude body1='b{}' body2='rest'/>", i);
  }
  const std::string rest = "<body name='rest'><joint name='r'/><geom size='0.1'/></body>";
  const std::string pattern = body("", "pos='0 0 0'");
  const std::string short_text = MjcfWorld(
      "<replicate count='4' offset='1 0 0.2' euler='0 0 30'>" + pattern + "</replicate>" + rest, {},
      "<contact><exclude body1='b' body2='rest'/></contact>"
      "<actuator><position name='m' joint='j' kp='7'/></actuator>");
  const std::string long_text = MjcfWorld(
      copies + rest, {}, "<contact>" + apart + "</contact><actuator>" + motors + "</actuator>");
  ExpectSameRobot(ReadGood(short_text), ReadGood(long_text));
}

TEST(MjcfReplicate, NumbersHaveAsManyDigitsAsTheirCountAndStackUp) {
  const RobotDescription robot = ReadGood(MjcfWorld(
      "<replicate count='2' offset='0 1 0' sep='-'><body name='row'><freejoint name='f'/><geom "
      "size='.1'/></body><replicate count='10' offset='1 0 0' sep='_'><body name='b'><joint "
      "name='j'/><geom size='.1'/></body></replicate></replicate>",
      {}, "<equality><joint joint1='j_03-1' joint2='j_04-1'/></equality>"));
  EXPECT_EQ(robot.links.size(), 1 + 2 * 11u);
  const int link = robot.FindLink("b_07-1");
  ASSERT_GT(link, 0);
  EXPECT_LT((robot.joints[static_cast<std::size_t>(link - 1)].X_PJ.p - Vec3(7, 1, 0)).norm(),
            1e-14);
  EXPECT_GE(robot.FindLink("row-0"), 0);
  EXPECT_TRUE(robot.joints[static_cast<std::size_t>(robot.FindJoint("j_03-1"))].mimic.has_value());
}

class MjcfAttach : public testing::Test {
 protected:
  void Write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(folder_.path(name)).parent_path());
    WriteText(folder_.path(name), text);
  }
  Result<RobotDescription> Read(const std::string& name) const {
    return ReadMjcf(folder_.path(name));
  }
  std::string ErrorsOf(const std::string& name) const {
    std::string all;
    const auto robot = Read(name);
    for (const Error& error : robot.errors()) all += error.Text() + "\n";
    return all;
  }
  TempFolder folder_;
};

constexpr const char* kTetrahedron =
    "v 0 0 0\nv .1 0 0\nv 0 .1 0\nv 0 0 .1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

// Its own units, classes, meshes and motors; what refers to the rest of its file stays there.
constexpr const char* kChild = R"(<mujoco model="leg"><compiler angle="radian" meshdir="m"/>
<default><joint damping="3"/><default class="foot"><geom rgba="1 0 0 1" size="0.04"/></default></default>
<asset><mesh name="shin" file="t.obj"/><material name="blue" rgba="0 0 1 1"/></asset>
<worldbody><body name="stand"><joint name="js"/><geom size="0.1"/></body>
 <body name="thigh" pos="0 0 -1"><joint name="hip" range="-1 1"/><geom name="g" type="mesh" mesh="shin" material="blue"/>
  <body name="shank" euler="0.3 0 0"><joint name="knee" axis="0 1 0"/><geom class="foot"/></body></body>
</worldbody>
<actuator><position name="mh" joint="hip" kp="5"/><motor name="ms" joint="js"/></actuator>
<equality><joint joint1="knee" joint2="hip"/></equality>
<contact><exclude body1="thigh" body2="stand"/></contact></mujoco>)";

TEST_F(MjcfAttach, ABodyOfAnotherModelComesWithAllThatIsItsOwn) {
  Write("parts/leg.xml", kChild);
  Write("parts/m/t.obj", kTetrahedron);
  Write("m.xml",
        R"(<mujoco model="m"><compiler angle="degree"/><default><joint damping="9"/></default>
<asset><model name="leg" file="parts/leg.xml"/></asset><worldbody>
<body name="trunk" pos="0 0 2"><freejoint name="root"/><geom size="0.2"/>
 <frame pos="0.2 0 0"><attach model="leg" body="thigh" prefix="l_"/></frame>
 <frame pos="-0.2 0 0" euler="0 0 90"><attach model="leg" body="thigh" prefix="r_"/></frame></body>
</worldbody></mujoco>)");
  const auto leg = [](const std::string& p) {
    return fmt::format(
        "<body name='{0}thigh' pos='0 0 -1'><joint name='{0}hip' damping='3' "
        "range='-57.29577951308232"
        " 57.29577951308232'/><geom name='{0}g' type='mesh' mesh='shin' rgba='0 0 1 1'/><body "
        "name='{0}shank' euler='17.188733853924695 0 0'><joint name='{0}knee' damping='3' axis='0 "
        "1 "
        "0'/><geom rgba='1 0 0 1' size='0.04'/></body></body>",
        p);
  };
  Write("long.xml",
        "<mujoco model='m'><asset><mesh name='shin' file='parts/m/t.obj'/></asset><worldbody><body "
        "name='trunk' pos='0 0 2'><freejoint name='root'/><geom size='0.2'/><frame pos='0.2 0 0'>" +
            leg("l_") + "</frame><frame pos='-0.2 0 0' euler='0 0 90'>" + leg("r_") +
            "</frame></body></worldbody><equality><joint joint1='l_knee' joint2='l_hip'/><joint "
            "joint1='r_knee' joint2='r_hip'/></equality><actuator><position joint='l_hip' "
            "kp='5'/><position joint='r_hip' kp='5'/></actuator></mujoco>");
  const auto attached = Read("m.xml"), written = Read("long.xml");
  ASSERT_TRUE(attached.ok()) << ErrorsOf("m.xml");
  ASSERT_TRUE(written.ok()) << ErrorsOf("long.xml");
  ExpectSameRobot(*attached, *written);
}

TEST_F(MjcfAttach, AllThatStandsInTheWorldWhereNoBodyIsNamed) {
  Write("parts/leg.xml", kChild);
  Write("parts/m/t.obj", kTetrahedron);
  Write("m.xml",
        "<mujoco><asset><model file='parts/leg.xml'/></asset><worldbody><attach "
        "model='leg' prefix='a/'/></worldbody></mujoco>");
  const auto robot = Read("m.xml");
  ASSERT_TRUE(robot.ok()) << ErrorsOf("m.xml");
  for (const char* link : {"a/stand", "a/thigh", "a/shank"})
    EXPECT_GE(robot->FindLink(link), 0) << link;
}

TEST_F(MjcfAttach, RefusesByName) {
  Write("leg.xml", kChild);
  Write("m/t.obj", kTetrahedron);
  const auto said = [&](const std::string& assets, const std::string& attach) {
    Write("m.xml", "<mujoco><asset>" + assets + "</asset><worldbody>" + attach +
                       "<geom size='1'/></worldbody></mujoco>");
    return ErrorsOf("m.xml");
  };
  const std::string leg = "<model name='leg' file='leg.xml'/>";
  EXPECT_NE(said(leg, "<attach model='leg' body='arm' prefix='p'/>")
                .find("model 'leg' has no body "
                      "'arm'"),
            std::string::npos);
  EXPECT_NE(said("<model name='x' file='../../../x.xml'/>", "").find("leads out of the model's"),
            std::string::npos);
  EXPECT_NE(said("<model name='x' file='none.xml'/>", "").find("there is no file"),
            std::string::npos);
  EXPECT_NE(said(leg,
                 "<attach model='leg' body='thigh' prefix='p'/><attach model='leg' "
                 "body='thigh' prefix='p'/>")
                .find("a second body 'pthigh'"),
            std::string::npos);
  Write("two.xml", "<mujoco><asset>" + leg +
                       "</asset><worldbody><attach model='leg' "
                       "body='thigh' prefix='q'/></worldbody></mujoco>");
  EXPECT_NE(said("<model name='two' file='two.xml'/>", "<attach model='two' prefix='p'/>")
                .find("an attached model attaches another"),
            std::string::npos);
}

}  // namespace
}  // namespace slip
