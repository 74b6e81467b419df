#include "engine/formulation/contact_problem.h"

#include <cmath>

namespace slip {

void ContactProblem::Clear() {
  trees.clear();
  A.clear();
  contacts.clear();
  J.clear();
  nv = 0;
}

int ContactProblem::AddTree(int tree_nv) {
  trees.push_back({tree_nv, nv, static_cast<int>(A.size())});
  A.resize(A.size() + static_cast<std::size_t>(tree_nv * tree_nv), 0.0);
  nv += tree_nv;
  return static_cast<int>(trees.size()) - 1;
}

void ContactProblem::Resize() {
  v0.setZero(nv);
  v_star.setZero(nv);
  v.setZero(nv);
}

ContactProblem::Contact& ContactProblem::AddContact(int tree_a, int tree_b) {
  Contact& contact = contacts.emplace_back();
  contact.tree_a = tree_a;
  contact.tree_b = tree_b;
  const auto append = [this](int tree) {
    const auto offset = static_cast<int>(J.size());
    if (tree >= 0) {
      const auto columns = static_cast<std::size_t>(trees[static_cast<std::size_t>(tree)].nv);
      J.resize(J.size() + 3 * columns, 0.0);
    }
    return offset;
  };
  contact.J_a = append(tree_a);
  contact.J_b = append(tree_b);
  return contact;
}

void ContactProblem::CalcDelassus(Contact* contact) const {
  Mat3 W = Mat3::Zero();
  const auto add = [this, &W](int tree_index, int J_offset) {
    if (tree_index < 0) return;
    const Tree& tree = trees[static_cast<std::size_t>(tree_index)];
    const double* block = A.data() + tree.A_offset;
    const double* rows = J.data() + J_offset;
    if (tree.nv == 6) {
      using Rows = Eigen::Matrix<double, 3, 6, Eigen::RowMajor>;
      const Rows G = Eigen::Map<const Rows>(rows);
      Vec6 inverse;
      for (int c = 0; c < 6; ++c) inverse[c] = 1 / block[7 * c];
      W.noalias() += (G * inverse.asDiagonal()).lazyProduct(G.transpose());
      return;
    }
    for (int c = 0; c < tree.nv; ++c) {
      const Vec3 column(rows[c], rows[tree.nv + c], rows[2 * tree.nv + c]);
      W += column * column.transpose() / block[c * tree.nv + c];
    }
  };
  add(contact->tree_a, contact->J_a);
  add(contact->tree_b, contact->J_b);
  contact->start.w = W.norm() / 3;
}

}  // namespace slip
