#include "engine/convex/island.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace slip {
namespace {

constexpr int kBits = 21;  // of a tree or a contact in a sort key: two million
constexpr std::uint64_t kMask = (std::uint64_t{1} << kBits) - 1;

// A pair whose contacts would be this part of a fall from rest apart after the step is near.
constexpr double kNear = 0.1;

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

bool IslandSystem::SameTrees(const ContactTask& p) const {
  if (sizes_.size() != p.trees.size() || has_patterns_ != p.branched) return false;
  for (std::size_t t = 0; t < sizes_.size(); ++t) {
    if (sizes_[t] != p.trees[t].nv) return false;
    if (p.branched && entries_[t] != p.trees[t].entries()) return false;
  }
  return true;
}

bool IslandSystem::SameGraph(const ContactTask& p) const {
  if (!SameTrees(p) || ends_.size() != 2 * p.contacts.size()) return false;
  const int* end = ends_.data();
  for (const auto& contact : p.contacts) {
    if (*end++ != contact.tree_a || *end++ != contact.tree_b) return false;
  }
  return true;
}

// Components, their order, and the blocks of H. Contacts may come and go between the same trees
// without a new one.
void IslandSystem::BuildGraph(const ContactTask& p) {
  keys_.clear();
  for (const auto& c : p.contacts) {
    if (c.tree_a < 0 || c.tree_b < 0 || c.tree_a == c.tree_b) continue;
    const auto [low, high] = std::minmax(c.tree_a, c.tree_b);
    keys_.push_back(static_cast<std::uint64_t>(low) << kBits | static_cast<std::uint64_t>(high));
  }
  std::sort(keys_.begin(), keys_.end());
  keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
  new_graph_.clear();
  for (const std::uint64_t key : keys_) {
    new_graph_.emplace_back(static_cast<int>(key >> kBits), static_cast<int>(key & kMask));
  }
  if (graph_ == new_graph_ && SameTrees(p)) return;
  std::swap(graph_, new_graph_);
  OrderTrees(p);

  const int trees = this->trees();
  int A = 0, H = 0;
  coordinate_of_.clear();
  row_begin_.assign(1, 0);
  A_begin_.clear();
  H_begin_.clear();
  for (int j = 0; j < trees; ++j) {
    const auto& tree = p.trees[U(tree_of_[U(j)])];
    for (int i = 0; i < tree.nv; ++i) coordinate_of_.push_back(tree.start + i);
    row_begin_.push_back(row_begin_.back() + tree.nv);
    A_begin_.push_back(A);
    A += tree.entries();
    H_begin_.push_back(H);
    H += BlockRoom(tree.nv, tree.nv);
  }
  edges_.clear();
  for (const auto& [a, b] : graph_) {
    const auto [col, row] = std::minmax(position_[U(a)], position_[U(b)]);
    edges_.push_back({row, col});
  }
  std::sort(edges_.begin(), edges_.end(), [](const Edge& a, const Edge& b) {
    return a.row != b.row ? a.row < b.row : a.col < b.col;
  });
  for (Edge& edge : edges_) {
    edge.H = H;
    H += BlockRoom(size(edge.row), size(edge.col));
  }
  A_.resize(U(A));
  H_.resize(U(H));
  has_patterns_ = p.branched;
  pattern_of_.assign(U(trees), nullptr);
  branched_ = pattern_of_;
  if (p.branched) L_.resize(U(H));
  GJ_.resize(U(3 * rows()));
  for (VectorX* x : {&v, &v_star, &v0, &D, &delta, &A_delta, &Av_star, &JTg, &grad, &dv, &A_dv}) {
    x->setZero(rows());
  }
  for (Factor& factor : factors_) factor.stale = true;
}

// Lone trees first, then component by component.
void IslandSystem::OrderTrees(const ContactTask& p) {
  const int trees = static_cast<int>(p.trees.size());
  sizes_.clear();
  entries_.clear();
  parent_.clear();
  int largest = 0;
  for (int t = 0; t < trees; ++t) {
    sizes_.push_back(p.trees[U(t)].nv);
    entries_.push_back(p.trees[U(t)].entries());
    largest = std::max(largest, sizes_.back());
    parent_.push_back(t);
  }
  for (const auto& [a, b] : graph_) {
    const int ra = FindRoot(&parent_, a), rb = FindRoot(&parent_, b);
    parent_[U(std::max(ra, rb))] = std::min(ra, rb);
  }
  full_.resize(U(3 * largest + largest * largest));
  // a component is named by its lowest tree; how many trees each has
  scratch_.assign(U(trees), 0);
  for (int t = 0; t < trees; ++t) ++scratch_[U(FindRoot(&parent_, t))];
  lone_trees_ = 0;
  for (int t = 0; t < trees; ++t) lone_trees_ += scratch_[U(t)] == 1 ? 1 : 0;
  component_.resize(U(trees));
  position_.resize(U(trees));
  tree_of_.resize(U(trees));
  int lone = 0, next = lone_trees_;
  for (int t = 0; t < trees; ++t) {
    const int root = FindRoot(&parent_, t);
    int& place = scratch_[U(root)];
    if (root == t) {  // from the number of trees to the place of the first
      int& begin = place == 1 ? lone : next;
      place = std::exchange(begin, begin + place);
    }
    position_[U(t)] = place;
    tree_of_[U(place)] = t;
    component_[U(place++)] = root;
  }
}

// Contacts by pair, pairs by their later tree. One between two links of a tree links it to no
// other: it stands with those of the tree and the world.
void IslandSystem::BuildPairs(const ContactTask& p) {
  ends_.clear();
  keys_.clear();
  for (std::size_t i = 0; i < p.contacts.size(); ++i) {
    const auto& c = p.contacts[i];
    ends_.push_back(c.tree_a);
    ends_.push_back(c.tree_b);
    const bool linked = c.tree_a >= 0 && c.tree_a != c.tree_b;
    const int a = linked ? position_[U(c.tree_a)] : -1;
    const int b = c.tree_b < 0 ? -1 : position_[U(c.tree_b)];
    keys_.push_back((static_cast<std::uint64_t>(std::max(a, b)) << kBits |
                     static_cast<std::uint64_t>(std::min(a, b) + 1))
                        << kBits |
                    i);
  }
  std::sort(keys_.begin(), keys_.end());
  pairs_.clear();
  blocks_.clear();
  begins_row_.assign(U(trees()), false);
  contact_of_.clear();
  int J = 0, edge = 0;
  std::uint64_t last = ~std::uint64_t{0};
  for (const std::uint64_t key : keys_) {
    if (key >> kBits != last) {
      last = key >> kBits;
      Pair& pair = pairs_.emplace_back();
      PairBlock& block = blocks_.emplace_back();
      pair.row = static_cast<int>(last >> kBits);
      pair.col = static_cast<int>(last & kMask) - 1;
      pair.six = size(pair.row) == 6 && (pair.col < 0 || size(pair.col) == 6);
      block.begin = block.end = static_cast<int>(contact_of_.size());
      block.J = J;
      block.x_row = row_begin_[U(pair.row)];
      block.H_row = H_begin_[U(pair.row)];
      if (pair.col >= 0) {
        pair.edge = edge++;  // both are sorted alike
        block.x_col = row_begin_[U(pair.col)];
        block.H_col = H_begin_[U(pair.col)];
        block.H = edges_[U(pair.edge)].H;
      }
      if (!begins_row_[U(pair.row)]) block.A = A_begin_[U(pair.row)];
      begins_row_[U(pair.row)] = true;
    }
    const Pair& pair = pairs_.back();
    PairBlock& block = blocks_.back();
    ++block.end;
    contact_of_.push_back(static_cast<int>(key & kMask));
    J += 3 * (size(pair.row) + (pair.col < 0 ? 0 : size(pair.col)));
  }
  J_.resize(U(J));
  work_.resize(p.contacts.size());
  last_.resize(p.contacts.size());
  BuildIslands();
}

void IslandSystem::BuildIslands() {
  islands_.clear();
  Island next;
  int factors = 1;
  while (next.tree_begin < trees()) {
    Island island = next;
    const int begin = island.tree_begin;
    int j = begin;
    while (j < trees() && component_[U(j)] == component_[U(begin)]) ++j;
    int pair = island.pair_begin, edge = island.edge_begin;
    while (pair < static_cast<int>(pairs_.size()) && pairs_[U(pair)].row < j) {
      if (pairs_[U(pair)].edge >= 0) ++edge;
      island.contact_end = blocks_[U(pair++)].end;
    }
    island.tree_end = j;
    island.row_end = row_begin_[U(j)];
    island.pair_end = pair;
    island.edge_end = edge;
    island.factor = begin < lone_trees_ ? 0 : factors++;
    islands_.push_back(island);
    next = {.tree_begin = j,
            .row_begin = island.row_end,
            .pair_begin = pair,
            .contact_begin = island.contact_end,
            .contact_end = island.contact_end,
            .edge_begin = edge};
  }
  whole_ = Island{};
  whole_.tree_end = trees();
  whole_.row_end = rows();
  whole_.pair_end = next.pair_begin;
  whole_.contact_end = next.contact_begin;
  whole_.edge_end = next.edge_begin;
  if (factors > static_cast<int>(factors_.size())) factors_.resize(U(factors));
  if (factors_[0].stale && lone_trees_ > 0) Analyze(islands_.front());
}

// Contacts with the world keep the pattern of a tree, one between two of its links does not.
void IslandSystem::LoadPatterns(const ContactTask& p) {
  if (!p.branched) return;
  for (int j = 0; j < trees(); ++j) pattern_of_[U(j)] = p.trees[U(tree_of_[U(j)])].pattern;
  branched_ = pattern_of_;
  for (int j = lone_trees_; j < trees(); ++j) branched_[U(j)] = nullptr;
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    const TreePattern*& pattern = branched_[U(pairs_[k].row)];
    for (int i = blocks_[k].begin; i < blocks_[k].end && pattern != nullptr; ++i) {
      last_[U(i)] = p.contacts[U(contact_of_[U(i)])].last;
      if (last_[U(i)] < 0) pattern = nullptr;
    }
  }
}

// A v*: known of trees with a pattern.
void IslandSystem::LoadMomentum(const ContactTask& p) {
  if (!p.branched) return ApplyA(whole_, v_star, &Av_star);
  for (const Island& island : islands_) {
    if (PatternOf(island) == nullptr) {
      ApplyA(island, v_star, &Av_star);
      continue;
    }
    const auto& tree = p.trees[U(tree_of_[U(island.tree_begin)])];
    Av_star.segment(island.row_begin, tree.nv) = p.momentum.segment(tree.start, tree.nv);
  }
}

// Scalars come and go with the step: they are dealt to the islands anew.
void IslandSystem::LoadScalars(const ContactTask& p) {
  if (p.scalars.empty() && scalars_.empty()) return;
  scalars_.clear();
  for (std::size_t i = 0; i < p.scalars.size(); ++i) {
    const ContactTask::Scalar& scalar = p.scalars[i];
    const int j = position_[U(scalar.tree)], c = scalar.coordinate;
    const TreePattern* pattern = PatternOf(j);
    const int diagonal =
        pattern != nullptr ? pattern->Diagonal(c) : c * (ColumnStride(size(j)) + 1);
    scalars_.push_back({.row = row_begin_[U(j)] + c,
                        .H = H_begin_[U(j)] + diagonal,
                        .index = static_cast<int>(i),
                        .scalar = scalar});
  }
  const auto before = [](const ScalarRow& a, const ScalarRow& b) {
    return a.row != b.row ? a.row < b.row : a.index < b.index;
  };
  if (!std::is_sorted(scalars_.begin(), scalars_.end(), before))
    std::sort(scalars_.begin(), scalars_.end(), before);
  int next = 0;
  for (Island& island : islands_) {
    island.scalar_begin = next;
    while (next < static_cast<int>(scalars_.size()) && scalars_[U(next)].row < island.row_end)
      ++next;
    island.scalar_end = next;
  }
  whole_.scalar_begin = 0;
  whole_.scalar_end = next;
}

void IslandSystem::Load(const ContactTask& p, const ContactPasses& passes) {
  passes_ = &passes;
  if (!SameGraph(p)) {
    BuildGraph(p);
    BuildPairs(p);
  }
  LoadPatterns(p);
  LoadScalars(p);
  for (int j = 0; j < trees(); ++j) {
    const auto& tree = p.trees[U(tree_of_[U(j)])];
    const double* from = p.A.data() + tree.A_offset;
    std::copy(from, from + tree.entries(), A_.data() + A_begin_[U(j)]);
    const int row = row_begin_[U(j)];
    p.ForEachDiagonal(tree, [&](int i, double entry) { D[row + i] = 1 / std::sqrt(entry); });
    for (int i = 0; i < tree.nv; ++i) {
      v0[row + i] = p.v0[tree.start + i];
      v_star[row + i] = p.v_star[tree.start + i];
    }
  }
  LoadMomentum(p);
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    const Pair& pair = pairs_[k];
    const PairBlock& block = blocks_[k];
    double* J = J_.data() + block.J;
    const int n_row = 3 * size(pair.row);
    const int n_col = pair.col < 0 ? 0 : 3 * size(pair.col);
    const int tree = tree_of_[U(pair.row)];
    bool near = false;
    for (int i = block.begin; i < block.end; ++i, J += n_row + n_col) {
      const auto& contact = p.contacts[U(contact_of_[U(i)])];
      const bool row_is_a = contact.tree_a == tree;
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
      ContactWork& w = work_[U(i)];
      w.bias = contact.bias;
      w.w = contact.start.w;
      w.v_floor = 10 * contact.start.h;
      const ContactStart& start = contact.start;
      near = near || start.phi0 + start.h * start.vn0 < kNear * start.h * w.v_floor;
    }
    if (pair.edge >= 0) edges_[U(pair.edge)].near = near;
  }
  if (p.spinning || !spins_.empty()) LoadSpins(p);
  const auto count = static_cast<int>(contact_of_.size());
  frozen_.Resize(p.contacts.size() * passes.frozen_size);
  passes.freeze(p, contact_of_.data(), count, frozen_.data());
}

void IslandSystem::Store(ContactSolution* solution) const {
  for (Eigen::Index row = 0; row < v.size(); ++row) {
    solution->v[coordinate_of_[static_cast<std::size_t>(row)]] = v[row];
  }
  for (std::size_t i = 0; i < work_.size(); ++i) {
    solution->impulses[U(contact_of_[i])] = work_[i].value.gamma;
  }
  solution->spin_impulses.clear();
  if (!spins_.empty()) solution->spin_impulses.resize(work_.size(), 0.0);
  for (std::size_t i = 0; i < spins_.size(); ++i)
    solution->spin_impulses[U(contact_of_[U(spins_[i].contact)])] =
        spins_[i].rho * spin_work_[i].gamma;
  solution->scalar_impulses.resize(scalars_.size());
  for (const ScalarRow& row : scalars_)
    solution->scalar_impulses[U(row.index)] = row.scalar.Impulse(v[row.row]);
}

}  // namespace slip
