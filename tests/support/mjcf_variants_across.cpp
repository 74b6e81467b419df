// Variants of what joins bodies, and of what joins files.
#include "tests/support/mjcf_dice.h"

namespace slip::test::variants {
namespace {

/// Free balls in a row, with what `more` says of each.
template <class More>
std::string Balls(Dice* dice, int count, const More& more) {
  std::string balls;
  for (int k = 0; k < count; ++k)
    balls += fmt::format(
        "<body name='b{0}' pos='{0} 0 0.5'><freejoint name='f{0}'/><geom "
        "name='g{0}' size='{1}' {2}/></body>",
        k, dice->In(0.1, 0.4), more());
  return balls;
}

}  // namespace

MjcfCase Excludes(int i, Dice* dice) {
  std::string excludes;
  for (int k = 0; k <= i % 4; ++k)
    excludes += fmt::format("<exclude body1='b{}' body2='b{}'/>", k, (k + 1 + i / 4) % 4);
  return {{},
          Whole(Balls(dice, 4,
                      [&] {
                        return fmt::format("contype='{}' conaffinity='{}'", 1 + dice->Below(3),
                                           dice->Below(4));
                      }),
                {}, "<contact>" + excludes + "</contact>")};
}

MjcfCase Pairs(int i, Dice* dice) {
  const auto parameters = [&](int k) {
    const double mu = dice->In(0.1, 1.5);
    const std::string some[] = {
        "", fmt::format("condim='4' friction='{0} {0} {1}'", mu, dice->In(0.001, 0.05)),
        fmt::format("solref='{} {}'", dice->In(0.01, 0.1), dice->In(0.5, 1.5)),
        fmt::format("friction='{0} {0}' solref='-{1} -{2}'", mu, dice->In(1e3, 9e3),
                    dice->In(10, 90)),
        fmt::format("condim='1' solimp='{} 0.95 {}'", dice->In(0.5, 0.9), dice->In(1e-3, 9e-3))};
    return some[k % 5];
  };
  const std::string pairs = fmt::format(
      "<pair geom1='g0' geom2='g1' {}/><pair geom1='g{}' geom2='floor' {}/>"
      "<pair geom1='g2' geom2='g1' {}/>",
      parameters(i), i % 3, parameters(i + 1), parameters(i + 2));
  return {{},
          Whole(Balls(dice, 3,
                      [&] { return dice->Below(2) == 0 ? "" : "contype='0' conaffinity='0'"; }),
                i < 5 ? "" : "<default><pair friction='0.3 0.3'/></default>",
                "<contact>" + pairs +
                    (i % 2 == 0 ? "<exclude body1='b0' body2='b1'/></contact>" : "</contact>"))};
}

// A keyframe has the follower where its leader wants it: it begins there in any case.
MjcfCase Couplers(int i, Dice* dice) {
  const double offset = i == 0 ? 0 : dice->In(-0.5, 0.5), ratio = i < 2 ? 1 : dice->In(-2, 2);
  const std::string coupler =
      i == 0 ? std::string() : fmt::format("polycoef='{} {} 0 0 0'", offset, ratio);
  const double degree = 3.14159265358979323846 / 180, ref = i % 3 == 0 ? 20 * degree : 0;
  const bool first = i % 2 == 0;  // the first joint follows the second
  const double leads = 0.2;
  const double follows = first ? ref + offset + ratio * leads : offset + ratio * (leads - ref);
  return {
      {},
      Whole(Arm(dice, i % 3 == 0 ? "ref='20'" : ""), {},
            fmt::format("<equality><joint joint1='{}' joint2='{}' {}/></equality><keyframe><key "
                        "qpos='{:.17g} {:.17g}'/></keyframe>",
                        first ? "ja" : "jb", first ? "jb" : "ja", coupler, first ? follows : leads,
                        first ? leads : follows))};
}

MjcfCase Keyframes(int i, Dice* dice) {
  std::string keys;
  for (int k = 0; k <= i % 3; ++k)
    keys += fmt::format("<key name='k{}' qpos='{} {} {}' {}/>", k, dice->Some(3, -1, 1),
                        dice->Some(4, 0.2, 1), dice->Some(2, -1, 1),
                        i < 3 ? "" : fmt::format("qvel='{}'", dice->Some(8, -1, 1)));
  return {{},
          Whole("<body name='f' pos='2 0 1'><freejoint name='jf'/><geom type='box' "
                "size='0.1 0.2 0.3' pos='0.1 0 0'/></body>" +
                    Arm(dice, i % 2 == 0 ? "" : "ref='30'"),
                {}, "<keyframe>" + keys + "</keyframe>")};
}

// A frame in a frame around a geom, a joint and a body.
MjcfCase Frames(int i, Dice* dice) {
  const Pose outer = dice->Place(), inner = dice->Place(), geom = dice->Place(),
             body = dice->Place();
  const Pose both = outer * inner;
  const Vec3 axis = dice->Vector(0.2, 1), point = dice->Vector(-0.2, 0.2);
  const auto joint = [](const Vec3& at, const Vec3& along, const char* type) {
    return fmt::format("<joint name='j' type='{}' pos='{} {} {}' axis='{} {} {}'/>", type, at.x(),
                       at.y(), at.z(), along.x(), along.y(), along.z());
  };
  const char* type = i % 2 == 0 ? "hinge" : "slide";
  const auto make = [&](const Pose& X, const std::string& open, const std::string& close) {
    return Whole("<body name='a' pos='0 0 1'>" + open + joint(X * point, X.q * axis, type) +
                 "<geom type='box' size='0.1 0.2 0.3' " + PlaceText(X * geom) +
                 "/><body name='b' " + PlaceText(X * body) +
                 "><joint name='k' axis='1 0 2'/><geom size='0.1'/></body>" + close + "</body>");
  };
  if (i < 3)
    return {{}, make(Pose{}, "<frame " + PlaceText(both) + ">", "</frame>"), make(both, {}, {})};
  return {{},
          make(Pose{}, "<frame " + PlaceText(outer) + "><frame " + PlaceText(inner) + ">",
               "</frame></frame>"),
          make(both, {}, {})};
}

// Each copy stands where the one before it was turned and moved.
MjcfCase Replicas(int i, Dice* dice) {
  const int count = 1 + i;
  const Vec3 offset = dice->Vector(0.3, 1);
  const double angle = i % 3 == 0 ? 0 : dice->In(-60, 60);
  const Pose body = dice->Place();
  const auto make = [&](const std::string& number, const Pose& X) {
    return fmt::format(
        "<body name='b{0}' {1}><joint name='j{0}' axis='1 2 3' damping='{2}'/>"
        "<geom name='g{0}' type='box' size='0.4 0.3 0.6' pos='0.3 0.2 0'/></body>",
        number, PlaceText(X), 0.5);
  };
  std::string copies;
  Pose X_WC;
  const double turn = angle * 3.14159265358979323846 / 180;
  for (int k = 0; k < count; ++k) {
    X_WC.q = Quat(Eigen::AngleAxisd(k * turn, Vec3::UnitZ()));
    copies += make((count > 9 && k < 10 ? "0" : "") + std::to_string(k), X_WC * body);
    X_WC.p += X_WC.q * offset;
  }
  return {{},
          Whole(fmt::format("<replicate count='{}' offset='{} {} {}' euler='0 0 {}'>", count,
                            offset.x(), offset.y(), offset.z(), angle) +
                make("", body) + "</replicate>"),
          Whole(copies)};
}

// Sections of the model, and parts of its world, in files of their own.
MjcfCase Includes(int i, Dice* dice) {
  const std::string parts[] = {
      fmt::format("<default><geom density='{}'/></default>", dice->In(300, 900)),
      "<option timestep='0.003'/>", Arm(dice), "<keyframe><key qpos='0.2 -0.3'/></keyframe>",
      "<actuator><position joint='ja' kp='9'/></actuator>"};
  const auto whole = [&](const auto& part) {
    return "<mujoco model='m'>" + part(0) + part(1) + "<worldbody>" + part(2) + "</worldbody>" +
           part(3) + part(4) + "</mujoco>";
  };
  MjcfCase made;
  made.written_out = whole([&](int k) { return parts[k]; });
  // one of them, then with the next one; i > 7: one file names the other
  made.text = whole([&](int k) {
    const bool out = k == i % 5 || (i >= 5 && k == (i + 1) % 5);
    if (!out) return parts[k];
    const std::string name = fmt::format("part{}.xml", k);
    const std::string text = "<mujocoinclude>" + parts[k] + "</mujocoinclude>";
    if (i < 8) {
      made.files.emplace_back(name, text);
    } else {
      made.files.emplace_back(name, "<mujoco><include file='deep" + name + "'/></mujoco>");
      made.files.emplace_back("deep" + name, text);
    }
    return "<include file='" + name + "'/>";
  });
  return made;
}

// A body of another model, which has angles, classes and motors of its own.
MjcfCase Attached(int i, Dice* dice) {
  const Pose frame = dice->Place(), arm = dice->Place();
  const double range = dice->In(0.2, 1), density = dice->In(200, 900), kp = dice->In(1, 20);
  const auto body = [&](const std::string& prefix, const Pose& X, double unit,
                        const std::string& geom) {
    return fmt::format(
        "<body name='{0}arm' {1}><joint name='{0}j' axis='0 1 0' range='{2:.17g} "
        "{3:.17g}'/><geom name='{0}g' size='0.1' pos='0.2 0 0' {4}/></body>",
        prefix, PlaceText(X), -range * unit, range * unit, geom);
  };
  const auto motor = [&](const std::string& prefix) {
    return fmt::format("<position name='{0}m' joint='{0}j' kp='{1}'/>", prefix, kp);
  };
  MjcfCase made;
  made.files.emplace_back(
      "part.xml", fmt::format("<mujoco model='part'><compiler angle='radian' autolimits='true'/>"
                              "<default><geom density='{}'/></default><worldbody>",
                              density) +
                      body("", arm, 1, "") + "</worldbody><actuator>" + motor("") +
                      "</actuator></mujoco>");
  std::string text, written, motors;
  for (int k = 0; k <= i % 3; ++k) {
    const std::string prefix = fmt::format("p{}_", k);
    const Pose X{frame.p + Vec3(0, k, 0), frame.q};
    text += "<frame " + PlaceText(X) + "><attach model='part' body='arm' prefix='" + prefix +
            "'/></frame>";
    written +=
        body(prefix, X * arm, 180 / 3.14159265358979323846, fmt::format("density='{}'", density));
    motors += motor(prefix);
  }
  const std::string own = Arm(dice);
  made.text = Whole(own + text, "<asset><model name='part' file='part.xml'/></asset>");
  made.written_out = Whole(own + written, {}, "<actuator>" + motors + "</actuator>");
  return made;
}

}  // namespace slip::test::variants
