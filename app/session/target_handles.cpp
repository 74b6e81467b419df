#include "app/session/target_handles.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/contact/knobs.h"
#include "engine/core/numbers.h"
#include "engine/core/pose.h"
#include "engine/method/methods.h"

namespace slip::app {
namespace {

constexpr double kEndlessTurn = 3.141592653589793;  // range of a joint without limits [rad]
constexpr double kEndlessSlide = 1;                 // [m]
// An axis whose part across the others is shorter than this adds nothing to them.
constexpr double kLeastNewPart = 0.2;
// Fingers go opposite ways up to this [cosine].
constexpr double kOpposite = -0.99;

/// The robots of one frame of a channel, at their targets or where they are.
class TargetPoses {
 public:
  TargetPoses(const Model& model, const ChannelFrame& frame, const TargetReader& read)
      : model_(model), frame_(frame), read_(read) {}

  const Body& BodyAt(int body) const { return model_.body(body); }

  /// A link with one coordinate whose motor has a target.
  bool Holds(const Body& body) const {
    if (body.drive < 0 || body.joint.leader >= 0 || body.nv != 1 || body.nq != 1) return false;
    const JointDrive& drive = At(frame_.config.joints, body.drive);
    const bool by_impedance = (Info(frame_.config.method()).knobs & knob::kImpedance) != 0;
    return (by_impedance ? drive.impedance : drive.stiffness) > 0;
  }
  double FromPath(const Body& body) const {
    return body.target_path.At(frame_.time + frame_.config.step.time_step);
  }
  static std::string PathOf(const Body& body) {
    return "joint." + body.joint.name + ".joint_target";
  }

  /// Pose of the joint's frame on the link that it carries, at the targets or as measured.
  Pose CalcJointFrame(int body, bool measured) const {
    const Joint& joint = BodyAt(body).joint;
    const Pose X_WP = joint.parent < 0 ? Pose{} : CalcBodyPose(joint.parent, measured);
    const double q = measured ? Measured(body) : Asked(body);
    return ComposeUnit(ComposeUnit(X_WP, joint.X_PF), CalcJointPose(joint, &q));
  }

  TargetSlide MakeSlide(int body) const {
    const Body& link = BodyAt(body);
    const ParamInfo info = TargetInfo(link.joint);
    TargetSlide slide;
    slide.body = body;
    slide.name = NameInRobot(link.joint.name);
    slide.path = PathOf(link);
    slide.axis_W = Rotate(CalcJointFrame(body, false).q, link.joint.axis).normalized();
    slide.target = read_(slide.path);
    slide.from_path = FromPath(link);
    slide.lower = info.min;
    slide.upper = info.max;
    return slide;
  }

 private:
  Pose CalcBodyPose(int body, bool measured) const {
    const Body& link = BodyAt(body);
    if (!link.Moves()) return link.X_WB;
    return ComposeUnit(CalcJointFrame(body, measured), Inverse(link.joint.X_BM));
  }
  double Measured(int body) const {
    for (const JointFrame& joint : frame_.joints) {
      if (joint.body == body) return joint.position;
    }
    return 0;
  }
  double Asked(int body) const {
    const Body& link = BodyAt(body);
    const Joint& joint = link.joint;
    if (joint.leader >= 0) return joint.ratio * Asked(joint.leader) + joint.offset;
    return Holds(link) ? read_(PathOf(link)) + FromPath(link) : Measured(body);
  }

  const Model& model_;
  const ChannelFrame& frame_;
  const TargetReader& read_;
};

bool IsLink(const Body& body, int robot) {
  return body.robot == robot && body.shape_of_link < 0 && body.Moves();
}

bool Independent(const std::vector<TargetSlide>& slides, const Vec3& axis_W) {
  Vec3 rest = axis_W;
  std::vector<Vec3> base;
  for (const TargetSlide& slide : slides) {
    Vec3 part = slide.axis_W;
    for (const Vec3& b : base) part -= b.dot(part) * b;
    base.push_back(part.normalized());
    rest -= base.back().dot(rest) * base.back();
  }
  return rest.norm() > kLeastNewPart;
}

/// The one link that hangs on this one, or on the world or a fixed body for -1; -1 = none or many.
int OnlyChild(const TargetPoses& poses, const Robot& robot, int index, int parent) {
  int child = -1;
  for (int b = robot.first_body; b < robot.first_body + robot.bodies; ++b) {
    const Body& body = poses.BodyAt(b);
    if (!IsLink(body, index)) continue;
    const int hangs_on = body.joint.parent;
    const bool root = hangs_on < 0 || !poses.BodyAt(hangs_on).Moves();
    if (parent < 0 ? !root : hangs_on != parent) continue;
    if (child >= 0) return -1;
    child = b;
  }
  return child;
}

std::optional<FingerPair> FindFingers(const TargetPoses& poses, const Robot& robot, int index) {
  for (int b = robot.first_body; b < robot.first_body + robot.bodies; ++b) {
    const Body& follower = poses.BodyAt(b);
    const int leader = follower.joint.leader;
    if (!IsLink(follower, index) || leader < 0) continue;
    const Body& first = poses.BodyAt(leader);
    const bool slide =
        first.joint.kind == JointKind::kPrismatic && follower.joint.kind == JointKind::kPrismatic;
    if (!slide || first.joint.parent != follower.joint.parent || !poses.Holds(first)) continue;
    FingerPair pair{poses.MakeSlide(leader), {}, {}};
    const Pose X_WG = poses.CalcJointFrame(b, false);
    const Vec3 other_W = follower.joint.ratio * Rotate(X_WG.q, follower.joint.axis);
    if (other_W.normalized().dot(pair.slide.axis_W) > kOpposite) continue;
    pair.p_WF = poses.CalcJointFrame(leader, false).p;
    pair.p_WG = X_WG.p;
    return pair;
  }
  return std::nullopt;
}

}  // namespace

std::vector<TargetHandles> FindTargetHandles(const Model& model, const ChannelFrame& frame,
                                             const TargetReader& read) {
  std::vector<TargetHandles> found;
  const TargetPoses poses(model, frame, read);
  for (std::size_t r = 0; r < model.robots.size(); ++r) {
    const Robot& robot = model.robots[r];
    const int index = static_cast<int>(r);
    if (frame.config.robots[r].id() != ControllerId::kNone) continue;
    TargetHandles handles;
    handles.robot = index;
    for (int parent = -1; handles.slides.size() < 3;) {
      const int link = OnlyChild(poses, robot, index, parent);
      if (link < 0 || poses.BodyAt(link).joint.kind != JointKind::kPrismatic ||
          !poses.Holds(poses.BodyAt(link)))
        break;
      TargetSlide slide = poses.MakeSlide(link);
      if (!Independent(handles.slides, slide.axis_W)) break;
      handles.slides.push_back(std::move(slide));
      parent = link;
    }
    if (handles.slides.empty()) continue;
    const int palm = handles.slides.back().body;
    handles.p_WT = poses.CalcJointFrame(palm, false).p;
    handles.p_WP = poses.CalcJointFrame(palm, true).p;
    handles.fingers = FindFingers(poses, robot, index);
    if (handles.p_WT.allFinite()) found.push_back(std::move(handles));
  }
  return found;
}

ParamInfo TargetInfo(const Joint& joint) {
  const bool slides = joint.kind == JointKind::kPrismatic;
  const double endless = slides ? kEndlessSlide : kEndlessTurn;
  ParamInfo info = JointTable(slides).front().info;
  info.min = std::max(info.min, std::isfinite(joint.lower) ? joint.lower : -endless);
  info.max = std::min(info.max, std::isfinite(joint.upper) ? joint.upper : endless);
  return info;
}

VectorX CalcSlideChanges(const std::vector<TargetSlide>& slides, const Vec3& d_W) {
  Eigen::Matrix<double, 3, Eigen::Dynamic> axes(3, static_cast<Eigen::Index>(slides.size()));
  for (std::size_t i = 0; i < slides.size(); ++i)
    axes.col(static_cast<Eigen::Index>(i)) = slides[i].axis_W;
  return axes.colPivHouseholderQr().solve(d_W);
}

int FindSlideAlong(const std::vector<TargetSlide>& slides, const Vec3& axis_W) {
  int best = -1;
  double cosine = M_SQRT1_2;
  for (std::size_t i = 0; i < slides.size(); ++i) {
    const double c = std::abs(slides[i].axis_W.dot(axis_W));
    if (c > cosine) best = static_cast<int>(i), cosine = c;
  }
  return best;
}

std::string_view NameInRobot(std::string_view name) {
  const std::size_t slash = name.find('/');
  return slash == std::string_view::npos ? name : name.substr(slash + 1);
}

}  // namespace slip::app
