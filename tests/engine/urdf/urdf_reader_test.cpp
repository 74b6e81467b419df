// URDF files, good and bad: what is read, and that each mistake is told with its line and its cure.
#include <fmt/format.h>

#include <algorithm>

#include "tests/support/geometry.h"
#include "tests/support/urdf.h"

namespace slip::test {
namespace {

constexpr const char* kLimit = R"(<limit lower="-1" upper="2" effort="3" velocity="4"/>)";

TEST(Urdf, ReadsEverythingOfAFile) {
  const auto read = ReadText(kCrane);
  ASSERT_TRUE(read.ok()) << ErrorsOf(read);
  const RobotDescription& robot = *read;
  EXPECT_EQ(Flaw(robot), "");
  EXPECT_EQ(robot.name, "crane");
  ASSERT_EQ(robot.links.size(), 4u);
  ASSERT_EQ(robot.joints.size(), 3u);
  EXPECT_EQ(robot.links[0].name, "base");
  EXPECT_EQ(robot.links[0].line, 5);
  EXPECT_EQ(robot.links[3].name, "tip");
  EXPECT_EQ(robot.CalcMass(), 3);

  const RobotLink& base = robot.links[0];
  ASSERT_EQ(base.visuals.size(), 2u);
  EXPECT_EQ(base.visuals[0].name, "box");
  EXPECT_EQ(base.visuals[0].shape.kind, ShapeKind::kBox);
  EXPECT_EQ(base.visuals[0].shape.size, Vec3(0.1, 0.2, 0.3));
  EXPECT_EQ(base.visuals[0].X_LS.p, Vec3(1, 2, 3));
  EXPECT_TRUE((base.visuals[0].X_LS.q * Vec3::UnitX()).isApprox(Vec3::UnitY(), 1e-15));
  ASSERT_TRUE(base.visuals[0].color.has_value());
  EXPECT_EQ(*base.visuals[0].color, (std::array<double, 4>{1, 0, 0, 0.5}));
  EXPECT_EQ(base.visuals[1].shape.radius, 0.5);
  EXPECT_EQ(*base.visuals[1].color, (std::array<double, 4>{0, 1, 0, 1}));
  // a colour that another link defined
  EXPECT_EQ(*robot.links[2].visuals[0].color, (std::array<double, 4>{0, 1, 0, 1}));

  // the axis of our cylinders is x, that of URDF's z
  ASSERT_EQ(base.collisions.size(), 1u);
  const RobotShape& post = base.collisions[0];
  EXPECT_EQ(post.name, "post");
  EXPECT_EQ(post.shape.kind, ShapeKind::kCylinder);
  EXPECT_EQ(post.shape.length, 2);
  EXPECT_TRUE((post.X_LS * Vec3(1, 0, 0)).isApprox(Vec3(0, 0, 2), 1e-15));
  EXPECT_FALSE(post.color.has_value());

  const RobotLink& arm = robot.links[1];
  EXPECT_EQ(arm.p_LC, Vec3(0.1, 0, 0));
  // turned a quarter about x: y becomes z
  EXPECT_TRUE(arm.I_LC.isApprox(Vec3(1, 2.5, 2).asDiagonal().toDenseMatrix(), 1e-14)) << arm.I_LC;

  const RobotJoint& turn = robot.joints[0];
  EXPECT_EQ(turn.name, "turn");
  EXPECT_EQ(turn.kind, RobotJointKind::kContinuous);
  EXPECT_EQ(turn.axis, Vec3(0, -1, 0));
  EXPECT_EQ(turn.upper, kNoLimit);
  EXPECT_EQ(turn.effort, kNoLimit);
  EXPECT_EQ(turn.damping, 0.5);
  EXPECT_EQ(turn.friction, 0.25);
  EXPECT_TRUE((turn.X_PJ.q * Vec3::UnitX()).isApprox(-Vec3::UnitX(), 1e-15));
  const RobotJoint& lift = robot.joints[1];
  EXPECT_EQ(lift.kind, RobotJointKind::kPrismatic);
  EXPECT_EQ(lift.axis, Vec3::UnitZ());
  EXPECT_EQ(lift.lower, -1);
  EXPECT_EQ(lift.upper, 2);
  EXPECT_EQ(lift.effort, 3);
  EXPECT_EQ(lift.velocity, 4);
  ASSERT_TRUE(lift.mimic.has_value());
  EXPECT_EQ(lift.mimic->joint, 0);
  EXPECT_EQ(lift.mimic->multiplier, 0.5);
  EXPECT_EQ(lift.mimic->offset, 0.25);
  EXPECT_EQ(robot.joints[2].kind, RobotJointKind::kFixed);
  EXPECT_EQ(robot.joints[2].line, 41);
  EXPECT_TRUE(HasNote(robot.notes, "<transmission> is not read"));
  EXPECT_TRUE(HasNote(robot.notes, "'base', the root, has no mass"));
}

/// One error, with this line, that says this and what to do.
void ExpectError(const std::string& text, const std::string& part, int line,
                 const std::string& hint = {}) {
  const auto read = ReadText(text);
  ASSERT_FALSE(read.ok()) << "expected: " << part;
  const std::string all = ErrorsOf(read);
  EXPECT_EQ(read.errors().size(), 1u) << all;
  EXPECT_NE(read.error().message.find(part), std::string::npos) << all << "expected: " << part;
  EXPECT_EQ(read.error().line, line) << all;
  EXPECT_EQ(read.error().file, "test.urdf");
  EXPECT_FALSE(read.error().hint.empty()) << all;
  EXPECT_NE(read.error().hint.find(hint), std::string::npos) << all;
}

/// A link "a" behind a revolute joint "j".
std::string Moving(const std::string& content, const std::string& joint = kLimit) {
  return RobotText(LinkText("a", content) + JointText("j", "revolute", "base", "a", joint));
}

TEST(Urdf, RefusesWhatIsNoUrdf) {
  ExpectError("", "empty", 0);
  ExpectError(" \n\n", "empty", 0);
  ExpectError("\xFF\xFE\x01", "UTF-8", 0);
  ExpectError("<robot name=\"r\">\n<link name=\"a\">\n</robot>\n", "not closed", 2);
  ExpectError("<robot name=\"r\"\n", "cannot be read", 1);
  ExpectError("<sdf/>", "no <robot>, but <sdf>", 1);
  ExpectError("just words", "XML", 1);
  ExpectError("<robot name=\"a&#10;b\"><link name=\"a\"/></robot>", "a line break in its name", 1);
  ExpectError("<robot name=\"r\"/>", "no links", 1);
  ExpectError("<robot name=\"r\"><deformable name=\"d\"/></robot>", "only a soft body", 1);
  ExpectError("<robot name=\"r\"><link name=\"a\"/></robot>\n<robot name=\"s\"/>",
              "a second element", 2);
  std::string deep;
  for (int i = 0; i < 3000; ++i) deep += "<a>";
  ExpectError("<robot name=\"r\">" + deep, "nested too deeply", 1);
  std::string tags;
  for (int i = 0; i < 500000; ++i) tags += "<a/>";
  ExpectError("<robot name=\"r\">" + tags + "</robot>", "more than 400000 elements", 0);
  // what closes an element is none
  std::string pairs;
  for (int i = 0; i < 250000; ++i) pairs += "<a></a>";
  EXPECT_TRUE(
      ReadUrdfText("<robot name=\"r\"><link name=\"a\"/>" + pairs + "</robot>", "r.urdf", "").ok());
  ExpectError(std::string(17 << 20, ' '), "17.0 MiB; a URDF file may have 16 MiB", 0);
}

TEST(Urdf, RefusesEntities) {
  const char* bomb =
      "<!DOCTYPE r [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;\">]>\n"
      "<robot name=\"&b;\"><link name=\"a\"/></robot>";
  const auto read = ReadText(bomb);
  ASSERT_FALSE(read.ok());
  EXPECT_NE(ErrorsOf(read).find("entities are not read"), std::string::npos) << ErrorsOf(read);
  ExpectError("<!DOCTYPE robot>\n<robot name=\"r\"><link name=\"a\"/></robot>", "DOCTYPE", 1, "<!");
  ExpectError("<robot name=\"r\"><link name=\"a\"/>\n<!ENTITY x \"y\"></robot>", "entities", 2);
}

TEST(Urdf, RefusesWhatIsNoTree) {
  const std::string fixed = LinkText("a") + LinkText("b");
  ExpectError(RobotText(fixed + JointText("j", "fixed", "base", "a")), "2 roots", 4, "joints");
  ExpectError(RobotText(fixed + JointText("j", "fixed", "base", "a") +
                        JointText("k", "fixed", "base", "a") + JointText("l", "fixed", "a", "b")),
              "carried by joint 'j' already", 6, "one parent");
  ExpectError("<robot name=\"r\">\n" + fixed + JointText("j", "fixed", "a", "b") +
                  JointText("k", "fixed", "b", "a") + "</robot>",
              "loop: 'a' <- 'b'", 2, "tree");
  ExpectError(RobotText(JointText("j", "fixed", "base", "base")), "loop: 'base'", 2);
  ExpectError(RobotText(LinkText("arm") + JointText("j", "fixed", "base", "amr")),
              "there is no link 'amr', its child", 4, "did you mean 'arm'");
  ExpectError(RobotText(LinkText("base")), "second link 'base'; the first is in line 2", 3);
}

TEST(Urdf, NamesAreTold) {
  const auto read = ReadText(RobotText(
      LinkText("a") + LinkText("b") + JointText("j", "fixed", "base", "a") +
      JointText("j", "fixed", "base", "b") + "<link/>\n" + JointText("", "fixed", "a", "b") +
      JointText("k", "hinge", "", "b") + "<link name=\"x&#10;y\"/>"));
  ASSERT_FALSE(read.ok());
  const std::string all = ErrorsOf(read);
  for (const char* part :
       {"6: a second joint 'j'", "7: <link> without a name", "8: <joint> without a name",
        "9: joint 'k': there is no type 'hinge'", "9: joint 'k': no parent link", "line break"})
    EXPECT_NE(all.find(part), std::string::npos) << all << "expected: " << part;
}

std::string Inertial(const std::string& mass, const std::string& xx, const std::string& yy,
                     const std::string& zz, const std::string& xy = "0") {
  return "<inertial><mass value=\"" + mass + "\"/>\n<inertia ixx=\"" + xx + "\" iyy=\"" + yy +
         "\" izz=\"" + zz + "\" ixy=\"" + xy + "\" ixz=\"0\" iyz=\"0\"/></inertial>";
}

TEST(Urdf, RefusesWhatNoBodyWeighs) {
  ASSERT_TRUE(ReadText(Moving(Inertial("1", "1", "1", "1"))).ok());
  ExpectError(Moving(""), "link 'a' moves but has no mass", 3, "add <inertial>");
  ExpectError(Moving(Inertial("0", "0", "0", "0")), "moves but has no mass", 3, "fixed");
  ExpectError(Moving(Inertial("-1", "1", "1", "1")), "mass is -1 kg", 3);
  ExpectError(Moving(Inertial("1e-12", "1", "1", "1")), "moves but has no mass", 3);
  ExpectError(Moving(Inertial("1", "1", "1", "-1")), "not positive definite", 4);
  ExpectError(Moving(Inertial("1", "1", "1", "1", "2")), "not positive definite", 4);
  ExpectError(Moving(Inertial("1", "1e9", "1e9", "1e9")), "too large for 1 kg", 4);
  ExpectError(Moving("<inertial><mass value=\"1\"/></inertial>"), "no <inertia>", 3);
  // rounded to four digits, a thin plate
  EXPECT_TRUE(ReadText(Moving(Inertial("1", "0.3333", "0.3333", "0.6667"))).ok());
  // a frame without a body, and one that gets its mass from what is fixed to it
  EXPECT_TRUE(ReadText(RobotText(LinkText("a", "") + JointText("j", "fixed", "base", "a"))).ok());
  EXPECT_TRUE(ReadText(RobotText(LinkText("a", "") + LinkText("b") +
                                 JointText("j", "revolute", "base", "a", kLimit) +
                                 JointText("k", "fixed", "a", "b")))
                  .ok());
}

TEST(Urdf, RefusesAbsurdNumbers) {
  const auto message = [](const std::string& text) {
    const auto read = ReadText(text);
    return read.ok() ? std::string("read") : ErrorsOf(read);
  };
  const auto shape = [&](const std::string& geometry) {
    return message(
        RobotText(LinkText("a", "<visual><geometry>" + geometry + "</geometry></visual>") +
                  JointText("j", "fixed", "base", "a")));
  };
  const auto touches = [&](const std::string& mesh) {
    return message(RobotText(LinkText("a", "<collision><geometry><mesh filename=\"" + mesh +
                                               "\"/></geometry></collision>") +
                             JointText("j", "fixed", "base", "a")));
  };
  const std::pair<std::string, const char*> kCases[] = {
      {shape("<box size=\"1 1 nan\"/>"), "size of <box>: 'nan'; expected a finite number"},
      {shape("<box size=\"1 1 inf\"/>"), "finite"},
      {shape("<box size=\"1 1 1e999\"/>"), "expected a number"},
      {shape("<box size=\"1 1 -1\"/>"), "at least 1e-06 m"},
      {shape("<box size=\"1 1\"/>"), "has 2 numbers; expected 3"},
      {shape("<box size=\"1 1 1 1\"/>"), "has 4 numbers"},
      {shape("<box/>"), "no size of <box>"},
      {message(RobotText(LinkText("a",
                                  "<collision><geometry><sphere radius=\"0\"/></geometry>"
                                  "</collision>") +
                         JointText("j", "fixed", "base", "a"))),
       "at least 1e-06 m"},
      {shape("<sphere radius=\"1e-7\"/>"), "at least 1e-06 m"},
      {shape("<sphere radius=\"2000\"/>"), "at most 1000 m"},
      {shape("<sphere radius=\"0,5\"/>"), "decimal point"},
      {shape("<cylinder radius=\"1\" length=\"x\"/>"), "'x'; expected a number"},
      {shape("<plane normal=\"0 0 0\"/>"), "normal of <plane> is zero"},
      {shape("<ellipsoid radii=\"1 1 1\"/>"), "expected box, cylinder, sphere, capsule or mesh"},
      {shape("<capsule radius=\"1\"/>"), "no length of <capsule>"},
      {shape("<drake:capsule length=\"1\" radius=\"-1\"/>"), "at least 1e-06 m"},
      {shape(""), "<geometry> without a shape"},
      {message(RobotText(LinkText("a",
                                  "<collision><geometry><mesh filename=\"x.step\"/></geometry>"
                                  "</collision>") +
                         JointText("j", "fixed", "base", "a"))),
       "'.step' cannot be read; expected STL, COLLADA, glTF, PLY or OBJ (convert it"},
      {touches("no_such.obj"), "no such file (paths count from"},
      {touches("package://p/no_such.obj"), "no such file"},
      {touches("file:///no_such.obj"), "mesh /no_such.obj: no such file"},
      {shape("<mesh/>"), "no filename"},
      {message(Moving(Inertial("1e7", "1", "1", "1"))), "'1e7'; expected at most 1e+06 kg"},
      {message(Moving(Inertial("nan", "1", "1", "1"))), "value of <mass>: 'nan'"},
      {message(Moving(std::string("<visual><origin xyz=\"0 0 1e4\"/><geometry><sphere "
                                  "radius=\"1\"/></geometry></visual>") +
                      kBody)),
       "at most 1000 m"},
      {message(Moving(kBody, std::string("<axis xyz=\"0 0 0\"/>") + kLimit)), "axis has no length"},
      {message(Moving(kBody, "")), "a revolute joint needs a <limit>"},
      {message(Moving(kBody, "<limit upper=\"-1\" effort=\"1\" velocity=\"1\"/>")),
       "lower 0 is above upper -1"},
      {message(Moving(kBody, "<limit lower=\"0\" upper=\"1\" velocity=\"1\"/>")),
       "no effort of <limit>"},
      {message(Moving(kBody, "<limit lower=\"0\" upper=\"1\" effort=\"-1\" velocity=\"1\"/>")),
       "effort is -1"},
      {message(Moving(kBody, std::string(kLimit) + "<dynamics damping=\"-1\"/>")), "damping is -1"},
      {message(Moving(kBody, std::string(kLimit) + "<limit lower=\"-1\"/>")), "a second <limit>"},
      {message(RobotText("<material name=\"m\"><color rgba=\"255 0 0 1\"/></material>")),
       "a colour has 255; expected 0 to 1"},
  };
  for (const auto& [found, part] : kCases)
    EXPECT_NE(found.find(part), std::string::npos) << found << "expected: " << part;
}

TEST(Urdf, RefusesBadMimics) {
  const auto two = [](const std::string& a, const std::string& b) {
    return RobotText(LinkText("a") + LinkText("b") + JointText("j", "continuous", "base", "a", a) +
                     JointText("k", "continuous", "a", "b", b));
  };
  EXPECT_TRUE(ReadText(two("", "<mimic joint=\"j\"/>")).ok());
  ExpectError(two("<mimic joint=\"j\"/>", ""), "it follows itself", 5);
  ExpectError(two("", "<mimic/>"), "no joint of <mimic>", 6);
  ExpectError(two("", "<mimic joint=\"j\" multiplier=\"inf\"/>"), "finite number", 6, "");
  const auto loop = ReadText(two("<mimic joint=\"k\"/>", "<mimic joint=\"j\"/>"));
  ASSERT_FALSE(loop.ok());
  EXPECT_EQ(loop.errors().size(), 2u) << ErrorsOf(loop);
  EXPECT_NE(ErrorsOf(loop).find("follows itself, through others"), std::string::npos);
}

TEST(Urdf, TellsAllErrorsInTheOrderOfLines) {
  const auto read = ReadText(RobotText(LinkText("a", Inertial("-1", "1", "1", "x")) +
                                       LinkText("b", "") + JointText("j", "revolute", "base", "a") +
                                       JointText("k", "continuous", "nobody", "b")));
  ASSERT_FALSE(read.ok());
  const ErrorList& errors = read.errors();
  ASSERT_EQ(errors.size(), 5u) << ErrorsOf(read);
  for (std::size_t i = 1; i < errors.size(); ++i) EXPECT_LE(errors[i - 1].line, errors[i].line);
  // a broken file does not flood the screen
  std::string many;
  for (int i = 0; i < 500; ++i) many += "<link/>\n";
  const auto flood = ReadText(RobotText(many));
  EXPECT_EQ(flood.errors().size(), 101u);
  EXPECT_EQ(flood.errors().back().message, "and 400 more");
}

TEST(Urdf, LimitsTheNumberOfLinks) {
  std::string text;
  for (int i = 0; i < 999; ++i) {
    text += LinkText("l" + std::to_string(i));
    text += JointText("j" + std::to_string(i), "continuous",
                      i == 0 ? "base" : "l" + std::to_string(i - 1), "l" + std::to_string(i));
  }
  const auto chain = ReadText(RobotText(text));
  ASSERT_TRUE(chain.ok()) << ErrorsOf(chain);
  EXPECT_EQ(Flaw(MergeFixedLinks(*chain)), "");
  EXPECT_EQ(chain->links.size(), 1000u);
  text += LinkText("more") + JointText("k", "continuous", "base", "more");
  ExpectError(RobotText(text), "1001 links; at most 1000", 1);
}

TEST(Urdf, NotesWhatItDoesNotRead) {
  const auto read =
      ReadText(RobotText(LinkText("a",
                                  "<visual :odd=\"1\">words<:odd/><geometry><box size=\"1 1 1\" "
                                  "colour=\"red\"><:odd/></box></geometry></visual>") +
                         JointText("j", "fixed", "base", "a")));
  ASSERT_TRUE(read.ok()) << ErrorsOf(read);
  EXPECT_TRUE(HasNote(read->notes, "':odd' of <visual> in line 3 is not read"));
  EXPECT_TRUE(HasNote(read->notes, "'colour' of <box>"));
}

TEST(Urdf, SaysOnceThatVelocityLimitsAreNotUsed) {
  const auto text = [](const char* velocity) {
    const std::string limit =
        fmt::format("<limit lower=\"-1\" upper=\"1\" effort=\"1\" velocity=\"{}\"/>", velocity);
    return RobotText(LinkText("a") + LinkText("b") +
                     JointText("j", "revolute", "base", "a", limit) +
                     JointText("k", "revolute", "a", "b", limit));
  };
  const auto limited = ReadText(text("3"));
  ASSERT_TRUE(limited.ok()) << ErrorsOf(limited);
  const auto said = [](const RobotDescription& robot) {
    return std::count_if(robot.notes.begin(), robot.notes.end(), [](const std::string& note) {
      return note.find("velocity limits are not used (2 joints)") != std::string::npos;
    });
  };
  EXPECT_EQ(said(*limited), 1);
  // what files write for "none" is no limit
  const auto free = ReadText(text("1e30"));
  ASSERT_TRUE(free.ok()) << ErrorsOf(free);
  EXPECT_EQ(said(*free), 0);
}

TEST(Urdf, AMeshForTheEyesInAnotherFormatIsNamedOnceAndLeftOut) {
  const auto part = [](const char* kind, const char* shape) {
    return fmt::format("<{0}><geometry>{1}</geometry></{0}>", kind, shape);
  };
  const char* mesh = "<mesh filename=\"trunk.stl\"/>";
  const std::string both = part("visual", mesh) + part("collision", "<box size=\"1 1 1\"/>");
  const auto read =
      ReadText(RobotText(LinkText("a", both) + LinkText("b", both) +
                         JointText("j", "fixed", "base", "a") + JointText("k", "fixed", "a", "b")));
  ASSERT_TRUE(read.ok()) << ErrorsOf(read);
  EXPECT_EQ(std::count_if(read->notes.begin(), read->notes.end(),
                          [](const std::string& note) {
                            return note.find("trunk.stl") != std::string::npos;
                          }),
            1);
  for (const char* name : {"a", "b"}) {
    const RobotLink& link = read->links[static_cast<std::size_t>(read->FindLink(name))];
    EXPECT_TRUE(link.visuals.empty()) << name;
    EXPECT_EQ(link.collisions.size(), 1u) << name;
  }
  // what touches must be known
  const auto refused =
      ReadText(RobotText(LinkText("a", part("visual", mesh) + part("collision", mesh)) +
                         JointText("j", "fixed", "base", "a")));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.errors().size(), 1u) << ErrorsOf(refused);
}

TEST(Urdf, TakesDefaultsAloud) {
  const auto read = ReadText(RobotText(
      LinkText("a") + LinkText("b") +
      JointText("j", "revolute", "base", "a", "<limit effort=\"1\" velocity=\"1e30\"/>") +
      JointText("k", "revolute", "a", "b", "<limit upper=\"1\" effort=\"1\" velocity=\"1\"/>")));
  ASSERT_TRUE(read.ok()) << ErrorsOf(read);
  EXPECT_EQ(read->joints[0].lower, -kNoLimit);
  EXPECT_EQ(read->joints[0].velocity, kNoLimit);
  EXPECT_EQ(read->joints[0].axis, Vec3::UnitX());
  EXPECT_EQ(read->joints[1].lower, 0);
  for (const char* part : {"'j': no axis is given: x", "neither lower nor upper", "lower is not"})
    EXPECT_TRUE(HasNote(read->notes, part)) << part;
}

}  // namespace
}  // namespace slip::test
