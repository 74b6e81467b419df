#include "tests/support/mjcf_variants.h"

#include "tests/support/mjcf_dice.h"

namespace slip::test {
namespace variants {
namespace {

MjcfCase Joints(int i, Dice* dice) {
  const auto numbers = [&] {
    return fmt::format("pos='{}' axis='{}' damping='{}' armature='{}' frictionloss='{}'",
                       dice->Some(3, -0.2, 0.2), dice->Some(3, 0.2, 1), dice->In(0, 2),
                       dice->In(0, 0.1), dice->In(0, 1));
  };
  const auto hinge = [&](const char* name, const std::string& more = {}) {
    return fmt::format("<joint name='{}' {} {}/>", name, numbers(), more);
  };
  const std::string ball = "<joint name='u' type='ball' pos='0.1 0.2 0' armature='0.02'/>";
  const std::string joints[kEach] = {
      hinge("j"),
      hinge("j", "type='slide'"),
      ball,
      "<freejoint name='j'/>",
      hinge("j") + hinge("k"),
      hinge("j", "type='slide'") + hinge("k"),
      hinge("j") + hinge("k") + hinge("l"),
      hinge("j", "type='slide'") + ball,
      hinge("j", "ref='25'"),
      hinge("j", fmt::format("range='{} {}'", dice->In(-90, -10), dice->In(10, 90))),
  };
  return {{},
          Whole(fmt::format("<body name='a' pos='0 0 1'>{}<geom size='0.1' pos='{}'/></body>",
                            joints[i], dice->Some(3, 0.05, 0.2)) +
                "<body name='c' pos='2 0 0'>" + hinge("m") + "<geom size='0.2'/></body>")};
}

MjcfCase Geoms(int i, Dice* dice) {
  const auto place = [&] {
    return fmt::format("pos='{}' {}", dice->Some(3, -0.3, 0.3), dice->Turn(i));
  };
  const auto size = [&](int count) {
    return fmt::format("size='{}'", dice->Some(count, 0.3, 0.6));
  };
  const auto ends = [&] {
    return fmt::format("fromto='{} {}'", dice->Some(3, -0.4, -0.1), dice->Some(3, 0.1, 0.4));
  };
  const std::string geoms[kEach] = {"type='sphere' " + size(1) + place(),
                                    "type='capsule' " + size(2) + place(),
                                    "type='cylinder' " + size(2) + place(),
                                    "type='box' " + size(3) + place(),
                                    "type='ellipsoid' " + size(3) + place(),
                                    "type='capsule' " + size(1) + ends(),
                                    "type='cylinder' " + size(1) + ends(),
                                    "type='box' " + size(1) + ends(),
                                    "type='box' mass='70' " + size(3) + place(),
                                    "type='cylinder' density='321' " + size(2) + place()};
  return {{},
          Whole(fmt::format("<body name='a' pos='{}'><joint name='j' axis='0 1 0'/><geom {}/>"
                            "<geom size='0.2' pos='1.6 0 0'/></body>",
                            dice->Some(3, 0, 1), geoms[i]))};
}

// A box that some matrix has made crooked: its mass is given, as libmujoco keeps points as floats.
MjcfCase Meshes(int i, Dice* dice) {
  Mat3 A = Mat3::Identity();
  for (int k = 0; k < 9; ++k) A(k % 3, k / 3) += dice->In(-0.3, 0.3);
  std::string vertices;
  for (int k = 0; k < 8; ++k) {
    const Vec3 p = 0.1 * (A * Vec3(k & 1, (k >> 1) & 1, k >> 2));
    vertices += fmt::format("{} {} {}  ", p.x(), p.y(), p.z());
  }
  const std::string faces =
      "0 2 1 1 2 3 4 5 6 5 7 6 0 1 4 1 5 4 2 6 3 3 6 7 0 4 2 2 4 6 1 3 5 3 7 5";
  const std::string more[] = {"", "scale='1 2 3'", "refpos='0.1 0 -0.2'", "refquat='1 2 3 4'",
                              "scale='2 1 1' refpos='0 0.3 0' refquat='1 0 1 0'"};
  return {{},
          Whole(fmt::format("<body name='a' pos='0 0 1'><{}joint name='j'/><inertial pos='0 0 0' "
                            "mass='{}' diaginertia='0.02 0.03 0.04'/>"
                            "<geom type='mesh' mesh='m' pos='{}' {}/></body>",
                            i < 5 ? "" : "free", dice->In(0.5, 2), dice->Some(3, -0.2, 0.2),
                            dice->Turn(i)),
                fmt::format("<asset><mesh name='m' vertex='{}' face='{}' {}/></asset>", vertices,
                            faces, more[i % 5]))};
}

MjcfCase Inertias(int i, Dice* dice) {
  // the sum of two moments is above the third
  const std::string own =
      i % 2 == 0
          ? fmt::format("diaginertia='{}' {}", dice->Some(3, 2, 3), dice->Turn(i / 2))
          : fmt::format("fullinertia='{} {}'", dice->Some(3, 4, 5), dice->Some(3, -0.4, 0.4));
  const char* compilers[] = {"", "<compiler balanceinertia='true'/>", "<compiler boundmass='0.9'/>",
                             "<compiler boundinertia='2.5'/>", "<compiler settotalmass='3'/>"};
  return {{},
          Whole(fmt::format("<body name='a' pos='0 0 1'><joint name='j' axis='1 2 0'/><inertial "
                            "pos='{}' mass='{}' {}/><geom size='0.1'/></body>",
                            dice->Some(3, -0.1, 0.1), dice->In(0.3, 2), own) +
                    "<body name='c' pos='2 0 0'><joint name='k'/><geom size='0.2'/></body>",
                compilers[i / 2])};
}

MjcfCase Defaults(int i, Dice* dice) {
  const std::string main = fmt::format(
      "<joint damping='{}' armature='{}' frictionloss='{}'/><geom size='0.05' density='{}'/>"
      "<position kp='{}'/>",
      dice->In(0, 1), dice->In(0, 0.1), dice->In(0, 1), dice->In(300, 3000), dice->In(1, 90));
  return {{},
          Whole(Arm(dice, i % 2 == 0 ? "" : fmt::format("damping='{}'", dice->In(2, 3)),
                    i % 3 == 0 ? "" : fmt::format("density='{}'", dice->In(10, 20))),
                "<default>" + main + "</default>",
                "<actuator><position name='p' joint='ja'/></actuator>")};
}

MjcfCase Classes(int i, Dice* dice) {
  const char* names[] = {"", "one", "two"};
  const auto by = [&](const char* attribute, int k) {
    return k % 3 == 0 ? std::string() : fmt::format("{}='{}'", attribute, names[k % 3]);
  };
  const std::string classes = fmt::format(
      "<default><joint damping='{}'/><geom size='0.05'/><default class='one'>"
      "<joint armature='{}' axis='{}'/><geom type='capsule' size='0.03 0.1'/>"
      "<default class='two'><joint frictionloss='{}' axis='{}'/><geom type='box' size='{}'/>"
      "</default></default></default>",
      dice->In(0, 1), dice->In(0, 1), dice->Some(3, 0.1, 1), dice->In(0, 1), dice->Some(3, 0.1, 1),
      dice->Some(3, 0.05, 0.2));
  return {{},
          Whole(fmt::format("<body name='a' pos='0 0 1' {}><joint name='ja' {}/><geom {}/>"
                            "<body name='b' pos='0.4 0 0' {}><joint name='jb'/><geom/></body>"
                            "</body>",
                            by("childclass", i), by("class", i / 3), by("class", i / 2 + 1),
                            by("childclass", i + 1)),
                classes)};
}

MjcfCase Compilers(int i, Dice* dice) {
  const char* orders[] = {"xyz", "XYZ", "zyx", "ZyX", "yzX"};
  const bool degrees = i % 2 == 0;
  const double unit = degrees ? 57 : 1;
  return {{},
          fmt::format("<mujoco model='m'><compiler angle='{}' eulerseq='{}'/><worldbody>"
                      "<body name='a' pos='0 0 1' euler='{}'><joint name='j' axis='0 1 0' "
                      "limited='true' range='{} {}'/><geom type='box' size='0.4 0.5 0.6'/>"
                      "<geom type='capsule' size='0.3 0.4' pos='1.5 0 0' euler='{}'/></body>"
                      "</worldbody></mujoco>",
                      degrees ? "degree" : "radian", orders[i / 2], dice->Some(3, -unit, unit),
                      dice->In(-unit, 0), dice->In(0.1, unit), dice->Some(3, -unit, unit))};
}

MjcfCase Options(int i, Dice* dice) {
  const double tilt = i < 5 ? 0 : dice->In(0.05, 0.5), g = dice->In(1, 15);
  return {
      {},
      Whole(Arm(dice), fmt::format("<option timestep='{}' gravity='{:.17g} 0 {:.17g}' cone='{}' "
                                   "impratio='{}'/>",
                                   dice->In(1e-3, 9e-3), g * std::sin(tilt), -g * std::cos(tilt),
                                   i % 2 == 0 ? "elliptic" : "pyramidal", dice->In(1, 5)))};
}

MjcfCase Actuators(int i, Dice* dice) {
  const auto limits = [&] {
    return fmt::format("gear='{}' ctrlrange='-0.5 0.5' forcerange='-9 9'", dice->In(1, 4));
  };
  const auto prm = [&] {
    return fmt::format("gaintype='fixed' biastype='affine' gainprm='{0}' biasprm='0 -{0} -{1}'",
                       dice->In(1, 90), dice->In(0, 3));
  };
  const std::string motors[kEach] = {
      "<motor joint='ja'/>",
      "<motor joint='ja' " + limits() + "/>",
      fmt::format("<position joint='ja' kp='{}'/>", dice->In(1, 90)),
      fmt::format("<position joint='ja' kp='{}' {}/>", dice->In(1, 90), limits()),
      fmt::format("<velocity joint='ja' kv='{}'/>", dice->In(0.1, 3)),
      fmt::format("<velocity joint='ja' kv='{}' {}/>", dice->In(0.1, 3), limits()),
      "<general joint='ja' " + prm() + "/>",
      "<general joint='ja' " + prm() + limits() + "/>",
      "<position joint='ja' kp='20'/><velocity joint='ja' kv='2'/>",
      "<position joint='ja' kp='20'/>"};
  const std::string spring = i == 9 ? "stiffness='7' springref='20'" : "";
  return {
      {},
      Whole(Arm(dice, spring), {}, "<actuator>" + motors[i] + "<motor joint='jb'/></actuator>")};
}

}  // namespace
}  // namespace variants

std::vector<MjcfCase> MakeMjcfVariants() {
  using namespace variants;
  const struct {
    const char* name;
    MjcfCase (*make)(int, Dice*);
  } features[] = {
      {"joints", Joints},       {"geoms", Geoms},       {"meshes", Meshes},
      {"inertias", Inertias},   {"defaults", Defaults}, {"classes", Classes},
      {"compilers", Compilers}, {"options", Options},   {"actuators", Actuators},
      {"excludes", Excludes},   {"pairs", Pairs},       {"couplers", Couplers},
      {"keyframes", Keyframes}, {"frames", Frames},     {"replicas", Replicas},
      {"includes", Includes},   {"attached", Attached},
  };
  std::vector<MjcfCase> cases;
  for (const auto& feature : features) {
    for (int i = 0; i < kEach; ++i) {
      Dice dice(static_cast<unsigned>(100 * cases.size() + 1));
      MjcfCase made = feature.make(i, &dice);
      made.name = fmt::format("{}_{}", feature.name, i);
      cases.push_back(std::move(made));
    }
  }
  return cases;
}

}  // namespace slip::test
