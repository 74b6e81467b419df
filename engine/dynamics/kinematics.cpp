#include "engine/dynamics/kinematics.h"

#include "engine/dynamics/rigid_dynamics.h"

namespace slip {
namespace {

const Body& ParentOf(const Model& model, const Body& body) {
  return model.bodies[static_cast<std::size_t>(body.joint.parent)];
}

// Adds what a joint's own coordinates give to the velocity of the parent's frame.
// V_P is that of the parent at its origin; the result is at the body's.
Vec6 CalcLinkVelocity(const Body& body, const State& state, const Pose& X_WB, const Vec6& V_P) {
  const Joint& joint = body.joint;
  if (body.part_of >= 0) {  // rides along
    Vec6 V = V_P;
    V.tail<3>() +=
        V_P.head<3>().cross(X_WB.p - state.X_WB[static_cast<std::size_t>(joint.parent)].p);
    return V;
  }
  const Vec3 r_BM = Rotate(X_WB.q, joint.X_BM.p);
  Quat R_WP = Quat::Identity();
  Vec3 w = V_P.head<3>(), v = V_P.tail<3>();
  if (joint.parent >= 0) {
    const Pose& X_WP = state.X_WB[static_cast<std::size_t>(joint.parent)];
    R_WP = X_WP.q;
    v += w.cross(X_WB.p + r_BM - X_WP.p);
  }
  for (int i = 0; i < body.nv; ++i) {
    const JointDirection direction = DirectionOf(joint, i);
    (direction.rotates ? w : v) +=
        state.v[body.v_start + i] * Rotate(R_WP, Rotate(joint.X_PF.q, direction.axis_F));
  }
  v -= w.cross(r_BM);
  Vec6 V;
  V.head<3>() = w;
  V.tail<3>() = v;
  return V;
}

}  // namespace

void SetStart(const Model& model, State* state) {
  state->q.resize(model.nq);
  state->v.setZero(model.nv);
  state->X_WB.clear();
  for (const Body& body : model.bodies) {
    state->X_WB.push_back(body.X_WB);
    if (body.joint.parent < 0 && KeepsPose(body.joint.kind)) {
      SetCoordinates(body, body.V_WB, &state->v);
      continue;
    }
    for (int i = 0; i < body.nq; ++i)
      state->q[body.q_start + i] = body.q0[static_cast<std::size_t>(i)];
    for (int i = 0; i < body.nv; ++i)
      state->v[body.v_start + i] = body.v0[static_cast<std::size_t>(i)];
  }
  UpdatePoses(model, state);
}

Pose CalcLinkPose(const Body& body, const State& state) {
  const Joint& joint = body.joint;
  const auto append = [](const Pose& a, const Pose& b) { return Pose{a * b.p, a.q * b.q}; };
  Pose X_WF = joint.X_PF;
  if (joint.parent >= 0)
    X_WF = append(state.X_WB[static_cast<std::size_t>(joint.parent)], joint.X_PF);
  if (body.part_of >= 0) return X_WF;
  const Pose X_WM = append(X_WF, CalcJointPose(joint, state.q.data() + body.q_start));
  Pose X_WB{X_WM.p, X_WM.q * joint.X_BM.q.conjugate()};
  X_WB.q.normalize();
  X_WB.p -= Rotate(X_WB.q, joint.X_BM.p);
  return X_WB;
}

void UpdatePoses(const Model& model, State* state) {
  if (model.articulated == 0) return;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    if (body.joint.parent < 0 && KeepsPose(body.joint.kind)) continue;
    state->X_WB[b] = CalcLinkPose(body, *state);
  }
}

void CalcVelocities(const Model& model, const State& state, std::vector<Vec6>* V_WB) {
  V_WB->resize(model.bodies.size());
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    if (model.articulated == 0 || !body.Moves() || model.TreeOf(body).articulated < 0) {
      (*V_WB)[b] = CalcSpatialVelocity(body, state.v);
      continue;
    }
    const bool hangs = body.joint.parent >= 0 && ParentOf(model, body).Moves();
    const Vec6 V_P = hangs ? (*V_WB)[static_cast<std::size_t>(body.joint.parent)] : Vec6::Zero();
    (*V_WB)[b] = CalcLinkVelocity(body, state, state.X_WB[b], V_P);
  }
}

Vec6 CalcVelocity(const Model& model, const State& state, int b) {
  const Body& body = model.bodies[static_cast<std::size_t>(b)];
  if (!body.Moves()) return Vec6::Zero();
  if (model.TreeOf(body).articulated < 0) return CalcSpatialVelocity(body, state.v);
  const Vec6 V_P =
      body.joint.parent >= 0 ? CalcVelocity(model, state, body.joint.parent) : Vec6::Zero();
  return CalcLinkVelocity(body, state, state.X_WB[static_cast<std::size_t>(b)], V_P);
}

void IntegratePositions(const Model& model, double h, State* state) {
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    if (body.joint.parent < 0 && KeepsPose(body.joint.kind)) {
      IntegratePose(body, state->v, h, &state->X_WB[b]);
      continue;
    }
    double displacement[6];
    for (int i = 0; i < body.nv; ++i) displacement[i] = h * state->v[body.v_start + i];
    IntegrateJoint(body.joint, displacement, state->q.data() + body.q_start);
    state->X_WB[b] = CalcLinkPose(body, *state);
  }
}

}  // namespace slip
