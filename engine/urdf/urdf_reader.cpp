// From a checked document to a RobotDescription, through urdfdom: it knows what the format leaves
// out, turns roll, pitch and yaw into rotations and hangs links and joints together.
#include <console_bridge/console.h>
#include <fmt/format.h>
#include <urdf_model/model.h>
#include <urdf_parser/urdf_parser.h>

#include <algorithm>
#include <charconv>
#include <clocale>
#include <exception>
#include <filesystem>
#include <map>
#include <mutex>
#include <numbers>

#include "engine/urdf/robot_description.h"
#include "engine/urdf/urdf_check.h"

namespace slip {
namespace {

/// Keeps what urdfdom says, which would go to stderr.
class Listener : public console_bridge::OutputHandler {
 public:
  void log(const std::string& text, console_bridge::LogLevel level, const char*, int) override {
    if (level >= console_bridge::CONSOLE_BRIDGE_LOG_ERROR && heard.empty()) heard = text;
  }
  std::string heard;
};

/// The handler of messages is one for the whole program: it is lent while a file is read.
class Listening {
 public:
  Listening() : lock_(Mutex()), before_(console_bridge::getOutputHandler()) {
    console_bridge::useOutputHandler(&listener_);
  }
  ~Listening() { console_bridge::useOutputHandler(before_); }
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;
  const std::string& heard() const { return listener_.heard; }

 private:
  // guards the library's own global, and nothing of ours
  static std::mutex& Mutex() {
    static std::mutex mutex;
    return mutex;
  }

  std::lock_guard<std::mutex> lock_;
  console_bridge::OutputHandler* before_;
  Listener listener_;
};

/// Numbers have a decimal point in this thread, whatever the user's locale says.
class PlainNumbers {
 public:
  PlainNumbers() : plain_(newlocale(LC_ALL_MASK, "C", nullptr)), before_(uselocale(plain_)) {}
  ~PlainNumbers() {
    uselocale(before_);
    if (plain_ != nullptr) freelocale(plain_);
  }
  PlainNumbers(const PlainNumbers&) = delete;
  PlainNumbers& operator=(const PlainNumbers&) = delete;

 private:
  locale_t plain_, before_;
};

Vec3 ToVec3(const urdf::Vector3& v) { return {v.x, v.y, v.z}; }

Pose ToPose(const urdf::Pose& pose) {
  const urdf::Rotation& r = pose.rotation;
  return {.p = ToVec3(pose.position), .q = Quat(r.w, r.x, r.y, r.z).normalized()};
}

/// URDF's cylinders stand along z, ours lie along x: R e_x = e_z.
Quat UprightAxis() { return Quat(Eigen::AngleAxisd(-0.5 * std::numbers::pi, Vec3::UnitY())); }

/// The shapes of a <geometry>, and where they stand in X_LG: one, but for a mesh of several
/// colours.
std::vector<RobotShape> MakeShapes(const urdf::Geometry& geometry, const Pose& X_LG,
                                   const UrdfMeshes& meshes) {
  std::vector<RobotShape> shapes(1);
  RobotShape& out = shapes.front();
  out.X_LS = X_LG;
  Shape& shape = out.shape;
  switch (geometry.type) {
    case urdf::Geometry::SPHERE:
      shape.kind = ShapeKind::kSphere;
      shape.radius = static_cast<const urdf::Sphere&>(geometry).radius;
      break;
    case urdf::Geometry::BOX:
      shape.kind = ShapeKind::kBox;
      shape.size = ToVec3(static_cast<const urdf::Box&>(geometry).dim);
      break;
    case urdf::Geometry::CYLINDER: {
      const auto& cylinder = static_cast<const urdf::Cylinder&>(geometry);
      shape.kind = ShapeKind::kCylinder;
      shape.radius = cylinder.radius;
      shape.length = cylinder.length;
      out.X_LS.q = (X_LG.q * UprightAxis()).normalized();
      break;
    }
    case urdf::Geometry::MESH: {
      const std::string& name = static_cast<const urdf::Mesh&>(geometry).filename;
      std::size_t index = 0;
      std::from_chars(name.data(), name.data() + name.size(), index);
      const UrdfMesh& mesh = meshes.list.at(index);
      out.X_LS.p = X_LG * mesh.X_GS.p;
      out.X_LS.q = (X_LG.q * mesh.X_GS.q).normalized();
      shapes.assign(mesh.pieces.size(), RobotShape(out));
      for (std::size_t i = 0; i < shapes.size(); ++i) {
        shapes[i].shape = mesh.pieces[i].shape;
        shapes[i].color = mesh.pieces[i].color;
      }
      break;
    }
  }
  return shapes;
}

RobotLink MakeLink(const urdf::Link& from, const LinkFacts& facts, const UrdfMeshes& meshes) {
  RobotLink link;
  link.name = from.name;
  link.line = facts.line;
  if (from.inertial != nullptr && from.inertial->mass > 0) {
    const urdf::Inertial& inertial = *from.inertial;
    const Pose X_LC = ToPose(inertial.origin);
    const Mat3 R = X_LC.q.toRotationMatrix();
    Mat3 I;
    I << inertial.ixx, inertial.ixy, inertial.ixz, inertial.ixy, inertial.iyy, inertial.iyz,
        inertial.ixz, inertial.iyz, inertial.izz;
    link.mass = inertial.mass;
    link.p_LC = X_LC.p;
    // no turn, no rounding
    if (!R.isIdentity(0)) I = R * I * R.transpose();
    link.I_LC = 0.5 * (I + I.transpose());
  }
  for (const auto& visual : from.visual_array) {
    for (RobotShape& shape : MakeShapes(*visual->geometry, ToPose(visual->origin), meshes)) {
      shape.name = visual->name;
      // what the robot's file says of a colour is nearer than what the mesh's does
      if (visual->material != nullptr) {
        const urdf::Color& c = visual->material->color;
        shape.color = {c.r, c.g, c.b, c.a};
      }
      link.visuals.push_back(std::move(shape));
    }
  }
  for (const auto& collision : from.collision_array) {
    for (RobotShape& shape : MakeShapes(*collision->geometry, ToPose(collision->origin), meshes)) {
      shape.name = collision->name;
      shape.has_visual = !link.visuals.empty();
      link.collisions.push_back(std::move(shape));
    }
  }
  return link;
}

RobotJointKind KindOf(const std::string& type) {
  if (type == "revolute") return RobotJointKind::kRevolute;
  if (type == "continuous") return RobotJointKind::kContinuous;
  if (type == "prismatic") return RobotJointKind::kPrismatic;
  if (type == "floating") return RobotJointKind::kFloating;
  if (type == "planar") return RobotJointKind::kPlanar;
  return RobotJointKind::kFixed;
}

/// What files write for "none" is none.
double Limit(double x) { return std::abs(x) >= 1e9 ? std::copysign(kNoLimit, x) : x; }
/// Of efforts and velocities 0, too.
double Most(double x) { return x == 0 ? kNoLimit : Limit(x); }

RobotJoint MakeJoint(const urdf::Joint& from, const JointFacts& facts) {
  RobotJoint joint;
  joint.name = from.name;
  joint.line = facts.line;
  joint.kind = KindOf(facts.type);
  joint.X_PJ = ToPose(from.parent_to_joint_origin_transform);
  const bool has_axis =
      joint.kind != RobotJointKind::kFixed && joint.kind != RobotJointKind::kFloating;
  if (has_axis) joint.axis = ToVec3(from.axis).normalized();
  if (from.limits != nullptr) {
    const bool limited =
        joint.kind == RobotJointKind::kRevolute || joint.kind == RobotJointKind::kPrismatic;
    if (limited && !facts.unlimited) {
      joint.lower = Limit(from.limits->lower);
      joint.upper = Limit(from.limits->upper);
    }
    joint.effort = Most(from.limits->effort);
    joint.velocity = Most(from.limits->velocity);
  }
  if (from.dynamics != nullptr) {
    joint.damping = from.dynamics->damping;
    joint.friction = from.dynamics->friction;
  }
  if (from.mimic != nullptr)
    joint.mimic = RobotMimic{.multiplier = from.mimic->multiplier, .offset = from.mimic->offset};
  return joint;
}

/// Depth first, children in the order of the file.
class Builder {
 public:
  explicit Builder(const UrdfFacts& facts) : facts_(facts) {
    for (std::size_t i = 0; i < facts.links.size(); ++i) link_facts_[facts.links[i].name] = i;
    for (std::size_t i = 0; i < facts.joints.size(); ++i) joint_facts_[facts.joints[i].name] = i;
  }

  RobotDescription Build(const urdf::ModelInterface& model) {
    robot_.name = model.getName();
    robot_.on_world = IsWorld(facts_.links[link_facts_.at(model.getRoot()->name)]);
    // (link, index of its parent)
    std::vector<std::pair<urdf::LinkConstSharedPtr, int>> open = {{model.getRoot(), -1}};
    while (!open.empty()) {
      const auto [link, parent] = open.back();
      open.pop_back();
      const int index = static_cast<int>(robot_.links.size());
      robot_.links.push_back(
          MakeLink(*link, facts_.links[link_facts_.at(link->name)], facts_.meshes));
      if (parent >= 0) AddJoint(*link->parent_joint, parent, index);
      std::vector<urdf::JointSharedPtr> joints = link->child_joints;
      std::sort(joints.begin(), joints.end(), [this](const auto& a, const auto& b) {
        return joint_facts_.at(a->name) > joint_facts_.at(b->name);
      });
      for (const auto& joint : joints)
        open.push_back({model.getLink(joint->child_link_name), index});
    }
    for (RobotJoint& joint : robot_.joints)
      if (joint.mimic)
        joint.mimic->joint = robot_.FindJoint(facts_.joints[joint_facts_.at(joint.name)].mimic);
    return std::move(robot_);
  }

 private:
  void AddJoint(const urdf::Joint& from, int parent, int child) {
    RobotJoint joint = MakeJoint(from, facts_.joints[joint_facts_.at(from.name)]);
    joint.parent = parent;
    joint.child = child;
    robot_.links[child].parent_joint = static_cast<int>(robot_.joints.size());
    robot_.joints.push_back(std::move(joint));
  }

  const UrdfFacts& facts_;
  std::map<std::string, std::size_t> link_facts_, joint_facts_;
  RobotDescription robot_;
};

Result<RobotDescription> ReadChecked(std::string_view text, const std::string& name,
                                     const std::string& folder) {
  tinyxml2::XMLDocument document;
  if (const Status xml = ParseXml(text, name, &document); !xml.ok()) return xml.errors();
  UrdfReport report(name);
  UrdfFacts facts(folder);
  CheckUrdf(&document, &facts, &report);
  if (!report.errors.empty()) return report.Take();
  tinyxml2::XMLPrinter printer(nullptr, true);
  document.RootElement()->Accept(&printer);
  const PlainNumbers plain;
  const Listening listening;
  const urdf::ModelInterfaceSharedPtr model = urdf::parseURDF(printer.CStr());
  if (model == nullptr || model->getRoot() == nullptr)
    return Error{.message = "urdfdom cannot read this: " + listening.heard(),
                 .file = name,
                 .hint = "please report this file"};
  RobotDescription robot = Builder(facts).Build(*model);
  robot.notes = std::move(report.notes);
  const auto limited = std::count_if(robot.joints.begin(), robot.joints.end(), [](const auto& j) {
    return j.kind != RobotJointKind::kFixed && j.velocity < kNoLimit;
  });
  if (limited > 0)
    robot.notes.push_back(fmt::format(
        "velocity limits are not used ({} joint{}): nothing holds a joint below a speed", limited,
        limited == 1 ? "" : "s"));
  return robot;
}

}  // namespace

Result<RobotDescription> ReadUrdfText(std::string_view text, const std::string& name,
                                      const std::string& folder) {
  try {
    return ReadChecked(text, name, folder);
  } catch (const std::exception& e) {
    return Error{.message = fmt::format("the file cannot be read: {}", e.what()),
                 .file = name,
                 .hint = "please report this file"};
  }
}

Result<RobotDescription> ReadUrdf(const std::string& path) {
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
  return ReadUrdfText(*text, path, std::filesystem::path(path).parent_path().string());
}

}  // namespace slip
