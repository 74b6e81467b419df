#include "engine/convex/contact_problem.h"

#include "engine/convex/inverse_inertia.h"
#include "engine/core/numbers.h"

namespace slip {

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
  const int columns_a = tree_a < 0 ? 0 : At(trees, tree_a).nv;
  contact.J_a = static_cast<int>(J.size());
  contact.J_b = contact.J_a + rows * columns_a;
  J.resize(static_cast<std::size_t>(contact.J_b + rows * Columns(contact)));
  return contact;
}

int ContactTask::Columns(const Contact& contact) const {
  if (contact.tree_b < 0) return 0;
  const Tree& tree = At(trees, contact.tree_b);
  return contact.last < 0 ? tree.nv : tree.pattern->Length(contact.last);
}

const int* ContactTask::WayOf(const Contact& contact) const {
  if (contact.last < 0) return nullptr;
  return At(trees, contact.tree_b).pattern->Path(contact.last).data();
}

void ContactTask::GetInertia(const Tree& tree, double* full) const {
  const double* from = A.data() + tree.A_offset;
  if (tree.pattern != nullptr) return tree.pattern->Unpack(from, full);
  std::copy(from, from + tree.entries(), full);
}

void ContactTask::GetRows(const Contact& contact, int first, int count, double* full) const {
  const int nv_b = At(trees, contact.tree_b).nv, columns = Columns(contact);
  const int* way = WayOf(contact);
  const double* from = J.data() + contact.J_b + first * columns;
  std::fill(full, full + count * nv_b, 0.0);
  for (int r = 0; r < count; ++r, full += nv_b) {
    for (int c = 0; c < columns; ++c) full[way != nullptr ? way[c] : c] = *from++;
  }
}

void ContactTask::CalcDelassus(Contact* contact) const {
  InverseInertia inverse;
  inverse.Update(*this);
  contact->start.w = inverse.CalcDelassus(*contact);
}

}  // namespace slip
