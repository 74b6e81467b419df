#include "engine/collide/cloud_query.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/collide/collide_convex.h"
#include "engine/core/check.h"
#include "engine/core/numbers.h"

namespace slip {
namespace {

/// What rounding may add to the distance of a ball's centre, of the lengths that it is computed
/// from.
constexpr double kBoundSlack = 1e-13;

using Lanes = Eigen::Array<double, CloudTree::kLanes, 1>;
using LanesMap = Eigen::Map<const Lanes>;

struct LanePoint {
  Lanes x, y, z;
};

LanePoint LoadLanes(const CloudTree& cloud, int place) {
  return {LanesMap(cloud.coordinate(0) + place), LanesMap(cloud.coordinate(1) + place),
          LanesMap(cloud.coordinate(2) + place)};
}

// Each field is the signed distance from one kind of obstacle: of points of B, in lanes and alone,
// and the outward normal in W. `size` is how large its numbers are [m].

class HalfSpaceField {
 public:
  HalfSpaceField(const Pose& X_WB, const HalfSpace& obstacle)
      : n_W_(obstacle.n_W),
        n_B_(Rotate(X_WB.q.conjugate(), obstacle.n_W)),
        height_(obstacle.n_W.dot(X_WB.p) - obstacle.offset),
        size_(X_WB.p.norm() + std::abs(obstacle.offset)) {}

  Lanes Calc(const LanePoint& p) const {
    return n_B_.x() * p.x + n_B_.y() * p.y + n_B_.z() * p.z + height_;
  }
  double Calc(const Vec3& p_B) const { return n_B_.dot(p_B) + height_; }
  Vec3 CalcNormal(const Vec3&) const { return n_W_; }
  double size() const { return size_; }

 private:
  Vec3 n_W_, n_B_;
  double height_, size_;
};

/// From B to the frame A of an obstacle.
class LocalFrame {
 public:
  LocalFrame(const Pose& X_WB, const Pose& X_WA)
      : R_WA_(X_WA.q.toRotationMatrix()),
        R_AB_(R_WA_.transpose() * X_WB.q.toRotationMatrix()),
        p_AB_(R_WA_.transpose() * (X_WB.p - X_WA.p)) {}

  LanePoint ToA(const LanePoint& p) const {
    const auto row = [&](int i) -> Lanes {
      return R_AB_(i, 0) * p.x + R_AB_(i, 1) * p.y + R_AB_(i, 2) * p.z + p_AB_[i];
    };
    return {row(0), row(1), row(2)};
  }
  Vec3 ToA(const Vec3& p_B) const { return R_AB_ * p_B + p_AB_; }
  Vec3 ToW(const Vec3& n_A) const { return R_WA_ * n_A; }
  double size() const { return p_AB_.norm(); }

 private:
  Mat3 R_WA_, R_AB_;
  Vec3 p_AB_;
};

/// Of the box or the half plane of a cylinder: how far outside, and else how far inside.
Lanes JoinSides(const Lanes& outside_squared, const Lanes& largest) {
  return outside_squared.sqrt() + largest.min(0.0);
}

class SphereField {
 public:
  explicit SphereField(const Shape& shape) : radius_(shape.radius) {}
  Lanes Calc(const LanePoint& x) const {
    return (x.x * x.x + x.y * x.y + x.z * x.z).sqrt() - radius_;
  }
  double Calc(const Vec3& x) const { return x.norm() - radius_; }
  Vec3 CalcNormal(const Vec3& x) const {
    const double distance = x.norm();
    return distance < 1e-12 ? Vec3(Vec3::UnitZ()) : Vec3(x / distance);
  }
  double size() const { return radius_; }

 private:
  double radius_;
};

class CapsuleField {
 public:
  explicit CapsuleField(const Shape& shape) : ball_(shape), half_(shape.length / 2) {}
  Lanes Calc(const LanePoint& x) const {
    return ball_.Calc({x.x - x.x.max(-half_).min(half_), x.y, x.z});
  }
  double Calc(const Vec3& x) const { return ball_.Calc(FromAxis(x)); }
  Vec3 CalcNormal(const Vec3& x) const { return ball_.CalcNormal(FromAxis(x)); }
  double size() const { return ball_.size() + half_; }

 private:
  Vec3 FromAxis(const Vec3& x) const {
    return {x.x() - std::clamp(x.x(), -half_, half_), x.y(), x.z()};
  }
  SphereField ball_;
  double half_;
};

class BoxField {
 public:
  explicit BoxField(const Shape& shape) : half_(shape.size / 2) {}
  // q = |x| - half: |max(q, 0)| + min(max q, 0)
  Lanes Calc(const LanePoint& x) const {
    const Lanes qx = x.x.abs() - half_.x(), qy = x.y.abs() - half_.y(), qz = x.z.abs() - half_.z();
    const Lanes ox = qx.max(0.0), oy = qy.max(0.0), oz = qz.max(0.0);
    return JoinSides(ox * ox + oy * oy + oz * oz, qx.max(qy).max(qz));
  }
  double Calc(const Vec3& x) const {
    const Vec3 q = x.cwiseAbs() - half_;
    return q.cwiseMax(0).norm() + std::min(q.maxCoeff(), 0.0);
  }
  Vec3 CalcNormal(const Vec3& x) const {
    const Vec3 q = x.cwiseAbs() - half_, outside = q.cwiseMax(0);
    const Vec3 sign(x.x() < 0 ? -1 : 1, x.y() < 0 ? -1 : 1, x.z() < 0 ? -1 : 1);
    if (const double distance = outside.norm(); distance > 0)
      return sign.cwiseProduct(outside) / distance;
    int axis = 0;
    for (int i = 1; i < 3; ++i)
      if (q[i] > q[axis]) axis = i;
    return sign[axis] * Vec3::Unit(axis);
  }
  double size() const { return half_.norm(); }

 private:
  Vec3 half_;
};

class CylinderField {
 public:
  explicit CylinderField(const Shape& shape) : shape_(shape), half_(shape.length / 2) {}
  Lanes Calc(const LanePoint& x) const {
    const Lanes side = (x.y * x.y + x.z * x.z).sqrt() - shape_.radius, cap = x.x.abs() - half_;
    const Lanes o_side = side.max(0.0), o_cap = cap.max(0.0);
    return JoinSides(o_side * o_side + o_cap * o_cap, side.max(cap));
  }
  double Calc(const Vec3& x) const {
    Vec3 normal;
    return CalcPointDistance(shape_, x, &normal);
  }
  Vec3 CalcNormal(const Vec3& x) const {
    Vec3 normal;
    CalcPointDistance(shape_, x, &normal);
    return normal;
  }
  double size() const { return shape_.radius + half_; }

 private:
  const Shape& shape_;
  double half_;
};

class ConvexField {
 public:
  explicit ConvexField(const Shape& shape) : shape_(shape) {}
  Lanes Calc(const LanePoint& x) const {
    Lanes phi;
    for (int i = 0; i < CloudTree::kLanes; ++i) phi[i] = Calc(Vec3(x.x[i], x.y[i], x.z[i]));
    return phi;
  }
  double Calc(const Vec3& x) const {
    Vec3 normal;
    return CalcPointDistance(shape_, x, &normal);
  }
  Vec3 CalcNormal(const Vec3& x) const {
    Vec3 normal;
    CalcPointDistance(shape_, x, &normal);
    return normal;
  }
  double size() const { return shape_.convex->radius; }

 private:
  const Shape& shape_;
};

template <class Field>
class Placed {
 public:
  Placed(const Pose& X_WB, const Shape& shape, const Pose& X_WA)
      : frame_(X_WB, X_WA), field_(shape) {}
  Lanes Calc(const LanePoint& p) const { return field_.Calc(frame_.ToA(p)); }
  double Calc(const Vec3& p_B) const { return field_.Calc(frame_.ToA(p_B)); }
  Vec3 CalcNormal(const Vec3& p_B) const { return frame_.ToW(field_.CalcNormal(frame_.ToA(p_B))); }
  double size() const { return frame_.size() + field_.size(); }

 private:
  LocalFrame frame_;
  Field field_;
};

/// The smallest of what was seen, in order of phi and then of the point's index.
class Smallest {
 public:
  explicit Smallest(std::span<CloudCandidate> closest) : closest_(closest) {}

  int count() const { return count_; }
  /// Nothing above this comes in any more.
  double limit() const { return limit_; }

  void Add(double phi, int point) {
    const auto full = static_cast<std::size_t>(count_) == closest_.size();
    if (full && !ComesBefore(phi, point, closest_.back())) return;
    std::size_t at = full ? count_ - 1 : count_++;
    for (; at > 0 && ComesBefore(phi, point, closest_[at - 1]); --at) {
      closest_[at].phi = closest_[at - 1].phi;
      closest_[at].point = closest_[at - 1].point;
    }
    closest_[at].phi = phi;
    closest_[at].point = point;
    if (static_cast<std::size_t>(count_) == closest_.size()) limit_ = closest_.back().phi;
  }

 private:
  static bool ComesBefore(double phi, int point, const CloudCandidate& other) {
    return phi != other.phi ? phi < other.phi : point < other.point;
  }

  std::span<CloudCandidate> closest_;
  int count_ = 0;
  double limit_ = kInfinity;
};

template <class Field>
void AddLeaf(const CloudTree& cloud, const Field& field, const CloudTree::Node& leaf,
             Smallest* smallest) {
  for (int begin = 0; begin < leaf.count; begin += CloudTree::kLanes) {
    const Lanes phi = field.Calc(LoadLanes(cloud, leaf.first + begin));
    if (!(phi.minCoeff() <= smallest->limit())) continue;
    const int end = std::min(leaf.count - begin, CloudTree::kLanes);
    for (int i = 0; i < end; ++i)
      if (phi[i] <= smallest->limit()) smallest->Add(phi[i], cloud.index()[leaf.first + begin + i]);
  }
}

// Signed distances change by no more than the way between two points, so a ball's points are no
// nearer than its centre less its radius.
template <class Field>
int FindClosestTo(const CloudTree& cloud, const Pose& X_WB, const Field& field,
                  std::span<CloudCandidate> closest) {
  if (cloud.size() == 0 || closest.empty()) return 0;
  struct Waiting {
    double bound;
    int node;
  };
  std::array<Waiting, CloudTree::kDepth + 1> stack;
  const std::vector<CloudTree::Node>& nodes = cloud.nodes();
  const double slack = kBoundSlack * (cloud.radius() + field.size());
  if (!std::isfinite(slack)) return 0;
  const auto bound_of = [&](int node) {
    return field.Calc(nodes[node].center) - nodes[node].radius - slack;
  };
  Smallest smallest(closest);
  int depth = 0;
  stack[depth++] = {-kInfinity, 0};
  while (depth > 0) {
    const Waiting next = stack[--depth];
    if (next.bound > smallest.limit()) continue;
    const CloudTree::Node& node = nodes[next.node];
    if (node.count > 0) {
      AddLeaf(cloud, field, node, &smallest);
      continue;
    }
    Waiting near = {bound_of(next.node + 1), next.node + 1};
    Waiting far = {bound_of(node.first), node.first};
    if (far.bound < near.bound) std::swap(near, far);
    stack[depth++] = far;
    stack[depth++] = near;
  }
  const Mat3 R_WB = X_WB.q.toRotationMatrix();
  for (CloudCandidate& each : closest.first(smallest.count())) {
    const Vec3& p_B = cloud.point(each.point);
    each.n_W = field.CalcNormal(p_B);
    each.beta_W = X_WB.p + R_WB * p_B;
    each.alpha_W = each.beta_W - each.phi * each.n_W;
  }
  return smallest.count();
}

template <class Field>
void CalcDistancesTo(const CloudTree& cloud, const Field& field, std::span<double> phi,
                     std::span<Vec3> n_W) {
  SLIP_CHECK(phi.size() == static_cast<std::size_t>(cloud.size()));
  SLIP_CHECK(n_W.empty() || n_W.size() == phi.size());
  for (int place = 0; place < cloud.size(); place += CloudTree::kLanes) {
    const Lanes lanes = field.Calc(LoadLanes(cloud, place));
    const int end = std::min(cloud.size() - place, CloudTree::kLanes);
    for (int i = 0; i < end; ++i) phi[cloud.index()[place + i]] = lanes[i];
  }
  for (std::size_t i = 0; i < n_W.size(); ++i)
    n_W[i] = field.CalcNormal(cloud.point(static_cast<int>(i)));
}

// Calls `use` with the field of the shape; false for shapes that have none.
template <class Use>
bool WithField(const Pose& X_WB, const Shape& shape, const Pose& X_WA, Use&& use) {
  switch (shape.kind) {
    case ShapeKind::kSphere:
      return use(Placed<SphereField>(X_WB, shape, X_WA)), true;
    case ShapeKind::kBox:
      return use(Placed<BoxField>(X_WB, shape, X_WA)), true;
    case ShapeKind::kCapsule:
      return use(Placed<CapsuleField>(X_WB, shape, X_WA)), true;
    case ShapeKind::kCylinder:
      return use(Placed<CylinderField>(X_WB, shape, X_WA)), true;
    case ShapeKind::kConvex:
      return use(Placed<ConvexField>(X_WB, shape, X_WA)), true;
    case ShapeKind::kTriangleMesh:
    case ShapeKind::kPointCloud:
      break;
  }
  return false;
}

}  // namespace

int FindClosest(const CloudTree& cloud, const Pose& X_WB, const HalfSpace& obstacle,
                std::span<CloudCandidate> closest) {
  return FindClosestTo(cloud, X_WB, HalfSpaceField(X_WB, obstacle), closest);
}

int FindClosest(const CloudTree& cloud, const Pose& X_WB, const Shape& obstacle, const Pose& X_WA,
                std::span<CloudCandidate> closest) {
  int count = 0;
  WithField(X_WB, obstacle, X_WA,
            [&](const auto& field) { count = FindClosestTo(cloud, X_WB, field, closest); });
  return count;
}

void CalcCloudDistances(const CloudTree& cloud, const Pose& X_WB, const HalfSpace& obstacle,
                        std::span<double> phi, std::span<Vec3> n_W) {
  CalcDistancesTo(cloud, HalfSpaceField(X_WB, obstacle), phi, n_W);
}

void CalcCloudDistances(const CloudTree& cloud, const Pose& X_WB, const Shape& obstacle,
                        const Pose& X_WA, std::span<double> phi, std::span<Vec3> n_W) {
  const bool solid = WithField(X_WB, obstacle, X_WA,
                               [&](const auto& field) { CalcDistancesTo(cloud, field, phi, n_W); });
  if (solid) return;
  std::fill(phi.begin(), phi.end(), kInfinity);
  std::fill(n_W.begin(), n_W.end(), Vec3::UnitZ());
}

}  // namespace slip
