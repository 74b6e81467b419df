// From the facts of a checked file to a RobotDescription.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <map>

#include "engine/core/numbers.h"
#include "engine/urdf/robot_description.h"
#include "engine/urdf/urdf_axes.h"
#include "engine/urdf/urdf_check.h"

namespace slip {
namespace {

RobotLink MakeLink(LinkFacts facts) {
  RobotLink link;
  link.name = std::move(facts.name);
  link.line = facts.line;
  if (facts.mass > 0) {
    const Mat3 R = facts.X_LC.q.toRotationMatrix();
    Mat3 I = facts.I_C;
    link.mass = facts.mass;
    link.p_LC = facts.X_LC.p;
    // no turn, no rounding
    if (!R.isIdentity(0)) I = R * I * R.transpose();
    link.I_LC = 0.5 * (I + I.transpose());
  }
  link.visuals = std::move(facts.visuals);
  link.collisions = std::move(facts.collisions);
  return link;
}

RobotJointKind KindOf(const std::string& type) {
  if (type == "revolute") return RobotJointKind::kRevolute;
  if (type == "continuous") return RobotJointKind::kContinuous;
  if (type == "prismatic") return RobotJointKind::kPrismatic;
  if (type == "floating") return RobotJointKind::kFloating;
  if (type == "planar") return RobotJointKind::kPlanar;
  if (type == "spherical") return RobotJointKind::kBall;
  return RobotJointKind::kFixed;
}

// So few centres of mass outside of their shapes are no sign; in the other way there must be fewer
// by as many, and at most two thirds.
constexpr int kLeastOutside = 3;

/// What files write for "none" is none.
double Limit(double x) { return std::abs(x) >= 1e9 ? std::copysign(kNoLimit, x) : x; }
/// Of efforts and velocities 0, too.
double Most(double x) { return x == 0 ? kNoLimit : Limit(x); }

RobotJoint MakeJoint(const JointFacts& facts) {
  RobotJoint joint;
  joint.name = facts.name;
  joint.line = facts.line;
  joint.kind = KindOf(facts.type);
  joint.X_PJ = facts.X_PJ;
  const bool has_axis = joint.kind != RobotJointKind::kFixed &&
                        joint.kind != RobotJointKind::kFloating &&
                        joint.kind != RobotJointKind::kBall;
  if (has_axis) joint.axis = facts.axis.normalized();
  const bool limited =
      joint.kind == RobotJointKind::kRevolute || joint.kind == RobotJointKind::kPrismatic;
  if (limited && !facts.unlimited) {
    joint.lower = Limit(facts.lower);
    joint.upper = Limit(facts.upper);
  }
  joint.effort = Most(facts.effort);
  joint.velocity = Most(facts.velocity);
  joint.damping = facts.damping;
  joint.friction = facts.friction;
  joint.armature = facts.armature;
  if (!facts.mimic.empty())
    joint.mimic = RobotMimic{.multiplier = facts.multiplier, .offset = facts.offset};
  return joint;
}

/// Depth first, children in the order of the file. The facts are those of one tree.
class Builder {
 public:
  explicit Builder(UrdfFacts facts) : facts_(std::move(facts)) {
    std::map<std::string_view, int> links;
    for (const LinkFacts& link : facts_.links)
      links.emplace(link.name, static_cast<int>(links.size()));
    ends_.reserve(facts_.joints.size());
    joints_below_.resize(facts_.links.size());
    is_child_.resize(facts_.links.size(), false);
    for (std::size_t j = 0; j < facts_.joints.size(); ++j) {
      const JointFacts& joint = facts_.joints[j];
      ends_.push_back(links.at(joint.child));
      At(joints_below_, links.at(joint.parent)).push_back(static_cast<int>(j));
      At(is_child_, ends_.back()) = true;
    }
  }

  RobotDescription Build() {
    const int root =
        static_cast<int>(std::find(is_child_.begin(), is_child_.end(), false) - is_child_.begin());
    robot_.name = facts_.name;
    robot_.on_world = IsWorld(At(facts_.links, root));
    Add(root, -1, -1);
    while (!open_.empty()) {
      const auto [joint, parent] = open_.back();
      open_.pop_back();
      Add(At(ends_, joint), joint, parent);
    }
    for (std::size_t i = 0; i < robot_.joints.size(); ++i) {
      auto& mimic = robot_.joints[i].mimic;
      if (mimic) mimic->joint = robot_.FindJoint(At(facts_.joints, joint_facts_[i]).mimic);
    }
    return std::move(robot_);
  }

 private:
  /// A link, and the joint that carries it; its own joints are open then.
  void Add(int link, int joint, int parent) {
    const auto index = static_cast<int>(robot_.links.size());
    robot_.links.push_back(MakeLink(std::move(At(facts_.links, link))));
    if (joint >= 0) {
      robot_.links.back().parent_joint = static_cast<int>(robot_.joints.size());
      RobotJoint& made = robot_.joints.emplace_back(MakeJoint(At(facts_.joints, joint)));
      made.parent = parent;
      made.child = index;
      joint_facts_.push_back(joint);
    }
    const std::vector<int>& below = At(joints_below_, link);
    for (auto j = below.rbegin(); j != below.rend(); ++j) open_.emplace_back(*j, index);
  }

  UrdfFacts facts_;
  std::vector<int> ends_;                       // child links of the joints
  std::vector<std::vector<int>> joints_below_;  // of the links
  std::vector<bool> is_child_;
  std::vector<std::pair<int, int>> open_;  // joints, with their parents in the robot
  std::vector<int> joint_facts_;           // of the robot's joints
  RobotDescription robot_;
};

struct Reading {
  RobotDescription robot;
  bool other_axes = false;  ///< see UrdfMeshes
};

Result<Reading> ReadWith(std::string_view text, const std::string& name, const std::string& folder,
                         MeshCollision collision, MeshAxes axes) {
  tinyxml2::XMLDocument document;
  if (const Status xml = ParseXml(text, name, &document); !xml.ok()) return xml.errors();
  UrdfReport report(name);
  UrdfFacts facts(folder, collision, axes);
  CheckUrdf(&document, &facts, &report);
  if (!report.errors.empty()) return report.Take();
  Reading reading;
  reading.other_axes = facts.meshes.other_axes();
  reading.robot = Builder(std::move(facts)).Build();
  RobotDescription& robot = reading.robot;
  robot.notes = report.TakeNotes();
  const auto limited = std::count_if(robot.joints.begin(), robot.joints.end(), [](const auto& j) {
    return j.kind != RobotJointKind::kFixed && j.velocity < kNoLimit;
  });
  if (limited > 0)
    robot.notes.push_back(fmt::format(
        "velocity limits are not used ({} joint{}): nothing holds a joint below a speed", limited,
        limited == 1 ? "" : "s"));
  return reading;
}

/// Programs do not agree on the up axis of COLLADA: the robot is read in both ways where that may
/// matter, and the way in which masses lie in their shapes is taken.
Result<RobotDescription> ReadChecked(std::string_view text, const std::string& name,
                                     const std::string& folder, MeshCollision collision) {
  Result<Reading> written = ReadWith(text, name, folder, collision, MeshAxes::kAsWritten);
  if (!written) return written.errors();
  RobotDescription& robot = written.value().robot;
  const int outside = written->other_axes ? CountMassesOutside(robot) : 0;
  if (outside < kLeastOutside) return std::move(robot);
  Result<Reading> turned = ReadWith(text, name, folder, collision, MeshAxes::kZUp);
  if (!turned) return std::move(robot);
  const int outside_turned = CountMassesOutside(turned->robot);
  if (outside_turned > outside - kLeastOutside || 3 * outside_turned > 2 * outside)
    return std::move(robot);
  RobotDescription& better = turned.value().robot;
  better.notes.push_back(
      fmt::format("meshes are turned so that z is up: {} of the links' centres of mass lie "
                  "outside of their shapes then, {} as the files are written",
                  outside_turned, outside));
  return std::move(better);
}

}  // namespace

Result<RobotDescription> ReadUrdfText(std::string_view text, const std::string& name,
                                      const std::string& folder, MeshCollision collision) {
  try {
    return ReadChecked(text, name, folder, collision);
  } catch (const std::exception& e) {
    return Error{.message = fmt::format("the file cannot be read: {}", e.what()),
                 .file = name,
                 .hint = "please report this file"};
  }
}

Result<RobotDescription> ReadUrdf(const std::string& path, MeshCollision collision) {
  std::error_code code;
  const auto bytes = std::filesystem::file_size(path, code);
  if (!code && bytes > kUrdfFile.most_bytes)
    return Error{.message = fmt::format("{:.1f} MiB; a URDF file may have {} MiB",
                                        static_cast<double>(bytes) / kMebibyte,
                                        kUrdfFile.most_bytes / kMebibyte),
                 .file = path,
                 .hint = "is it one?"};
  const Result<std::string> text = ReadTextFile(path, kUrdfFile);
  if (!text) return text.errors();
  return ReadUrdfText(*text, path, std::filesystem::path(path).parent_path().string(), collision);
}

}  // namespace slip
