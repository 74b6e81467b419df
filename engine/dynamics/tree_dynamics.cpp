#include "engine/dynamics/tree_dynamics.h"

#include <algorithm>

#include "engine/core/numbers.h"

namespace slip {

void TreeDynamics::Update(const Model& model, const Tree& tree, const State& state) {
  tree_ = &tree;
  bodies_ = model.bodies.data();
  moving_.resize(tree.link.size());
  directions_.resize(ToIndex(tree.nv));
  const Pose* X_WB = state.X_WB.data() + tree.first_body;
  p_WO_ = X_WB->p;
  mass_ = 0;
  for (std::size_t i = 0; i < moving_.size(); ++i, ++X_WB) {
    const Link& link = tree.link[i];
    Moving& moving = moving_[i];
    moving.R_WB = X_WB->q.toRotationMatrix();
    const Vec3 c_W = X_WB->p - p_WO_;
    moving.inertia.Set(link.mass, link.inertia_B, moving.R_WB, c_W);
    mass_ += link.mass;

    const Moving* parent = link.parent < 0 ? nullptr : &At(moving_, link.parent);
    Mat3 R_WO = Mat3::Identity();
    if (link.outside >= 0) R_WO = state.pose(link.outside).q.toRotationMatrix();
    const Mat3& R_WP = parent != nullptr ? parent->R_WB : R_WO;
    const Vec3 r_OM = c_W + moving.R_WB * link.p_BM;
    for (int k = link.begin; k < link.end; ++k) {
      const TreeCoordinate& coordinate = At(tree.coordinate, k);
      const Vec3 axis = R_WP * coordinate.axis_P;
      Twist& S = At(directions_, k);
      if (coordinate.rotates) {
        S.w = axis;
        S.v = r_OM.cross(axis);
      } else {
        S.w.setZero();
        S.v = axis;
      }
    }
  }
  SetVelocities(state.v.data() + tree.v_start);
}

void TreeDynamics::SetVelocities(const double* v) {
  velocities_.assign(v, v + nv());
  for (std::size_t i = 0; i < moving_.size(); ++i) {
    const Link& link = tree_->link[i];
    Moving& moving = moving_[i];
    Twist own = Twist::Zero();
    Vec3 slide = Vec3::Zero();  // velocity of M against F
    for (int k = link.begin; k < link.end; ++k) {
      const Twist& S = At(directions_, k);
      if (!At(tree_->coordinate, k).rotates) slide += v[k] * S.v;
      own.Add(v[k], S);
    }
    if (link.parent < 0) {
      moving.V = own;
      moving.bias = Twist::Zero();
    } else {
      // Ṡ v: the joint's axes turn with the parent, its centre moves against the parent too
      moving.V = At(moving_, link.parent).V;
      moving.bias = moving.V.Cross(own);
      moving.V.Add(own);
    }
    moving.bias.v += slide.cross(own.w);
  }
}

void TreeDynamics::CalcMassMatrix(double* M) {
  rows_.resize(ToIndex(tree_->pattern.entries()));
  CalcMassRows(rows_.data());
  tree_->pattern.Unpack(rows_.data(), M);
}

void TreeDynamics::CalcMassRows(double* M) {
  const TreePattern& pattern = tree_->pattern;
  // coordinates of a root that floats are components of its velocity about O
  const int units = tree_->link[0].floats ? 6 : 0;
  for (Moving& moving : moving_) moving.composite = moving.inertia;
  for (std::size_t i = moving_.size(); i-- > 0;) {
    const Link& link = tree_->link[i];
    const SpatialInertia& composite = moving_[i].composite;
    if (link.parent >= 0) At(moving_, link.parent).composite.Add(composite);
    if (link.floats) {
      composite.GetLowerRows(M);
      for (int k = 0; k < 6; ++k) M[pattern.Diagonal(k)] += link.armature;
      continue;
    }
    for (int k = link.begin; k < link.end; ++k) {
      const Wrench F = composite * At(directions_, k);
      const int* way = pattern.Path(k).data();
      double* row = M + pattern.Begin(k);
      const int length = pattern.Length(k);
      int e = 0;
      for (; e < std::min(units, length); ++e) row[e] = F[e];
      for (; e < length; ++e) row[e] = F.Dot(At(directions_, way[e]));
      row[length - 1] += link.armature;
    }
  }
}

void TreeDynamics::CalcInverseDynamics(const Vec3& gravity_W, const double* acceleration,
                                       double* tau) {
  for (std::size_t i = 0; i < moving_.size(); ++i) {
    const Link& link = tree_->link[i];
    Moving& moving = moving_[i];
    moving.A = moving.bias;
    // gravity is an acceleration of the ground, upwards
    if (link.parent < 0) {
      moving.A.v -= gravity_W;
    } else {
      moving.A.Add(At(moving_, link.parent).A);
    }
    for (int k = link.begin; k < link.end && acceleration != nullptr; ++k)
      moving.A.Add(acceleration[k], At(directions_, k));
    moving.F = moving.inertia * moving.A;
    moving.F.Add(CrossForce(moving.V, moving.inertia * moving.V));
  }
  for (std::size_t i = moving_.size(); i-- > 0;) {
    const Link& link = tree_->link[i];
    const Wrench& F = moving_[i].F;
    for (int k = link.begin; k < link.end; ++k) {
      tau[k] = link.floats ? F[k] : F.Dot(At(directions_, k));
      if (acceleration != nullptr) tau[k] += link.armature * acceleration[k];
    }
    if (link.parent >= 0) At(moving_, link.parent).F.Add(F);
  }
}

namespace {

Vec6 ToVec6(const Vec3& first, const Vec3& second) {
  Vec6 out;
  out << first, second;
  return out;
}
Vec6 ToVec6(const Twist& V) { return ToVec6(V.w, V.v); }

}  // namespace

void TreeDynamics::CalcForwardDynamics(const Vec3& gravity_W, const double* tau,
                                       double* acceleration) {
  articulated_.resize(moving_.size());
  for (std::size_t i = 0; i < moving_.size(); ++i) {
    const SpatialInertia& I = moving_[i].inertia;
    Mat3 cross, second;
    cross << 0, -I.first.z(), I.first.y(), I.first.z(), 0, -I.first.x(), -I.first.y(), I.first.x(),
        0;
    second << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
    articulated_[i].inertia << second, cross, cross.transpose(), I.mass * Mat3::Identity();
    const Wrench force = CrossForce(moving_[i].V, I * moving_[i].V);
    articulated_[i].force = ToVec6(force.moment, force.force);
  }
  for (std::size_t i = moving_.size(); i-- > 0;) {
    const Link& link = tree_->link[i];
    Articulated& own = articulated_[i];
    const int n = link.end - link.begin;
    own.share.resize(6, n);
    own.joint_force.resize(n);
    own.joint_inverse.resize(n, n);
    for (int c = 0; c < n; ++c) {
      const Vec6 S = ToVec6(At(directions_, link.begin + c));
      own.share.col(c) = own.inertia * S;
      own.joint_force[c] = tau[link.begin + c] - S.dot(own.force);
    }
    for (int c = 0; c < n; ++c) {
      for (int r = 0; r < n; ++r)
        own.joint_inverse(r, c) = ToVec6(At(directions_, link.begin + r)).dot(own.share.col(c));
      own.joint_inverse(c, c) += link.armature;
    }
    using Block = decltype(own.joint_inverse);
    if (n > 0) own.joint_inverse = Block(own.joint_inverse.llt().solve(Block::Identity(n, n)));
    if (link.parent < 0) continue;
    Articulated& parent = At(articulated_, link.parent);
    const Vec6 bias = ToVec6(moving_[i].bias);
    parent.force += own.force + own.inertia * bias;
    parent.inertia += own.inertia;
    if (n == 0) continue;
    const auto gain = (own.share * own.joint_inverse).eval();
    parent.inertia.noalias() -= gain * own.share.transpose();
    parent.force += gain * (own.joint_force - own.share.transpose() * bias);
  }
  for (std::size_t i = 0; i < moving_.size(); ++i) {
    const Link& link = tree_->link[i];
    Twist& A = moving_[i].A;
    A = link.parent < 0 ? Twist{Vec3::Zero(), -gravity_W} : At(moving_, link.parent).A;
    A.Add(moving_[i].bias);
    if (link.end == link.begin) continue;
    const Articulated& own = articulated_[i];
    const auto rates =
        (own.joint_inverse * (own.joint_force - own.share.transpose() * ToVec6(A))).eval();
    for (int k = link.begin; k < link.end; ++k) {
      acceleration[k] = rates[k - link.begin];
      A.Add(acceleration[k], At(directions_, k));
    }
  }
}

void TreeDynamics::FillPointRow(std::span<const int> way, const Vec3& r, const Vec3& axis,
                                double* row) const {
  const Vec3 moment = r.cross(axis);
  for (const int k : way) {
    const Twist& S = At(directions_, k);
    row[k] = moment.dot(S.w) + axis.dot(S.v);
  }
}

void TreeDynamics::CalcPointRow(int body, const Vec3& p_W, const Vec3& axis, double* row) const {
  std::fill(row, row + nv(), 0.0);
  const int last = At(tree_->link, LinkOf(body)).last;
  if (last < 0) return;
  FillPointRow(tree_->pattern.Path(last), p_W - p_WO_, axis, row);
}

void TreeDynamics::CalcPointRows(int body, const Vec3& p_W, const Mat3& axes, double* rows) const {
  const int last = At(tree_->link, LinkOf(body)).last;
  if (last < 0) return;
  const Vec3 r = p_W - p_WO_;
  const std::span<const int> way = tree_->pattern.Path(last);
  for (const int k : way) {
    const Twist& S = At(directions_, k);
    const Vec3 v = S.v + S.w.cross(r);
    rows[0] = axes.col(0).dot(v);
    rows[way.size()] = axes.col(1).dot(v);
    rows[2 * way.size()] = axes.col(2).dot(v);
    ++rows;
  }
}

void TreeDynamics::CalcWholePointRows(int body, const Vec3& p_W, const Mat3& axes, bool opposite,
                                      double* rows) const {
  const int n = nv();
  std::fill(rows, rows + 3 * n, 0.0);
  const int last = At(tree_->link, LinkOf(body)).last;
  if (last < 0) return;
  const Vec3 r = p_W - p_WO_;
  const std::span<const int> way = tree_->pattern.Path(last);
  for (int i = 0; i < 3; ++i, rows += n)
    FillPointRow(way, r, opposite ? Vec3(-axes.col(i)) : Vec3(axes.col(i)), rows);
}

void TreeDynamics::CalcTurnRow(int body, const Vec3& axis, double* row) const {
  std::fill(row, row + nv(), 0.0);
  for (int k = At(tree_->link, LinkOf(body)).last; k >= 0; k = Before(k))
    row[k] = axis.dot(At(directions_, k).w);
}

Vec3 TreeDynamics::CalcPointVelocity(int body, const Vec3& p_W) const {
  const Twist& V = MovingOf(body).V;
  return V.v + V.w.cross(p_W - p_WO_);
}

Twist TreeDynamics::CalcLinkBias(int body) const {
  Twist A = Twist::Zero();
  for (int i = LinkOf(body); i >= 0; i = At(tree_->link, i).parent) A.Add(At(moving_, i).bias);
  return A;
}

// From spatial to point acceleration: that of the body's point that is at p.
Vec3 TreeDynamics::CalcPointBias(int body, const Twist& A, const Vec3& p_W) const {
  const Twist& V = MovingOf(body).V;
  const Vec3 r = p_W - p_WO_;
  return A.v + A.w.cross(r) + V.w.cross(Vec3(V.v + V.w.cross(r)));
}

double TreeDynamics::CalcKineticEnergy() const {
  double energy = 0;
  for (std::size_t i = 0; i < moving_.size(); ++i) {
    const Moving& moving = moving_[i];
    const Link& link = tree_->link[i];
    energy += 0.5 * (moving.inertia * moving.V).Dot(moving.V);
    for (int k = link.begin; k < link.end; ++k)
      energy += 0.5 * link.armature * At(velocities_, k) * At(velocities_, k);
  }
  return energy;
}

Vec3 TreeDynamics::CalcCenterOfMass() const {
  Vec3 first = Vec3::Zero();
  for (const Moving& moving : moving_) first += moving.inertia.first;
  return p_WO_ + first / mass_;
}

Vec6 TreeDynamics::CalcMomentum() const {
  Wrench momentum{Vec3::Zero(), Vec3::Zero()};
  for (const Moving& moving : moving_) momentum.Add(moving.inertia * moving.V);
  const Vec3 c = CalcCenterOfMass() - p_WO_;
  return ToVec6(momentum.moment - c.cross(momentum.force), momentum.force);
}

Vec3 TreeDynamics::CalcMomentumRate() {
  Vec3 force = Vec3::Zero();
  for (std::size_t i = 0; i < moving_.size(); ++i) {
    Moving& moving = moving_[i];
    const int parent = tree_->link[i].parent;
    moving.A = moving.bias;
    if (parent >= 0) moving.A.Add(At(moving_, parent).A);
    force += (moving.inertia * moving.A).force;
    force += CrossForce(moving.V, moving.inertia * moving.V).force;
  }
  return force;
}

}  // namespace slip
