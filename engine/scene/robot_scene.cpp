#include "engine/scene/robot_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "engine/core/param_text.h"
#include "engine/core/quantity_text.h"
#include "engine/geometry/mesh_text.h"
#include "engine/mjcf/mjcf.h"
#include "engine/scene/robot_stand.h"
#include "engine/scene/toml_text.h"

namespace slip {
namespace {

constexpr double kTimeStep = 2e-3;       // [s]
constexpr double kSoftestContact = 1e5;  // of the contacts of what a URDF file describes [N/m]
constexpr double kDepth = 1e-3;          // of its height that it may sink in by under its weight

// A number that reads well: two figures.
std::string Round(double value) { return FormatNumber(std::stod(fmt::format("{:.1e}", value))); }

// The same, and not less: a gain that was rounded down would let its motor sag by more.
std::string RoundUp(double value) {
  const double nearest = std::stod(fmt::format("{:.1e}", value));
  const double unit = std::pow(10, std::floor(std::log10(value)) - 1);
  return Round(nearest < value ? nearest + unit : nearest);
}

// A name that a scene may use: letters, digits, '-' and '_'.
std::string SceneName(const std::string& name) {
  std::string out = name.substr(0, 40);
  for (char& c : out) {
    const auto code = static_cast<unsigned char>(c);
    if (code >= 0x80 || (std::isalnum(code) == 0 && c != '-')) c = '_';
  }
  return out.empty() ? "robot" : out;
}

std::string OneLine(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  return text;
}

// Smallest and largest of gains, as they are written.
struct GainRange {
  double stiffness[2] = {kNoLimit, 0}, damping[2] = {kNoLimit, 0};
  int count = 0;

  void Add(const HoldingGains& gains) {
    stiffness[0] = std::min(stiffness[0], gains.stiffness);
    stiffness[1] = std::max(stiffness[1], gains.stiffness);
    damping[0] = std::min(damping[0], gains.damping);
    damping[1] = std::max(damping[1], gains.damping);
    ++count;
  }
  static std::string Text(const double (&range)[2], std::string_view unit) {
    const std::string low = RoundUp(range[0]), high = RoundUp(range[1]);
    return fmt::format("{} {}", low == high ? low : low + " to " + high, unit);
  }
};

class RobotScene {
 public:
  RobotScene(const RobotDescription& robot, std::string file)
      : robot_(robot),
        file_(std::move(file)),
        name_(SceneName(robot.name)),
        stand_(StandRobot(robot, name_, robot.world ? robot.world->time_step : kTimeStep)) {}

  RobotSceneText Text() const {
    std::string text = fmt::format(
        "# Made for the robot of {}. Lines of \"#\" and a key, without a blank, show how to go on: "
        "take\n# the \"#\" away. Every key: slipscope list keys\n",
        OneLine(file_));
    text += fmt::format("title = {}\n", QuoteToml(robot_.name.empty() ? file_ : robot_.name));
    text += fmt::format("story = {}\n", QuoteToml(Story()));
    text += "tags = [\"robot\"]\nduration = 5\ncontact_margin = 0.01\n";
    text += robot_.world ? Plots() + World() : OfUrdf();
    text += Company() + HeldInWindow() + OtherTargets();
    return {text + Camera(), Remarks(), !stand_.gains.empty()};
  }

 private:
  double FloorSize() const { return std::clamp(std::ceil(4 * stand_.seen.reach()), 1.0, 1e3); }

  std::string OfUrdf() const {
    std::string text = fmt::format(
        "chosen = [\"stiffness\", \"dissipation\", \"relaxation_time\", \"friction\"{}]\n",
        stand_.motors > 0 ? ", \"joint_stiffness\", \"joint_damping\"" : "");
    text += Plots();
    text += fmt::format("\ntime_step = {}\ngravity = 9.81\n", FormatNumber(kTimeStep));
    const double stiffness =
        stand_.height > 0 ? stand_.weight / (kDepth * stand_.height) : kSoftestContact;
    text += fmt::format(
        "\n[material.rubber]         # of the robot and of the floor\nstiffness = {}         # "
        "N/m\ndissipation = 20          # s/m\nrelaxation_time = \"3 ms\"\n"
        "friction = 1              # smaller: it slips\n",
        RoundUp(std::max(stiffness, kSoftestContact)));
    text +=
        fmt::format("\n[surface.floor]\ndisplay_size = [{0}, {0}]\n", FormatNumber(FloorSize()));
    if (stand_.ground != 0)
      text += fmt::format("point = [0, 0, {}]\n", FormatNumber(stand_.ground));
    text += "#normal = [-0.1, 0, 1]    # a slope\n";
    text += fmt::format("\n[robot.{}]\nfile = {}\nbase = \"{}\"             # or \"{}\"\n", name_,
                        QuoteToml(file_), stand_.free ? "free" : "fixed",
                        stand_.free ? "fixed" : "free");
    if (stand_.lift != 0) text += fmt::format("position = [0, 0, {}]\n", FormatNumber(stand_.lift));
    return text + Joints() + Movement() + Gains();
  }

  std::string Camera() const {
    // to a micrometre, so that nobody reads 1e-15; + 0 makes -0 to 0
    const Vec3 middle =
        ((stand_.seen.min + stand_.seen.max) / 2 + Vec3(0, 0, stand_.lift)).unaryExpr([](double x) {
          return std::round(1e6 * x) / 1e6 + 0.0;
        });
    return fmt::format(
        "\n[camera]\ntarget = [{}, {}, {}]\ndistance = {}\nazimuth = \"-52 deg\"\nelevation = "
        "\"16 deg\"\nfollow = {}\n",
        FormatNumber(middle.x()), FormatNumber(middle.y()), FormatNumber(middle.z()),
        Round(std::clamp(2.5 * stand_.seen.reach(), 0.1, 1e3)), stand_.free);
  }

  // What an MJCF file says of the scene itself.
  std::string World() const {
    const RobotWorld& world = *robot_.world;
    std::string text = fmt::format("\ntime_step = {}\ngravity = {}\n",
                                   FormatNumber(world.time_step), FormatNumber(world.gravity));
    if (world.tilt != 0) text += fmt::format("tilt = {}\n", FormatNumber(world.tilt));
    for (const Material& material : world.materials) {
      text += fmt::format("\n[material.{}]\n", material.name);
      const Material plain;
      for (const Param<Material>& row : MaterialTable()) {
        if (row.Get(material) == row.Get(plain)) continue;
        text += fmt::format("{} = {}\n", row.info.name, FormatNumber(row.Get(material)));
      }
    }
    const double floor = FloorSize();
    for (const RobotPlane& plane : world.planes) {
      text += fmt::format("\n[surface.{}]\n", plane.name);
      text += fmt::format("display_size = [{}, {}]\n",
                          FormatNumber(plane.size.x() > 0 ? plane.size.x() : floor),
                          FormatNumber(plane.size.y() > 0 ? plane.size.y() : floor));
      const auto vector = [](const Vec3& v) {
        return fmt::format("[{}, {}, {}]", FormatNumber(v.x()), FormatNumber(v.y()),
                           FormatNumber(v.z()));
      };
      if (plane.point != Vec3::Zero()) text += "point = " + vector(plane.point) + "\n";
      if (plane.normal != Vec3::UnitZ()) text += "normal = " + vector(plane.normal) + "\n";
    }
    if (stand_.lacks_floor)
      text += fmt::format("\n[surface.floor]\ndisplay_size = [{0}, {0}]\npoint = [0, 0, {1}]\n",
                          FormatNumber(floor), FormatNumber(stand_.ground));
    text += fmt::format("\n[robot.{}]\nfile = {}\nmaterial = {}\n", name_, QuoteToml(file_),
                        QuoteToml(world.materials.front().name));
    if (robot_.starts.size() > 1)
      text += fmt::format("#keyframe = {}\n", QuoteToml(robot_.starts.back()));
    return text + Movement();
  }

  // What moves when the first motor is given another target.
  std::string Plots() const {
    const RobotJoint* first = FirstMotor();
    if (first == nullptr) return {};
    const std::string joint = name_ + "/" + first->name;
    return fmt::format("plots = [{}, {}, {}]\n", QuoteToml("position:" + joint),
                       QuoteToml("torque:" + joint),
                       QuoteToml(stand_.free ? "normal_force" : "rate:" + joint));
  }

  // One that holds something, where there is one.
  const RobotJoint* FirstMotor() const {
    const RobotJoint* first = nullptr;
    for (const RobotJoint& joint : robot_.joints) {
      if (!HasMotor(joint)) continue;
      if (!robot_.world || joint.driven || joint.stiffness > 0) return &joint;
      if (first == nullptr) first = &joint;
    }
    return first;
  }

  std::string Story() const {
    std::string text =
        fmt::format("The robot of {}: {:.3g} kg, {} joint{}. ", file_, robot_.CalcMass(),
                    robot_.joints.size(), robot_.joints.size() == 1 ? "" : "s");
    if (robot_.world) {
      text += "Its file says how it begins, what its motors hold and what it stands on; ";
      if (!stand_.gains.empty()) text += "in the window motors of torque hold it, too; ";
      return text + "the tab Joints moves it.";
    }
    text += Capital(stand_.remarks.front()) + ".";
    if (stand_.motors > 0)
      text +=
          " Motors hold every joint where it begins, with gains from its masses; the tab "
          "Joints moves them.";
    return text;
  }

  // With which keyframe of an MJCF file it starts, where there is one.
  std::string StartRemark() const {
    constexpr std::size_t kNamed = 5;
    const std::vector<std::string>& starts = robot_.starts;
    if (starts.empty() || (starts.size() == 1 && starts.front() == kReferenceStart)) return {};
    std::string text = fmt::format("it starts at keyframe '{}'", OneLine(starts.front()));
    for (std::size_t i = 1; i < std::min(starts.size(), kNamed + 1); ++i)
      text += fmt::format("{}'{}'", i == 1 ? "; others: " : ", ", OneLine(starts[i]));
    if (starts.size() > kNamed + 1) text += fmt::format(" and {} more", starts.size() - kNamed - 1);
    return text;
  }

  // What a person would like to know of how it stands.
  std::vector<std::string> Remarks() const {
    std::vector<std::string> remarks = stand_.remarks;
    if (std::string start = StartRemark(); !start.empty()) remarks.push_back(std::move(start));
    GainRange turning, sliding;
    int weak = 0;
    for (std::size_t j = 0; j < stand_.gains.size(); ++j) {
      if (!(stand_.gains[j].stiffness > 0)) continue;
      const bool slides = robot_.joints[j].kind == RobotJointKind::kPrismatic;
      (slides ? sliding : turning).Add(stand_.gains[j]);
      weak += stand_.gains[j].weak ? 1 : 0;
    }
    if (turning.count + sliding.count == 0) return remarks;
    std::string text = fmt::format("{}motors hold its joints with gains from its masses:",
                                   robot_.world ? "in the window " : "");
    if (turning.count > 0)
      text += fmt::format(
          " {} and {}, damping ratio 1: the weight that a joint moves turns it by {} rad at its "
          "radius of gyration",
          GainRange::Text(turning.stiffness, "N m/rad"),
          GainRange::Text(turning.damping, "N m s/rad"), kHoldingAngle);
    if (sliding.count > 0)
      text += fmt::format("{} {} and {} where it slides, {} m under that weight",
                          turning.count > 0 ? ";" : "", GainRange::Text(sliding.stiffness, "N/m"),
                          GainRange::Text(sliding.damping, "N s/m"), kHoldingLength);
    if (weak > 0)
      text += fmt::format("; the limit{} of {} motor{} {} less than that: {} may give way",
                          weak == 1 ? "" : "s", weak, weak == 1 ? "" : "s",
                          weak == 1 ? "is" : "are", weak == 1 ? "it" : "they");
    remarks.push_back(std::move(text));
    return remarks;
  }

  std::string Joints() const {
    std::string text;
    for (std::size_t j = 0; j < stand_.positions.size(); ++j) {
      if (stand_.positions[j] == 0) continue;
      text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", TomlKey(robot_.joints[j].name),
                          FormatNumber(stand_.positions[j]));
    }
    return text.empty() ? text : "joints = { " + text + " }\n";
  }

  // Where one writes what its motors do.
  std::string Movement() const {
    const RobotJoint* joint = FirstMotor();
    if (joint == nullptr) return {};
    const bool slides = joint->kind == RobotJointKind::kPrismatic;
    return fmt::format(
        "#target_paths = {{ {} = [[0, 0], [1, {}], [2, 0]] }}   # s, {}: added to its target\n",
        TomlKey(joint->name), slides ? "0.05" : "0.3", slides ? "m" : "rad");
  }

  std::string Gains() const {
    if (stand_.motors == 0) return {};
    std::string text;
    for (const bool damping : {false, true}) {
      text += fmt::format("\n[robot.{}.{}]   # {}; of what slides {}\n", name_,
                          damping ? "joint_damping" : "joint_stiffness",
                          damping ? "N m s/rad" : "N m/rad, from its masses",
                          damping ? "N s/m" : "N/m");
      for (std::size_t j = 0; j < stand_.gains.size(); ++j) {
        const HoldingGains& gains = stand_.gains[j];
        if (gains.stiffness > 0)
          text += fmt::format("{} = {}\n", TomlKey(robot_.joints[j].name),
                              RoundUp(damping ? gains.damping : gains.stiffness));
      }
    }
    return text;
  }

  // Another thing beside it.
  std::string Company() const {
    const double edge = std::stod(Round(std::clamp(0.15 * stand_.seen.reach(), 1e-3, 10.0)));
    const double beside = std::stod(Round(std::min(stand_.seen.max.x() + 2 * edge, 900.0)));
    const std::string material =
        robot_.world ? robot_.world->materials.front().name : std::string("rubber");
    return fmt::format(
        "\n#[body.box]                # something else\n#shape = \"box\"\n#size = [{0}, {0}, {0}]\n"
        "#mass = \"1 kg\"\n#position = [{1}, 0, {2}]\n#material = {3}\n",
        FormatNumber(edge), FormatNumber(beside), FormatNumber(stand_.ground + edge / 2),
        QuoteToml(material));
  }

  // Motors of torque that an MJCF file has, and that nothing tells what to do.
  std::string HeldInWindow() const {
    std::string text;
    for (std::size_t j = 0; robot_.world && j < stand_.gains.size(); ++j) {
      const HoldingGains& gains = stand_.gains[j];
      if (!(gains.stiffness > 0)) continue;
      text += fmt::format("joint.{0}.joint_stiffness = {1}\njoint.{0}.joint_damping = {2}\n",
                          QuoteToml(name_ + "/" + robot_.joints[j].name), RoundUp(gains.stiffness),
                          RoundUp(gains.damping));
      // a pose outside of the limits is none to hold
      const RobotJoint& joint = robot_.joints[j];
      const double target = std::clamp(stand_.positions[j], joint.lower, joint.upper);
      if (target != stand_.positions[j])
        text += fmt::format("joint.{}.joint_target = {}\n", QuoteToml(name_ + "/" + joint.name),
                            FormatNumber(target));
    }
    if (text.empty()) return text;
    return "\n[opens_with]              # in the window; a run without one has what the file "
           "says\n" +
           text;
  }

  // What is so in one model alone, and where a motor goes from the start.
  std::string OtherTargets() const {
    const RobotJoint* joint = FirstMotor();
    if (joint == nullptr) return {};
    const auto j = static_cast<std::size_t>(joint - robot_.joints.data());
    const double way = joint->kind == RobotJointKind::kPrismatic ? 0.05 : 0.3;
    const double target = std::clamp(stand_.positions[j] + way, joint->lower, joint->upper);
    return fmt::format(
        "\n#[[channel]]               # models side by side, each with values of its own\n#model = "
        "\"sap\"\n#joint.{}.joint_target = {}\n#[[channel]]\n#model = \"lagged\"\n",
        QuoteToml(name_ + "/" + joint->name), FormatNumber(target));
  }

  const RobotDescription& robot_;
  std::string file_, name_;
  RobotStand stand_;
};

}  // namespace

bool IsRobotFile(const std::string& path) {
  const std::string extension = LowerExtension(path);
  return extension == ".urdf" || extension == ".xml";
}

bool IsOfRobots(const std::string& path) {
  const std::string extension = LowerExtension(path);
  return IsRobotFile(path) || extension == ".xacro" || extension == ".srdf" || extension == ".sdf";
}

RobotSceneText MakeRobotScene(const RobotDescription& robot, const std::string& path) {
  return RobotScene(MergeFixedLinks(robot), std::filesystem::path(path).filename().string()).Text();
}

}  // namespace slip
