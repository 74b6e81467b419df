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
  Quat R_WF = joint.X_PF.q;
  const Vec3 p_WM = X_WB * joint.X_BM.p;
  Vec6 V = V_P;
  if (joint.parent >= 0) {
    const Pose& X_WP = state.X_WB[static_cast<std::size_t>(joint.parent)];
    R_WF = X_WP.q * R_WF;
    V.tail<3>() += V_P.head<3>().cross(p_WM - X_WP.p);
  }
  for (int i = 0; i < body.nv; ++i) {
    const JointDirection direction = DirectionOf(joint, i);
    V.segment<3>(direction.rotates ? 0 : 3) +=
        state.v[body.v_start + i] * (R_WF * direction.axis_F);
  }
  V.tail<3>() += V.head<3>().cross(X_WB.p - p_WM);
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
  // B in M
  const Quat R_MB = joint.X_BM.q.conjugate();
  Pose X_WB = append(X_WM, {-(R_MB * joint.X_BM.p), R_MB});
  X_WB.q.normalize();
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
    if (!body.Moves() || model.TreeOf(body).articulated < 0) {
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
