#include "engine/dynamics/tree_dynamics.h"

namespace slip {
namespace {

// V × m of a motion and V ×* f of a force.
Vec6 CrossMotion(const Vec6& V, const Vec6& m) {
  const Vec3 w = V.head<3>(), v = V.tail<3>(), m_w = m.head<3>(), m_v = m.tail<3>();
  Vec6 out;
  out.head<3>() = w.cross(m_w);
  out.tail<3>() = w.cross(m_v) + v.cross(m_w);
  return out;
}
Vec6 CrossForce(const Vec6& V, const Vec6& f) {
  const Vec3 w = V.head<3>(), v = V.tail<3>(), moment = f.head<3>(), force = f.tail<3>();
  Vec6 out;
  out.head<3>() = w.cross(moment) + v.cross(force);
  out.tail<3>() = w.cross(force);
  return out;
}

}  // namespace

void TreeDynamics::Update(const Model& model, const Tree& tree, const State& state) {
  first_body_ = tree.first_body;
  links_.resize(U(tree.links));
  link_of_.resize(U(tree.bodies));
  for (int i = 0; i < tree.bodies; ++i) {
    const int link = model.bodies[U(first_body_ + i)].part_of;
    link_of_[U(i)] = link < 0 ? i : link - first_body_;
  }
  directions_.resize(U(tree.nv));
  before_.resize(U(tree.nv));
  velocities_.resize(U(tree.nv));
  armature_.resize(U(tree.nv));
  p_WO_ = state.X_WB[U(first_body_)].p;
  mass_ = 0;
  ways_.clear();
  way_begin_.assign(1, 0);
  for (int i = 0; i < tree.links; ++i) {
    const Body& body = model.bodies[U(first_body_ + i)];
    const Joint& joint = body.joint;
    const Pose& X_WB = state.X_WB[U(first_body_ + i)];
    Link& link = links_[U(i)];
    link.parent = joint.parent < first_body_ ? -1 : joint.parent - first_body_;
    link.begin = body.v_start - tree.v_start;
    link.end = link.begin + body.nv;
    const Link* parent = link.parent < 0 ? nullptr : &links_[U(link.parent)];
    const int before = parent == nullptr ? -1 : parent->last;
    link.last = body.nv > 0 ? link.end - 1 : before;
    link.V = parent == nullptr ? Vec6::Zero() : parent->V;

    Mat3 R_WP = Mat3::Identity();
    if (parent != nullptr) {
      R_WP = parent->R_WB;
    } else if (joint.parent >= 0) {
      R_WP = state.X_WB[U(joint.parent)].q.toRotationMatrix();
    }
    link.R_WB = X_WB.q.toRotationMatrix();
    const Vec3 c_W = X_WB.p - p_WO_;
    const Vec3 r_OM = c_W + link.R_WB * joint.X_BM.p;
    Vec6 own = Vec6::Zero();
    Vec3 slide = Vec3::Zero();  // velocity of M against F
    for (int c = 0; c < body.nv; ++c) {
      const int k = link.begin + c;
      const JointDirection direction = DirectionOf(joint, c);
      const Vec3 axis = R_WP * Rotate(joint.X_PF.q, direction.axis_F);
      Vec6& S = directions_[U(k)];
      if (direction.rotates) {
        S.head<3>() = axis;
        S.tail<3>() = r_OM.cross(axis);
      } else {
        S.head<3>().setZero();
        S.tail<3>() = axis;
      }
      const int previous = before_[U(k)] = c == 0 ? before : k - 1;
      if (previous >= 0) {
        ways_.push_back(previous);
        for (int i = way_begin_[U(previous)]; i < way_begin_[U(previous + 1)]; ++i)
          ways_.push_back(ways_[U(i)]);
      }
      way_begin_.push_back(static_cast<int>(ways_.size()));
      armature_[U(k)] = joint.armature;
      const double v = velocities_[U(k)] = state.v[body.v_start + c];
      own += v * S;
      if (!direction.rotates) slide += v * axis;
    }
    // Ṡ v: the joint's axes turn with the parent, its centre moves against the parent too
    link.bias = CrossMotion(link.V, own);
    link.bias.tail<3>() += slide.cross(Vec3(own.head<3>()));
    link.V += own;

    // parallel axes: I_O = I_C + m (c² 1 - c cᵀ)
    const Mat3 scaled = link.R_WB * body.inertia_B.asDiagonal();
    link.inertia.mass = body.mass;
    link.inertia.first = body.mass * c_W;
    Mat3& second = link.inertia.second;
    second.noalias() = scaled.lazyProduct(link.R_WB.transpose());
    second.diagonal().array() += body.mass * c_W.squaredNorm();
    second -= link.inertia.first * c_W.transpose();
    mass_ += body.mass;
  }
}

void TreeDynamics::CalcMassMatrix(double* M) {
  const int n = nv();
  std::fill(M, M + n * n, 0.0);
  for (Link& link : links_) link.composite = link.inertia;
  for (std::size_t i = links_.size(); i-- > 0;) {
    Link& link = links_[i];
    if (link.parent >= 0) links_[U(link.parent)].composite += link.composite;
    for (int k = link.end; k-- > link.begin;) {
      const Vec6 F = link.composite * directions_[U(k)];
      M[k * n + k] = directions_[U(k)].dot(F);
      for (int i = way_begin_[U(k)]; i < way_begin_[U(k + 1)]; ++i) {
        const int j = ways_[U(i)];
        M[j * n + k] = M[k * n + j] = directions_[U(j)].dot(F);
      }
      M[k * n + k] += armature_[U(k)];
    }
  }
}

void TreeDynamics::SolveInPlace(double* M, double* x) const {
  const int n = nv();
  for (int k = n; k-- > 0;) {
    double* row = M + k * n;
    const double inverse = 1 / row[k], x_k = x[k];
    const int* const end = ways_.data() + way_begin_[U(k + 1)];
    for (const int* i = ways_.data() + way_begin_[U(k)]; i != end; ++i) {
      const double factor = row[*i] * inverse;
      double* other = M + *i * n;
      for (const int* j = i; j != end; ++j) other[*j] -= factor * row[*j];
      x[*i] -= factor * x_k;
      row[*i] = factor;
    }
    row[k] = inverse;
  }
  for (int k = 0; k < n; ++k) {
    const double* row = M + k * n;
    double sum = x[k] * row[k];
    const int* const end = ways_.data() + way_begin_[U(k + 1)];
    for (const int* i = ways_.data() + way_begin_[U(k)]; i != end; ++i) sum -= row[*i] * x[*i];
    x[k] = sum;
  }
}

void TreeDynamics::CalcInverseDynamics(const Vec3& gravity_W, const double* acceleration,
                                       double* tau) {
  for (Link& link : links_) {
    // gravity is an acceleration of the ground, upwards
    if (link.parent < 0) {
      link.A.head<3>().setZero();
      link.A.tail<3>() = -gravity_W;
    } else {
      link.A = links_[U(link.parent)].A;
    }
    link.A += link.bias;
    for (int k = link.begin; k < link.end && acceleration != nullptr; ++k)
      link.A += acceleration[k] * directions_[U(k)];
    link.F = link.inertia * link.A + CrossForce(link.V, link.inertia * link.V);
  }
  for (std::size_t i = links_.size(); i-- > 0;) {
    const Link& link = links_[i];
    for (int k = link.begin; k < link.end; ++k) {
      tau[k] = directions_[U(k)].dot(link.F);
      if (acceleration != nullptr) tau[k] += armature_[U(k)] * acceleration[k];
    }
    if (link.parent >= 0) links_[U(link.parent)].F += link.F;
  }
}

void TreeDynamics::CalcForwardDynamics(const Vec3& gravity_W, const double* tau,
                                       double* acceleration) {
  shares_.resize(links_.size());
  joint_inverse_.resize(links_.size());
  joint_force_.resize(links_.size());
  for (Link& link : links_) {
    const Inertia& I = link.inertia;
    Mat3 cross;
    cross << 0, -I.first.z(), I.first.y(), I.first.z(), 0, -I.first.x(), -I.first.y(), I.first.x(),
        0;
    link.articulated << I.second, cross, cross.transpose(), I.mass * Mat3::Identity();
    link.force = CrossForce(link.V, I * link.V);
  }
  for (std::size_t i = links_.size(); i-- > 0;) {
    Link& link = links_[i];
    const int n = link.end - link.begin;
    Columns& share = shares_[i];
    Block& inverse = joint_inverse_[i];
    Part& force = joint_force_[i];
    share.resize(6, n);
    force.resize(n);
    Block D(n, n);
    for (int c = 0; c < n; ++c) {
      const Vec6& S = directions_[U(link.begin + c)];
      share.col(c) = link.articulated * S;
      force[c] = tau[link.begin + c] - S.dot(link.force);
    }
    for (int c = 0; c < n; ++c) {
      for (int r = 0; r < n; ++r) D(r, c) = directions_[U(link.begin + r)].dot(share.col(c));
      D(c, c) += armature_[U(link.begin + c)];
    }
    if (n > 0) inverse = D.llt().solve(Block::Identity(n, n));
    if (link.parent < 0) continue;
    Link& parent = links_[U(link.parent)];
    parent.force += link.force + link.articulated * link.bias;
    parent.articulated += link.articulated;
    if (n == 0) continue;
    const Columns gain = share * inverse;
    parent.articulated.noalias() -= gain * share.transpose();
    parent.force += gain * (force - share.transpose() * link.bias);
  }
  for (std::size_t i = 0; i < links_.size(); ++i) {
    Link& link = links_[i];
    if (link.parent < 0) {
      link.A << Vec3::Zero(), -gravity_W;
    } else {
      link.A = links_[U(link.parent)].A;
    }
    link.A += link.bias;
    const int n = link.end - link.begin;
    if (n == 0) continue;
    const Part rates = joint_inverse_[i] * (joint_force_[i] - shares_[i].transpose() * link.A);
    for (int c = 0; c < n; ++c) {
      acceleration[link.begin + c] = rates[c];
      link.A += rates[c] * directions_[U(link.begin + c)];
    }
  }
}

void TreeDynamics::CalcPointRow(int body, const Vec3& p_W, const Vec3& axis, double* row) const {
  std::fill(row, row + nv(), 0.0);
  const Vec3 moment = (p_W - p_WO_).cross(axis);
  for (int k = LinkOf(body).last; k >= 0; k = Before(k)) {
    const Vec6& S = directions_[U(k)];
    row[k] = moment.dot(S.head<3>()) + axis.dot(S.tail<3>());
  }
}

void TreeDynamics::CalcTurnRow(int body, const Vec3& axis, double* row) const {
  std::fill(row, row + nv(), 0.0);
  for (int k = LinkOf(body).last; k >= 0; k = Before(k))
    row[k] = axis.dot(directions_[U(k)].head<3>());
}

Vec3 TreeDynamics::CalcPointVelocity(int body, const Vec3& p_W) const {
  const Vec6& V = LinkOf(body).V;
  return V.tail<3>() + V.head<3>().cross(p_W - p_WO_);
}

namespace {

// From spatial to point acceleration: that of the body's point that is at p, r = p - O.
Vec3 PointAcceleration(const Vec6& A, const Vec6& V, const Vec3& r) {
  const Vec3 w = V.head<3>();
  return A.tail<3>() + A.head<3>().cross(r) + w.cross(Vec3(V.tail<3>() + w.cross(r)));
}

}  // namespace

Vec3 TreeDynamics::CalcPointBias(int body, const Vec3& p_W) const {
  Vec6 A = Vec6::Zero();
  for (int i = IndexOf(body); i >= 0; i = links_[U(i)].parent) A += links_[U(i)].bias;
  return PointAcceleration(A, LinkOf(body).V, p_W - p_WO_);
}

Vec3 TreeDynamics::CalcTurnBias(int body) const {
  Vec3 alpha = Vec3::Zero();
  for (int i = IndexOf(body); i >= 0; i = links_[U(i)].parent) alpha += links_[U(i)].bias.head<3>();
  return alpha;
}

double TreeDynamics::CalcKineticEnergy() const {
  double energy = 0;
  for (const Link& link : links_) energy += 0.5 * link.V.dot(link.inertia * link.V);
  for (std::size_t k = 0; k < velocities_.size(); ++k)
    energy += 0.5 * armature_[k] * velocities_[k] * velocities_[k];
  return energy;
}

Vec3 TreeDynamics::CalcCenterOfMass() const {
  Vec3 first = Vec3::Zero();
  for (const Link& link : links_) first += link.inertia.first;
  return p_WO_ + first / mass_;
}

Vec6 TreeDynamics::CalcMomentum() const {
  Vec6 momentum = Vec6::Zero();
  for (const Link& link : links_) momentum += link.inertia * link.V;
  const Vec3 c = CalcCenterOfMass() - p_WO_;
  momentum.head<3>() -= c.cross(Vec3(momentum.tail<3>()));
  return momentum;
}

}  // namespace slip
