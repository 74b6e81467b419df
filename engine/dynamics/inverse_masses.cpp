#include "engine/dynamics/inverse_masses.h"

#include <Eigen/Cholesky>

#include "engine/dynamics/rigid_dynamics.h"
#include "engine/dynamics/tree_dynamics.h"

namespace slip {
namespace {

/// Of a tree that is one body without coordinates q.
void AddLoneBody(const Body& body, const Pose& X_WB, int v_start, InverseMasses* out, double* sum) {
  const BodyInertia inertia = CalcInertia(body, X_WB);
  for (int i = 0; i < body.nv; ++i) {
    const int r = body.dof[i];
    const double own = r < 3 ? inertia.I_W(r, r) : inertia.mass;
    At(out->inertia, v_start + i) = own;
    At(out->coordinate, v_start + i) = 1 / own;
    if (r >= 3) *sum += 1 / inertia.mass;
  }
}

}  // namespace

InverseMasses CalcInverseMasses(const Model& model, const State& state, int most) {
  InverseMasses out;
  out.body.assign(model.bodies.size(), 0);
  out.coordinate.assign(static_cast<std::size_t>(model.nv), 0);
  out.inertia = out.coordinate;
  TreeDynamics links;
  for (const Tree& tree : model.trees) {
    if (tree.articulated < 0) {
      double sum = 0;
      const Body& body = model.body(tree.first_body);
      AddLoneBody(body, state.pose(tree.first_body), tree.v_start, &out, &sum);
      At(out.body, tree.first_body) = sum / 3;
      continue;
    }
    if (tree.nv > most) continue;
    links.Update(model, tree, state);
    MatrixX M(tree.nv, tree.nv);
    links.CalcMassMatrix(M.data());
    const Eigen::LLT<MatrixX> factor(M);
    if (factor.info() != Eigen::Success) continue;
    const MatrixX inverse = factor.solve(MatrixX::Identity(tree.nv, tree.nv));
    for (int i = 0; i < tree.nv; ++i) {
      At(out.inertia, tree.v_start + i) = M(i, i);
      At(out.coordinate, tree.v_start + i) = inverse(i, i);
    }
    VectorX row(tree.nv);
    for (int b = tree.first_body; b < tree.first_body + tree.links; ++b) {
      for (int axis = 0; axis < 3; ++axis) {
        links.CalcPointRow(b, state.pose(b).p, Vec3::Unit(axis), row.data());
        At(out.body, b) += row.dot(inverse * row) / 3;
      }
    }
  }
  return out;
}

}  // namespace slip
