// SDF: a world with one model for each robot, body and surface.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/core/numbers.h"
#include "engine/export/contact_terms.h"
#include "engine/export/geoms.h"
#include "engine/export/rpy.h"
#include "engine/export/touch.h"
#include "engine/export/xml_text.h"

namespace slip {
namespace {

constexpr double kUnlimited = 1e16;       // what its files write for "none"
constexpr double kRigidStiffness = 1e15;  // of a side that does not give [N/m]
constexpr double kLargeFriction = 1e6;    // the smaller of two holds

class SdfWriter {
 public:
  SdfWriter(const ExportInput& input, XmlText* xml, ExportMeshes* meshes, Losses* losses)
      : input_(input),
        model_(input.model),
        frames_(input.model, input.start, true),
        rest_(MakeRestState(input.model, input.start)),
        masses_(CalcInverseMasses(input.model, rest_)),
        xml_(*xml),
        meshes_(*meshes),
        losses_(*losses) {}

  void Write() {
    const StepParams& step = input_.config.step;
    AddLosses();
    bits_ = CalcCollideBits(model_, &losses_);
    xml_.Open("world");
    xml_.Set("name", input_.name);
    xml_.Leaf("gravity", NumberText(CalcGravity(step)));
    xml_.Open("physics");
    xml_.Set("name", "step");
    xml_.Set("type", "ode");
    xml_.Leaf("max_step_size", step.time_step);
    xml_.Leaf("real_time_factor", 1);
    xml_.Close();
    for (const Surface& surface : model_.surfaces) WriteSurface(surface);
    for (const int root : frames_.ChildrenOf(-1)) {
      if (model_.bodies[ToIndex(root)].joins_tree) continue;
      WriteModel(root);
    }
    xml_.Close();
  }

 private:
  void AddLosses() {
    losses_.Add(LossId::kContactLaw,
                "contacts there are a spring and a damper from the touch on, where the engine "
                "behind reads kp and kd");
    losses_.Add(LossId::kCombining,
                "dampers of two bodies add up there, and the smaller friction of the two holds");
    if (!model_.meetings.materials.empty())
      losses_.Add(LossId::kCombining,
                  "SDF has no contact parameters of pairs: those of the two shapes hold there");
    for (const Body& body : model_.bodies) {
      if (body.shape_of_link >= 0) continue;
      const Joint& joint = body.joint;
      const std::string& name = joint.name.empty() ? body.name : joint.name;
      if (body.nq > 0 && !AtRest(body))
        losses_.Add(LossId::kStart, "SDF has no start positions of joints", name);
      if (!body.V_WB.isZero(0) ||
          std::any_of(body.v0.begin(), body.v0.end(), [](double v) { return v != 0; }))
        losses_.Add(LossId::kStart, "SDF has no start velocities", name);
      if (body.Moves() && !(body.mass > 0))
        losses_.Add(LossId::kInertia,
                    "a link between joints has no mass, and SDF gives it one of 1 kg", body.name);
      if (joint.armature > 0) losses_.Add(LossId::kArmature, "SDF has no inertia of motors", name);
      if (joint.leader >= 0)
        losses_.Add(LossId::kFollower, "SDF 1.8 has no joints that follow others", name);
      if (body.drive < 0) continue;
      const JointDrive& drive = input_.config.joints[ToIndex(body.drive)];
      if (drive.stiffness > 0 || drive.damping > 0)
        losses_.Add(LossId::kMotor, "SDF has no motors that hold a joint", name);
    }
  }
  bool AtRest(const Body& body) const {
    return std::equal(rest_.q.data() + body.q_start, rest_.q.data() + body.q_start + body.nq,
                      input_.start.q.data() + body.q_start);
  }

  void WritePose(const Pose& X, const std::string& relative_to = {}) {
    if (X.p.isZero(0) && X.q.coeffs() == Quat::Identity().coeffs()) return;
    const Vec3 rpy = X.q.coeffs() == Quat::Identity().coeffs() ? Vec3::Zero() : CalcRpy(X.q);
    xml_.Open("pose");
    if (!relative_to.empty()) xml_.Set("relative_to", relative_to);
    xml_.Text(NumberText(X.p) + " " + NumberText(rpy));
    xml_.Close();
  }

  void WriteModel(int root) {
    const Body& body = model_.bodies[ToIndex(root)];
    const bool robot = body.robot >= 0;
    xml_.Open("model");
    std::string name = robot ? model_.robots[ToIndex(body.robot)].name : body.name;
    if (models_.contains(name)) name = body.name;
    xml_.Set("name", UniqueName(name, &models_));
    names_.clear();
    NameLinks(root);
    const bool fixed = body.joint.kind == JointKind::kFixed;
    const bool leaf = frames_.ChildrenOf(root).empty();
    if (fixed && leaf) xml_.Leaf("static", "true");
    if (robot)
      xml_.Leaf("self_collide",
                model_.robots[ToIndex(body.robot)].self_collision ? "true" : "false");
    WritePose(frames_.RestPose(root));
    WriteLinks(root, Pose{});
    if (!(fixed && leaf)) WriteRootJoint(root);
    WriteJoints(root);
    xml_.Close();
  }

  // SDF has one set of names for links and joints of a model, and "world" for itself.
  std::string UniqueName(const std::string& wanted, std::set<std::string>* names) {
    std::string name = wanted;
    for (int i = 2; name == "world" || !names->insert(name).second; ++i)
      name = fmt::format("{}-{}", wanted, i);
    if (name != wanted)
      losses_.Add(LossId::kName,
                  "a name that SDF has for itself, or that is taken, is another one "
                  "there",
                  name);
    return name;
  }
  void NameLinks(int link) {
    link_names_.resize(model_.bodies.size());
    link_names_[ToIndex(link)] = UniqueName(LocalName(model_.bodies[ToIndex(link)].name), &names_);
    for (const int child : frames_.ChildrenOf(link)) NameLinks(child);
  }

  /// collide_bitmask; nothing where all touch.
  void WriteBits(std::size_t index) {
    if (bits_.empty()) return;
    xml_.Open("contact");
    xml_.Leaf("collide_bitmask", std::to_string(bits_[index]));
    xml_.Close();
  }

  void WriteLinks(int link, const Pose& X_RL) {
    const Body& body = model_.bodies[ToIndex(link)];
    xml_.Open("link");
    xml_.Set("name", link_names_[ToIndex(link)]);
    WritePose(X_RL);
    const Pose& X_LB = frames_.X_LB(link);
    if (body.mass > 0) {
      xml_.Open("inertial");
      WritePose(X_LB);
      xml_.Leaf("mass", body.mass);
      xml_.Open("inertia");
      constexpr std::array<const char*, 6> kNames = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
      const Vec3& I = body.inertia_B;
      const double moments[] = {I.x(), 0, 0, I.y(), 0, I.z()};
      for (std::size_t i = 0; i < kNames.size(); ++i) xml_.Leaf(kNames[i], moments[i]);
      xml_.Close();
      xml_.Close();
    }
    int count = 0;
    for (const ExportGeom& geom : GeomsOf(model_, frames_, link, &losses_)) {
      const std::string name = fmt::format("shape-{}", ++count);
      if (geom.role != GeomRole::kVisual) WriteShape(geom, "collision", name, body);
      if (geom.seen) WriteShape(geom, "visual", name, body);
    }
    xml_.Close();
    for (const int child : frames_.ChildrenOf(link))
      WriteLinks(child, ComposeKept(X_RL, frames_.RestPose(child)));
  }

  void WriteShape(const ExportGeom& geom, const char* element, const std::string& name,
                  const Body& body) {
    const bool collision = geom.role != GeomRole::kVisual && element[0] == 'c';
    const Shape& shape = geom.shape;
    const bool upright = shape.kind == ShapeKind::kCapsule || shape.kind == ShapeKind::kCylinder;
    if (collision && shape.kind == ShapeKind::kTriangleMesh)
      losses_.Add(LossId::kMesh, "an engine behind SDF may take the convex hull of a mesh",
                  body.name);
    if (collision && TouchesByPoints(geom.role))
      losses_.Add(LossId::kContactPoints,
                  "a body touches with its points there, and with its shape as well", body.name);
    xml_.Open(element);
    xml_.Set("name", name);
    WritePose(upright ? StandUp(geom.X_LS) : geom.X_LS);
    xml_.Open("geometry");
    WriteGeometry(shape);
    xml_.Close();
    if (collision) WriteContact(body, geom.body);
    if (!collision && geom.colour) {
      xml_.Open("material");
      xml_.Leaf("diffuse", NumberText(std::span(geom.colour->data(), 4)));
      xml_.Close();
    }
    xml_.Close();
  }
  void WriteGeometry(const Shape& shape) {
    switch (shape.kind) {
      case ShapeKind::kSphere:
        xml_.Open("sphere");
        xml_.Leaf("radius", shape.radius);
        break;
      case ShapeKind::kBox:
        xml_.Open("box");
        xml_.Leaf("size", NumberText(shape.size));
        break;
      case ShapeKind::kCapsule:
      case ShapeKind::kCylinder:
        xml_.Open(shape.kind == ShapeKind::kCapsule ? "capsule" : "cylinder");
        xml_.Leaf("radius", shape.radius);
        xml_.Leaf("length", shape.length);
        break;
      default:
        xml_.Open("mesh");
        xml_.Leaf("uri", meshes_.FileOf(shape));
    }
    xml_.Close();
  }

  /// slip1 of a body under its load: slip speed per friction force [m/(N s)].
  double SlipOf(const Material& material) const {
    if (!input_.load) return 0;
    const std::optional<double> damper = CalcCreepDamping(input_.config, material, *input_.load);
    return damper && *damper > 0 ? 1 / *damper : 0;
  }

  void WriteContact(const Body& body, int index) {
    if (!input_.contacts) {
      if (!bits_.empty()) {
        xml_.Open("surface");
        WriteBits(ToIndex(index));
        xml_.Close();
      }
      return losses_.Add(LossId::kContactLaw,
                         "parameters of contacts are left out, as was asked for: those of the "
                         "program that reads it hold");
    }
    const Body& owner = body;
    const Material& material = input_.config.materials[ToIndex(owner.material)];
    const double A = masses_.body[static_cast<std::size_t>(&owner - model_.bodies.data())];
    const ContactTerms terms = CalcContactTerms(input_.config, material, A > 0 ? A : 1,
                                                input_.load ? input_.load->normal_force : 0);
    if (terms.damped_by_impact)
      losses_.Add(LossId::kDamping,
                  fmt::format("the damper of contacts is the one that rebounds alike at {} m/s",
                              FormatNumber(kImpactSpeed)));
    if (!terms.k)
      losses_.Add(LossId::kStiffness, "contacts are rigid there, as far as the step allows",
                  body.name);
    if (terms.torsion > 0)
      losses_.Add(LossId::kContactLaw, "no torsional friction is written", body.name);
    if (!input_.load)
      losses_.Add(LossId::kCreep,
                  "nothing is in contact, so contacts that stick do not creep there");
    else
      losses_.Add(LossId::kCreep,
                  fmt::format("contacts that stick creep there as one under {:.3g} N does",
                              input_.load->normal_force));
    WriteSurfaceNumbers(ToIndex(index), terms.k.value_or(kRigidStiffness), terms.c,
                        material.friction, SlipOf(material));
  }
  void WriteSurfaceNumbers(std::size_t index, double k, double c, double friction, double slip) {
    xml_.Open("surface");
    xml_.Open("contact");
    if (!bits_.empty()) xml_.Leaf("collide_bitmask", std::to_string(bits_[index]));
    xml_.Open("ode");
    xml_.Leaf("kp", k);
    xml_.Leaf("kd", c);
    xml_.Close();
    xml_.Close();
    xml_.Open("friction");
    xml_.Open("ode");
    xml_.Leaf("mu", friction);
    xml_.Leaf("mu2", friction);
    if (slip > 0) {
      xml_.Leaf("slip1", slip);
      xml_.Leaf("slip2", slip);
    }
    xml_.Close();
    xml_.Close();
    xml_.Close();
  }

  std::size_t IndexOf(const Surface& surface) const {
    return model_.bodies.size() + static_cast<std::size_t>(&surface - model_.surfaces.data());
  }
  void WriteSurface(const Surface& surface) {
    if (surface.drive >= 0)
      losses_.Add(LossId::kBelt, "SDF has no belts: the surface stands still", surface.name);
    xml_.Open("model");
    xml_.Set("name", UniqueName("surface-" + surface.name, &models_));
    xml_.Leaf("static", "true");
    WritePose({surface.point, Quat::Identity()});
    xml_.Open("link");
    xml_.Set("name", surface.name == "world" ? "ground" : surface.name);
    for (const char* element : {"collision", "visual"}) {
      xml_.Open(element);
      xml_.Set("name", "plane");
      xml_.Open("geometry");
      xml_.Open("plane");
      xml_.Leaf("normal", NumberText(surface.normal));
      xml_.Leaf("size", NumberText({surface.display_size.x(), surface.display_size.y()}));
      xml_.Close();
      xml_.Close();
      if (element[0] == 'c' && !input_.contacts && !bits_.empty()) {
        xml_.Open("surface");
        WriteBits(IndexOf(surface));
        xml_.Close();
      }
      if (element[0] == 'c' && input_.contacts) {
        const bool rigid = surface.material < 0;
        const Material material =
            rigid ? Material{} : input_.config.materials[ToIndex(surface.material)];
        const ContactTerms terms = CalcContactTerms(input_.config, material, 1, 0);
        WriteSurfaceNumbers(IndexOf(surface),
                            rigid ? kRigidStiffness : terms.k.value_or(kRigidStiffness),
                            rigid ? 0 : terms.c, rigid ? kLargeFriction : material.friction, 0);
      }
      xml_.Close();
    }
    xml_.Close();
    xml_.Close();
  }

  // What holds a root to the world; a free one has no joint.
  void WriteRootJoint(int root) {
    const Body& body = model_.bodies[ToIndex(root)];
    const Joint& joint = body.joint;
    const std::string& name = link_names_[ToIndex(root)];
    if (joint.kind == JointKind::kFree) return;
    if (joint.kind == JointKind::kFixed)
      return OpenJoint("fixed", "fixed", "world", name), xml_.Close();  // "world" is reserved
    if (joint.kind == JointKind::kZ) {
      OpenJoint("z", "prismatic", "world", name);
      const Vec3 axis = frames_.RestPose(root).q.conjugate() * Vec3::UnitZ();
      WriteAxis(joint, axis);
      return xml_.Close();
    }
    if (joint.kind == JointKind::kRevolute || joint.kind == JointKind::kPrismatic) {
      OpenJoint(LocalName(joint.name.empty() ? body.name + "-joint" : joint.name),
                joint.kind == JointKind::kRevolute ? "revolute" : "prismatic", "world", name);
      WriteAxis(joint, frames_.X_LM(root).q * joint.axis);
      return xml_.Close();
    }
    losses_.Add(LossId::kMotion,
                "SDF has no joint that keeps a body in a plane or upright: it is free", body.name);
  }

  void WriteJoints(int link) {
    for (const int child : frames_.ChildrenOf(link)) {
      WriteJoint(child);
      WriteJoints(child);
    }
  }
  void WriteJoint(int link) {
    const Body& body = model_.bodies[ToIndex(link)];
    const Joint& joint = body.joint;
    const std::string parent = link_names_[ToIndex(joint.parent)],
                      child = link_names_[ToIndex(link)],
                      name = joint.name.empty() ? child + "-joint" : LocalName(joint.name);
    switch (joint.kind) {
      case JointKind::kFixed:
        OpenJoint(name, "fixed", parent, child);
        break;
      case JointKind::kBall:
        OpenJoint(name, "ball", parent, child);
        break;
      case JointKind::kRevolute:
      case JointKind::kPrismatic: {
        const bool unlimited = !std::isfinite(joint.lower) && !std::isfinite(joint.upper);
        OpenJoint(name,
                  joint.kind == JointKind::kPrismatic ? "prismatic"
                  : unlimited                         ? "continuous"
                                                      : "revolute",
                  parent, child);
        WriteAxis(joint, frames_.X_LM(link).q * joint.axis);
        break;
      }
      default:
        losses_.Add(LossId::kMotion, "SDF has no such joint: the link is free", name);
        return;
    }
    xml_.Close();
  }
  void OpenJoint(const std::string& name, const char* type, const std::string& parent,
                 const std::string& child) {
    xml_.Open("joint");
    xml_.Set("name", UniqueName(name == child ? name + "-joint" : name, &names_));
    xml_.Set("type", type);
    xml_.Leaf("parent", parent);
    xml_.Leaf("child", child);
  }
  void WriteAxis(const Joint& joint, const Vec3& axis_L) {
    const auto of = [](double limit) {
      return std::isfinite(limit) ? limit : std::copysign(kUnlimited, limit);
    };
    xml_.Open("axis");
    xml_.Leaf("xyz", NumberText(axis_L));
    xml_.Open("limit");
    xml_.Leaf("lower", of(joint.lower));
    xml_.Leaf("upper", of(joint.upper));
    if (std::isfinite(joint.effort)) xml_.Leaf("effort", joint.effort);
    if (std::isfinite(joint.limit_stiffness)) {
      xml_.Leaf("stiffness", joint.limit_stiffness);
      xml_.Leaf("dissipation", joint.limit_stiffness * joint.limit_relaxation);
    }
    xml_.Close();
    xml_.Open("dynamics");
    xml_.Leaf("damping", joint.damping);
    xml_.Leaf("friction", joint.friction);
    xml_.Close();
    xml_.Close();
  }

  const ExportInput& input_;
  const Model& model_;
  const LinkFrames frames_;
  const State rest_;
  const InverseMasses masses_;
  XmlText& xml_;
  ExportMeshes& meshes_;
  Losses& losses_;
  std::set<std::string> models_, names_;  // taken, in the world and in the model
  std::vector<std::string> link_names_;   // by body
  std::vector<uint32_t> bits_;            // of bodies, then surfaces; empty = all touch
};

}  // namespace

Export WriteSdf(const ExportInput& input) {
  Losses losses;
  AddOwnLosses(input, &losses);
  ExportMeshes meshes(input.stem);
  XmlText xml("sdf");
  xml.Set("version", "1.8");
  SdfWriter(input, &xml, &meshes, &losses).Write();
  Export out;
  out.losses = losses.Take();
  out.meshes = meshes.Take();
  xml.Head(HeadComment(input, out.losses));
  out.text = xml.Take();
  return out;
}

}  // namespace slip
