// An exported model in MuJoCo, and how its velocities translate to ours: by what they do to the
// bodies, not by how the writer orders them.
#pragma once

#include <mujoco/mujoco.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "engine/dynamics/kinematics.h"
#include "engine/dynamics/rigid_dynamics.h"
#include "engine/export/export.h"
#include "tests/support/temp_folder.h"

namespace slip::test {

class ExportedTwin {
 public:
  ExportedTwin(const Model& model, const State& start, const Export& exported)
      : model_(model), start_(start) {
    WriteText(folder_.path("scene.xml"), exported.text);
    for (const ExportFile& mesh : exported.meshes) WriteText(folder_.path(mesh.name), mesh.text);
    char error[1000] = "";
    m = mj_loadXML(folder_.path("scene.xml").c_str(), nullptr, error, sizeof error);
    if (m == nullptr) throw std::runtime_error(error + exported.text.substr(0, 2000));
    d = mj_makeData(m);
    if (m->nkey > 0) mj_resetDataKeyframe(m, d, 0);
    mj_forward(m, d);
  }
  ~ExportedTwin() {
    mj_deleteData(d);
    mj_deleteModel(m);
  }
  ExportedTwin(const ExportedTwin&) = delete;

  int BodyId(const Body& body) const { return mj_name2id(m, mjOBJ_BODY, body.name.c_str()); }
  Vec3 CenterOf(const Body& body) const { return Vec3(d->xipos + 3 * BodyId(body)); }

  /// Goes to a state whose bodies that keep their pose have moved from where the file has them.
  void SetPositions(const State& state) {
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
      const Body& body = model_.bodies[b];
      if (body.shape_of_link >= 0 || body.nv == 0) continue;
      const int id = BodyId(body);
      const int first = m->body_jntadr[id];
      double* q = d->qpos + m->jnt_qposadr[first];
      if (body.nq > 0) {
        if (body.nv > 1) throw std::runtime_error("this test knows no such joint");
        q[0] = state.q[body.q_start];
      } else if (body.nv == 6) {
        const Vec3 p = state.X_WB[b] * body.X_BL.p;
        const Quat turn = state.X_WB[b].q * body.X_BL.q;
        const double pose[] = {p.x(), p.y(), p.z(), turn.w(), turn.x(), turn.y(), turn.z()};
        std::copy(std::begin(pose), std::end(pose), q);
      } else {
        MoveFromStart(b, state, first);
      }
    }
    mj_forward(m, d);
  }

  /// Theirs of a tree at the present state, in our coordinates.
  MatrixX MassMatrix(const Tree& tree, const State& state) {
    MatrixX all(m->nv, m->nv);
    mj_fullM(m, all.data(), d->qM);
    const std::vector<int> dofs = DofsOf(tree);
    MatrixX M(tree.nv, tree.nv);
    for (int i = 0; i < tree.nv; ++i)
      for (int j = 0; j < tree.nv; ++j) M(i, j) = all(dofs[U(i)], dofs[U(j)]);
    const MatrixX T = Translation(tree, state);
    return T.transpose() * M * T;
  }
  /// Their velocities from ours.
  MatrixX Translation(const Tree& tree, const State& state) {
    const std::vector<int> dofs = DofsOf(tree);
    MatrixX ours(6 * tree.links, tree.nv), theirs(6 * tree.links, tree.nv);
    using Rows = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor>;
    Rows jp(3, m->nv), jr(3, m->nv);
    State moving = state;
    for (int l = 0; l < tree.links; ++l) {
      const Body& body = model_.bodies[U(tree.first_body + l)];
      mj_jacBodyCom(m, d, jp.data(), jr.data(), BodyId(body));
      for (int i = 0; i < tree.nv; ++i) {
        theirs.block<3, 1>(6 * l, i) = jr.col(dofs[U(i)]);
        theirs.block<3, 1>(6 * l + 3, i) = jp.col(dofs[U(i)]);
        moving.v.setZero();
        moving.v[tree.v_start + i] = 1;
        ours.block<6, 1>(6 * l, i) = CalcVelocity(model_, moving, tree.first_body + l);
      }
    }
    return theirs.colPivHouseholderQr().solve(ours);
  }
  std::vector<int> DofsOf(const Tree& tree) const {
    std::vector<int> dofs;
    for (int l = 0; l < tree.links; ++l) {
      const int id = BodyId(model_.bodies[U(tree.first_body + l)]);
      for (int i = 0; i < m->body_dofnum[id]; ++i) dofs.push_back(m->body_dofadr[id] + i);
    }
    return dofs;
  }

  mjModel* m = nullptr;
  mjData* d = nullptr;

 private:
  static std::size_t U(int i) { return static_cast<std::size_t>(i); }
  void MoveFromStart(std::size_t b, const State& state, int first) {
    const Body& body = model_.bodies[b];
    const Quat start = start_.X_WB[b].q;
    const Vec3 moved = state.X_WB[b].p - start_.X_WB[b].p;
    const Vec3 turned = CalcRotationVector(state.X_WB[b].q * start.conjugate());
    for (int j = first; j < first + body.nv; ++j) {
      const Vec3 axis = (start * body.X_BL.q) * Vec3(m->jnt_axis + 3 * j);
      d->qpos[m->jnt_qposadr[j]] = axis.dot(m->jnt_type[j] == mjJNT_HINGE ? turned : moved);
    }
  }

  const Model& model_;
  const State& start_;
  TempFolder folder_;
};

/// Ours of a tree.
inline MatrixX MassMatrixOf(const Model& model, const Tree& tree, const State& state) {
  MatrixX M = MatrixX::Zero(tree.nv, tree.nv);
  if (tree.articulated >= 0) {
    TreeDynamics links;
    links.Update(model, tree, state);
    links.CalcMassMatrix(M.data());
    return M;
  }
  const Body& body = model.bodies[static_cast<std::size_t>(tree.first_body)];
  const BodyInertia inertia =
      CalcInertia(body, state.X_WB[static_cast<std::size_t>(tree.first_body)]);
  for (int i = 0; i < body.nv; ++i)
    for (int j = 0; j < body.nv; ++j) {
      const int r = body.dof[i], c = body.dof[j];
      M(i, j) = r < 3 && c < 3 ? inertia.I_W(r, c) : r == c ? inertia.mass : 0;
    }
  return M;
}

/// Somewhere else: every coordinate is moved by up to `size`.
inline State Displaced(const Model& model, const State& from, double size, unsigned seed) {
  State to = from;
  std::srand(seed);
  to.v = size * VectorX::Random(model.nv);
  IntegratePositions(model, 1, &to);
  to.v = from.v;
  return to;
}

}  // namespace slip::test
