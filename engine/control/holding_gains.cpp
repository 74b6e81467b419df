#include "engine/control/holding_gains.h"

#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"
#include "engine/dynamics/footing.h"
#include "engine/dynamics/spatial.h"

namespace slip {
namespace {

// What gains may be: method/drive_tables.cpp.
constexpr double kSoftest = 1e-3, kStiffest = 1e7;
constexpr double kLeastDamping = 1e-4, kMostDamping = 1e6;
// Of the angle that a motor's oscillation goes through within a step, the most [rad].
constexpr double kStepAngle = 0.5;

// What a joint moves, for a unit of its rate.
struct Load {
  double inertia = 0;  // [kg m²] or [kg]
  double mass = 0;     // [kg]
};

class Loads {
 public:
  Loads(const Model& model, const Robot& robot, const State& state)
      : model_(model), state_(state), first_(robot.first_body), end_(first_ + robot.bodies) {
    stands_.assign(ToIndex(robot.bodies), false);
    const Footing footing = FindFooting(model, robot, state);
    for (const int link : footing.links) stands_[ToIndex(link - first_)] = true;
  }

  /// What hangs on the joint of a body, with what follows it.
  Load OfHanging(int joint) const {
    std::vector<double> rates(stands_.size(), 0);
    rates[ToIndex(joint - first_)] = 1;
    // a chain of followers is no longer than the list
    bool changed = true;
    for (int pass = first_; pass < end_ && changed; ++pass) {
      changed = false;
      for (int b = first_; b < end_; ++b) {
        const Joint& follower = model_.body(b).joint;
        if (follower.leader < 0) continue;
        const double rate = follower.ratio * rates[ToIndex(follower.leader - first_)];
        changed = changed || rate != rates[ToIndex(b - first_)];
        rates[ToIndex(b - first_)] = rate;
      }
    }
    std::vector<Twist> twists(stands_.size(), Twist::Zero());
    Load load;
    for (int b = first_; b < end_; ++b) {
      const Body& body = model_.body(b);
      if (body.shape_of_link >= 0 || body.joint.parent < first_) continue;
      Twist& twist = twists[ToIndex(b - first_)];
      twist = twists[ToIndex(body.joint.parent - first_)];
      const double rate = rates[ToIndex(b - first_)];
      if (rate != 0) twist.Add(rate, OfJoint(body));
      load.inertia += rate * rate * body.joint.armature;
      Add(b, twist, &load);
    }
    return load;
  }

  /// The rest of the robot, where it stands on what hangs on the joint: the share of it that the
  /// joint carries.
  Load OfStanding(int joint) const {
    const Body& body = model_.body(joint);
    const Tree& tree = model_.TreeOf(body);
    if (model_.body(tree.first_body).joint.kind != JointKind::kFree) return {};
    std::vector<bool> hangs(stands_.size(), false);
    double all = 0, own = 0;
    Load load;
    const Twist twist = OfJoint(body);
    for (int b = tree.first_body; b < tree.first_body + tree.links; ++b) {
      const std::size_t i = ToIndex(b - first_);
      const int parent = model_.body(b).joint.parent;
      hangs[i] = b == joint || (parent >= first_ && hangs[ToIndex(parent - first_)]);
      all += stands_[i] ? 1 : 0;
      own += stands_[i] && hangs[i] ? 1 : 0;
      if (!hangs[i]) Add(b, twist, &load);
    }
    const double share = all > 0 ? own / all : 0;
    return {share * load.inertia, share * load.mass};
  }

 private:
  Twist OfJoint(const Body& body) const {
    const Joint& joint = body.joint;
    const Pose X_WP = joint.parent >= 0 ? state_.pose(joint.parent) : Pose{};
    const Vec3 axis_W = X_WP.q * (joint.X_PF.q * joint.axis), p_W = X_WP * joint.X_PF.p;
    if (joint.kind == JointKind::kPrismatic) return {Vec3::Zero(), axis_W};
    return {axis_W, p_W.cross(axis_W)};
  }

  void Add(int b, const Twist& twist, Load* load) const {
    const Body& body = model_.body(b);
    if (!(body.mass > 0) || (twist.w.isZero(0) && twist.v.isZero(0))) return;
    const Pose& X_WB = state_.pose(b);
    const Vec3 v = twist.v + twist.w.cross(X_WB.p), w_B = X_WB.q.conjugate() * twist.w;
    load->inertia += body.mass * v.squaredNorm() + w_B.dot(body.inertia_B.cwiseProduct(w_B));
    load->mass += body.mass;
  }

  const Model& model_;
  const State& state_;
  int first_, end_;
  std::vector<bool> stands_;  // of its bodies, links that stand on the floor
};

HoldingGains GainsFor(const Load& load, bool slides, double effort, double gravity,
                      double time_step) {
  const double way = slides ? kHoldingLength : kHoldingAngle;
  const double weight = gravity * (slides ? load.mass : std::sqrt(load.inertia * load.mass));
  const double resolved = load.inertia * std::pow(kStepAngle / time_step, 2);
  HoldingGains gains;
  gains.weak = effort < weight && effort / way < resolved;
  gains.stiffness =
      std::clamp(std::min(std::min(weight, effort) / way, resolved), kSoftest, kStiffest);
  gains.damping =
      std::clamp(2 * std::sqrt(gains.stiffness * load.inertia), kLeastDamping, kMostDamping);
  return gains;
}

}  // namespace

std::vector<HoldingGains> CalcHoldingGains(const Model& model, const State& state, double gravity,
                                           double time_step) {
  std::vector<HoldingGains> gains;
  for (const Robot& robot : model.robots) {
    const Loads loads(model, robot, state);
    for (int b = robot.first_body; b < robot.first_body + robot.bodies; ++b) {
      const Body& body = model.body(b);
      if (body.drive < 0 || body.joint.leader >= 0) continue;
      const Load hanging = loads.OfHanging(b), standing = loads.OfStanding(b);
      const bool stands = standing.inertia * standing.mass > hanging.inertia * hanging.mass;
      gains.resize(std::max(gains.size(), ToIndex(body.drive) + 1));
      gains[ToIndex(body.drive)] =
          GainsFor(stands ? standing : hanging, body.joint.kind == JointKind::kPrismatic,
                   body.joint.effort, gravity, time_step);
    }
  }
  return gains;
}

}  // namespace slip
