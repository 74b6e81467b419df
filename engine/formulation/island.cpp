#include "engine/formulation/island.h"

#include <algorithm>
#include <cmath>

namespace slip {
namespace {

constexpr int kBits = 21;  // of a tree or a contact in a sort key: two million
constexpr std::uint64_t kMask = (std::uint64_t{1} << kBits) - 1;

int FindRoot(std::vector<int>* parent, int i) {
  auto& p = *parent;
  while (p[static_cast<std::size_t>(i)] != i) {
    int& up = p[static_cast<std::size_t>(i)];
    up = p[static_cast<std::size_t>(up)];
    i = up;
  }
  return i;
}

}  // namespace

bool IslandSystem::SameGraph(const ContactProblem& p) const {
  if (sizes_.size() != p.trees.size() || ends_.size() != 2 * p.contacts.size()) return false;
  for (std::size_t t = 0; t < sizes_.size(); ++t) {
    if (sizes_[t] != p.trees[t].nv) return false;
  }
  const int* end = ends_.data();
  for (const auto& contact : p.contacts) {
    if (*end++ != contact.tree_a || *end++ != contact.tree_b) return false;
  }
  return true;
}

// Components, order and pattern. Contacts may come and go between the same trees without a new one.
void IslandSystem::BuildGraph(const ContactProblem& p) {
  const int trees = static_cast<int>(p.trees.size());
  keys_.clear();
  for (const auto& c : p.contacts) {
    if (c.tree_a < 0 || c.tree_b < 0) continue;
    const auto [low, high] = std::minmax(c.tree_a, c.tree_b);
    keys_.push_back(static_cast<std::uint64_t>(low) << kBits | static_cast<std::uint64_t>(high));
  }
  std::sort(keys_.begin(), keys_.end());
  keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
  new_edges_.clear();
  for (const std::uint64_t key : keys_) {
    new_edges_.emplace_back(static_cast<int>(key >> kBits), static_cast<int>(key & kMask));
  }
  bool same = sizes_.size() == p.trees.size() && edges_ == new_edges_;
  for (std::size_t t = 0; same && t < sizes_.size(); ++t) same = sizes_[t] == p.trees[t].nv;
  if (same) return;

  std::swap(edges_, new_edges_);
  sizes_.clear();
  parent_.clear();
  for (int t = 0; t < trees; ++t) {
    sizes_.push_back(p.trees[U(t)].nv);
    parent_.push_back(t);
  }
  for (const auto& [a, b] : edges_) {
    const int ra = FindRoot(&parent_, a), rb = FindRoot(&parent_, b);
    parent_[U(std::max(ra, rb))] = std::min(ra, rb);
  }
  component_.resize(U(trees));
  int components = 0;
  for (int t = 0; t < trees; ++t) {
    const int root = FindRoot(&parent_, t);
    component_[U(t)] = root == t ? components++ : component_[U(root)];
  }
  matrix_.Analyze(sizes_, edges_, component_);
  coordinate_of_.clear();
  A_begin_.clear();
  int offset = 0, widest = 0;
  for (int j = 0; j < trees; ++j) {
    const auto& tree = p.trees[U(matrix_.node(j))];
    for (int i = 0; i < tree.nv; ++i) coordinate_of_.push_back(tree.start + i);
    A_begin_.push_back(offset);
    offset += tree.nv * tree.nv;
    widest = std::max(widest, tree.nv);
  }
  A_.resize(U(offset));
  GJ_.resize(U(3 * widest));
  for (VectorX* x : {&v, &v_star, &v0, &D, &delta, &A_delta, &Av_star, &JTg, &grad, &dv, &A_dv}) {
    x->setZero(matrix_.rows());
  }
}

// Contacts by pair, pairs by their later tree; then the islands' ranges.
void IslandSystem::BuildPairs(const ContactProblem& p) {
  ends_.clear();
  keys_.clear();
  for (std::size_t i = 0; i < p.contacts.size(); ++i) {
    const auto& c = p.contacts[i];
    ends_.push_back(c.tree_a);
    ends_.push_back(c.tree_b);
    const int a = c.tree_a < 0 ? -1 : matrix_.position(c.tree_a);
    const int b = c.tree_b < 0 ? -1 : matrix_.position(c.tree_b);
    keys_.push_back((static_cast<std::uint64_t>(std::max(a, b)) << kBits |
                     static_cast<std::uint64_t>(std::min(a, b) + 1))
                        << kBits |
                    i);
  }
  std::sort(keys_.begin(), keys_.end());
  pairs_.clear();
  blocks_.clear();
  begins_row_.assign(U(matrix_.count()), false);
  contact_of_.clear();
  int J = 0;
  std::uint64_t last = ~std::uint64_t{0};
  for (const std::uint64_t key : keys_) {
    if (key >> kBits != last) {
      last = key >> kBits;
      Pair& pair = pairs_.emplace_back();
      PairBlock& block = blocks_.emplace_back();
      pair.row = static_cast<int>(last >> kBits);
      pair.col = static_cast<int>(last & kMask) - 1;
      pair.six = matrix_.size(pair.row) == 6 && (pair.col < 0 || matrix_.size(pair.col) == 6);
      block.begin = block.end = static_cast<int>(contact_of_.size());
      block.J = J;
      block.x_row = matrix_.begin(pair.row);
      block.H_row = matrix_.DiagonalAt(pair.row);
      if (pair.col >= 0) {
        block.x_col = matrix_.begin(pair.col);
        block.H_col = matrix_.DiagonalAt(pair.col);
        block.H = matrix_.Find(pair.row, pair.col);
      }
      if (!begins_row_[U(pair.row)]) block.A = A_begin_[U(pair.row)];
      begins_row_[U(pair.row)] = true;
    }
    const Pair& pair = pairs_.back();
    PairBlock& block = blocks_.back();
    ++block.end;
    contact_of_.push_back(static_cast<int>(key & kMask));
    J += 3 * (matrix_.size(pair.row) + (pair.col < 0 ? 0 : matrix_.size(pair.col)));
  }
  shareable_ = std::all_of(pairs_.begin(), pairs_.end(), [](const Pair& pair) { return pair.six; });
  J_.resize(U(J));
  work_.resize(p.contacts.size());

  islands_.clear();
  int pair = 0, contact = 0;
  const int trees = matrix_.count();
  for (int j = 0; j < trees;) {
    Island island;
    island.tree_begin = j;
    island.row_begin = matrix_.begin(j);
    island.pair_begin = pair;
    island.contact_begin = contact;
    const int component = component_[U(matrix_.node(j))];
    while (j < trees && component_[U(matrix_.node(j))] == component) ++j;
    while (pair < static_cast<int>(pairs_.size()) && pairs_[U(pair)].row < j) {
      contact = blocks_[U(pair++)].end;
    }
    island.tree_end = j;
    island.row_end = matrix_.begin(j);
    island.pair_end = pair;
    island.contact_end = contact;
    islands_.push_back(island);
  }
  whole_ = Island{};
  whole_.tree_end = trees;
  whole_.row_end = matrix_.rows();
  whole_.pair_end = pair;
  whole_.contact_end = contact;
}

void IslandSystem::Load(const ContactProblem& p, const ContactPasses& passes) {
  passes_ = &passes;
  if (!SameGraph(p)) {
    BuildGraph(p);
    BuildPairs(p);
  }
  const int trees = matrix_.count();
  for (int j = 0; j < trees; ++j) {
    const auto& tree = p.trees[U(matrix_.node(j))];
    const double* from = p.A.data() + tree.A_offset;
    std::copy(from, from + tree.nv * tree.nv, A_.data() + A_begin_[U(j)]);
    const int row = matrix_.begin(j);
    for (int i = 0; i < tree.nv; ++i) {
      D[row + i] = 1 / std::sqrt(from[i * (tree.nv + 1)]);
      v0[row + i] = p.v0[tree.start + i];
      v_star[row + i] = p.v_star[tree.start + i];
    }
  }
  ApplyA(whole_, v_star, &Av_star);
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    const Pair& pair = pairs_[k];
    const PairBlock& block = blocks_[k];
    double* J = J_.data() + block.J;
    const int n_row = 3 * matrix_.size(pair.row);
    const int n_col = pair.col < 0 ? 0 : 3 * matrix_.size(pair.col);
    const int tree = matrix_.node(pair.row);
    for (int i = block.begin; i < block.end; ++i, J += n_row + n_col) {
      const auto& contact = p.contacts[U(contact_of_[U(i)])];
      const bool row_is_a = contact.tree_a == tree;
      const double* row = p.J.data() + (row_is_a ? contact.J_a : contact.J_b);
      const double* col = p.J.data() + (row_is_a ? contact.J_b : contact.J_a);
      std::copy(row, row + n_row, J);
      std::copy(col, col + n_col, J + n_row);
      ContactWork& w = work_[U(i)];
      w.bias = contact.bias;
      w.w = contact.start.w;
      w.v_floor = 10 * contact.start.h;
    }
  }
  const auto count = static_cast<int>(contact_of_.size());
  frozen_.Resize(p.contacts.size() * passes.frozen_size);
  passes.freeze(p, contact_of_.data(), count, frozen_.data());
}

void IslandSystem::Store(ContactProblem* p) const {
  for (Eigen::Index row = 0; row < v.size(); ++row) {
    p->v[coordinate_of_[static_cast<std::size_t>(row)]] = v[row];
  }
  for (std::size_t i = 0; i < work_.size(); ++i) {
    p->contacts[U(contact_of_[i])].gamma = work_[i].value.gamma;
  }
}

}  // namespace slip
