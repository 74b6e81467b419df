#include "engine/mujoco/coordinates.h"

#include <cmath>

#include "engine/core/numbers.h"
#include "engine/dynamics/kinematics.h"

namespace slip {

MujocoCoordinates::MujocoCoordinates(const Model& model) : model_(model) {
  dof_.assign(model.bodies.size(), 0);
  // depth first, as MuJoCo counts: bodies of a model come in this order
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    if (model.bodies[b].shape_of_link < 0) AddBody(model, static_cast<int>(b));
}

void MujocoCoordinates::Add(Part::Kind kind, int body, int from_q, int from_v) {
  parts_.push_back({kind, body, nq_, nv_, from_q, from_v});
  const bool turns = kind == Part::Kind::kTurn;
  nq_ += turns ? 4 : 1;
  nv_ += turns ? 3 : 1;
}

void MujocoCoordinates::AddBody(const Model& model, int b) {
  using Kind = Part::Kind;
  const Body& body = model.body(b);
  At(dof_, b) = nv_;
  const auto same = [&](int i_q, int i_v) {
    Add(Kind::kSame, b, body.q_start + i_q, body.v_start + i_v);
  };
  if (body.nv > 0 && body.nq == 0) {
    // slides first, then what turns
    for (int i = 0; i < body.nv; ++i)
      if (body.dof[i] >= 3) Add(Kind::kMove, b, body.dof[i] - 3, body.v_start + i);
    if (body.joint.kind == JointKind::kFree) return Add(Kind::kTurn, b, -1, body.v_start);
    for (int i = 0; i < body.nv; ++i)
      if (body.dof[i] < 3) Add(Kind::kSpin, b, body.dof[i], body.v_start + i);
    return;
  }
  switch (body.joint.kind) {
    case JointKind::kFree:
      for (int i = 0; i < 3; ++i) same(i, 3 + i);
      return Add(Kind::kTurn, b, body.q_start + 3, body.v_start);
    case JointKind::kBall:
      return Add(Kind::kTurn, b, body.q_start, body.v_start);
    case JointKind::kPlanar:
      return same(1, 1), same(2, 2), same(0, 0);
    case JointKind::kUpright:
      return same(1, 1), same(2, 2), same(3, 3), same(0, 0);
    default:
      for (int i = 0; i < body.nv; ++i) same(i, i);
  }
}

Quat MujocoCoordinates::ToTheirs(const State& at, const Part& part) const {
  const Body& body = model_.body(part.body);
  if (part.from_q < 0) return at.pose(part.body).q.conjugate();
  const double* q = at.q.data() + part.from_q;
  return body.joint.X_BM.q * Quat(q[3], q[0], q[1], q[2]).conjugate();
}

void MujocoCoordinates::SetPositions(const State& state, double* qpos) const {
  for (const Part& part : parts_) {
    const Body& body = model_.body(part.body);
    double* out = qpos + part.q;
    switch (part.kind) {
      case Part::Kind::kSame:
        *out = state.q[part.from_q];
        break;
      case Part::Kind::kMove: {
        const bool floats = body.joint.kind == JointKind::kFree;
        *out = state.pose(part.body).p[part.from_q] - (floats ? 0 : body.X_WB.p[part.from_q]);
        break;
      }
      case Part::Kind::kSpin:
        *out = CalcRotationVector(state.pose(part.body).q * body.X_WB.q.conjugate())[part.from_q];
        break;
      case Part::Kind::kTurn: {
        Quat turn = state.pose(part.body).q;
        if (part.from_q >= 0) {
          const double* q = state.q.data() + part.from_q;
          const Quat& R_BM = body.joint.X_BM.q;
          turn = R_BM * Quat(q[3], q[0], q[1], q[2]) * R_BM.conjugate();
        }
        out[0] = turn.w(), out[1] = turn.x(), out[2] = turn.y(), out[3] = turn.z();
        break;
      }
    }
  }
}

void MujocoCoordinates::SetVelocities(const State& state, double* qvel) const {
  for (const Part& part : parts_) {
    if (part.kind != Part::Kind::kTurn) {
      qvel[part.v] = state.v[part.from_v];
      continue;
    }
    Eigen::Map<Vec3>(qvel + part.v) = ToTheirs(state, part) * Vec3(state.v.segment<3>(part.from_v));
  }
}

void MujocoCoordinates::GetVelocities(const State& at, const double* qvel, VectorX* v) const {
  v->resize(model_.nv);
  for (const Part& part : parts_) {
    if (part.kind != Part::Kind::kTurn) {
      (*v)[part.from_v] = qvel[part.v];
      continue;
    }
    v->segment<3>(part.from_v) =
        ToTheirs(at, part).conjugate() * Vec3(Eigen::Map<const Vec3>(qvel + part.v));
  }
}

void MujocoCoordinates::AddForces(const State& at, const VectorX& forces, double* qfrc) const {
  for (const Part& part : parts_) {
    if (part.kind != Part::Kind::kTurn) {
      qfrc[part.v] += forces[part.from_v];
      continue;
    }
    Eigen::Map<Vec3>(qfrc + part.v) += ToTheirs(at, part) * Vec3(forces.segment<3>(part.from_v));
  }
}

}  // namespace slip
