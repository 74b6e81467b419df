#include "engine/convex/island_numbers.h"

#include <cmath>

#include "engine/core/numbers.h"

namespace slip {
namespace {

// A pair whose contacts would be this part of a fall from rest apart after the step is near.
constexpr double kNear = 0.1;

void CopyColumns(const double* A, int n, double* H) {
  if (n == 6) {  // of a size that the compiler knows
    for (int c = 0; c < 6; ++c) std::copy_n(A + 6 * c, 6, H + kStride6 * c);
    return;
  }
  std::copy_n(A, n * n, H);  // stored without gaps, too
}

}  // namespace

void IslandNumbers::Resize() {
  A_.resize(ToIndex(order_->A_size()));
  pattern_of_.assign(ToIndex(order_->trees()), nullptr);
  branched_ = pattern_of_;
  near_.assign(order_->edges().size(), 0);
  for (VectorX* x : {&v0_, &v_star_, &Av_star_, &D_}) x->setZero(order_->rows());
}

// Contacts with the world keep the pattern of a tree, one between two of its links does not.
void IslandNumbers::LoadPatterns(const ContactTask& p) {
  if (!p.branched) return;
  for (int j = 0; j < order_->trees(); ++j)
    At(pattern_of_, j) = At(p.trees, order_->place(j).tree).pattern;
  branched_ = pattern_of_;
  for (int j = order_->lone_trees(); j < order_->trees(); ++j) At(branched_, j) = nullptr;
  for (std::size_t k = 0; k < order_->pairs().size(); ++k) {
    const TreePattern*& pattern = At(branched_, order_->pairs()[k].row);
    const PairBlock& block = order_->blocks()[k];
    for (int i = block.begin; i < block.end && pattern != nullptr; ++i) {
      At(last_, i) = At(p.contacts, order_->contact(i)).last;
      if (At(last_, i) < 0) pattern = nullptr;
    }
  }
}

void IslandNumbers::LoadTrees(const ContactTask& p) {
  for (int j = 0; j < order_->trees(); ++j) {
    const IslandOrder::Place& place = order_->place(j);
    const auto& tree = At(p.trees, place.tree);
    const double* from = p.A.data() + tree.A_offset;
    std::copy(from, from + tree.entries(), A_.data() + place.A);
    const int row = place.row;
    p.ForEachDiagonal(tree, [&](int i, double entry) { D_[row + i] = 1 / std::sqrt(entry); });
    for (int i = 0; i < tree.nv; ++i) {
      v0_[row + i] = p.v0[tree.start + i];
      v_star_[row + i] = p.v_star[tree.start + i];
    }
  }
  // A v*: known of trees with a pattern
  if (!p.branched) return ApplyA(order_->whole(), v_star_, &Av_star_);
  for (const Island& island : order_->islands()) {
    if (PatternOf(island) == nullptr) {
      ApplyA(island, v_star_, &Av_star_);
      continue;
    }
    const auto& tree = At(p.trees, order_->place(island.tree_begin).tree);
    Av_star_.segment(island.row_begin, tree.nv) = p.momentum.segment(tree.start, tree.nv);
  }
}

void IslandNumbers::LoadContacts(const ContactTask& p) {
  for (std::size_t k = 0; k < order_->pairs().size(); ++k) {
    const IslandOrder::Pair& pair = order_->pairs()[k];
    const PairBlock& block = order_->blocks()[k];
    const IslandOrder::Place& place = order_->place(pair.row);
    double* J = J_.data() + block.J;
    const int n_row = 3 * place.size, n_col = 3 * order_->columns(pair);
    bool near = false;
    for (int i = block.begin; i < block.end; ++i, J += n_row + n_col) {
      const auto& contact = At(p.contacts, order_->contact(i));
      const bool row_is_a = contact.tree_a == place.tree;
      const double* row = p.J.data() + (row_is_a ? contact.J_a : contact.J_b);
      const double* col = p.J.data() + (row_is_a ? contact.J_b : contact.J_a);
      if (contact.last >= 0 && PatternOf(pair.row) != nullptr) {
        std::copy(row, row + 3 * p.Columns(contact), J);
      } else if (contact.last >= 0) {
        p.GetRows(contact, 0, 3, J);
      } else {
        std::copy(row, row + n_row, J);
      }
      if (contact.tree_a == contact.tree_b) {
        for (int c = 0; c < n_row; ++c) J[c] += col[c];
      } else {
        std::copy(col, col + n_col, J + n_row);
      }
      ContactWork& w = At(work_, i);
      w.bias = contact.bias;
      w.w = contact.start.w;
      w.v_floor = 10 * contact.start.h;
      const ContactStart& start = contact.start;
      near = near || start.phi0 + start.h * start.vn0 < kNear * start.h * w.v_floor;
    }
    if (pair.edge >= 0) At(near_, pair.edge) = near;
  }
}

// Scalars come and go with the step: they are dealt to the islands anew.
void IslandNumbers::LoadScalars(const ContactTask& p) {
  if (p.scalars.empty() && scalars_.empty()) return;
  scalars_.clear();
  for (std::size_t i = 0; i < p.scalars.size(); ++i) {
    const ContactTask::Scalar& scalar = p.scalars[i];
    const int j = order_->position(scalar.tree), c = scalar.coordinate;
    const IslandOrder::Place& place = order_->place(j);
    const TreePattern* pattern = PatternOf(j);
    const int diagonal =
        pattern != nullptr ? pattern->Diagonal(c) : c * (ColumnStride(place.size) + 1);
    scalars_.push_back({.row = place.row + c,
                        .H = place.H + diagonal,
                        .index = static_cast<int>(i),
                        .scalar = scalar});
  }
  const auto before = [](const ScalarRow& a, const ScalarRow& b) {
    return a.row != b.row ? a.row < b.row : a.index < b.index;
  };
  if (!std::is_sorted(scalars_.begin(), scalars_.end(), before))
    std::sort(scalars_.begin(), scalars_.end(), before);
  order_->DealScalars(static_cast<int>(scalars_.size()),
                      [this](int i) { return At(scalars_, i).row; });
}

void IslandNumbers::Load(const ContactTask& p, const ContactPasses& passes,
                         IslandOrder::Change change) {
  passes_ = &passes;
  if (change == IslandOrder::Change::kBlocks) Resize();
  if (change != IslandOrder::Change::kNone) {
    J_.resize(ToIndex(order_->J_size()));
    work_.resize(p.contacts.size());
    last_.resize(p.contacts.size());
  }
  LoadPatterns(p);
  LoadScalars(p);
  LoadTrees(p);
  LoadContacts(p);
  if (p.spinning || !spins_.empty()) LoadSpins(p);
  frozen_.Resize(p.contacts.size() * passes.frozen_size);
  passes.freeze(p, order_->contacts().data(), static_cast<int>(work_.size()), frozen_.data());
}

void IslandNumbers::Store(const VectorX& v, ContactSolution* solution) const {
  for (int row = 0; row < order_->rows(); ++row) solution->v[order_->coordinate(row)] = v[row];
  for (std::size_t i = 0; i < work_.size(); ++i)
    At(solution->impulses, order_->contacts()[i]) = work_[i].value.gamma;
  solution->spin_impulses.clear();
  if (!spins_.empty()) solution->spin_impulses.resize(work_.size(), 0.0);
  for (std::size_t i = 0; i < spins_.size(); ++i)
    At(solution->spin_impulses, order_->contact(spins_[i].contact)) =
        spins_[i].rho * spin_work_[i].gamma;
  solution->scalar_impulses.resize(scalars_.size());
  for (const ScalarRow& row : scalars_)
    At(solution->scalar_impulses, row.index) = row.scalar.Impulse(v[row.row]);
}

void IslandNumbers::CopyInertia(int position, double* H) const {
  if (const TreePattern* pattern = PatternOf(position)) {
    std::copy_n(A_.data() + order_->place(position).A, pattern->entries(), H);
  } else {
    CopyFullInertia(position, H);
  }
}

void IslandNumbers::CopyFullInertia(int position, double* H) const {
  const IslandOrder::Place& place = order_->place(position);
  if (const TreePattern* pattern = At(pattern_of_, position)) {
    pattern->Unpack(A_.data() + place.A, H);
  } else {
    CopyColumns(A_.data() + place.A, place.size, H);
  }
}

}  // namespace slip
