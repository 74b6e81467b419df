// What of MuJoCo's format is refused, each in ten ways of writing it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/mjcf_models.h"
#include "tests/support/temp_folder.h"

namespace slip::test {
namespace {

using Refusal = MjcfSaying;
class MjcfRefuses : public testing::TestWithParam<Refusal> {};
const std::string kTwo =
    "<body name='b'><joint name='j'/><geom size='0.1'/></body>"
    "<body name='c'><joint name='k'/><geom size='0.1'/></body>";
INSTANTIATE_TEST_SUITE_P(
    ByName, MjcfRefuses,
    testing::Values(
        Refusal{"empty", "<mujoco/>", "<worldbody> is empty"},
        Refusal{"global", MjcfWorld(MjcfArm(), "<compiler coordinate='global'/>"), "coordinate"},
        Refusal{"composite", MjcfWorld("<body><composite type='rope'/></body>"), "<composite>"},
        Refusal{"flexcomp", MjcfWorld("<body><flexcomp/></body>"), "<flexcomp>"},
        Refusal{"skin", MjcfWorld(MjcfArm(), "<asset><skin name='s'/></asset>"), "<skin> 's'"},
        Refusal{"wind", MjcfWorld(MjcfArm(), "<option wind='1 0 0'/>"), "there is no wind"},
        Refusal{"viscosity", MjcfWorld(MjcfArm(), "<option viscosity='1'/>"), "viscosity is 1"},
        Refusal{"constraint", MjcfWorld(MjcfArm(), "<option><flag constraint='disable'/></option>"),
                "constraint=\"disable\""},
        Refusal{"gravity", MjcfWorld(MjcfArm(), "<option gravity='0 9.81 0'/>"),
                "gravity is 0 9.81"},
        Refusal{"jupiter", MjcfWorld(MjcfArm(), "<option gravity='0 0 -24.8'/>"),
                "gravity is 24.8 m/s^2"},
        Refusal{"step", MjcfWorld(MjcfArm(), "<option timestep='0.5'/>"),
                "timestep of <option>: '0.5'; expected at most 0.1 s"},
        Refusal{"ball_range",
                MjcfWorld("<body><joint type='ball' range='0 1'/><geom size='1'/></body>"),
                "limits of ball joints"},
        Refusal{"polynomial", MjcfWorld(MjcfArm({}, "stiffness='1 2'")), "polynomials"},
        Refusal{"hfield", MjcfWorld(MjcfArm("<geom type='hfield' hfield='h'/>")), "type hfield"},
        Refusal{"sdf", MjcfWorld(MjcfArm("<geom type='sdf'/>")), "type sdf"},
        Refusal{"fluid", MjcfWorld(MjcfArm("<geom size='1' fluidshape='ellipsoid'/>")),
                "fluidshape"},
        Refusal{"msh",
                MjcfWorld(MjcfArm("<geom type='mesh' mesh='m'/>"),
                          "<asset><mesh name='m' file='m.msh'/></asset>"),
                ".msh are not read"},
        Refusal{"muscle", MjcfWorld(kTwo, {}, "<actuator><muscle name='m' joint='j'/></actuator>"),
                "<muscle> 'm'"},
        Refusal{"damper", MjcfWorld(kTwo, {}, "<actuator><damper joint='j' kv='1'/></actuator>"),
                "<damper> is not read (write a motor, position, velocity or general)"},
        Refusal{"adhesion",
                MjcfWorld(kTwo, {}, "<actuator><adhesion name='m' body='b'/></actuator>"),
                "<adhesion> 'm'"},
        Refusal{"tendon", MjcfWorld(kTwo, {}, "<actuator><motor name='m' tendon='t'/></actuator>"),
                "motor 'm': it acts on a tendon"},
        Refusal{"site", MjcfWorld(kTwo, {}, "<actuator><motor name='m' site='t'/></actuator>"),
                "motor 'm': it acts on a site"},
        Refusal{"dynamics",
                MjcfWorld(kTwo, {},
                          "<actuator><general joint='j' dyntype='filter' dynprm='1'/></actuator>"),
                "dyntype 'filter'"},
        Refusal{"plugin", MjcfWorld(kTwo, "<extension><plugin plugin='p'/></extension>"),
                "<extension> is not read"},
        Refusal{"connect",
                MjcfWorld(kTwo, {}, "<equality><connect name='l' body1='b'/></equality>"),
                "<connect> 'l' is not read"},
        Refusal{"weld", MjcfWorld(kTwo, {}, "<equality><weld body1='b'/></equality>"), "<weld>"},
        Refusal{"spatial", MjcfWorld(kTwo, {}, "<tendon><spatial name='t'/></tendon>"),
                "<spatial>"},
        Refusal{"fixed", MjcfWorld(kTwo, {}, "<tendon><fixed name='t' stiffness='1'/></tendon>"),
                "no tendons"},
        Refusal{"replicate", MjcfWorld("<replicate>" + kTwo + "</replicate>"),
                "replicate: it has no count"},
        Refusal{"copies", MjcfWorld("<replicate count='0'>" + kTwo + "</replicate>"),
                "replicate: its count is 0"},
        Refusal{"many_copies",
                MjcfWorld("<replicate count='9999'><replicate count='9999'><geom "
                          "size='1'/></replicate></replicate>"),
                "more than 400000 elements with all copies"},
        Refusal{"attach", MjcfWorld("<attach model='m'/>"), "there is no model 'm'"},
        Refusal{"gravcomp", MjcfWorld("<body gravcomp='1'><geom size='1'/></body>"), "gravcomp"},
        Refusal{"moving_plane", MjcfWorld(MjcfArm("<geom type='plane' size='1 1 1'/>")),
                "a plane on a body that moves"},
        Refusal{"attribute", MjcfWorld(MjcfArm({}, "dampnig='1'")),
                "<joint> has no attribute 'dampnig' (did you mean 'damping'?)"},
        Refusal{"class",
                MjcfWorld(MjcfArm("<geom class='foto' size='1'/>"),
                          "<default><default class='foot'/></default>"),
                "there is no class 'foto' (did you mean 'foot'?)"},
        Refusal{"massless", MjcfWorld("<body name='b'><joint/></body>"),
                "body 'b': it moves but has no mass"},
        Refusal{"inertia",
                MjcfWorld("<body name='b'><joint/><inertial pos='0 0 0' mass='1' "
                          "diaginertia='1 1 3'/></body>"),
                "no body has this inertia"},
        Refusal{"pair_name",
                MjcfWorld(MjcfArm(), {}, "<contact><pair geom1='g' geom2='h'/></contact>"),
                "there is no geom 'h'"},
        Refusal{"pair_friction",
                MjcfWorld(MjcfArm(), {},
                          "<contact><pair geom1='g' geom2='g' friction='-1'/></contact>"),
                "friction is -1"},
        Refusal{
            "pair_condim",
            MjcfWorld(MjcfArm(), {}, "<contact><pair geom1='g' geom2='g' condim='2'/></contact>"),
            "condim is 2"},
        Refusal{"key", MjcfWorld(kTwo, {}, "<keyframe><key qpos='1'/></keyframe>"),
                "qpos of <key> has 1 number; expected 2"},
        Refusal{"free_child", MjcfWorld("<body><body><freejoint/><geom size='1'/></body></body>"),
                "a free joint stands alone"},
        Refusal{"names", MjcfWorld(kTwo + "<body name='b'/>"), "a second body 'b'"},
        Refusal{"number", MjcfWorld(MjcfArm({}, "armature='nan'")),
                "armature of <joint>: 'nan'; expected a finite number"},
        Refusal{"negative", MjcfWorld(MjcfArm({}, "damping='-1'")), "damping of <joint> is -1"},
        Refusal{"loop",
                MjcfWorld(kTwo, {},
                          "<equality><joint joint1='j' joint2='k'/><joint joint1='k' "
                          "joint2='j'/></equality>"),
                "follows itself, through others"}),
    [](const auto& info) { return std::string(info.param.name); });

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

/// Behind the root's first tag, or before its end; nothing in a root that is empty.
std::string Within(const std::string& text, const std::string& first, const std::string& last) {
  const std::size_t open = text.find('>') + 1, close = text.rfind("</mujoco>");
  if (close == text.npos) return text;
  return text.substr(0, open) + first + text.substr(open, close - open) + last + text.substr(close);
}

/// A file, and the line of it that the first error is told of, where all is on one.
struct Written {
  const char* way;
  std::string text;
  std::string part = {};  ///< of another file, part.xml
  int line = 1;
};

std::vector<Written> WriteInTenWays(const std::string& text) {
  return {
      {"as it is", text},
      {"double quotes", Replaced(text, "'", "\"")},
      {"blanks around signs", Replaced(Replaced(text, "='", " = '"), "/>", " />")},
      {"comments between all", Replaced(text, "><", "><!-- <skin/> --><")},
      {"a mark and a declaration before",
       "\xef\xbb\xbf<?xml version='1.0'?>\n<!-- x -->\n" + text,
       {},
       3},
      {"far below", std::string(40, '\n') + text, {}, 41},
      {"lines of Windows", "\r\n\r\n" + Replaced(text, "><", "> <"), {}, 3},
      {"behind what is good",
       Within(text, "<visual><global/></visual><statistic extent='1'/><size njmax='9'/>", {})},
      {"before what is good", Within(text, {}, "<sensor><clock/></sensor>")},
      {"in another file", "<mujoco model='m'><include file='part.xml'/></mujoco>", text},
  };
}

TEST_P(MjcfRefuses, ByName) {
  const std::vector<Written> ways = WriteInTenWays(GetParam().text);
  EXPECT_EQ(ways.size(), 10u);
  const auto plain = [](const std::string& text) { return Replaced(text, "\"", "'"); };
  for (const Written& written : ways) {
    SCOPED_TRACE(std::string(written.way) + ": " + written.text);
    const TempFolder folder;
    WriteText(folder.path("m.xml"), written.text);
    if (!written.part.empty()) WriteText(folder.path("part.xml"), written.part);
    const auto robot = ReadMjcf(folder.path("m.xml"));
    ASSERT_FALSE(robot.ok());
    std::string errors;
    bool there = false;
    const std::string file = folder.path(written.part.empty() ? "m.xml" : "part.xml");
    for (const Error& error : robot.errors()) {
      errors += error.Text() + "\n";
      EXPECT_FALSE(error.hint.empty()) << error.Text();
      there = there || (error.line == written.line && error.file == file);
    }
    EXPECT_NE(plain(errors).find(plain(GetParam().said)), std::string::npos) << errors;
    // of an empty world its own file is told, whatever it includes
    if (GetParam().text != "<mujoco/>") EXPECT_TRUE(there) << errors;
  }
}

}  // namespace
}  // namespace slip::test
