#include "tests/support/mjcf.h"

#include <fmt/format.h>

#include <vector>

namespace slip::test {
namespace {

std::string MjcfText(const Quat& q) {
  return fmt::format("{:.17g} {:.17g} {:.17g} {:.17g}", q.w(), q.x(), q.y(), q.z());
}

class MjcfWriter {
 public:
  MjcfWriter(const Model& model, const MjcfExtras& extras) : model_(model), extras_(extras) {
    children_.resize(model.bodies.size() + 1);
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
      const Body& body = model.bodies[b];
      if (body.shape_of_link < 0)
        children_[static_cast<std::size_t>(body.joint.parent + 1)].push_back(b);
    }
    WriteChildren(-1);
  }
  std::string xml;

 private:
  void WriteChildren(int b) {
    for (const std::size_t child : children_[static_cast<std::size_t>(b + 1)]) Write(child);
  }

  void Write(std::size_t b) {
    const Body& body = model_.bodies[b];
    const Joint& joint = body.joint;
    const bool root = joint.parent < 0;
    const bool keeps_pose = root && KeepsPose(joint.kind);
    const Quat R_MB = joint.X_BM.q.conjugate();
    // B on P where M is on F
    const Quat R_PB = keeps_pose ? body.X_WB.q : joint.X_PF.q * R_MB;
    const Vec3 p = keeps_pose ? body.X_WB.p : Vec3(joint.X_PF.p - R_PB * joint.X_BM.p);
    xml += fmt::format(
        "<body pos='{}' quat='{}'><inertial pos='0 0 0' mass='{:.17g}' diaginertia='{}'/>",
        test::MjcfText(p), MjcfText(R_PB), body.mass, test::MjcfText(body.inertia_B));
    WriteJoint(static_cast<int>(b), root);
    if (extras_.elements) xml += extras_.elements(static_cast<int>(b));
    WriteChildren(static_cast<int>(b));
    xml += "</body>";
  }

  void WriteJoint(int b, bool root) {
    const Joint& joint = model_.bodies[static_cast<std::size_t>(b)].joint;
    const auto add = [&](const char* type, const Vec3& axis_M) {
      const bool single = VelocityCount(joint.kind) == 1;
      xml += fmt::format("<joint type='{}' pos='{}' axis='{}' armature='{:.17g}' {}/>", type,
                         test::MjcfText(joint.X_BM.p), test::MjcfText(joint.X_BM.q * axis_M),
                         joint.armature,
                         single && extras_.attributes ? extras_.attributes(b) : std::string());
    };
    const Vec3 x = Vec3::UnitX(), y = Vec3::UnitY(), z = Vec3::UnitZ();
    switch (joint.kind) {
      case JointKind::kFree:
        if (root) {
          xml += "<joint type='free'/>";
          break;
        }
        add("slide", x), add("slide", y), add("slide", z), add("ball", x);
        break;
      case JointKind::kPlanar:
        add("slide", x), add("slide", z), add("hinge", y);
        break;
      case JointKind::kXZ:
        add("slide", x), add("slide", z);
        break;
      case JointKind::kZ:
        add("slide", z);
        break;
      case JointKind::kUpright:
        add("slide", x), add("slide", y), add("slide", z), add("hinge", z);
        break;
      case JointKind::kFixed:
        break;
      case JointKind::kRevolute:
        add("hinge", joint.axis);
        break;
      case JointKind::kPrismatic:
        add("slide", joint.axis);
        break;
      case JointKind::kBall:
        add("ball", x);
        break;
    }
  }

  const Model& model_;
  const MjcfExtras& extras_;
  std::vector<std::vector<std::size_t>> children_;  // of the world, then of each body
};

}  // namespace

std::string MjcfText(const Vec3& v) {
  return fmt::format("{:.17g} {:.17g} {:.17g}", v.x(), v.y(), v.z());
}

std::string MjcfBodies(const Model& model, const MjcfExtras& extras) {
  return MjcfWriter(model, extras).xml;
}

}  // namespace slip::test
