// What of MuJoCo's format is approximated and said, and what hostile files do.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/support/mjcf_models.h"
#include "tests/support/temp_folder.h"
#include "tests/support/urdf.h"

namespace slip {
namespace {

using test::MjcfArm;
using test::MjcfErrors;
using test::MjcfWorld;
using test::ReadMjcfString;

bool Holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Mjcf, SaysAllThatItRefusesAtOnce) {
  const std::string errors = MjcfErrors(
      "<mujoco>\n<option viscosity='1'/>\n<worldbody>\n<body>\n<joint damping='x'/>\n"
      "<geom type='sdf'/>\n</body>\n</worldbody>\n<tendon>\n<spatial/>\n</tendon>\n</mujoco>");
  for (const char* line : {"test.xml:2: ", "test.xml:5: ", "test.xml:6: ", "test.xml:10: "})
    EXPECT_TRUE(Holds(errors, line)) << errors;
}

const std::string kTwoBalls =
    "<body name='b'><joint name='j'/><geom name='g' size='0.1' pos='0.2 0 0'/></body>"
    "<body name='c'><joint name='k'/><geom name='h' size='0.1' pos='0.2 0 0'/></body>";

using Remark = test::MjcfSaying;
class MjcfSays : public testing::TestWithParam<Remark> {};
INSTANTIATE_TEST_SUITE_P(
    OnceEach, MjcfSays,
    testing::Values(
        Remark{"density", MjcfWorld(MjcfArm()),
               "masses without <inertial> are those of the shapes"},
        Remark{"integrator", MjcfWorld(MjcfArm(), "<option integrator='RK4'/>"),
               "integrator RK4 is not used"},
        Remark{"ellipsoid", MjcfWorld(MjcfArm("<geom type='ellipsoid' size='.1 .2 .3'/>")),
               "hulls of 162 points"},
        Remark{"condim", MjcfWorld(MjcfArm("<geom size='1' condim='6'/>")),
               "condim 6 is read as 4"},
        Remark{"friction", MjcfWorld(MjcfArm("<geom size='1' friction='5'/>")),
               "friction above 3 is read as 3"},
        Remark{"margin", MjcfWorld(MjcfArm("<geom size='1' margin='0.1'/>")),
               "margin and gap of shapes are not used"},
        Remark{"limit", MjcfWorld(MjcfArm({}, "range='-10 10'")), "limits of joints are springs"},
        Remark{"spring",
               MjcfWorld(MjcfArm({}, "stiffness='3'"), {},
                         "<actuator><position joint='j'/></actuator>"),
               "the spring and the motor of a joint are one motor"},
        Remark{"polycoef",
               MjcfWorld(kTwoBalls, {},
                         "<equality><joint joint1='j' joint2='k' polycoef='0 1 0.5 0 "
                         "0'/></equality>"),
               "off by up to 0.5 rad"},
        Remark{"pair", MjcfWorld(kTwoBalls, {}, "<contact><pair geom1='g' geom2='h'/></contact>"),
               "pairs have contact parameters of their own"},
        Remark{"pair_friction",
               MjcfWorld(kTwoBalls, {},
                         "<contact><pair geom1='g' geom2='h' friction='0.2 0.6'/></contact>"),
               "0.4 for 0.2 along one and 0.6 along the other"},
        Remark{
            "pair_margin",
            MjcfWorld(kTwoBalls, {}, "<contact><pair geom1='g' geom2='h' margin='0.1'/></contact>"),
            "margin, gap and solreffriction of pairs are not used"},
        Remark{"pair_twice",
               MjcfWorld(kTwoBalls, {},
                         "<contact><pair geom1='g' geom2='h'/><pair geom1='h' "
                         "geom2='g'/></contact>"),
               "of two pairs of the same shapes the first is taken"},
        Remark{"pair_of_one",
               MjcfWorld(MjcfArm("<geom name='h' size='1'/>"), {},
                         "<contact><pair geom1='g' geom2='h'/></contact>"),
               "pairs of shapes that move as one do not touch"},
        Remark{"mocap", MjcfWorld("<body mocap='true'/>" + MjcfArm()), "mocap bodies stay"},
        Remark{"site", MjcfWorld(MjcfArm("<site/><site/>")),
               "<site> is not read (line 1 and 1 more)"},
        Remark{"sensor", MjcfWorld(MjcfArm(), {}, "<sensor><clock/></sensor>"),
               "<sensor> is not read"},
        Remark{"missing_mesh",
               MjcfWorld(MjcfArm("<geom mesh='m' contype='0' conaffinity='0' mass='0'/>"
                                 "<geom mesh='n' contype='0' conaffinity='0' mass='0'/>"),
                         "<asset><mesh name='m' file='no_such.obj'/><mesh name='n' "
                         "file='none.stl'/></asset>"),
               "meshes for the eyes alone are not drawn where their files are missing"},
        Remark{
            "visual_mesh",
            MjcfWorld(MjcfArm("<geom mesh='m' type='mesh' contype='0' conaffinity='0' mass='0'/>"),
                      "<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1' "
                      "face='0 1 9'/></asset>"),
            "mesh 'm' is not drawn"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST_P(MjcfSays, WhatItApproximates) {
  const auto robot = ReadMjcfString(GetParam().text);
  ASSERT_TRUE(robot.ok()) << MjcfErrors(GetParam().text);
  const auto& notes = robot->notes;
  const auto times = std::count_if(notes.begin(), notes.end(), [](const std::string& note) {
    return Holds(note, GetParam().said);
  });
  EXPECT_EQ(times, 1) << fmt::format("{}", fmt::join(notes, "\n"));
}

TEST(Mjcf, InertiaOfSixNumbersStandsInTheBodysAxes) {
  const auto robot = ReadMjcfString(MjcfWorld(
      "<body><joint/><inertial pos='0.1 0 0' mass='1' fullinertia='.02 .03 .04 .001 .002 -.003'/>"
      "</body>"));
  ASSERT_TRUE(robot.ok());
  Mat3 I;
  I << 0.02, 0.001, 0.002, 0.001, 0.03, -0.003, 0.002, -0.003, 0.04;
  EXPECT_LT((robot->links[1].I_LC - I).norm(), 1e-15);
  EXPECT_EQ(robot->links[1].p_LC, Vec3(0.1, 0, 0));
}

TEST(Mjcf, AFlagThatStopsContactLeavesShapesForTheEyes) {
  const auto robot =
      ReadMjcfString(MjcfWorld(MjcfArm(), "<option><flag contact='disable'/></option>"));
  ASSERT_TRUE(robot.ok());
  EXPECT_TRUE(robot->links[1].collisions.empty());
  EXPECT_EQ(robot->links[1].visuals.size(), 1u);
}

class MjcfFiles : public testing::Test {
 protected:
  void Write(const std::string& name, const std::string& text) const {
    WriteText(folder_.path(name), text);
  }
  std::string ErrorsOf(const std::string& name) const {
    std::string all;
    const auto robot = ReadMjcf(folder_.path(name));
    for (const Error& error : robot.errors()) all += error.Text() + "\n";
    return all;
  }
  TempFolder folder_;
};

TEST_F(MjcfFiles, IncludeWhatStandsBesideThem) {
  Write("m.xml",
        "<mujoco><include file='arm.xml'/><worldbody><include file='b.xml'/></worldbody>"
        "</mujoco>");
  Write("arm.xml",
        "<mujoco>\n<default><geom density='2'/></default>\n"
        "<compiler angle='radian'/></mujoco>");
  Write("b.xml", "<mujocoinclude>" + MjcfArm() + "</mujocoinclude>");
  const auto robot = ReadMjcf(folder_.path("m.xml"));
  ASSERT_TRUE(robot.ok()) << ErrorsOf("m.xml");
  EXPECT_EQ(robot->links.size(), 2u);
  EXPECT_NEAR(robot->links[1].mass, 2 * 4.0 / 3 * 3.14159265358979 * 1e-3, 1e-12);
  // an error names the file that it is in
  Write("arm.xml", "<mujoco>\n\n<compiler angle='turns'/></mujoco>");
  EXPECT_TRUE(Holds(ErrorsOf("m.xml"), "arm.xml:3: compiler: angle of <compiler> is 'turns'"))
      << ErrorsOf("m.xml");
}

TEST_F(MjcfFiles, ThatIncludeEachOtherAreRefused) {
  Write("a.xml", "<mujoco><include file='b.xml'/></mujoco>");
  Write("b.xml", "<mujoco><include file='c.xml'/></mujoco>");
  Write("c.xml", "<mujoco><include file='b.xml'/></mujoco>");
  EXPECT_TRUE(Holds(ErrorsOf("a.xml"), "c.xml:1: 'b.xml' includes itself")) << ErrorsOf("a.xml");
  for (int i = 0; i < 30; ++i)
    Write(fmt::format("n{}.xml", i),
          fmt::format("<mujoco><include file='n{}.xml'/></mujoco>", i + 1));
  EXPECT_TRUE(Holds(ErrorsOf("n0.xml"), "include each other too deeply")) << ErrorsOf("n0.xml");
}

TEST_F(MjcfFiles, DoNotLeadOutOfTheirFolder) {
  for (const char* name :
       {"../../../x.xml", "/etc/passwd", "a/../../../../x.xml", "C:\\x.xml", "..\\..\\..\\x.xml"}) {
    Write("m.xml", fmt::format("<mujoco><include file='{}'/></mujoco>", name));
    EXPECT_TRUE(Holds(ErrorsOf("m.xml"), "leads out of the model's folders")) << ErrorsOf("m.xml");
    Write("m.xml", MjcfWorld(MjcfArm("<geom type='mesh' mesh='m'/>"),
                             fmt::format("<asset><mesh name='m' file='{}'/></asset>", name)));
    EXPECT_TRUE(Holds(ErrorsOf("m.xml"), "leads out of the model's folders")) << ErrorsOf("m.xml");
  }
}

// robot/xml/m.xml with robot/meshes and robot/parts/arm.xml
TEST_F(MjcfFiles, MayStandInFoldersBeside) {
  for (const char* folder : {"robot/xml", "robot/meshes", "robot/parts"})
    std::filesystem::create_directories(folder_.path(folder));
  Write("robot/meshes/t.obj",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  Write("robot/parts/arm.xml", "<mujocoinclude>" + MjcfArm() + "</mujocoinclude>");
  Write("robot/xml/m.xml",
        "<mujoco><compiler meshdir='../meshes'/><asset><mesh file='t.obj'/></asset><worldbody>"
        "<body name='c'><freejoint/><geom type='mesh' mesh='t'/></body>"
        "<include file='..\\parts/arm.xml'/></worldbody></mujoco>");
  const auto robot = ReadMjcf(folder_.path("robot/xml/m.xml"));
  ASSERT_TRUE(robot.ok()) << ErrorsOf("robot/xml/m.xml");
  EXPECT_EQ(robot->links.size(), 3u);
}

TEST_F(MjcfFiles, WhatFollowsFromAnErrorIsNotSaid) {
  const auto lines = [&](const std::string& text) {
    Write("m.xml", text);
    const std::string errors = ErrorsOf("m.xml");
    EXPECT_EQ(std::count(errors.begin(), errors.end(), '\n'), 1) << errors;
    return errors;
  };
  EXPECT_TRUE(Holds(lines("<mujoco><include file='none.xml'/></mujoco>"), "there is no file"));
  EXPECT_TRUE(Holds(lines(MjcfWorld("<body><joint/><geom size='0'/></body>")), "size is 0 m"));
  EXPECT_TRUE(
      Holds(lines(MjcfWorld("<body><joint/><body><geom size='-1'/></body></body>")), "size is -1"));
  EXPECT_TRUE(Holds(lines(MjcfWorld("<body><joint/><geom type='mesh' mesh='m'/></body>"
                                    "<body><joint/><geom type='mesh' mesh='m'/></body>",
                                    "<asset><mesh name='m' file='none.obj'/></asset>")),
                    "there is no file"));
  EXPECT_TRUE(Holds(lines(MjcfWorld("<body><joint/><inertial pos='0 0 0' mass='x'/></body>")),
                    "expected a number"));
  EXPECT_TRUE(Holds(lines(MjcfWorld(MjcfArm(), "<option timestep='-1'/>")),
                    "timestep is -1 s (expected 1e-7 to 0.1 s)"));
}

TEST_F(MjcfFiles, MeshesAreFoundAndScaled) {
  const std::string tet =
      "v 0 0 0\nv 100 0 0\nv 0 100 0\nv 0 0 100\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  Write("tet.obj", tet);
  Write("m.xml", MjcfWorld("<body><freejoint/><geom type='mesh' mesh='tet'/></body>",
                           "<asset><mesh file='tet.obj' scale='.001 .001 .001'/></asset>"));
  const auto robot = ReadMjcf(folder_.path("m.xml"));
  ASSERT_TRUE(robot.ok()) << ErrorsOf("m.xml");
  EXPECT_NEAR(robot->links[1].mass, 1000 * 1e-3 / 6, 1e-9);
  EXPECT_LT((robot->links[1].p_LC - Vec3::Constant(0.025)).norm(), 1e-12);
  Write("m.xml", MjcfWorld("<body><freejoint/><geom type='mesh' mesh='tet'/></body>",
                           "<asset><mesh file='Tet.obj'/></asset>"));
  EXPECT_TRUE(Holds(ErrorsOf("m.xml"), "there is no mesh 'tet'")) << ErrorsOf("m.xml");
  Write("m.xml", MjcfWorld("<body><freejoint/><geom type='mesh' mesh='Tet'/></body>",
                           "<asset><mesh file='Tet.obj'/></asset>"));
  EXPECT_TRUE(Holds(ErrorsOf("m.xml"), "upper and lower case differ")) << ErrorsOf("m.xml");
}

TEST_F(MjcfFiles, TheRootDecidesWhatAnXmlFileIs) {
  Write("r.xml", test::RobotText(""));
  const auto robot = ReadRobotFile(folder_.path("r.xml"));
  ASSERT_TRUE(robot.ok());
  EXPECT_FALSE(robot->world);
  ASSERT_FALSE(robot->notes.empty());
  EXPECT_EQ(robot->notes.back(), "its root is <robot>: read as URDF");
  Write("m.xml", "<?xml version=\"1.0\"?><!-- <robot> -->" + MjcfWorld(MjcfArm()));
  const auto model = ReadRobotFile(folder_.path("m.xml"));
  ASSERT_TRUE(model.ok());
  EXPECT_TRUE(model->world);
  Write("n.xml", "<sdf/>");
  const auto none = ReadRobotFile(folder_.path("n.xml"));
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().message, "the root is <sdf>");
}

TEST(Mjcf, HostileTextsGetASentence) {
  std::string deep = "<mujoco><worldbody>";
  for (int i = 0; i < 400; ++i) deep += "<body>";
  EXPECT_FALSE(ReadMjcfString(deep).ok());
  for (int i = 0; i < 400; ++i) deep += "</body>";
  EXPECT_TRUE(Holds(MjcfErrors(deep + "</worldbody></mujoco>"), "nested too deeply"));
  EXPECT_FALSE(ReadMjcfString("").ok());
  EXPECT_FALSE(ReadMjcfString("<!DOCTYPE a [<!ENTITY b 'c'>]><mujoco/>").ok());
  EXPECT_FALSE(ReadMjcfString(std::string(17 << 20, ' ')).ok());
  std::string many = "<mujoco><worldbody>";
  for (int i = 0; i < 20100; ++i) many += "<body/>";
  EXPECT_TRUE(Holds(MjcfErrors(many + "</worldbody></mujoco>"), "more than 20000 bodies"));
}

TEST(Mjcf, WhatGrowsByItsSquareIsBounded) {
  std::string joints, keys, shapes, classes;
  for (int i = 0; i < 2000; ++i) {
    joints += "<body><joint/><geom size='.1'/></body>";
    keys += "<key/>";
    shapes += "<geom size='.1'/>";
    classes += "<geom size='.1'/>";
  }
  EXPECT_TRUE(Holds(MjcfErrors(MjcfWorld(joints, {}, "<keyframe>" + keys + "</keyframe>")),
                    "too many keyframes for so many joints"));
  EXPECT_TRUE(Holds(MjcfErrors(MjcfWorld("<body><joint/>" + shapes + "<body><joint/>" + shapes +
                                         "</body></body>")),
                    "pairs of shapes are kept apart"));
  EXPECT_TRUE(Holds(MjcfErrors(MjcfWorld(MjcfArm(), "<default>" + classes + "<joint/></default>")),
                    "more than 2000 elements in <default>"));
}

// Every mutilated file is read, or refused in words of ours.
TEST(Mjcf, MutilatedFilesGetASentence) {
  std::mt19937 random(11);
  int refused = 0, whole = 0;
  for (int i = 0; i < 400; ++i) {
    const auto& model =
        test::kMjcfModels[static_cast<std::size_t>(i) % std::size(test::kMjcfModels)];
    std::string text = model.text;
    const std::string words[] = {"<",       ">",        "'",           "\"",   "-1",   "nan",
                                 "1e400",   "0",        " ",           "name", "ball", "<body>",
                                 "</body>", "<joint/>", "class=\"x\"", "quat"};
    const int changes = 1 + i % 3;
    for (int k = 0; k < changes; ++k) {
      const std::size_t at = random() % text.size();
      switch (random() % 3) {
        case 0:
          text.erase(at, 1 + random() % 12);
          break;
        case 1:
          text.insert(at, words[random() % std::size(words)]);
          break;
        default:
          text[at] = static_cast<char>(random() % 96 + 32);
      }
    }
    const auto robot = ReadMjcfString(text);
    (robot.ok() ? whole : refused) += 1;
    for (const Error& error : robot.errors()) {
      EXPECT_FALSE(error.message.empty());
      EXPECT_NE(error.hint, "please report this file") << error.Text() << "\n" << text;
    }
    if (robot.ok()) EXPECT_EQ(test::Flaw(*robot), "") << text;
    if (!robot.ok()) EXPECT_FALSE(robot.errors().empty());
  }
  EXPECT_GT(refused, 100);
  EXPECT_GT(whole, 10);
}

}  // namespace
}  // namespace slip
