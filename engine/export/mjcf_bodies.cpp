// MJCF: bodies, their joints and shapes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/export/mjcf_parts.h"

namespace slip {
namespace {

constexpr double kNoRange = 1e9;  // stands for a limit that is not there

double RangeOf(double limit) {
  return std::isfinite(limit) ? limit : std::copysign(kNoRange, limit);
}

class JointWriter {
 public:
  JointWriter(int link, const Pose& X_TL, const MjcfWork& work, MjcfParts* parts)
      : link_(link), work_(work), parts_(*parts), body_(work.body(link)), joint_(body_.joint) {
    const bool keeps = work.frames.KeepsPose(link);
    // axes of velocities are F's, which of a body that keeps its pose are the world's
    to_link_ = keeps ? work.frames.StartInWorld(link).q.conjugate() : work.frames.X_LM(link).q;
    at_ = keeps ? work.frames.X_LB(link).p : work.frames.X_LM(link).p;
    if (X_TL.q.coeffs() != Quat::Identity().coeffs()) {
      to_link_ = X_TL.q * to_link_;
      at_ = X_TL.q * at_;
    }
    at_ += X_TL.p;
  }

  void Write() {
    if (joint_.kind == JointKind::kFixed) return;
    if (work_.frames.KeepsPose(link_)) {
      if (joint_.kind == JointKind::kFree) return WriteFreeJoint();
      return WriteFromStart();
    }
    const double* q = work_.input.start.q.data() + body_.q_start;
    const double* v = work_.input.start.v.data() + body_.v_start;
    switch (joint_.kind) {
      case JointKind::kFree:
        for (int i = 0; i < 3; ++i) Add(i, false, q[i], v[3 + i]);
        return AddBall(q + 3, v);
      case JointKind::kBall:
        return AddBall(q, v);
      case JointKind::kPlanar:
        Add(0, false, q[1], v[1]);
        Add(2, false, q[2], v[2]);
        return Add(1, true, q[0], v[0]);
      case JointKind::kXZ:
        Add(0, false, q[0], v[0]);
        return Add(2, false, q[1], v[1]);
      case JointKind::kZ:
        return Add(2, false, q[0], v[0]);
      case JointKind::kUpright:
        for (int i = 0; i < 3; ++i) Add(i, false, q[1 + i], v[1 + i]);
        return Add(2, true, q[0], v[0]);
      case JointKind::kRevolute:
      case JointKind::kPrismatic:
        return Add(joint_.axis, joint_.kind == JointKind::kRevolute, NameOfJoint(), q[0], v[0]);
      case JointKind::kFixed:
        return;
    }
  }

 private:
  std::string NameOfJoint() const { return joint_.name.empty() ? body_.name : joint_.name; }

  void WriteFreeJoint() {
    work_.xml->Open("freejoint");
    work_.xml->Set("name", NameOfJoint());
    work_.xml->Close();
    const Pose X_WL = work_.frames.StartInWorld(link_);
    for (const double x :
         {X_WL.p.x(), X_WL.p.y(), X_WL.p.z(), X_WL.q.w(), X_WL.q.x(), X_WL.q.y(), X_WL.q.z()})
      parts_.qpos.push_back(x);
    // theirs: of L's origin, and the turn in L's axes
    const Vec3 w = body_.V_WB.head<3>();
    const Vec3 p_WB = work_.input.start.X_WB[static_cast<std::size_t>(link_)].p;
    const Vec3 v = body_.V_WB.tail<3>() + w.cross(X_WL.p - p_WB);
    const Vec3 w_L = X_WL.q.conjugate() * w;
    for (const Vec3& part : {v, w_L})
      for (int i = 0; i < 3; ++i) parts_.qvel.push_back(part[i]);
  }

  // Slides along the world's axes and then a hinge through the centre of mass, all zero at the
  // start.
  void WriteFromStart() {
    for (const bool turns : {false, true})
      for (int i = 0; i < body_.nv; ++i)
        if (const int c = body_.dof[i]; (c < 3) == turns) Add(c % 3, turns, 0, body_.V_WB[c]);
  }

  void Add(int axis, bool turns, double q, double v) {
    const std::string suffix = std::string(turns ? ":r" : ":") + "xyz"[axis];
    Add(Vec3::Unit(axis), turns, body_.nv == 1 ? NameOfJoint() : NameOfJoint() + suffix, q, v);
  }
  void Add(const Vec3& axis, bool turns, const std::string& name, double q, double v) {
    Begin(turns ? "hinge" : "slide", name);
    work_.xml->Set("axis", Vec3(to_link_ * axis));
    AddResistance();
    if (body_.nv == 1) AddLimits();
    work_.xml->Close();
    parts_.qpos.push_back(q);
    parts_.qvel.push_back(v);
  }
  // Theirs turns in the axes of the link.
  void AddBall(const double* q, const double* v) {
    Begin("ball", body_.nv == 3 ? NameOfJoint() : NameOfJoint() + ":ball");
    AddResistance();
    work_.xml->Close();
    const Quat R_LM = to_link_, R_FM(q[3], q[0], q[1], q[2]);
    const Quat turn = R_LM * R_FM * R_LM.conjugate();
    for (const double x : {turn.w(), turn.x(), turn.y(), turn.z()}) parts_.qpos.push_back(x);
    const Vec3 w = R_LM * (R_FM.conjugate() * Vec3(v[0], v[1], v[2]));
    for (int i = 0; i < 3; ++i) parts_.qvel.push_back(w[i]);
  }

  void Begin(const char* type, const std::string& name) {
    work_.xml->Open("joint");
    work_.xml->Set("name", name);
    work_.xml->Set("type", type);
    if (!at_.isZero(0)) work_.xml->Set("pos", at_);
  }
  void AddResistance() {
    // a body of its own has none
    if (work_.model().TreeOf(body_).articulated < 0) return;
    if (joint_.damping > 0) work_.xml->Set("damping", joint_.damping);
    if (joint_.armature > 0) work_.xml->Set("armature", joint_.armature);
    if (joint_.friction > 0 && body_.nv == 1) work_.xml->Set("frictionloss", joint_.friction);
  }
  void AddLimits() {
    if (!std::isfinite(joint_.lower) && !std::isfinite(joint_.upper)) return;
    XmlText& xml = *work_.xml;
    if (joint_.lower == joint_.upper && joint_.leader < 0) {
      // which a range without width is refused for
      parts_.locked.emplace_back(NameOfJoint(), joint_.lower);
      work_.losses->Add(LossId::kLimits, "a joint that cannot move is held by a spring there",
                        NameOfJoint());
      return;
    }
    xml.Set("limited", "true");
    xml.Set("range", NumberText({RangeOf(joint_.lower), RangeOf(joint_.upper)}));
    const double A = work_.masses.coordinate[static_cast<std::size_t>(body_.v_start)];
    ContactTerms terms;
    if (std::isfinite(joint_.limit_stiffness)) {
      terms.k = joint_.limit_stiffness;
      terms.c = joint_.limit_stiffness * joint_.limit_relaxation;
    }
    const MujocoContact soft = CalcMujocoContact(terms, A, work_.input.config.step.time_step);
    xml.Set("solreflimit", NumberText(soft.solref));
    xml.Set("solimplimit", NumberText({soft.impedance, soft.impedance, 0.001}));
    work_.losses->Add(LossId::kLimits,
                      soft.held_back ? "limits of joints are as stiff as MuJoCo's step allows"
                                     : "limits of joints have an inerter there",
                      NameOfJoint());
  }

  int link_;
  const MjcfWork& work_;
  MjcfParts& parts_;
  const Body& body_;
  const Joint& joint_;
  Quat to_link_;
  Vec3 at_;
};

class BodyWriter {
 public:
  BodyWriter(const std::vector<std::vector<ExportGeom>>& geoms, const MjcfWork& work,
             MjcfParts* parts)
      : geoms_(geoms), work_(work), parts_(*parts) {
    for (std::size_t b = 0; b < geoms.size(); ++b) parts_.written_in.push_back(static_cast<int>(b));
    WriteChildren(-1);
  }

 private:
  void WriteChildren(int link) {
    for (const int child : work_.frames.ChildrenOf(link)) Write(child);
  }

  void SetPose(const Pose& X) {
    if (!X.p.isZero(0)) work_.xml->Set("pos", X.p);
    if (X.q.coeffs() != Quat::Identity().coeffs()) work_.xml->Set("quat", X.q);
  }

  /// Links from the first one that hangs on another <body> to the one with a mass.
  std::vector<int> ChainFrom(int link) {
    constexpr int kMostCoordinates = 6;  // of a body of theirs
    std::vector<int> chain = {link};
    int coordinates = work_.body(link).nv;
    while (IsBetweenJoints(chain.back())) {
      const int next = work_.frames.ChildrenOf(chain.back()).front();
      coordinates += work_.body(next).nv;
      if (coordinates > kMostCoordinates) break;
      chain.push_back(next);
    }
    for (const int l : chain) parts_.written_in[static_cast<std::size_t>(l)] = chain.back();
    return chain;
  }
  // A ball is the last joint of a body.
  bool IsBetweenJoints(int link) const {
    const Body& body = work_.body(link);
    return !(body.mass > 0) && body.nv > 0 && !work_.frames.KeepsPose(link) &&
           body.joint.kind != JointKind::kBall && body.joint.kind != JointKind::kFree &&
           geoms_[static_cast<std::size_t>(link)].empty() &&
           work_.frames.ChildrenOf(link).size() == 1;
  }

  void Write(int first) {
    XmlText& xml = *work_.xml;
    const std::vector<int> chain = ChainFrom(first);
    const int link = chain.back();
    const Body& body = work_.body(link);
    xml.Open("body");
    xml.Set("name", body.name);
    // T is the frame of the last link, where all coordinates are zero
    std::vector<Pose> X_TL(chain.size());
    for (std::size_t i = chain.size() - 1; i > 0; --i)
      X_TL[i - 1] = ComposeKept(X_TL[i], InverseKept(work_.frames.RestPose(chain[i])));
    Pose rest = work_.frames.RestPose(first);
    for (std::size_t i = 1; i < chain.size(); ++i)
      rest = ComposeKept(rest, work_.frames.RestPose(chain[i]));
    SetPose(rest);
    if (body.mass > 0) {
      const Pose& X_LB = work_.frames.X_LB(link);
      xml.Open("inertial");
      xml.Set("pos", X_LB.p);
      if (X_LB.q.coeffs() != Quat::Identity().coeffs()) xml.Set("quat", X_LB.q);
      xml.Set("mass", body.mass);
      xml.Set("diaginertia", MomentsOf(body));
      xml.Close();
    }
    for (std::size_t i = 0; i < chain.size(); ++i)
      WriteMjcfJoints(chain[i], X_TL[i], work_, &parts_);
    const std::vector<ExportGeom>& geoms = geoms_[static_cast<std::size_t>(link)];
    int count = 0;
    for (const ExportGeom& geom : geoms) WriteGeom(link, geom, &count);
    WriteSites(link);
    for (std::size_t i = 0; i + 1 < chain.size(); ++i) SayFrames(chain[i]);
    WriteChildren(link);
    xml.Close();
  }

  // MuJoCo refuses a body with one moment above the sum of the others, by a rounding even.
  Vec3 MomentsOf(const Body& body) {
    Vec3 moments = body.inertia_B;
    int most = 0;
    moments.maxCoeff(&most);
    const double others = moments[(most + 1) % 3] + moments[(most + 2) % 3];
    if (moments[most] <= others) return moments;
    moments[most] = others;
    work_.losses->Add(LossId::kInertia,
                      "a moment of inertia is above the sum of the others, and lowered to it",
                      body.name);
    return moments;
  }

  void WriteGeom(int link, const ExportGeom& geom, int* count) {
    XmlText& xml = *work_.xml;
    const bool touches = geom.role != GeomRole::kVisual;
    const MujocoContact contact = touches ? CalcGeomContact(geom.body, work_) : MujocoContact{};
    xml.Open("geom");
    if (touches) {
      const std::string& name = work_.body(link).name;
      WrittenGeom& listed = parts_.geoms.emplace_back();
      listed = {*count == 0 ? name : fmt::format("{}:{}", name, *count),
                link,
                -1,
                geom.body,
                geom.role,
                contact};
      ++*count;
      xml.Set("name", listed.name);
    }
    WriteShape(geom);
    if (geom.colour)
      xml.Set("rgba", NumberText({(*geom.colour)[0], (*geom.colour)[1], (*geom.colour)[2],
                                  (*geom.colour)[3]}));
    // groups that its viewer shows, and hides
    if (!touches) xml.Set("group", "1");
    if (!geom.seen) xml.Set("group", "3");
    SetMjcfContact(work_.touch.Of(geom.role, geom.body),
                   touches && work_.input.contacts ? &contact : nullptr, &xml);
    xml.Close();
  }

  void WriteShape(const ExportGeom& geom) {
    XmlText& xml = *work_.xml;
    const Shape& shape = geom.shape;
    switch (shape.kind) {
      case ShapeKind::kSphere:
        xml.Set("type", "sphere");
        xml.Set("size", shape.radius);
        break;
      case ShapeKind::kBox:
        xml.Set("type", "box");
        xml.Set("size", Vec3(shape.size / 2));
        break;
      case ShapeKind::kCapsule:
      case ShapeKind::kCylinder:
        xml.Set("type", shape.kind == ShapeKind::kCapsule ? "capsule" : "cylinder");
        xml.Set("size", NumberText({shape.radius, shape.length / 2}));
        return SetPose(StandUp(geom.X_LS));
      case ShapeKind::kConvex:
      case ShapeKind::kTriangleMesh:
        xml.Set("type", "mesh");
        xml.Set("mesh", work_.meshes->FileOf(shape));
        break;
      case ShapeKind::kPointCloud:
        break;
    }
    SetPose(geom.X_LS);
  }

  // frames that the robot's file names, such as feet
  void WriteSites(int link) {
    const Body& body = work_.body(link);
    if (body.robot < 0) return;
    for (const Robot::Frame& frame :
         work_.model().robots[static_cast<std::size_t>(body.robot)].frames) {
      const std::string name =
          work_.model().robots[static_cast<std::size_t>(body.robot)].name + "/" + frame.name;
      if (frame.body != link || name == body.name) continue;
      work_.xml->Open("site");
      work_.xml->Set("name", name);
      SetPose(ComposeKept(work_.frames.X_LB(link), frame.X_BF));
      work_.xml->Close();
    }
  }

  // no <body> is where they are
  void SayFrames(int link) {
    const Body& body = work_.body(link);
    if (body.robot < 0) return;
    const Robot& robot = work_.model().robots[static_cast<std::size_t>(body.robot)];
    for (const Robot::Frame& frame : robot.frames)
      if (frame.body == link && robot.name + "/" + frame.name != body.name)
        work_.losses->Add(LossId::kFrame, "a frame between joints of one body is left out",
                          robot.name + "/" + frame.name);
  }

  const std::vector<std::vector<ExportGeom>>& geoms_;
  const MjcfWork& work_;
  MjcfParts& parts_;
};

}  // namespace

void WriteMjcfJoints(int link, const Pose& X_TL, const MjcfWork& work, MjcfParts* parts) {
  JointWriter(link, X_TL, work, parts).Write();
}

void WriteMjcfBodies(const std::vector<std::vector<ExportGeom>>& geoms, const MjcfWork& work,
                     MjcfParts* parts) {
  BodyWriter(geoms, work, parts);
}

}  // namespace slip
