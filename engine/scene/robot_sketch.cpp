#include "engine/scene/robot_sketch.h"

#include <algorithm>

#include "engine/core/numbers.h"
#include "engine/core/rotation.h"

namespace slip {
namespace {

// Of the way from the root to the farthest end.
constexpr double kBar = 0.012, kNear = 0.02;
// Of the radius of bars.
constexpr double kDrum = 2, kDrumLength = 6, kBall = 1.8, kEnd = 1.5, kRail = 0.5;
constexpr double kAlone = 0.05;  // of what has neither joints nor size [m]

class Sketch {
 public:
  Sketch(bool on_world, Model* model)
      : model_(*model),
        robot_(static_cast<int>(model->robots.size()) - 1),
        first_(model->robots.back().first_body),
        world_(on_world ? first_ : -1) {
    ends_.resize(model->bodies.size());
    const int count = static_cast<int>(model->bodies.size());
    for (int b = first_; b < count; ++b) {
      const Joint& joint = model_.body(b).joint;
      if (joint.parent >= first_) At(ends_, joint.parent).push_back(joint.X_PF.p);
    }
    for (const Robot::Frame& frame : model_.robots.back().frames) AddTip(frame);
    Measure();
    for (int b = first_; b < count; ++b)
      if (b != world_) Add(b);
  }

 private:
  /// Where the joint that carries a body has its origin; of a root that of its file's frame.
  static Vec3 HubOf(const Body& body) {
    return body.joint.parent < 0 ? body.X_BL.p : body.joint.X_BM.p;
  }

  // Frames that a file names, as those of hands and feet, end what carries nothing else.
  void AddTip(const Robot::Frame& frame) {
    const bool carries =
        std::any_of(model_.bodies.begin() + first_, model_.bodies.end(),
                    [&](const Body& body) { return body.joint.parent == frame.body; });
    if (frame.body >= first_ && !carries) At(ends_, frame.body).push_back(frame.X_BF.p);
  }

  void Measure() {
    std::vector<double> way(model_.bodies.size(), 0);
    for (std::size_t b = static_cast<std::size_t>(first_); b < way.size(); ++b) {
      const Body& body = model_.bodies[b];
      const Joint& joint = body.joint;
      if (joint.parent >= first_ && joint.parent != world_)
        way[b] = At(way, joint.parent) + (joint.X_PF.p - HubOf(model_.body(joint.parent))).norm();
      double reach = body.mass > 0 ? HubOf(body).norm() : 0;
      for (const Vec3& end : ends_[b]) reach = std::max(reach, (end - HubOf(body)).norm());
      if (static_cast<int>(b) != world_) size_ = std::max(size_, way[b] + reach);
    }
    if (!(size_ > 0)) size_ = kAlone / (kBall * kBar);
    radius_ = kBar * size_;
  }

  void Add(int b) {
    const Body& body = model_.body(b);
    const Vec3 hub = HubOf(body);
    AddJoint(b);
    bool bars = false;
    const auto add = [&](const Vec3& end) {
      if ((end - hub).norm() < kNear * size_) return;
      AddBar(b, hub, end, radius_);
      bars = true;
    };
    for (const Vec3& end : At(ends_, b)) add(end);
    if (bars || !(body.mass > 0)) return;
    // else its mass is what it carries
    add(Vec3::Zero());
    if (bars || body.nv != 1) AddBall(b, Vec3::Zero(), (bars ? kEnd : kBall) * radius_);
  }

  // A drum along the axis that it turns about, a sleeve and its rail along the one that it slides
  // on, a ball where it does both or turns freely.
  void AddJoint(int b) {
    const Joint& joint = model_.body(b).joint;
    const Vec3 hub = joint.X_BM.p, axis = joint.X_BM.q * joint.axis;
    if (joint.kind == JointKind::kBall) AddBall(b, hub, kBall * radius_);
    if (joint.kind == JointKind::kRevolute) {
      Shape drum;
      drum.kind = ShapeKind::kCylinder;
      drum.radius = kDrum * radius_;
      drum.length = kDrumLength * radius_;
      Append(b, drum, hub, axis);
    }
    if (joint.kind != JointKind::kPrismatic) return;
    Shape sleeve;
    sleeve.kind = ShapeKind::kBox;
    sleeve.size = radius_ * Vec3(kDrumLength, 2 * kDrum, 2 * kDrum);
    Append(b, sleeve, hub, axis);
    if (joint.parent < 0) return;
    const Vec3 along = joint.X_PF.q * joint.axis;
    AddBar(joint.parent, joint.X_PF.p + std::max(joint.lower, -size_) * along,
           joint.X_PF.p + std::min(joint.upper, size_) * along, kRail * radius_);
  }

  void AddBar(int b, const Vec3& from, const Vec3& to, double radius) {
    if (!((to - from).norm() > radius)) return;
    Shape bar;
    bar.kind = ShapeKind::kCapsule;
    bar.radius = radius;
    bar.length = (to - from).norm();
    Append(b, bar, 0.5 * (from + to), to - from);
  }

  void AddBall(int b, const Vec3& at, double radius) {
    Shape ball;
    ball.kind = ShapeKind::kSphere;
    ball.radius = radius;
    Append(b, ball, at, Vec3::UnitX());
  }

  void Append(int b, const Shape& shape, const Vec3& p, const Vec3& along) {
    Body& visual = model_.visuals.emplace_back();
    visual.name = model_.body(b).name;
    visual.robot = robot_;
    visual.shape_of_link = b;
    visual.shape = shape;
    visual.mass = 0;
    visual.inertia_B.setZero();
    visual.collides = false;
    visual.material = -1;
    visual.SetJoint(JointKind::kFixed);
    visual.joint.parent = b;
    visual.joint.X_PF = {p, RotationBetween(Vec3::UnitX(), along)};
  }

  Model& model_;
  int robot_, first_, world_;
  double size_ = 0, radius_ = 0;         // [m]
  std::vector<std::vector<Vec3>> ends_;  // of the bars of a body, in its frame
};

}  // namespace

bool HasShapes(const RobotDescription& robot) {
  return std::any_of(robot.links.begin(), robot.links.end(), [](const RobotLink& link) {
    return !link.visuals.empty() || !link.collisions.empty();
  });
}

void SketchRobot(bool on_world, Model* model) { Sketch(on_world, model); }

}  // namespace slip
