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
  branched = spinning = false;
}

int ContactTask::AddTree(int tree_nv, const TreePattern* pattern) {
  trees.push_back({tree_nv, nv, static_cast<int>(A.size()), pattern});
  A.resize(A.size() + static_cast<std::size_t>(trees.back().entries()), 0.0);
  nv += tree_nv;
  branched = branched || pattern != nullptr;
  return static_cast<int>(trees.size()) - 1;
}

void ContactTask::Resize() {
  v0.setZero(nv);
  v_star.setZero(nv);
  momentum.resize(nv);
}

ContactTask::Contact& ContactTask::AddContact(int tree_a, int tree_b, int last, int rows) {
  Contact& contact = contacts.emplace_back();
  contact.tree_a = tree_a;
  contact.tree_b = tree_b;
  contact.last = last;
  contact.rows = rows;
  spinning = spinning || rows == 4;
  const auto append = [this, rows](int columns) {
    const auto offset = static_cast<int>(J.size());
    if (columns > 0) J.resize(J.size() + static_cast<std::size_t>(rows * columns));
    return offset;
  };
  contact.J_a = append(tree_a < 0 ? 0 : trees[static_cast<std::size_t>(tree_a)].nv);
  contact.J_b = append(Columns(contact));
  return contact;
}

int ContactTask::Columns(const Contact& contact) const {
  if (contact.tree_b < 0) return 0;
  const Tree& tree = trees[static_cast<std::size_t>(contact.tree_b)];
  return contact.last < 0 ? tree.nv : tree.pattern->Length(contact.last);
}

const int* ContactTask::WayOf(const Contact& contact) const {
  if (contact.last < 0) return nullptr;
  return trees[static_cast<std::size_t>(contact.tree_b)].pattern->Way(contact.last).data();
}

void ContactTask::GetInertia(const Tree& tree, double* full) const {
  const double* from = A.data() + tree.A_offset;
  if (tree.pattern != nullptr) return tree.pattern->Unpack(from, full);
  std::copy(from, from + tree.entries(), full);
}

void ContactTask::GetRows(const Contact& contact, int first, int count, double* full) const {
  const int nv_b = trees[static_cast<std::size_t>(contact.tree_b)].nv, columns = Columns(contact);
  const int* way = WayOf(contact);
  const double* from = J.data() + contact.J_b + first * columns;
  std::fill(full, full + count * nv_b, 0.0);
  for (int r = 0; r < count; ++r, full += nv_b) {
    for (int c = 0; c < columns; ++c) full[way != nullptr ? way[c] : c] = *from++;
  }
}

void ContactTask::InvertDiagonal(VectorX* inverse) const {
  inverse->resize(nv);
  for (const Tree& tree : trees) {
    double* own = inverse->data() + tree.start;
    ForEachDiagonal(tree, [own](int c, double entry) { own[c] = 1 / entry; });
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
  const auto add = [&](int tree_index, int n, const auto& coordinate, const auto& J_at) {
    if (tree_index < 0) return;
    const double* inverse =
        inverse_diagonal.data() + trees[static_cast<std::size_t>(tree_index)].start;
    for (int c = 0; c < n; ++c) {
      const double x = J_at(c), y = J_at(n + c), z = J_at(2 * n + c);
      const double scale = inverse[coordinate(c)];
      const double sx = x * scale, sy = y * scale, sz = z * scale;
      W[0] += sx * x;
      W[1] += sx * y;
      W[2] += sx * z;
      W[3] += sy * y;
      W[4] += sy * z;
      W[5] += sz * z;
    }
  };
  const double *J_a = J.data() + contact->J_a, *J_b = J.data() + contact->J_b;
  const int n_b = Columns(*contact);
  const auto each = [](int c) { return c; };
  if (contact->last >= 0) {
    const int* way = WayOf(*contact);
    add(
        contact->tree_b, n_b, [way](int c) { return way[c]; }, [&](int i) { return J_b[i]; });
  } else if (contact->tree_a == contact->tree_b) {
    add(contact->tree_a, n_b, each, [&](int i) { return J_a[i] + J_b[i]; });
  } else {
    const int n_a = contact->tree_a < 0 ? 0 : trees[static_cast<std::size_t>(contact->tree_a)].nv;
    add(contact->tree_a, n_a, each, [&](int i) { return J_a[i]; });
    add(contact->tree_b, n_b, each, [&](int i) { return J_b[i]; });
  }
  const double off = W[1] * W[1] + W[2] * W[2] + W[4] * W[4];
  contact->start.w = std::sqrt(W[0] * W[0] + W[3] * W[3] + W[5] * W[5] + 2 * off) / 3;
}

}  // namespace slip
