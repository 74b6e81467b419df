// URDF: one tree of links. A robot that is alone is the file's robot, its base the root; anything
// else hangs on a root link "world".
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "engine/core/numbers.h"
#include "engine/core/rotation.h"
#include "engine/export/geoms.h"
#include "engine/export/rpy.h"
#include "engine/export/touch.h"
#include "engine/export/xml_text.h"

namespace slip {
namespace {

constexpr double kNoNumber = 1e9;       // what its files write for "none"
constexpr double kGround = 10;          // edge of the box in place of a half-space [m]
constexpr double kGroundThickness = 1;  // [m]
constexpr double kRoundOff = 1e-15;     // of a sum of products

class UrdfWriter {
 public:
  UrdfWriter(const ExportInput& input, XmlText* xml, ExportMeshes* meshes, Losses* losses)
      : input_(input),
        model_(input.model),
        frames_(input.model, input.start, true),
        xml_(*xml),
        meshes_(*meshes),
        losses_(*losses),
        alone_(FindLoneRobot(input.model)) {
    NameAll();
  }

  void Write() {
    xml_.Set("name", alone_ >= 0 ? model_.robots[ToIndex(alone_)].name : input_.name);
    AddLosses();
    if (alone_ < 0) {
      xml_.Open("link");
      xml_.Set("name", "world");
      for (const Surface& surface : model_.surfaces) WriteSurface(surface);
      if (world_ >= 0) WriteShapes(world_);
      xml_.Close();
    }
    for (std::size_t b = 0; b < model_.bodies.size(); ++b)
      if (model_.bodies[b].shape_of_link < 0 && static_cast<int>(b) != world_)
        WriteLink(static_cast<int>(b));
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
      const bool root = model_.bodies[b].joint.parent < 0;
      if (model_.bodies[b].shape_of_link < 0 && !(root && alone_ >= 0) &&
          static_cast<int>(b) != world_)
        WriteJoint(static_cast<int>(b));
    }
    for (const Robot& robot : model_.robots) WriteFrames(robot);
  }

 private:
  /// The robot that is all there is, but for surfaces; -1 = there is more.
  static int FindLoneRobot(const Model& model) {
    if (model.robots.size() != 1) return -1;
    const auto of_it = std::count_if(model.bodies.begin(), model.bodies.end(),
                                     [](const Body& body) { return body.robot == 0; });
    const auto roots = std::count_if(
        model.bodies.begin(), model.bodies.end(),
        [](const Body& body) { return body.shape_of_link < 0 && body.joint.parent < 0; });
    return of_it == static_cast<std::ptrdiff_t>(model.bodies.size()) && roots == 1 ? 0 : -1;
  }

  std::string NameOf(const std::string& name) const {
    return model_.robots.size() == 1 && name.starts_with(model_.robots[0].name + "/")
               ? LocalName(name)
               : name;
  }
  const std::string& LinkName(int b) const { return link_names_[ToIndex(b)]; }

  // No two links have one name, and no two joints. A robot's own name of the world is that of the
  // file's where it is the same: a root without mass, at the origin.
  void NameAll() {
    if (alone_ < 0) taken_.insert("world");
    std::set<std::string> joints;
    const auto name = [&](const std::string& whole, bool link) {
      return UniqueName(whole, link ? &taken_ : &joints);
    };
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
      const Body& body = model_.bodies[b];
      link_names_.emplace_back();
      joint_names_.emplace_back();
      if (body.shape_of_link >= 0) continue;
      if (world_ < 0 && alone_ < 0 && IsWorld(static_cast<int>(b))) {
        world_ = static_cast<int>(b);
        link_names_.back() = "world";
        continue;
      }
      link_names_.back() = name(body.name, true);
      joint_names_.back() = name(joint_name(body), false);
    }
  }
  static const std::string& joint_name(const Body& body) {
    return body.joint.name.empty() ? body.name : body.joint.name;
  }
  bool IsWorld(int b) const {
    const Body& body = model_.bodies[ToIndex(b)];
    const Pose X = frames_.RestPose(b);
    return body.joint.parent < 0 && body.joint.kind == JointKind::kFixed && !(body.mass > 0) &&
           LocalName(body.name) == "world" && X.p.isZero(0) &&
           X.q.coeffs() == Quat::Identity().coeffs();
  }
  std::string UniqueName(const std::string& whole, std::set<std::string>* taken) {
    std::string name = NameOf(whole);
    if (taken->insert(name).second) return name;
    const std::string first = whole;
    name = first;
    for (int i = 2; !taken->insert(name).second; ++i) name = fmt::format("{}-{}", first, i);
    losses_.Add(LossId::kName, "a name that is taken has another one there", name);
    return name;
  }

  void AddLosses() {
    losses_.Add(LossId::kWorld, "URDF has neither gravity nor a time step");
    losses_.Add(LossId::kContactLaw, "URDF has no materials of contacts");
    for (const Surface& surface : model_.surfaces) {
      if (alone_ >= 0) {
        losses_.Add(LossId::kSurface, "a robot's file has no ground: the surface is left out",
                    surface.name);
      } else {
        losses_.Add(
            LossId::kSurface,
            fmt::format("a surface is a box of {0} m x {0} m there", static_cast<int>(kGround)),
            surface.name);
      }
      if (surface.drive >= 0)
        losses_.Add(LossId::kBelt, "URDF has no belts: the surface stands still", surface.name);
    }
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
      const Body& body = model_.bodies[b];
      if (body.shape_of_link < 0) AddLossesOf(static_cast<int>(b), body);
    }
    AddFilterLosses(model_, "URDF", &losses_);
    for (const Robot& robot : model_.robots)
      if (!robot.self_collision)
        losses_.Add(LossId::kSelfCollision,
                    "URDF does not say that a robot's links pass through each other", robot.name);
  }

  void AddLossesOf(int b, const Body& body) {
    const Joint& joint = body.joint;
    const std::string name = joint.name.empty() ? body.name : joint.name;
    const bool moved =
        (body.nq > 0 && !AtNeutral(b)) || (joint.parent < 0 && alone_ >= 0 && !AtOrigin(b));
    if (moved) losses_.Add(LossId::kStart, "URDF has no start positions", name);
    if (!body.V_WB.isZero(0) || !IsStill(body))
      losses_.Add(LossId::kStart, "URDF has no start velocities", name);
    if (body.Moves() && !(body.mass > 0))
      losses_.Add(LossId::kInertia,
                  "a link between joints has no mass, which some readers of URDF refuse",
                  body.name);
    if (joint.armature > 0) losses_.Add(LossId::kArmature, "URDF has no inertia of motors", name);
    if (body.drive >= 0) {
      const JointDrive& drive = input_.config.joints[ToIndex(body.drive)];
      if (drive.stiffness > 0 || drive.damping > 0)
        losses_.Add(LossId::kMotor, "URDF has no motors that hold a joint", name);
    }
    const bool limited = std::isfinite(joint.lower) || std::isfinite(joint.upper);
    if (limited && std::isfinite(joint.limit_stiffness))
      losses_.Add(LossId::kLimits, "limits of joints are rigid there", name);
  }
  bool AtOrigin(int b) const {
    const Pose X = frames_.StartInWorld(b);
    return X.p.isZero(0) && X.q.coeffs() == Quat::Identity().coeffs();
  }
  static bool IsStill(const Body& body) {
    return std::all_of(body.v0.begin(), body.v0.end(), [](double v) { return v == 0; });
  }
  bool AtNeutral(int b) const {
    const Body& body = model_.bodies[ToIndex(b)];
    std::array<double, 7> neutral{};
    SetNeutral(body.joint, neutral.data());
    return std::equal(neutral.begin(), neutral.begin() + body.nq,
                      input_.start.q.data() + body.q_start);
  }

  void WriteOrigin(const Pose& X) {
    if (X.p.isZero(0) && X.q.coeffs() == Quat::Identity().coeffs()) return;
    xml_.Open("origin");
    xml_.Set("xyz", X.p);
    if (X.q.coeffs() != Quat::Identity().coeffs()) xml_.Set("rpy", CalcRpy(X.q));
    xml_.Close();
  }

  void WriteLink(int b) {
    const Body& body = model_.bodies[ToIndex(b)];
    xml_.Open("link");
    xml_.Set("name", LinkName(b));
    if (body.mass > 0) WriteInertial(body, frames_.X_LB(b));
    WriteShapes(b);
    xml_.Close();
  }
  void WriteShapes(int b) {
    const Body& body = model_.bodies[ToIndex(b)];
    const std::vector<ExportGeom> geoms = GeomsOf(model_, frames_, b, &losses_);
    if (std::any_of(geoms.begin(), geoms.end(),
                    [](const ExportGeom& geom) { return TouchesByPoints(geom.role); }))
      losses_.Add(LossId::kContactPoints,
                  "a body touches with its points there, and with its shape as well", body.name);
    for (const bool collision : {false, true})
      for (const ExportGeom& geom : geoms)
        if (collision ? geom.role != GeomRole::kVisual : geom.seen && IsDrawn(geom, geoms))
          WriteShape(geom, collision);
  }
  // A collision shape is drawn by itself where nothing is for the eyes alone.
  static bool IsDrawn(const ExportGeom& geom, const std::vector<ExportGeom>& geoms) {
    return geom.role == GeomRole::kVisual ||
           std::none_of(geoms.begin(), geoms.end(),
                        [](const ExportGeom& other) { return other.role == GeomRole::kVisual; });
  }

  void WriteInertial(const Body& body, const Pose& X_LB) {
    Mat3 I = body.inertia_B.asDiagonal();
    if (X_LB.q.coeffs() != Quat::Identity().coeffs()) {
      const Mat3 R = X_LB.q.toRotationMatrix();
      I = R * I * R.transpose();
      // a zero that is one, or who reads it finds the same axes turned by half a turn
      const double least = kRoundOff * I.norm();
      I = I.unaryExpr([&](double x) { return std::abs(x) < least ? 0.0 : x; }).eval();
    }
    xml_.Open("inertial");
    WriteOrigin({X_LB.p, Quat::Identity()});
    xml_.Open("mass");
    xml_.Set("value", body.mass);
    xml_.Close();
    xml_.Open("inertia");
    constexpr std::array<const char*, 6> kNames = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
    constexpr int kAt[6][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};
    for (std::size_t i = 0; i < kNames.size(); ++i)
      xml_.Set(kNames[i], (I(kAt[i][0], kAt[i][1]) + I(kAt[i][1], kAt[i][0])) / 2);
    xml_.Close();
    xml_.Close();
  }

  void WriteShape(const ExportGeom& geom, bool collision) {
    const Shape& shape = geom.shape;
    if (shape.kind == ShapeKind::kCapsule) {
      losses_.Add(LossId::kCapsule, "URDF has no capsules: a cylinder and two spheres");
      ExportGeom part = geom;
      part.shape.kind = ShapeKind::kCylinder;
      WriteShape(part, collision);
      part.shape.kind = ShapeKind::kSphere;
      for (const double end : {-0.5, 0.5}) {
        part.X_LS.p = geom.X_LS * Vec3(end * shape.length, 0, 0);
        WriteShape(part, collision);
      }
      return;
    }
    if (shape.kind == ShapeKind::kTriangleMesh && collision)
      losses_.Add(LossId::kMesh, "what reads URDF may take the convex hull of a mesh");
    xml_.Open(collision ? "collision" : "visual");
    WriteOrigin(shape.kind == ShapeKind::kCylinder ? StandUp(geom.X_LS) : geom.X_LS);
    xml_.Open("geometry");
    WriteGeometry(shape);
    xml_.Close();
    if (!collision && geom.colour) {
      const auto& c = *geom.colour;
      xml_.Open("material");
      xml_.Set("name", fmt::format("colour-{}", NumberText(std::span(c.data(), 4))));
      xml_.Open("color");
      xml_.Set("rgba", NumberText(std::span(c.data(), 4)));
      xml_.Close();
      xml_.Close();
    }
    xml_.Close();
  }
  void WriteGeometry(const Shape& shape) {
    switch (shape.kind) {
      case ShapeKind::kSphere:
        xml_.Open("sphere");
        xml_.Set("radius", shape.radius);
        break;
      case ShapeKind::kBox:
        xml_.Open("box");
        xml_.Set("size", shape.size);
        break;
      case ShapeKind::kCylinder:
      case ShapeKind::kCapsule:
        xml_.Open("cylinder");
        xml_.Set("radius", shape.radius);
        xml_.Set("length", shape.length);
        break;
      default:
        xml_.Open("mesh");
        xml_.Set("filename", meshes_.FileOf(shape));
    }
    xml_.Close();
  }

  void WriteSurface(const Surface& surface) {
    Shape box;
    box.kind = ShapeKind::kBox;
    box.size = Vec3(kGround, kGround, kGroundThickness);
    Mat3 axes;
    axes << surface.belt_axis, surface.normal.cross(surface.belt_axis), surface.normal;
    const Pose X_WS{surface.point - kGroundThickness / 2 * surface.normal,
                    axes.isIdentity(0) ? Quat::Identity() : Quat(axes)};
    for (const bool collision : {false, true}) WriteShape({.shape = box, .X_LS = X_WS}, collision);
  }

  /// The type of a joint, and what it loses.
  const char* TypeOf(const Body& body) {
    const Joint& joint = body.joint;
    const auto more = [&](const char* type, const char* text) {
      losses_.Add(LossId::kMotion, text, joint.name.empty() ? body.name : joint.name);
      return type;
    };
    switch (joint.kind) {
      case JointKind::kFree:
        return "floating";
      case JointKind::kFixed:
        return "fixed";
      case JointKind::kPlanar:
        return "planar";
      case JointKind::kXZ:
        return more("planar", "URDF has no joint that keeps a body from turning in a plane");
      case JointKind::kZ:
      case JointKind::kPrismatic:
        return "prismatic";
      case JointKind::kUpright:
        return more("floating", "URDF has no joint that keeps a body upright: it is free");
      case JointKind::kBall:
        return more("floating", "URDF has no ball joints: the link is free");
      case JointKind::kRevolute:
        return std::isfinite(joint.lower) || std::isfinite(joint.upper) ? "revolute" : "continuous";
    }
    return "fixed";
  }

  void WriteJoint(int b) {
    const Body& body = model_.bodies[ToIndex(b)];
    const Joint& joint = body.joint;
    const bool keeps = frames_.KeepsPose(b);
    xml_.Open("joint");
    xml_.Set("name", joint_names_[ToIndex(b)]);
    xml_.Set("type", TypeOf(body));
    xml_.Open("parent");
    xml_.Set("link", joint.parent < 0 ? std::string("world") : LinkName(joint.parent));
    xml_.Close();
    xml_.Open("child");
    xml_.Set("link", LinkName(b));
    xml_.Close();
    const Pose X_PJ = frames_.RestPose(b);
    WriteOrigin(X_PJ);
    const bool plane = joint.kind == JointKind::kPlanar || joint.kind == JointKind::kXZ;
    if (body.nv == 1 || plane) {
      const Vec3 axis = plane                         ? Vec3::UnitY()
                        : joint.kind == JointKind::kZ ? Vec3::UnitZ()
                                                      : joint.axis;
      xml_.Open("axis");
      xml_.Set("xyz", Vec3(keeps ? X_PJ.q.conjugate() * axis : frames_.X_LM(b).q * axis));
      xml_.Close();
    }
    if (body.nv == 1) WriteNumbers(joint);
    xml_.Close();
  }

  void WriteNumbers(const Joint& joint) {
    const auto of = [](double limit) {
      return std::isfinite(limit) ? limit : std::copysign(kNoNumber, limit);
    };
    const bool limited = std::isfinite(joint.lower) || std::isfinite(joint.upper);
    xml_.Open("limit");
    if (limited || joint.kind != JointKind::kRevolute) {
      xml_.Set("lower", of(joint.lower));
      xml_.Set("upper", of(joint.upper));
    }
    xml_.Set("effort", of(joint.effort));
    xml_.Set("velocity", kNoNumber);
    xml_.Close();
    if (joint.damping > 0 || joint.friction > 0) {
      xml_.Open("dynamics");
      xml_.Set("damping", joint.damping);
      xml_.Set("friction", joint.friction);
      xml_.Close();
    }
    if (joint.leader < 0) return;
    xml_.Open("mimic");
    xml_.Set("joint", joint_names_[ToIndex(joint.leader)]);
    xml_.Set("multiplier", joint.ratio);
    xml_.Set("offset", joint.offset);
    xml_.Close();
  }

  // Frames that the robot's file names are links without mass.
  void WriteFrames(const Robot& robot) {
    for (const Robot::Frame& frame : robot.frames) {
      const std::string whole = robot.name + "/" + frame.name;
      if (whole == model_.body(frame.body).name) continue;
      const std::string name = UniqueName(whole, &taken_);
      xml_.Open("link");
      xml_.Set("name", name);
      xml_.Close();
      xml_.Open("joint");
      xml_.Set("name", name + "_fixed");
      xml_.Set("type", "fixed");
      xml_.Open("parent");
      xml_.Set("link", LinkName(frame.body));
      xml_.Close();
      xml_.Open("child");
      xml_.Set("link", name);
      xml_.Close();
      WriteOrigin(ComposeKept(frames_.X_LB(frame.body), frame.X_BF));
      xml_.Close();
    }
  }

  const ExportInput& input_;
  const Model& model_;
  const LinkFrames frames_;
  XmlText& xml_;
  ExportMeshes& meshes_;
  Losses& losses_;
  int alone_;
  int world_ = -1;  // the body that is the link "world"
  std::vector<std::string> link_names_, joint_names_;
  std::set<std::string> taken_;  // by links
};

}  // namespace

Export WriteUrdf(const ExportInput& input) {
  Losses losses;
  AddOwnLosses(input, &losses);
  ExportMeshes meshes(input.stem);
  XmlText xml("robot");
  UrdfWriter(input, &xml, &meshes, &losses).Write();
  Export out;
  out.losses = losses.Take();
  out.meshes = meshes.Take();
  xml.Head(HeadComment(input, out.losses));
  out.text = xml.Take();
  return out;
}

}  // namespace slip
