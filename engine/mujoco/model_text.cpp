#include <fmt/format.h>

#include <cmath>

#include "engine/geometry/mesh.h"
#include "engine/mujoco/coordinates.h"

namespace slip {
namespace {

std::string MjText(const Vec3& v) { return fmt::format("{} {} {}", v.x(), v.y(), v.z()); }
std::string MjText(const Quat& q) { return fmt::format("{} {} {} {}", q.w(), q.x(), q.y(), q.z()); }

class ModelText {
 public:
  ModelText(const Model& model, bool shapes) : model_(model), shapes_(shapes) {
    children_.resize(model.bodies.size() + 1);
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
      const Body& body = model.bodies[b];
      if (body.shape_of_link < 0)
        children_[static_cast<std::size_t>(body.joint.parent + 1)].push_back(static_cast<int>(b));
    }
    text_ =
        "<mujoco><compiler angle='radian' inertiafromgeom='false'/>"
        "<default><geom type='sphere' size='0.001' contype='0' conaffinity='0'/></default>"
        "<size njmax='8' nconmax='8'/><worldbody><geom/>";
    if (shapes_) WriteSurfaces();
    WriteChildren(-1);
    text_ += "</worldbody>";
    if (!meshes_.empty()) text_ += "<asset>" + meshes_ + "</asset>";
    if (!equalities_.empty()) text_ += "<equality>" + equalities_ + "</equality>";
    text_ += "</mujoco>";
  }
  std::string Take() { return std::move(text_); }

 private:
  void WriteChildren(int b) {
    for (const int child : children_[static_cast<std::size_t>(b + 1)]) Write(child);
  }

  void Write(int b) {
    const Body& body = model_.body(b);
    const Joint& joint = body.joint;
    const bool keeps_pose = body.nq == 0 && joint.parent < 0;
    const bool floats = body.nv > 0 && keeps_pose && joint.kind == JointKind::kFree;
    const Quat R_MB = joint.X_BM.q.conjugate();
    // B on P where M is on F
    const Quat R_PB = keeps_pose ? body.X_WB.q : joint.X_PF.q * R_MB;
    const Vec3 p = keeps_pose ? body.X_WB.p : Vec3(joint.X_PF.p - R_PB * joint.X_BM.p);
    text_ += fmt::format("<body name='b{}' pos='{}' quat='{}'>", b, MjText(p), MjText(R_PB));
    // a body that stands still may have none
    if (body.mass > 0 && body.inertia_B.minCoeff() > 0) {
      text_ += fmt::format("<inertial pos='0 0 0' mass='{}' diaginertia='{}'/>", body.mass,
                           MjText(MomentsOf(body)));
    }
    if (floats) {
      text_ += "<freejoint/>";
    } else if (body.nv > 0) {
      WriteJoints(b, keeps_pose);
    }
    text_ += "<geom/>";
    if (shapes_) {
      WriteShape(b, Pose());
      for (std::size_t part = 0; part < model_.bodies.size(); ++part)
        if (model_.bodies[part].shape_of_link == b)
          WriteShape(static_cast<int>(part), model_.bodies[part].joint.X_PF);
    }
    WriteChildren(b);
    text_ += "</body>";
  }

  void WriteSurfaces() {
    for (std::size_t s = 0; s < model_.surfaces.size(); ++s) {
      const Surface& surface = model_.surfaces[s];
      text_ += fmt::format(
          "<geom name='s{}' type='plane' size='0 0 1' pos='{}' zaxis='{}' contype='1' "
          "conaffinity='1'/>",
          s, MjText(surface.point), MjText(surface.normal));
    }
  }

  /// Of a body or of a part of one, in the frame of that. Their capsules and cylinders stand.
  void WriteShape(int b, const Pose& X_PB) {
    const Body& body = model_.body(b);
    const Shape& shape = body.shape;
    if (!body.collides) return;
    Quat turn = X_PB.q;
    std::string size;
    switch (shape.kind) {
      case ShapeKind::kSphere:
        size = fmt::format("type='sphere' size='{}'", shape.radius);
        break;
      case ShapeKind::kBox:
        size = fmt::format("type='box' size='{}'", MjText(Vec3(shape.size / 2)));
        break;
      case ShapeKind::kCapsule:
      case ShapeKind::kCylinder:
        turn = turn * Quat::FromTwoVectors(Vec3::UnitZ(), Vec3::UnitX());
        size = fmt::format("type='{}' size='{} {}'",
                           shape.kind == ShapeKind::kCapsule ? "capsule" : "cylinder", shape.radius,
                           shape.length / 2);
        break;
      case ShapeKind::kConvex:
        size = fmt::format("type='mesh' mesh='m{}'", b);
        meshes_ += fmt::format("<mesh name='m{}' vertex='", b);
        for (const Vec3& vertex : shape.convex->vertices) meshes_ += MjText(vertex) + " ";
        meshes_ += "'/>";
        break;
      case ShapeKind::kTriangleMesh:
      case ShapeKind::kPointCloud:
        return;  // refused before
    }
    text_ += fmt::format("<geom name='g{}' {} pos='{}' quat='{}' contype='1' conaffinity='1'/>", b,
                         size, MjText(X_PB.p), MjText(turn));
  }

  // MuJoCo refuses a body with one moment above the sum of the others, by a rounding even.
  static Vec3 MomentsOf(const Body& body) {
    constexpr double kRounding = 1e-9;
    Vec3 moments = body.inertia_B;
    int most = 0;
    moments.maxCoeff(&most);
    const double others = moments[(most + 1) % 3] + moments[(most + 2) % 3];
    if (moments[most] > others && moments[most] < others * (1 + kRounding)) moments[most] = others;
    return moments;
  }

  void WriteJoints(int b, bool keeps_pose) {
    const Body& body = model_.body(b);
    const Joint& joint = body.joint;
    // axes of velocities are F's, which of a body that keeps its pose are the world's
    const Quat to_body = keeps_pose ? body.X_WB.q.conjugate() : joint.X_BM.q;
    const Vec3 at = keeps_pose ? Vec3(0, 0, 0) : joint.X_BM.p;
    const auto add = [&](const char* type, const Vec3& axis) {
      text_ += fmt::format("<joint name='b{}:{}' type='{}' pos='{}' axis='{}'{}/>", b, count_++,
                           type, MjText(at), MjText(to_body * axis), Attributes(body));
    };
    const auto slide = [&](int axis) { add("slide", Vec3::Unit(axis)); };
    const auto hinge = [&](int axis) { add("hinge", Vec3::Unit(axis)); };
    count_ = 0;
    switch (joint.kind) {
      case JointKind::kFree:
        slide(0), slide(1), slide(2), add("ball", Vec3::UnitX());
        break;
      case JointKind::kBall:
        add("ball", Vec3::UnitX());
        break;
      case JointKind::kPlanar:
        slide(0), slide(2), hinge(1);
        break;
      case JointKind::kXZ:
        slide(0), slide(2);
        break;
      case JointKind::kZ:
        slide(2);
        break;
      case JointKind::kUpright:
        slide(0), slide(1), slide(2), hinge(2);
        break;
      case JointKind::kRevolute:
        add("hinge", joint.axis);
        break;
      case JointKind::kPrismatic:
        add("slide", joint.axis);
        break;
      case JointKind::kFixed:
        break;
    }
    if (joint.leader >= 0) {
      equalities_ += fmt::format("<joint joint1='b{}:0' joint2='b{}:0' polycoef='{} {} 0 0 0'/>", b,
                                 joint.leader, joint.offset, joint.ratio);
    } else if (body.nv == 1 && joint.lower == joint.upper) {
      // a range without width is refused
      equalities_ += fmt::format("<joint joint1='b{}:0' polycoef='{} 0 0 0 0'/>", b, joint.lower);
    }
  }

  static std::string Attributes(const Body& body) {
    const Joint& joint = body.joint;
    std::string out;
    if (joint.armature > 0) out += fmt::format(" armature='{}'", joint.armature);
    if (body.nv != 1 || body.nq != 1) return out;
    if (joint.friction > 0) out += fmt::format(" frictionloss='{}'", joint.friction);
    constexpr double kNoRange = 1e9;  // stands for a limit that is not there
    const bool limited = std::isfinite(joint.lower) || std::isfinite(joint.upper);
    if (!limited || joint.lower == joint.upper) return out;
    const auto bound = [](double x) { return std::isfinite(x) ? x : std::copysign(kNoRange, x); };
    return out +
           fmt::format(" limited='true' range='{} {}'", bound(joint.lower), bound(joint.upper));
  }

  const Model& model_;
  bool shapes_;
  std::string text_, equalities_, meshes_;
  int count_ = 0;
  std::vector<std::vector<int>> children_;  // of the world, then of each body
};

}  // namespace

std::string WriteMujocoModel(const Model& model, bool shapes) {
  return ModelText(model, shapes).Take();
}

}  // namespace slip
