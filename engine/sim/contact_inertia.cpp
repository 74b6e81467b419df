#include "engine/sim/contact_inertia.h"

#include "engine/core/numbers.h"
#include "engine/dynamics/rigid_dynamics.h"
#include "engine/dynamics/tree_dynamics.h"

namespace slip {

ContactInertia CalcContactInertia(const Model& model, const ChannelFrame& frame,
                                  const ContactFrame& contact) {
  Mat3 W = Mat3::Zero();  // world axes: its norm does not depend on the tangents
  double inverse = 0;
  // of a link its whole tree resists
  const auto add_link = [&](int index, const Tree& tree) {
    State state;
    for (const BodyFrame& body : frame.bodies) state.X_WB.push_back(body.X_WB);
    state.v.setZero(model.nv);
    TreeDynamics links;
    links.Update(model, tree, state);
    MatrixX M(tree.nv, tree.nv);
    links.CalcMassMatrix(M.data());
    Eigen::Matrix<double, 3, Eigen::Dynamic> J(3, tree.nv);
    VectorX row(tree.nv);
    for (int axis = 0; axis < 3; ++axis) {
      links.CalcPointRow(index, contact.p_W, Vec3::Unit(axis), row.data());
      J.row(axis) = row;
    }
    const Eigen::LLT<MatrixX> factor(M);
    W += J * factor.solve(J.transpose());
    links.CalcPointRow(index, contact.p_W, contact.n_W, row.data());
    inverse += row.dot(factor.solve(row));
  };
  const auto add = [&](int index) {
    if (index < 0) return;
    const auto b = static_cast<std::size_t>(index);
    const Body& body = model.bodies[b];
    if (!body.Moves()) return;
    const Tree& tree = model.TreeOf(body);
    if (tree.articulated >= 0) return add_link(index, tree);
    const Pose& X = frame.bodies[b].X_WB;
    const BodyInertia inertia = CalcInertia(body, X);
    double rows[3][6], normal[6];
    for (int axis = 0; axis < 3; ++axis)
      CalcJacobianRow(body, X, contact.p_W, Vec3::Unit(axis), rows[axis]);
    CalcJacobianRow(body, X, contact.p_W, contact.n_W, normal);
    using Block = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6>;
    using Row = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1>;
    Block M = Block::Zero(body.nv, body.nv);
    for (int i = 0; i < body.nv; ++i) {
      const int r = body.dof[i];
      for (int j = 0; j < body.nv; ++j) {
        const int c = body.dof[j];
        M(i, j) = r < 3 && c < 3 ? inertia.I_W(r, c) : r == c ? inertia.mass : 0;
      }
    }
    const Eigen::LLT<Block> factor(M);
    using Rows = Eigen::Matrix<double, Eigen::Dynamic, 3, 0, 6, 3>;
    Rows J_transposed(body.nv, 3);
    for (int axis = 0; axis < 3; ++axis)
      J_transposed.col(axis) = Eigen::Map<const Row>(rows[axis], body.nv);
    W += J_transposed.transpose() * factor.solve(J_transposed);
    const Row n = Eigen::Map<const Row>(normal, body.nv);
    inverse += n.dot(factor.solve(n));
  };
  add(contact.body);
  add(contact.body_a);
  ContactInertia out;
  out.w = W.norm() / 3;
  out.normal_mass = inverse > 0 ? 1 / inverse : kInfinity;
  return out;
}

}  // namespace slip
