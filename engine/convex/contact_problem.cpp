#include "engine/convex/contact_problem.h"

#include <cmath>

namespace slip {

double ContactTask::Scalar::Cost(double v) const {
  // gain/2 (v - target)² until the impulse meets its bound, a straight line beyond
  const double error = v - target, impulse = Impulse(v), free = -gain * error;
  if (impulse == free) return 0.5 * gain * error * error;
  const double at_bound = -impulse / gain;  // error there
  return 0.5 * gain * at_bound * at_bound - impulse * (error - at_bound);
}

void ContactTask::Clear() {
  trees.clear();
  A.clear();
  contacts.clear();
  J.clear();
  scalars.clear();
  nv = 0;
}

int ContactTask::AddTree(int tree_nv) {
  trees.push_back({tree_nv, nv, static_cast<int>(A.size())});
  A.resize(A.size() + static_cast<std::size_t>(tree_nv * tree_nv), 0.0);
  nv += tree_nv;
  return static_cast<int>(trees.size()) - 1;
}

void ContactTask::Resize() {
  v0.setZero(nv);
  v_star.setZero(nv);
}

ContactTask::Contact& ContactTask::AddContact(int tree_a, int tree_b) {
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

void ContactTask::InvertDiagonal(VectorX* inverse) const {
  inverse->resize(nv);
  for (const Tree& tree : trees) {
    const double* block = A.data() + tree.A_offset;
    for (int c = 0; c < tree.nv; ++c) {
      (*inverse)[tree.start + c] = 1 / block[c * (tree.nv + 1)];
    }
  }
}

void ContactTask::CalcDelassus(Contact* contact) const {
  VectorX inverse;
  InvertDiagonal(&inverse);
  CalcDelassus(contact, inverse);
}

void ContactTask::CalcDelassus(Contact* contact, const VectorX& inverse_diagonal) const {
  // the six entries of the symmetric W: xx, xy, xz, yy, yz, zz
  double W[6] = {0, 0, 0, 0, 0, 0};
  const auto add = [&](int tree_index, const auto& J_at) {
    if (tree_index < 0) return;
    const Tree& tree = trees[static_cast<std::size_t>(tree_index)];
    const int n = tree.nv;
    const double* inverse = inverse_diagonal.data() + tree.start;
    for (int c = 0; c < n; ++c) {
      const double x = J_at(c), y = J_at(n + c), z = J_at(2 * n + c);
      const double sx = x * inverse[c], sy = y * inverse[c], sz = z * inverse[c];
      W[0] += sx * x;
      W[1] += sx * y;
      W[2] += sx * z;
      W[3] += sy * y;
      W[4] += sy * z;
      W[5] += sz * z;
    }
  };
  const double *J_a = J.data() + contact->J_a, *J_b = J.data() + contact->J_b;
  if (contact->tree_a == contact->tree_b) {
    add(contact->tree_a, [&](int i) { return J_a[i] + J_b[i]; });
  } else {
    add(contact->tree_a, [&](int i) { return J_a[i]; });
    add(contact->tree_b, [&](int i) { return J_b[i]; });
  }
  const double off = W[1] * W[1] + W[2] * W[2] + W[4] * W[4];
  contact->start.w = std::sqrt(W[0] * W[0] + W[3] * W[3] + W[5] * W[5] + 2 * off) / 3;
}

}  // namespace slip
