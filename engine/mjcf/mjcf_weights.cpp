// Where links stand, and how heavy a contact or a limit finds them: M = Σ m Jᵥᵀ Jᵥ + J_ωᵀ I J_ω +
// armature over the links of a tree, in full.
#include <Eigen/Cholesky>
#include <algorithm>

#include "engine/mjcf/mjcf_model.h"

namespace slip {
namespace {

/// A velocity coordinate in the world: a turn about an axis through a point, or a slide along it.
struct Direction {
  bool turns = true;
  Vec3 axis, point;
};

Pose CalcMotion(const RobotJoint& joint, const double* q) {
  switch (joint.kind) {
    case RobotJointKind::kRevolute:
    case RobotJointKind::kContinuous:
      return {Vec3::Zero(), Quat(Eigen::AngleAxisd(q[0], joint.axis))};
    case RobotJointKind::kPrismatic:
      return {q[0] * joint.axis, Quat::Identity()};
    case RobotJointKind::kBall:
      return {Vec3::Zero(), Quat(q[0], q[1], q[2], q[3])};
    default:
      return {};
  }
}

class WeightFinder {
 public:
  WeightFinder(const MjcfModel& model, MjcfWeights* weights)
      : robot_(model.robot), poses_(PlaceMjcfLinks(model, false)), weights_(*weights) {
    const std::size_t count = robot_.links.size();
    weights_.link.assign(count, 0);
    weights_.joint.assign(robot_.joints.size(), 0);
    weights_.inertia.assign(robot_.joints.size(), 0);
    root_.assign(count, 0);
    for (std::size_t i = 1; i < count; ++i) {
      const RobotJoint& joint = robot_.joints[i - 1];
      const int above = root_[static_cast<std::size_t>(joint.parent)];
      const bool fixed = joint.kind == RobotJointKind::kFixed;
      root_[i] = above > 0 || fixed ? above : static_cast<int>(i);
    }
  }

  void Find() {
    for (std::size_t i = 1; i < robot_.links.size(); ++i)
      if (root_[i] == static_cast<int>(i)) FindTree(static_cast<int>(i));
  }

 private:
  // All links of a tree stand one behind the other.
  void FindTree(int root) {
    directions_.clear();
    first_.clear();
    std::vector<std::vector<int>> way;  // coordinates from the root to each link
    std::vector<std::size_t> links;
    for (std::size_t i = static_cast<std::size_t>(root);
         i < robot_.links.size() && root_[i] == root; ++i) {
      const RobotJoint& joint = robot_.joints[i - 1];
      std::vector<int> own;
      if (joint.parent >= root) own = way[static_cast<std::size_t>(joint.parent - root)];
      const std::size_t before = directions_.size();
      AddDirections(joint, i);
      for (std::size_t c = before; c < directions_.size(); ++c) own.push_back(static_cast<int>(c));
      way.push_back(own);
      first_.push_back(before);
      links.push_back(i);
    }
    const auto nv = static_cast<Eigen::Index>(directions_.size());
    if (nv == 0 || nv > kMostCoordinates) return;
    MatrixX M = MatrixX::Zero(nv, nv);
    for (std::size_t k = 0; k < links.size(); ++k) AddLink(links[k], way[k], &M);
    for (std::size_t k = 0; k < links.size(); ++k) {
      const RobotJoint& joint = robot_.joints[links[k] - 1];
      const std::size_t end = k + 1 < links.size() ? first_[k + 1] : directions_.size();
      for (std::size_t c = first_[k]; c < end; ++c) {
        const auto at = static_cast<Eigen::Index>(c);
        M(at, at) += joint.armature;
        weights_.inertia[links[k] - 1] = M(at, at);
      }
    }
    const Eigen::LLT<MatrixX> factor(M);
    if (factor.info() != Eigen::Success) return;
    const MatrixX inverse = factor.solve(MatrixX::Identity(nv, nv));
    for (std::size_t k = 0; k < links.size(); ++k) {
      const auto at = static_cast<Eigen::Index>(first_[k]);
      if (at < nv) weights_.joint[links[k] - 1] = inverse(at, at);
      weights_.link[links[k]] = Mean(links[k], way[k], inverse);
    }
  }

  void AddDirections(const RobotJoint& joint, std::size_t link) {
    const Pose& X_WP = poses_[static_cast<std::size_t>(joint.parent)];
    const Pose X_WJ = ComposePoses(X_WP, joint.X_PJ);
    const Vec3 at = poses_[link] * joint.X_CJ.p;
    const auto turns = [&](const Quat& q) {
      for (int i = 0; i < 3; ++i) directions_.push_back({true, q * Vec3::Unit(i), at});
    };
    switch (joint.kind) {
      case RobotJointKind::kRevolute:
      case RobotJointKind::kPrismatic:
        directions_.push_back({joint.kind == RobotJointKind::kRevolute, X_WJ.q * joint.axis, at});
        break;
      case RobotJointKind::kBall:
        turns(X_WJ.q);
        break;
      case RobotJointKind::kFloating:
        for (int i = 0; i < 3; ++i) directions_.push_back({false, Vec3::Unit(i), at});
        turns(poses_[link].q);
        break;
      default:
        break;
    }
  }

  // Columns of what a coordinate moves: the centre of mass, and the turn.
  Vec3 Moves(int c, const Vec3& p) const {
    const Direction& d = directions_[static_cast<std::size_t>(c)];
    return d.turns ? Vec3(d.axis.cross(p - d.point)) : d.axis;
  }
  Vec3 Turns(int c) const {
    const Direction& d = directions_[static_cast<std::size_t>(c)];
    return d.turns ? d.axis : Vec3::Zero();
  }

  void AddLink(std::size_t i, const std::vector<int>& way, MatrixX* M) const {
    const RobotLink& link = robot_.links[i];
    if (link.mass <= 0) return;
    const Vec3 p = poses_[i] * link.p_LC;
    const Mat3 R = poses_[i].q.toRotationMatrix();
    const Mat3 I = R * link.I_LC * R.transpose();
    for (const int a : way) {
      const Vec3 v = link.mass * Moves(a, p), w = I * Turns(a);
      for (const int b : way) (*M)(a, b) += v.dot(Moves(b, p)) + w.dot(Turns(b));
    }
  }

  double Mean(std::size_t i, const std::vector<int>& way, const MatrixX& inverse) const {
    const Vec3 p = poses_[i] * robot_.links[i].p_LC;
    double sum = 0;
    for (const int a : way)
      for (const int b : way) sum += inverse(a, b) * Moves(a, p).dot(Moves(b, p));
    return sum / 3;
  }

  static constexpr Eigen::Index kMostCoordinates = 2000;

  const RobotDescription& robot_;
  std::vector<Pose> poses_;
  MjcfWeights& weights_;
  std::vector<int> root_;  // of each link's tree; 0 = it stands still
  std::vector<Direction> directions_;
  std::vector<std::size_t> first_;  // of each link of a tree
};

}  // namespace

std::vector<Pose> PlaceMjcfLinks(const MjcfModel& model, bool at_start) {
  const RobotDescription& robot = model.robot;
  std::vector<Pose> poses(robot.links.size());
  std::vector<const MjcfJoint*> of(robot.joints.size(), nullptr);
  for (const MjcfJoint& own : model.joints) of[static_cast<std::size_t>(own.joint)] = &own;
  for (std::size_t j = 0; j < robot.joints.size(); ++j) {
    const RobotJoint& joint = robot.joints[j];
    const Pose& X_WP = poses[static_cast<std::size_t>(joint.parent)];
    Pose& X_WC = poses[j + 1];
    const std::array<double, 7> rest{joint.kind == RobotJointKind::kBall ? 1
                                     : of[j] != nullptr                  ? of[j]->ref
                                                                         : 0};
    const auto& q = at_start && !joint.starts.empty() ? joint.starts.front().q : rest;
    if (joint.kind == RobotJointKind::kFloating && at_start && !joint.starts.empty()) {
      X_WC = ComposePoses(X_WP, {Vec3(q[0], q[1], q[2]), Quat(q[3], q[4], q[5], q[6])});
      continue;
    }
    const Quat back = joint.X_CJ.q.conjugate();
    const Pose X_JC{-(back * joint.X_CJ.p), back};
    const Pose X_PJ = ComposePoses(joint.X_PJ, CalcMotion(joint, q.data()));
    X_WC = ComposePoses(X_WP, ComposePoses(X_PJ, X_JC));
  }
  return poses;
}

MjcfWeights CalcMjcfWeights(const MjcfModel& model) {
  MjcfWeights weights;
  WeightFinder(model, &weights).Find();
  return weights;
}

}  // namespace slip
