#include "engine/scene/robot_reader.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>

#include "engine/core/data_folder.h"
#include "engine/core/numbers.h"
#include "engine/core/other_case.h"
#include "engine/core/rotation.h"
#include "engine/mjcf/mjcf.h"
#include "engine/scene/body_reader.h"
#include "engine/scene/path_reader.h"
#include "engine/scene/robot_builder.h"
#include "engine/scene/robot_keys.h"

namespace slip {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFramePoints = 100;  // of one frame

// Beside the scene file, else among the program's own robots.
std::string FindRobotFile(const std::string& name, const std::string& scene_file) {
  const fs::path beside = fs::path(scene_file).parent_path() / name;
  std::error_code code;
  if (fs::path(name).is_absolute() || fs::exists(beside, code)) return beside.string();
  const fs::path own = fs::path(DataFolder()) / "assets" / "robots" / name;
  return fs::exists(own, code) ? own.string() : beside.string();
}

// `file` gets the robot as its file has it.
std::optional<RobotDescription> ReadFile(TableReader* table, const RobotDescription* known,
                                         std::shared_ptr<const RobotDescription>* file) {
  std::string name;
  const TomlNode* node = table->Require(RobotKey("file"), "the name of a URDF or MJCF file");
  bool merge = true;
  table->Flag(RobotKey("merge_fixed"), &merge);
  const std::optional<std::size_t> collision = table->Choice(RobotKey("collision"));
  if (!table->Text(RobotKey("file"), &name) || node == nullptr) return std::nullopt;
  const std::string path = FindRobotFile(name, table->reporter().file());
  std::optional<MeshCollision> touch_with;
  if (collision) touch_with = static_cast<MeshCollision>(*collision);
  Result<RobotDescription> read =
      known != nullptr ? Result<RobotDescription>(*known) : ReadRobotFile(path, touch_with);
  if (!read) {
    for (Error error : read.errors()) {
      if (std::string hint = HintForMissing(path); !hint.empty()) error.hint = hint;
      table->reporter().Add(*node, error.Text());
    }
    return std::nullopt;
  }
  *file = std::make_shared<const RobotDescription>(std::move(*read));
  RobotDescription robot = merge ? MergeFixedLinks(**file) : **file;
  for (const std::string& note : robot.notes) table->reporter().Note(note);
  return robot;
}

bool IsPositive(const Mat3& inertia) {
  const Vec3 moments = CalcSymmetricEigen(inertia).values;
  return moments[0] > 1e-12 * moments[2];
}

std::vector<std::string_view> JointNames(const RobotDescription& robot) {
  std::vector<std::string_view> names;
  for (const RobotJoint& joint : robot.joints) names.push_back(joint.name);
  return names;
}

bool HasOneCoordinate(const RobotJoint& joint) {
  return joint.kind == RobotJointKind::kRevolute || joint.kind == RobotJointKind::kContinuous ||
         joint.kind == RobotJointKind::kPrismatic;
}

/// The joint at the head of a chain of followers: "'hip'".
std::string LeaderOf(const RobotDescription& robot, const RobotJoint& follower) {
  const RobotJoint* at = &follower;
  for (std::size_t i = 0; i < robot.joints.size() && at->mimic; ++i)
    at = &At(robot.joints, at->mimic->joint);
  return "'" + at->name.substr(0, 60) + "'";
}

// { NAME = number } for joints with one coordinate; `limited`: positions, which have limits.
void ReadJoints(TableReader* table, const SceneKey& key, bool limited,
                const RobotDescription& robot, int start, std::vector<double>* values) {
  values->assign(robot.joints.size(), 0);
  for (std::size_t j = 0; j < robot.joints.size(); ++j) {
    const RobotJoint& joint = robot.joints[j];
    if (!joint.starts.empty()) {
      const RobotStart& own = joint.starts[static_cast<std::size_t>(start)];
      (*values)[j] = limited ? own.q[0] : own.v[0];
    } else if (limited) {
      (*values)[j] = std::clamp(0.0, joint.lower, joint.upper);
    }
  }
  const TomlNode* node = table->Find(key);
  Reporter& reporter = table->reporter();
  if (node != nullptr && node->kind != TomlNode::Kind::kTable) {
    return reporter.Add(*node, std::string(key.name) +
                                   " must be a table such as { JOINT = 0.5 } (found " +
                                   node->Found() + ")");
  }
  for (std::size_t i = 0; node != nullptr && i < node->items.size(); ++i) {
    const TomlNode& item = node->items[i];
    const int j = robot.FindJoint(item.key);
    if (j < 0) {
      reporter.Add(item, "the robot has no joint '" + item.key.substr(0, 60) + "'",
                   DidYouMean(item.key, JointNames(robot)));
      continue;
    }
    const RobotJoint& joint = At(robot.joints, j);
    if (joint.mimic) {
      reporter.Add(item,
                   "joint '" + item.key + "' follows " + LeaderOf(robot, joint) +
                       ", so it has no start of its own",
                   "set that of the leader");
      continue;
    }
    if (!HasOneCoordinate(joint)) {
      reporter.Add(item, "joint '" + item.key + "' has no position of its own to start from");
      continue;
    }
    const bool slides = joint.kind == RobotJointKind::kPrismatic;
    const std::string_view unit = slides ? (limited ? "m" : "m/s") : (limited ? "rad" : "rad/s");
    const std::optional<double> value = QuantityOf(item, item.key, unit, &reporter);
    if (!value) continue;
    const double lower = limited ? joint.lower : -key_limits::kFar,
                 upper = limited ? joint.upper : key_limits::kFar;
    if (!(*value >= lower && *value <= upper)) {
      reporter.Add(item, fmt::format("{} must be {:.6g} to {:.6g} {} (found {:.6g})", item.key,
                                     lower, upper, unit, *value));
      continue;
    }
    At(*values, j) = *value;
  }
  // followers begin where their leaders put them; a chain of them is no longer than the list
  for (std::size_t pass = 0; pass < robot.joints.size(); ++pass) {
    bool changed = false;
    for (std::size_t j = 0; j < robot.joints.size(); ++j) {
      const auto& mimic = robot.joints[j].mimic;
      if (!mimic) continue;
      const double value =
          mimic->multiplier * At(*values, mimic->joint) + (limited ? mimic->offset : 0);
      changed = changed || value != (*values)[j];
      (*values)[j] = value;
    }
    if (!changed) break;
  }
}

// { JOINT = value } with `read` for each joint that has a motor.
template <class Read>
void ReadByJoint(const TomlNode& node, const RobotDescription& robot, Reporter* reporter,
                 const Read& read) {
  for (const TomlNode& item : node.items) {
    const int j = robot.FindJoint(item.key);
    if (j < 0) {
      reporter->Add(item, "the robot has no joint '" + item.key.substr(0, 60) + "'",
                    DidYouMean(item.key, JointNames(robot)));
      continue;
    }
    const auto index = static_cast<std::size_t>(j);
    const RobotJoint& joint = robot.joints[index];
    if (joint.mimic) {
      reporter->Add(item,
                    "joint '" + item.key + "' follows " + LeaderOf(robot, joint) +
                        ", so it has no motor of its own",
                    "set that of the leader");
      continue;
    }
    if (!HasOneCoordinate(joint)) {
      reporter->Add(item, "joint '" + item.key + "' has no motor of its own");
      continue;
    }
    read(item, index, joint.kind == RobotJointKind::kPrismatic);
  }
}

void ReadMotors(TableReader* table, const RobotDescription& robot, int start,
                std::vector<JointDrive>* motors) {
  motors->assign(robot.joints.size(), {});
  for (std::size_t j = 0; j < robot.joints.size(); ++j) {
    const RobotJoint& joint = robot.joints[j];
    if (joint.starts.empty()) continue;
    (*motors)[j].stiffness = joint.stiffness;
    (*motors)[j].damping = joint.gain;
    (*motors)[j].target = joint.starts[static_cast<std::size_t>(start)].target;
  }
  const std::span<const Param<JointDrive>> rows = SceneParamTable<JointDrive>();
  // the whole table has the target beside them
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const Param<JointDrive>& of_all = rows[row];
    const TomlNode* node = table->Find(of_all.info);
    if (node == nullptr) continue;
    if (node->kind == TomlNode::Kind::kTable) {
      ReadByJoint(*node, robot, &table->reporter(),
                  [&](const TomlNode& item, std::size_t j, bool slides) {
                    const Param<JointDrive>& own = JointTable(slides)[row + 1];
                    if (const auto value = table->ParamValue(own.info, item))
                      own.Set(&(*motors)[j], *value);
                  });
    } else if (const auto value = table->ParamValue(of_all.info, *node)) {
      for (JointDrive& motor : *motors) of_all.Set(&motor, *value);
    }
  }
}

void ReadTargetPaths(TableReader* table, const RobotDescription& robot,
                     std::vector<Path<double>>* paths) {
  paths->assign(robot.joints.size(), {});
  const TomlNode* node = table->Find(RobotKey("target_paths"));
  if (node == nullptr) return;
  if (node->kind != TomlNode::Kind::kTable) {
    return table->reporter().Add(
        *node, "target_paths must be a table such as { JOINT = [[0, 0], [2, 0.1]] } (found " +
                   node->Found() + ")");
  }
  ReadByJoint(
      *node, robot, &table->reporter(), [&](const TomlNode& item, std::size_t j, bool slides) {
        (*paths)[j] =
            ReadPath(item, item.key, slides ? "m" : "rad", key_limits::kFar, &table->reporter());
      });
}

void ReadContactPoints(TableReader* table, const RobotDescription& robot,
                       std::map<std::string, std::vector<Vec3>>* out) {
  const SceneKey& key = RobotKey("contact_points");
  const TomlNode* node = table->Find(key);
  if (node == nullptr) return;
  Reporter& reporter = table->reporter();
  if (node->kind != TomlNode::Kind::kTable) {
    return reporter.Add(*node,
                        "contact_points must be a table such as { FOOT = [[0, 0, 0]] } (found " +
                            node->Found() + ")");
  }
  std::vector<std::string_view> known;
  for (const RobotLink& link : robot.links) known.push_back(link.name);
  for (const RobotFrame& frame : robot.frames) known.push_back(frame.name);
  for (const TomlNode& item : node->items) {
    if (robot.FindLink(item.key) < 0 && robot.FindFrame(item.key) < 0) {
      reporter.Add(item, "the robot has no link '" + item.key.substr(0, 60) + "'",
                   DidYouMean(item.key, known));
      continue;
    }
    if (item.kind != TomlNode::Kind::kList || item.items.empty() ||
        item.items.size() > kMostFramePoints) {
      reporter.Add(item, item.key + " must hold 1 to 100 points [[x, y, z], ...] (found " +
                             item.Found() + ")");
      continue;
    }
    for (const TomlNode& point : item.items) {
      if (const auto p = VectorOf(point, item.key, key.unit, key_limits::kFar, &reporter))
        (*out)[item.key].push_back(*p);
    }
  }
}

// The place of a keyframe among those of the file.
int ReadKeyframe(TableReader* table, const RobotDescription& robot) {
  std::string name;
  if (!table->Text(RobotKey("keyframe"), &name)) return 0;
  for (std::size_t i = 0; i < robot.starts.size(); ++i)
    if (robot.starts[i] == name) return static_cast<int>(i);
  const std::vector<std::string_view> known(robot.starts.begin(), robot.starts.end());
  table->reporter().Add(*table->node().Find("keyframe"),
                        "the robot's file has no keyframe '" + name.substr(0, 60) + "'",
                        DidYouMean(name, known));
  return 0;
}

// { kind = "trot", trot_speed = 0.2 }; "period" is short for "control_period".
void ReadController(TableReader* table, RobotDrive* drive) {
  const TomlNode* node = table->Find(RobotKey("controller"));
  if (node == nullptr) return;
  Reporter& reporter = table->reporter();
  if (node->kind != TomlNode::Kind::kTable) {
    return reporter.Add(*node, "controller must be a table such as { kind = \"stand\" } (found " +
                                   node->Found() + ")");
  }
  TableReader own(*node, kControllerSection, table->where() + " controller", &reporter);
  const std::span<const Param<RobotDrive>> rows = RobotTable();
  own.Require(ControllerKey("kind"), "the name of a controller");
  if (const auto kind = own.Choice(ControllerKey("kind"), rows.front().info.choices))
    drive->controller = static_cast<int>(*kind);
  own.Params(drive);
  if (const TomlNode* period = own.Find(ControllerKey("period"))) {
    const auto& row = *std::find_if(rows.begin(), rows.end(),
                                    [](const auto& r) { return r.info.name == "control_period"; });
    if (const auto value = own.ParamValue(row.info, *period)) row.Set(drive, *value);
  }
  own.Finish();
}

}  // namespace

void ReadRobot(const TomlNode& node, const RobotDescription* known, Scene* scene,
               Reporter* reporter) {
  Model* model = &scene->base;
  Config* config = &scene->config;
  TableReader table(node, kRobotSection, "[robot." + node.key + "]", reporter);
  RobotPlacement place;
  place.name = node.key;
  SceneRobot as_file{.name = node.key, .file = nullptr};
  const std::optional<RobotDescription> robot = ReadFile(&table, known, &as_file.file);
  const std::optional<std::size_t> base = table.Choice(RobotKey("base"));
  place.fixed_base = base == 1 || (!base && robot && robot->on_world);
  table.Vector(RobotKey("position"), &place.X_WL.p);
  ReadQuaternion(&table, RobotKey("quaternion"), &place.X_WL.q);
  table.Vector(RobotKey("velocity"), &place.v_WL);
  table.Vector(RobotKey("angular_velocity"), &place.w_WL);
  // what an MJCF file has says itself who meets whom
  place.self_collision = robot && robot->world;
  table.Flag(RobotKey("self_collision"), &place.self_collision);
  table.Flag(RobotKey("weightless"), &place.weightless);
  if (config->materials.size() > 1)
    table.Require(RobotKey("material"), "the name of a [material.NAME]");
  place.material = ReadMaterial(&table, RobotKey("material"), *config, 0);
  if (!robot) {
    table.SkipRest();
    return table.Finish();
  }
  place.start = ReadKeyframe(&table, *robot);
  ReadJoints(&table, RobotKey("joints"), true, *robot, place.start, &place.positions);
  ReadJoints(&table, RobotKey("joint_velocities"), false, *robot, place.start, &place.rates);
  ReadMotors(&table, *robot, place.start, &place.motors);
  ReadTargetPaths(&table, *robot, &place.target_paths);
  ReadContactPoints(&table, *robot, &place.contact_points);
  ReadController(&table, &place.drive);
  table.Finish();
  if (!place.fixed_base && robot->links[0].mass <= 0) {
    return reporter->Add(
        node, "the base link '" + robot->links[0].name + "' weighs nothing, so it cannot be free",
        "set base = \"fixed\", or give the link a mass in its file");
  }
  if (!place.fixed_base && robot->on_world && !IsPositive(robot->links[0].I_LC)) {
    return reporter->Add(node,
                         "the base is free, and what is fixed to the world has an inertia that is "
                         "not positive definite",
                         "set base = \"fixed\", or correct the inertia in the file");
  }
  AppendRobot(*robot, place, model, config);
  scene->robots.push_back(std::move(as_file));
}

}  // namespace slip
