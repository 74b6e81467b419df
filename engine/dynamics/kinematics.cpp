#include "engine/dynamics/kinematics.h"

#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"
#include "engine/core/pose.h"
#include "engine/dynamics/rigid_dynamics.h"

namespace slip {
namespace {

const Body& ParentOf(const Model& model, const Body& body) { return model.body(body.joint.parent); }

const Link& LinkOf(const Model& model, const Body& body) {
  return At(model.TreeOf(body).link, body.link);
}

// The pose of a body on a joint with coordinates q, from its parent's.
Pose CalcLinkPose(const Model& model, const Body& body, const State& state) {
  const Joint& joint = body.joint;
  const Pose X_WP = joint.parent >= 0 ? state.pose(joint.parent) : Pose{};
  if (body.shape_of_link >= 0) return X_WP * joint.X_PF;
  if (!body.Moves()) {  // fixed, on something that is
    Pose X = X_WP * Pose{joint.X_PF.p, joint.X_PF.q * joint.X_BM.q.conjugate()};
    X.p -= Rotate(X.q, joint.X_BM.p);
    return X;
  }
  const Link& link = LinkOf(model, body);
  const double* q = state.q.data() + body.q_start;
  Pose X;
  Vec3 p_PM = link.p_PF;
  if (link.turns) {
    const double half = 0.5 * *q, c = std::cos(half), s = std::sin(half);
    X.q.coeffs() = c * link.R_PB.coeffs() + s * link.turned_PB.coeffs();
  } else if (body.nv <= 1) {
    X.q = link.R_PB;
    if (body.nv == 1) p_PM += *q * link.slide_P;
  } else {
    const Pose X_FM = CalcJointPose(joint, q);
    X.q = joint.X_PF.q * X_FM.q * joint.X_BM.q.conjugate();
    p_PM = joint.X_PF * X_FM.p;
  }
  X.q = X_WP.q * X.q;
  X.q.normalize();
  X.p = X_WP * p_PM - Rotate(X.q, link.p_BM);
  return X;
}

// Adds what a joint's own coordinates give to the velocity of the parent's frame.
// V_P is that of the parent at its origin; the result is at the body's.
Vec6 CalcLinkVelocity(const Model& model, const Body& body, const State& state, const Pose& X_WB,
                      const Vec6& V_P) {
  const int parent = body.joint.parent;
  const Pose X_WP = parent >= 0 ? state.pose(parent) : Pose{};
  Vec3 w = V_P.head<3>(), v = V_P.tail<3>();
  if (body.shape_of_link >= 0) {  // rides along
    v += w.cross(X_WB.p - X_WP.p);
  } else {
    const Tree& tree = model.TreeOf(body);
    const Link& link = At(tree.link, body.link);
    const Vec3 r_BM = Rotate(X_WB.q, link.p_BM);
    v += w.cross(X_WB.p + r_BM - X_WP.p);
    for (int i = 0; i < body.nv; ++i) {
      const TreeCoordinate& coordinate = At(tree.coordinate, link.begin + i);
      (coordinate.rotates ? w : v) += state.v[body.v_start + i] * Rotate(X_WP.q, coordinate.axis_P);
    }
    v -= w.cross(r_BM);
  }
  Vec6 V;
  V.head<3>() = w;
  V.tail<3>() = v;
  return V;
}

// Every link and shape of a robot from the coordinates of its joints.
void PlaceLinks(const Model& model, State* state) {
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    if (body.joint.parent < 0 && KeepsPose(body.joint.kind)) continue;
    state->X_WB[b] = CalcLinkPose(model, body, *state);
  }
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
    for (int i = 0; i < body.nq; ++i) state->q[body.q_start + i] = At(body.q0, i);
    for (int i = 0; i < body.nv; ++i) state->v[body.v_start + i] = At(body.v0, i);
  }
  PlaceLinks(model, state);
}

void UpdatePoses(const Model& model, State* state) {
  // without links that move, those that stand are where they were
  if (model.articulated > 0) PlaceLinks(model, state);
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
    const Vec6 V_P = hangs ? At(*V_WB, body.joint.parent) : Vec6::Zero();
    (*V_WB)[b] = CalcLinkVelocity(model, body, state, state.X_WB[b], V_P);
  }
}

Vec6 CalcVelocity(const Model& model, const State& state, int b) {
  const Body& body = model.body(b);
  if (!body.Moves()) return Vec6::Zero();
  if (model.TreeOf(body).articulated < 0) return CalcSpatialVelocity(body, state.v);
  const Vec6 V_P =
      body.joint.parent >= 0 ? CalcVelocity(model, state, body.joint.parent) : Vec6::Zero();
  return CalcLinkVelocity(model, body, state, state.pose(b), V_P);
}

void Kinematics::Update(const Model& model, const State& state) {
  if (model.articulated == 0) return CalcVelocities(model, state, &V_WB);
  trees.resize(static_cast<std::size_t>(model.articulated));
  V_WB.resize(model.bodies.size());
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    const Tree* tree = body.Moves() ? &model.TreeOf(body) : nullptr;
    if (tree == nullptr || tree->articulated < 0) {
      V_WB[b] = CalcSpatialVelocity(body, state.v);
      continue;
    }
    TreeDynamics& links = At(trees, tree->articulated);
    if (static_cast<int>(b) == tree->first_body) links.Update(model, *tree, state);
    V_WB[b] = links.CalcVelocity(body.link, state.X_WB[b].p);
  }
}

void Kinematics::UpdateTree(const Model& model, const Tree& tree, const State& state) {
  trees.resize(static_cast<std::size_t>(model.articulated));
  V_WB.resize(model.bodies.size());
  TreeDynamics* links = tree.articulated >= 0 ? &At(trees, tree.articulated) : nullptr;
  if (links != nullptr) links->Update(model, tree, state);
  for (int i = 0; i < tree.bodies; ++i) {
    const auto b = static_cast<std::size_t>(tree.first_body + i);
    const Body& body = model.bodies[b];
    V_WB[b] = links != nullptr ? links->CalcVelocity(body.link, state.X_WB[b].p)
                               : CalcSpatialVelocity(body, state.v);
  }
}

namespace {

void IntegratePositionsOf(const Model& model, std::size_t first, std::size_t last, double h,
                          State* state) {
  for (std::size_t b = first; b < last; ++b) {
    const Body& body = model.bodies[b];
    if (body.joint.parent < 0 && KeepsPose(body.joint.kind)) {
      IntegratePose(body, state->v, h, &state->X_WB[b]);
      continue;
    }
    if (body.nv == 1) {
      state->q[body.q_start] += h * state->v[body.v_start];
    } else if (body.nv > 0) {
      double displacement[6];
      for (int i = 0; i < body.nv; ++i) displacement[i] = h * state->v[body.v_start + i];
      IntegrateJoint(body.joint, displacement, state->q.data() + body.q_start);
    }
    state->X_WB[b] = CalcLinkPose(model, body, *state);
  }
}

}  // namespace

void IntegratePositions(const Model& model, double h, State* state) {
  IntegratePositionsOf(model, 0, model.bodies.size(), h, state);
}

void IntegratePositions(const Model& model, const Tree& tree, double h, State* state) {
  const auto first = static_cast<std::size_t>(tree.first_body);
  IntegratePositionsOf(model, first, first + static_cast<std::size_t>(tree.bodies), h, state);
}

void Kinematics::AddWrench(const Model& model, const State& state, int body, const Vec3& torque_W,
                           const Vec3& force_W, VectorX* tau) {
  const auto b = static_cast<std::size_t>(body);
  const Body& of = model.bodies[b];
  if (!of.Moves()) return;
  const Tree& tree = model.TreeOf(of);
  if (tree.articulated < 0) {
    Vec6 wrench;
    wrench << torque_W, force_W;
    for (int i = 0; i < of.nv; ++i) (*tau)[of.v_start + i] += wrench[of.dof[i]];
    return;
  }
  const TreeDynamics& links = At(trees, tree.articulated);
  row.resize(tree.nv);
  auto own = tau->segment(tree.v_start, tree.nv);
  for (int axis = 0; axis < 3; ++axis) {
    links.CalcPointRow(body, state.X_WB[b].p, Vec3::Unit(axis), row.data());
    own += force_W[axis] * row;
    links.CalcTurnRow(body, Vec3::Unit(axis), row.data());
    own += torque_W[axis] * row;
  }
}

double CalcDifference(const Model& model, const State& a, const State& b, VectorX* difference) {
  difference->setZero(model.nv);
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const Body& body = model.bodies[i];
    if (!body.Moves() || body.shape_of_link >= 0 || body.nv == 0) continue;
    double* const of_body = difference->data() + body.v_start;
    if (body.joint.parent < 0 && KeepsPose(body.joint.kind)) {
      Vec6 all;
      all << CalcRotationVector(a.X_WB[i].q * b.X_WB[i].q.conjugate()), a.X_WB[i].p - b.X_WB[i].p;
      for (int k = 0; k < body.nv; ++k) of_body[k] = all[body.dof[k]];
    } else {
      DifferenceJoint(body.joint, b.q.data() + body.q_start, a.q.data() + body.q_start, of_body);
    }
  }
  if (!difference->allFinite()) return kInfinity;
  return model.nv == 0 ? 0 : difference->lpNorm<Eigen::Infinity>();
}

}  // namespace slip
