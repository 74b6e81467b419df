#include "engine/convex/contact_problem.h"

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
      J.resize(J.size() + 3 * columns);
    }
    return offset;
  };
  contact.J_a = append(tree_a);
  contact.J_b = append(tree_b);
  return contact;
}

void ContactProblem::InvertDiagonal(VectorX* inverse) const {
  inverse->resize(nv);
  for (const Tree& tree : trees) {
    const double* block = A.data() + tree.A_offset;
    for (int c = 0; c < tree.nv; ++c) {
      (*inverse)[tree.start + c] = 1 / block[c * (tree.nv + 1)];
    }
  }
}

void ContactProblem::CalcDelassus(Contact* contact) const {
  VectorX inverse;
  InvertDiagonal(&inverse);
  CalcDelassus(contact, inverse);
}

void ContactProblem::CalcDelassus(Contact* contact, const VectorX& inverse_diagonal) const {
  // the six entries of the symmetric W: xx, xy, xz, yy, yz, zz
  double W[6] = {0, 0, 0, 0, 0, 0};
  const auto add = [&](int tree_index, int J_offset) {
    if (tree_index < 0) return;
    const Tree& tree = trees[static_cast<std::size_t>(tree_index)];
    const int n = tree.nv;
    const double* inverse = inverse_diagonal.data() + tree.start;
    const double* x = J.data() + J_offset;
    const double *y = x + n, *z = y + n;
    for (int c = 0; c < n; ++c) {
      const double sx = x[c] * inverse[c], sy = y[c] * inverse[c], sz = z[c] * inverse[c];
      W[0] += sx * x[c];
      W[1] += sx * y[c];
      W[2] += sx * z[c];
      W[3] += sy * y[c];
      W[4] += sy * z[c];
      W[5] += sz * z[c];
    }
  };
  add(contact->tree_a, contact->J_a);
  add(contact->tree_b, contact->J_b);
  const double off = W[1] * W[1] + W[2] * W[2] + W[4] * W[4];
  contact->start.w = std::sqrt(W[0] * W[0] + W[3] * W[3] + W[5] * W[5] + 2 * off) / 3;
}

}  // namespace slip
