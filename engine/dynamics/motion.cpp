#include "engine/dynamics/motion.h"

#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"

namespace slip {

Motion::Motion(const Model& model, const Tree& tree, const State& state, TreeDynamics* links)
    : model_(&model), tree_(&tree), state_(&state), links_(links) {
  if (links != nullptr) return;
  body_ = &model.body(tree.first_body);
  inertia_ = CalcInertia(*body_, X_WB());
}

void Motion::CalcMassRows(double* M) const {
  if (has_links()) return links_->CalcMassRows(M);
  // all coordinates are on one way: the lower triangle
  for (int i = 0; i < nv(); ++i) {
    const int r = body_->dof[i];
    for (int j = 0; j <= i; ++j) {
      const int c = body_->dof[j];
      *M++ = r < 3 && c < 3 ? inertia_.I_W(r, c) : r == c ? inertia_.mass : 0;
    }
  }
}

void Motion::CalcMassMatrix(double* M) const {
  if (has_links()) return links_->CalcMassMatrix(M);
  const int n = nv();
  std::fill_n(M, n * n, 0.0);
  if (n == 6) {
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c) M[6 * r + c] = inertia_.I_W(r, c);
      M[7 * (r + 3)] = inertia_.mass;
    }
    return;
  }
  for (int i = 0; i < n; ++i, M += n) {
    const int r = body_->dof[i];
    for (int j = 0; j < n && r < 3; ++j) {
      const int c = body_->dof[j];
      if (c < 3) M[j] = inertia_.I_W(r, c);
    }
    if (r >= 3) M[i] = inertia_.mass;
  }
}

// Of a body with this velocity and angular momentum.
Vec6 Motion::CalcBodyForce(const Vec3& gravity_W, const Vec6& V_WB, const Vec3& momentum_W) const {
  Vec6 force;
  force.head<3>() = -V_WB.head<3>().cross(momentum_W);
  force.tail<3>() = inertia_.mass * gravity_W;
  return force;
}

void Motion::CalcBias(const Vec3& gravity_W, double* nle) const {
  if (has_links()) return links_->CalcInverseDynamics(gravity_W, nullptr, nle);
  const Vec6 V_WB = CalcSpatialVelocity(*body_, state_->v);
  const Vec6 force = CalcBodyForce(gravity_W, V_WB, inertia_.I_W * V_WB.head<3>());
  for (int i = 0; i < nv(); ++i) nle[i] = -force[body_->dof[i]];
}

void Motion::CalcMomentum(const Vec3& gravity_W, double h, VectorX* stop, double* momentum) const {
  Eigen::Map<VectorX> out(momentum, nv());
  if (has_links()) {
    out = state_->v.segment(tree_->v_start, nv()) / -h;
    stop->resize(nv());
    links_->CalcInverseDynamics(gravity_W, momentum, stop->data());
    out = *stop * -h;
    return;
  }
  const Vec6 V_WB = CalcSpatialVelocity(*body_, state_->v);
  Vec6 M_V;
  M_V.head<3>() = inertia_.I_W * V_WB.head<3>();
  M_V.tail<3>() = inertia_.mass * V_WB.tail<3>();
  const Vec6 sum = M_V + h * CalcBodyForce(gravity_W, V_WB, M_V.head<3>());
  for (int i = 0; i < nv(); ++i) out[i] = sum[body_->dof[i]];
}

void Motion::SolveBody(double* x) const {
  if (body_->joint.kind == JointKind::kFree) {
    // closed form: the inertia is diagonal in the body's axes
    const Mat3 R = X_WB().q.toRotationMatrix();
    Eigen::Map<Vec3> angular(x), linear(x + 3);
    angular = R * (R.transpose() * angular).cwiseQuotient(body_->inertia_B);
    linear /= body_->mass;
    return;
  }
  // one axis of rotation at most: the inertia is diagonal; twice, as its factor would
  for (int i = 0; i < nv(); ++i) {
    const int d = body_->dof[i];
    const double root = std::sqrt(d < 3 ? inertia_.I_W(d, d) : inertia_.mass);
    x[i] = x[i] / root / root;
  }
}

int Motion::last(int body) const {
  if (!has_links()) return nv() - 1;
  const int link = model_->body(body).link;
  return At(tree_->link, link).last;
}

void Motion::CalcPointRow(int body, const Vec3& p_W, const Vec3& axis, double* row) const {
  if (has_links()) return links_->CalcPointRow(body, p_W, axis, row);
  CalcJacobianRow(*body_, X_WB(), p_W, axis, row);
}

// With all six coordinates: r x axis and the axis.
template <bool kOpposite>
void Motion::FillFreeRows(const Vec3& p_W, const Mat3& axes, double* rows) const {
  const Vec3 arm = p_W - X_WB().p;
  const Vec3 r = kOpposite ? Vec3(-arm) : arm;
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = axes.col(axis);
    rows[0] = r.y() * a.z() - r.z() * a.y();
    rows[1] = r.z() * a.x() - r.x() * a.z();
    rows[2] = r.x() * a.y() - r.y() * a.x();
    for (int i = 0; i < 3; ++i) rows[3 + i] = kOpposite ? -a[i] : a[i];
    rows += 6;
  }
}

void Motion::CalcPointRows(int body, const Vec3& p_W, const Mat3& axes, double* rows) const {
  if (has_links()) return links_->CalcWholePointRows(body, p_W, axes, false, rows);
  if (nv() == 6) return FillFreeRows<false>(p_W, axes, rows);
  for (int axis = 0; axis < 3; ++axis) CalcPointRow(body, p_W, axes.col(axis), rows + axis * nv());
}

void Motion::CalcOppositePointRows(int body, const Vec3& p_W, const Mat3& axes,
                                   double* rows) const {
  if (has_links()) return links_->CalcWholePointRows(body, p_W, axes, true, rows);
  if (nv() == 6) return FillFreeRows<true>(p_W, axes, rows);
  for (int axis = 0; axis < 3; ++axis) CalcPointRow(body, p_W, -axes.col(axis), rows + axis * nv());
}

void Motion::CalcWayRows(int body, const Vec3& p_W, const Mat3& axes, double* rows) const {
  if (has_links()) return links_->CalcPointRows(body, p_W, axes, rows);
  CalcPointRows(body, p_W, axes, rows);
}

void Motion::CalcTurnRow(int body, const Vec3& axis, double* row) const {
  if (has_links()) return links_->CalcTurnRow(body, axis, row);
  for (int i = 0; i < nv(); ++i) row[i] = body_->dof[i] < 3 ? axis[body_->dof[i]] : 0;
}

Vec3 Motion::CalcPointBias(int body, const Vec3& p_W) const {
  if (has_links()) return links_->CalcPointBias(body, p_W);
  const Vec3 w = CalcSpatialVelocity(*body_, state_->v).head<3>();
  return w.cross(w.cross(p_W - X_WB().p));
}

}  // namespace slip
