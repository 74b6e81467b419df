#include "engine/foreign/foreign_joints.h"

#include <algorithm>
#include <cmath>

#include "engine/core/pose.h"
#include "engine/dynamics/rigid_dynamics.h"

namespace slip {
namespace {

constexpr double kWholeTurn = 6.283185307179586;

/// Angle of a turn about an axis, within half a turn.
double AngleAbout(const Quat& q, const Vec3& axis) {
  return std::remainder(2 * std::atan2(q.vec().dot(axis), q.w()), kWholeTurn);
}

void Put(const Vec3& p, double* q) { std::copy(p.data(), p.data() + 3, q); }
void Put(const Quat& turn, double* q) {
  std::copy(turn.coeffs().data(), turn.coeffs().data() + 4, q);
}

/// q of a pose of M in F, as CalcJointPose takes it.
void ReadPosition(const Joint& joint, const Pose& X_FM, double* q) {
  const Vec3& p = X_FM.p;
  switch (joint.kind) {
    case JointKind::kRevolute:
      *q = AngleAbout(X_FM.q, joint.axis);
      return;
    case JointKind::kPrismatic:
      *q = p.dot(joint.axis);
      return;
    case JointKind::kZ:
      *q = p.z();
      return;
    case JointKind::kXZ:
      q[0] = p.x(), q[1] = p.z();
      return;
    case JointKind::kPlanar:
      q[0] = AngleAbout(X_FM.q, Vec3::UnitY()), q[1] = p.x(), q[2] = p.z();
      return;
    case JointKind::kUpright:
      q[0] = AngleAbout(X_FM.q, Vec3::UnitZ());
      Put(p, q + 1);
      return;
    case JointKind::kBall:
      Put(X_FM.q, q);
      return;
    case JointKind::kFree:
      Put(p, q);
      Put(X_FM.q, q + 3);
      return;
    case JointKind::kFixed:
      return;
  }
}

}  // namespace

void ProjectJoints(const Model& model, std::span<const Pose> X_WB, std::span<const Vec6> V_WB,
                   State* state) {
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    if (!body.Moves() || body.shape_of_link >= 0) continue;
    const Joint& joint = body.joint;
    if (body.nq == 0 && joint.parent < 0) {
      SetCoordinates(body, V_WB[b], &state->v);
      continue;
    }
    const Pose X_WP = joint.parent < 0 ? Pose() : X_WB[static_cast<std::size_t>(joint.parent)];
    const Vec6 V_WP =
        joint.parent < 0 ? Vec6(Vec6::Zero()) : V_WB[static_cast<std::size_t>(joint.parent)];
    const Pose X_WF = X_WP * joint.X_PF, X_WM = X_WB[b] * joint.X_BM;
    if (body.nq > 0) ReadPosition(joint, Inverse(X_WF) * X_WM, &state->q[body.q_start]);
    const Vec3 w = V_WB[b].head<3>(), w_P = V_WP.head<3>();
    const Vec3 v = V_WB[b].tail<3>() + w.cross(X_WM.p - X_WB[b].p) - V_WP.tail<3>() -
                   w_P.cross(X_WM.p - X_WP.p);
    const Quat R_FW = X_WF.q.conjugate();
    for (int i = 0; i < body.nv; ++i) {
      const JointDirection along = DirectionOf(joint, i);
      state->v[body.v_start + i] = along.axis_F.dot(R_FW * (along.rotates ? Vec3(w - w_P) : v));
    }
  }
}

void ListJoints(const Model& model, const State& state, std::vector<JointFrame>* joints) {
  joints->clear();
  if (model.articulated == 0) return;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    if (body.nv != 1 || body.nq != 1) continue;
    joints->push_back({.body = static_cast<int>(b),
                       .position = state.q[body.q_start],
                       .rate = state.v[body.v_start],
                       .force = kNaN,
                       .limit = body.joint.effort,
                       .target = kNaN});
  }
}

}  // namespace slip
