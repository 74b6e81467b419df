#include "engine/scene/robot_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "engine/control/holding_gains.h"
#include "engine/core/param_text.h"
#include "engine/core/pose.h"
#include "engine/dynamics/kinematics.h"
#include "engine/scene/robot_builder.h"

namespace slip {
namespace {

constexpr double kGravity = 9.81;  // [m/s^2]

// A number that reads well: two figures.
std::string Round(double value) { return FormatNumber(std::stod(fmt::format("{:.1e}", value))); }

// The same, and not less: a gain that was rounded down would let its motor sag by more.
std::string RoundUp(double value) {
  const double nearest = std::stod(fmt::format("{:.1e}", value));
  const double unit = std::pow(10, std::floor(std::log10(value)) - 1);
  return Round(nearest < value ? nearest + unit : nearest);
}

// Text between double quotes in TOML.
std::string Quote(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x20 || code == 0x7f) {
      out += fmt::format("\\u{:04X}", code);
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out + "\"";
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

struct Extent {
  Vec3 min = Vec3::Constant(kNoLimit), max = Vec3::Constant(-kNoLimit);
  bool empty() const { return min.x() > max.x(); }
  void Add(const Shape& shape, const Pose& X_WB) {
    Vec3 low, high;
    CalcBounds(shape, X_WB, &low, &high);
    min = min.cwiseMin(low);
    max = max.cwiseMax(high);
  }
};

Pose RideOn(const State& state, const Body& visual) {
  return state.pose(visual.joint.parent) * visual.joint.X_PF;
}

class RobotScene {
 public:
  RobotScene(const RobotDescription& robot, std::string file)
      : robot_(robot), file_(std::move(file)), name_(SceneName(robot.name)) {
    SetPositions();
    Measure();
  }

  std::string Text() const {
    const double reach = (seen_.max - seen_.min).norm();
    const Vec3 middle = (seen_.min + seen_.max) / 2;
    const double floor = std::clamp(std::ceil(4 * reach), 1.0, 1e3);
    std::string text = fmt::format("# Made for the robot of {}.\n", OneLine(file_));
    text += fmt::format("title = {}\n", Quote(robot_.name.empty() ? file_ : robot_.name));
    text += fmt::format("story = {}\n", Quote(Story()));
    text += "tags = [\"robot\"]\nduration = 5\ncontact_margin = 0.01\n";
    if (robot_.world) return text + Plots() + World(floor) + Camera(reach, middle);
    text += fmt::format(
        "chosen = [\"stiffness\", \"dissipation\", \"relaxation_time\", \"friction\"{}]\n",
        motors_ > 0 ? ", \"joint_stiffness\", \"joint_damping\"" : "");
    text += Plots();
    text += "\ntime_step = \"2 ms\"\ngravity = 9.81\n";
    text +=
        "\n[material.rubber]\nstiffness = 1e5\ndissipation = 20\nrelaxation_time = \"3 ms\"\n"
        "friction = 1\n";
    text += fmt::format("\n[surface.floor]\ndisplay_size = [{0}, {0}]\n", FormatNumber(floor));
    if (ground_ != 0) text += fmt::format("point = [0, 0, {}]\n", FormatNumber(ground_));
    text += fmt::format("\n[robot.{}]\nfile = {}\nbase = \"{}\"\n", name_, Quote(file_),
                        free_ ? "free" : "fixed");
    if (lift_ != 0) text += fmt::format("position = [0, 0, {}]\n", FormatNumber(lift_));
    if (motors_ > 0) {
      text += fmt::format("joint_stiffness = {}\njoint_damping = {}\n",
                          RoundUp(Gains(false).stiffness), RoundUp(Gains(false).damping));
    }
    text += Joints() + SlidingMotors();
    return text + Camera(reach, middle);
  }

 private:
  std::string Camera(double reach, const Vec3& middle) const {
    return fmt::format(
        "\n[camera]\ntarget = [{}, {}, {}]\ndistance = {}\nazimuth = \"-52 deg\"\nelevation = "
        "\"16 deg\"\nfollow = {}\n",
        FormatNumber(middle.x()), FormatNumber(middle.y()), FormatNumber(middle.z() + lift_),
        Round(std::clamp(2.5 * reach, 0.1, 1e3)), free_);
  }

  // What an MJCF file says of the scene itself.
  std::string World(double floor) const {
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
    return text + fmt::format("\n[robot.{}]\nfile = {}\nmaterial = {}\n", name_, Quote(file_),
                              Quote(world.materials.front().name));
  }

  static std::string OneLine(std::string text) {
    for (char& c : text) {
      if (static_cast<unsigned char>(c) < 0x20) c = ' ';
    }
    return text;
  }
  static bool HasMotor(const RobotJoint& joint) {
    return !joint.mimic &&
           (joint.kind == RobotJointKind::kRevolute || joint.kind == RobotJointKind::kContinuous ||
            joint.kind == RobotJointKind::kPrismatic);
  }

  void SetPositions() {
    positions_.assign(robot_.joints.size(), 0);
    for (std::size_t j = 0; j < robot_.joints.size(); ++j) {
      const RobotJoint& joint = robot_.joints[j];
      if (!joint.starts.empty()) positions_[j] = joint.starts.front().q[0];
      if (!HasMotor(joint)) continue;
      ++motors_;
      if (!joint.starts.empty()) continue;
      if (joint.lower <= 0 && joint.upper >= 0) continue;
      const double middle = (joint.lower + joint.upper) / 2;
      positions_[j] = std::isfinite(middle) ? middle : std::clamp(0.0, joint.lower, joint.upper);
    }
  }

  // Builds the robot with its base at the origin: where it ends, what it weighs.
  void Measure() {
    RobotPlacement place;
    place.name = name_;
    place.fixed_base = true;
    place.positions = positions_;
    place.rates.assign(robot_.joints.size(), 0);
    Model model;
    Config config;
    AppendRobot(robot_, place, &model, &config);
    model.Finish();
    State state;
    SetStart(model, &state);
    Extent touching;
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
      const Body& body = model.bodies[b];
      if (body.shape_of_link >= 0 || (robot_.world && body.collides))
        touching.Add(body.shape, state.X_WB[b]);
      mass_ += body.mass;
      reach_ = std::max(reach_, state.X_WB[b].p.norm());
    }
    seen_ = touching;
    for (const Body& visual : model.visuals) seen_.Add(visual.shape, RideOn(state, visual));
    if (seen_.empty()) seen_.min = seen_.max = Vec3::Zero();
    reach_ = std::max(reach_, (seen_.max - seen_.min).norm() / 2);
    // It is put on the floor; where the file says where in the world it is, the floor is put under
    // it.
    const double lowest = touching.empty() ? seen_.min.z() : touching.min.z();
    lift_ = robot_.on_world ? 0 : -lowest;
    ground_ = robot_.on_world ? std::min(0.0, lowest) : 0;
    const auto carried = std::count_if(robot_.joints.begin(), robot_.joints.end(),
                                       [](const RobotJoint& joint) { return joint.parent == 0; });
    if (robot_.world)
      free_ = std::any_of(robot_.joints.begin(), robot_.joints.end(), [](const RobotJoint& joint) {
        return joint.kind == RobotJointKind::kFloating;
      });
    if (robot_.world) return;
    free_ = !robot_.on_world && robot_.links.front().mass > 0 && carried != 1 && !touching.empty();
  }

  // What moves when the first motor is given another target.
  std::string Plots() const {
    const auto first = std::find_if(robot_.joints.begin(), robot_.joints.end(), HasMotor);
    if (first == robot_.joints.end()) return {};
    const std::string joint = name_ + "/" + first->name;
    return fmt::format("plots = [{}, {}, {}]\n", Quote("position:" + joint),
                       Quote("torque:" + joint), Quote(free_ ? "normal_force" : "rate:" + joint));
  }

  HoldingGains Gains(bool slides) const {
    return CalcHoldingGains(mass_ * kGravity, reach_, slides);
  }

  std::string Story() const {
    if (robot_.world)
      return fmt::format(
          "The model of {}: {:.3g} kg, {} joint{}. Its file says how it begins, what its motors "
          "hold and what it stands on; the tab Joints moves it.",
          file_, robot_.CalcMass(), robot_.joints.size(), robot_.joints.size() == 1 ? "" : "s");
    const std::string base = free_ ? "Its base is free."
                                   : "Its base is fixed, as that of an arm: change base to "
                                     "\"free\" in a scene of your own.";
    return fmt::format(
        "The robot of {}: {} kg, {} joint{}. {} Motors hold every joint where it "
        "begins; the tab Joints moves them.",
        file_, fmt::format("{:.3g}", robot_.CalcMass()), robot_.joints.size(),
        robot_.joints.size() == 1 ? "" : "s", base);
  }

  std::string Joints() const {
    std::string text;
    for (std::size_t j = 0; j < positions_.size(); ++j) {
      if (positions_[j] == 0) continue;
      text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", Quote(robot_.joints[j].name),
                          FormatNumber(positions_[j]));
    }
    return text.empty() ? text : "joints = { " + text + " }\n";
  }

  // Gains of a robot are those of joints that turn: the others have theirs in the channel.
  std::string SlidingMotors() const {
    std::string text;
    for (const RobotJoint& joint : robot_.joints) {
      if (joint.kind != RobotJointKind::kPrismatic || !HasMotor(joint)) continue;
      text += fmt::format("joint.{0}.joint_stiffness = {1}\njoint.{0}.joint_damping = {2}\n",
                          Quote(name_ + "/" + joint.name), RoundUp(Gains(true).stiffness),
                          RoundUp(Gains(true).damping));
    }
    return text.empty() ? text : "\n[[channel]]\nmodel = \"sap\"\n" + text;
  }

  const RobotDescription& robot_;
  std::string file_, name_;
  std::vector<double> positions_;
  Extent seen_;
  double lift_ = 0, ground_ = 0;  // heights of the base and of the floor [m]
  double mass_ = 0, reach_ = 0;
  int motors_ = 0;
  bool free_ = false;
};

std::string EndingOf(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

}  // namespace

bool IsRobotFile(const std::string& path) {
  const std::string extension = EndingOf(path);
  return extension == ".urdf" || extension == ".xml";
}

bool IsOfRobots(const std::string& path) {
  const std::string extension = EndingOf(path);
  return IsRobotFile(path) || extension == ".xacro" || extension == ".srdf" || extension == ".sdf";
}

std::string MakeRobotScene(const RobotDescription& robot, const std::string& path) {
  return RobotScene(MergeFixedLinks(robot), std::filesystem::path(path).filename().string()).Text();
}

}  // namespace slip
