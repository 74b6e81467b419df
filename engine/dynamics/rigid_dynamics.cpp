#include "engine/dynamics/rigid_dynamics.h"

namespace slip {
namespace {

// In one sum, since every step asks: 0 x is 0, or NaN where x is not finite.
bool IsFinite(const State& state) {
  double sum = 0;
  for (const Pose& X : state.X_WB) sum += 0 * X.p.sum() + 0 * X.q.coeffs().sum();
  for (const double x : state.v) sum += 0 * x;
  for (const double x : state.q) sum += 0 * x;
  return sum == 0;
}

}  // namespace

Vec6 CalcSpatialVelocity(const Body& body, const VectorX& v) {
  Vec6 V = Vec6::Zero();
  for (int i = 0; i < body.nv; ++i) V[body.dof[i]] = v[body.v_start + i];
  return V;
}

void SetCoordinates(const Body& body, const Vec6& V_WB, VectorX* v) {
  for (int i = 0; i < body.nv; ++i) (*v)[body.v_start + i] = V_WB[body.dof[i]];
}

BodyInertia CalcInertia(const Body& body, const Pose& X_WB) {
  const Mat3 R = X_WB.q.toRotationMatrix();
  return {R * body.inertia_B.asDiagonal() * R.transpose(), body.mass};
}

void CalcJacobianRow(const Body& body, const Pose& X_WB, const Vec3& p_W, const Vec3& axis,
                     double* out) {
  // axis·(v + ω×r) = axis·v + (r×axis)·ω
  const Vec3 moment = (p_W - X_WB.p).cross(axis);
  for (int i = 0; i < body.nv; ++i) {
    const int d = body.dof[i];
    out[i] = d < 3 ? moment[d] : axis[d - 3];
  }
}

void IntegratePose(const Body& body, const VectorX& v, double h, Pose* X_WB) {
  const Vec6 V = CalcSpatialVelocity(body, v);
  X_WB->p += h * V.tail<3>();
  const Vec3 rotation = h * V.head<3>();
  if (rotation.norm() == 0) return;
  X_WB->q = CalcRotation(rotation) * X_WB->q;
  X_WB->q.normalize();
}

int FirstNotFinite(const Model& model, const State& state) {
  if (IsFinite(state)) return -1;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    if (!state.v.segment(body.v_start, body.nv).allFinite() ||
        !state.q.segment(body.q_start, body.nq).allFinite() || !state.X_WB[b].p.allFinite() ||
        !state.X_WB[b].q.coeffs().allFinite()) {
      return static_cast<int>(b);
    }
  }
  return -1;
}

double CalcKineticEnergy(const Model& model, const State& state, std::span<const Vec6> V_WB) {
  return CalcKineticEnergy(model, 0, model.bodies.size(), state, V_WB);
}

double CalcKineticEnergy(const Model& model, std::size_t first, std::size_t last,
                         const State& state, std::span<const Vec6> V_WB) {
  double energy = 0;
  for (std::size_t b = first; b < last; ++b) {
    const Body& body = model.bodies[b];
    if (body.shape_of_link >= 0) continue;  // without mass
    const Vec6& V = V_WB[b];
    const Vec3 w_B = Rotate(state.X_WB[b].q.conjugate(), V.head<3>());
    energy += 0.5 * (body.mass * V.tail<3>().squaredNorm() + body.inertia_B.dot(w_B.cwiseAbs2()));
    if (body.joint.armature == 0) continue;
    energy += 0.5 * body.joint.armature * state.v.segment(body.v_start, body.nv).squaredNorm();
  }
  return energy;
}

double CalcPotentialEnergy(const Model& model, const State& state, const Vec3& gravity_W) {
  double energy = 0;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    energy -= model.bodies[b].mass * gravity_W.dot(state.X_WB[b].p);
  }
  return energy;
}

}  // namespace slip
