#include "engine/convex/island_order.h"

#include <algorithm>

#include "engine/core/numbers.h"

namespace slip {
namespace {

constexpr int kBits = 21;  // of a tree or a contact in a sort key: two million
constexpr std::uint64_t kMask = (std::uint64_t{1} << kBits) - 1;

int FindRoot(std::vector<int>* parent, int i) {
  auto& p = *parent;
  while (At(p, i) != i) {
    int& up = At(p, i);
    up = At(p, up);
    i = up;
  }
  return i;
}

}  // namespace

bool IslandOrder::SameTrees(const ContactTask& p) const {
  if (sizes_.size() != p.trees.size() || branched_ != p.branched) return false;
  for (std::size_t t = 0; t < sizes_.size(); ++t) {
    if (sizes_[t] != p.trees[t].nv) return false;
    if (p.branched && entries_[t] != p.trees[t].entries()) return false;
  }
  return true;
}

bool IslandOrder::SameGraph(const ContactTask& p) const {
  if (!SameTrees(p) || ends_.size() != 2 * p.contacts.size()) return false;
  const int* end = ends_.data();
  for (const auto& contact : p.contacts) {
    if (*end++ != contact.tree_a || *end++ != contact.tree_b) return false;
  }
  return true;
}

// Components, their order, and the blocks of H. Contacts may come and go between the same trees
// without a new one.
bool IslandOrder::BuildGraph(const ContactTask& p) {
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
  if (graph_ == new_graph_ && SameTrees(p)) return false;
  std::swap(graph_, new_graph_);
  OrderTrees(p);
  PlaceBlocks(p);
  branched_ = p.branched;
  return true;
}

void IslandOrder::PlaceBlocks(const ContactTask& p) {
  A_size_ = H_size_ = 0;
  coordinate_of_.clear();
  for (Place& at : places_) {
    const auto& tree = At(p.trees, at.tree);
    at.row = rows();
    at.size = tree.nv;
    for (int i = 0; i < tree.nv; ++i) coordinate_of_.push_back(tree.start + i);
    at.A = A_size_;
    A_size_ += tree.entries();
    at.H = H_size_;
    H_size_ += BlockRoom(tree.nv, tree.nv);
  }
  edges_.clear();
  for (const auto& [a, b] : graph_) {
    const auto [col, row] = std::minmax(At(position_, a), At(position_, b));
    edges_.push_back({row, col});
  }
  std::sort(edges_.begin(), edges_.end(), [](const Edge& a, const Edge& b) {
    return a.row != b.row ? a.row < b.row : a.col < b.col;
  });
  for (Edge& edge : edges_) {
    edge.H = H_size_;
    H_size_ += BlockRoom(place(edge.row).size, place(edge.col).size);
  }
}

// Lone trees first, then component by component.
void IslandOrder::OrderTrees(const ContactTask& p) {
  const int trees = static_cast<int>(p.trees.size());
  sizes_.clear();
  entries_.clear();
  parent_.clear();
  largest_ = 0;
  for (int t = 0; t < trees; ++t) {
    sizes_.push_back(At(p.trees, t).nv);
    entries_.push_back(At(p.trees, t).entries());
    largest_ = std::max(largest_, sizes_.back());
    parent_.push_back(t);
  }
  for (const auto& [a, b] : graph_) {
    const int ra = FindRoot(&parent_, a), rb = FindRoot(&parent_, b);
    At(parent_, std::max(ra, rb)) = std::min(ra, rb);
  }
  // a component is named by its lowest tree; how many trees each has
  scratch_.assign(ToIndex(trees), 0);
  for (int t = 0; t < trees; ++t) ++At(scratch_, FindRoot(&parent_, t));
  lone_trees_ = 0;
  for (int t = 0; t < trees; ++t) lone_trees_ += At(scratch_, t) == 1 ? 1 : 0;
  component_.resize(ToIndex(trees));
  position_.resize(ToIndex(trees));
  places_.resize(ToIndex(trees));
  int lone = 0, next = lone_trees_;
  for (int t = 0; t < trees; ++t) {
    const int root = FindRoot(&parent_, t);
    int& place = At(scratch_, root);
    if (root == t) {  // from the number of trees to the place of the first
      int& begin = place == 1 ? lone : next;
      place = std::exchange(begin, begin + place);
    }
    At(position_, t) = place;
    At(places_, place).tree = t;
    At(component_, place++) = root;
  }
}

// Contacts by pair, pairs by their later tree. One between two links of a tree links it to no
// other: it stands with those of the tree and the world.
void IslandOrder::BuildPairs(const ContactTask& p) {
  ends_.clear();
  keys_.clear();
  for (std::size_t i = 0; i < p.contacts.size(); ++i) {
    const auto& c = p.contacts[i];
    ends_.push_back(c.tree_a);
    ends_.push_back(c.tree_b);
    const bool linked = c.tree_a >= 0 && c.tree_a != c.tree_b;
    const int a = linked ? At(position_, c.tree_a) : -1;
    const int b = c.tree_b < 0 ? -1 : At(position_, c.tree_b);
    keys_.push_back((static_cast<std::uint64_t>(std::max(a, b)) << kBits |
                     static_cast<std::uint64_t>(std::min(a, b) + 1))
                        << kBits |
                    i);
  }
  std::sort(keys_.begin(), keys_.end());
  pairs_.clear();
  blocks_.clear();
  for (Place& at : places_) at.paired = false;
  contact_of_.clear();
  J_size_ = 0;
  int edge = 0;
  std::uint64_t last = ~std::uint64_t{0};
  for (const std::uint64_t key : keys_) {
    if (key >> kBits != last) {
      last = key >> kBits;
      Pair& pair = pairs_.emplace_back();
      PairBlock& block = blocks_.emplace_back();
      pair.row = static_cast<int>(last >> kBits);
      pair.col = static_cast<int>(last & kMask) - 1;
      Place& row = At(places_, pair.row);
      pair.six = row.size == 6 && (pair.col < 0 || place(pair.col).size == 6);
      block.begin = block.end = static_cast<int>(contact_of_.size());
      block.J = J_size_;
      block.x_row = row.row;
      block.H_row = row.H;
      if (pair.col >= 0) {
        pair.edge = edge++;  // both are sorted alike
        block.x_col = place(pair.col).row;
        block.H_col = place(pair.col).H;
        block.H = At(edges_, pair.edge).H;
      }
      if (!row.paired) block.A = row.A;
      row.paired = true;
    }
    const Pair& pair = pairs_.back();
    PairBlock& block = blocks_.back();
    ++block.end;
    contact_of_.push_back(static_cast<int>(key & kMask));
    J_size_ += 3 * (place(pair.row).size + columns(pair));
  }
}

void IslandOrder::BuildIslands() {
  islands_.clear();
  Island next;
  factors_ = 1;
  while (next.tree_begin < trees()) {
    Island island = next;
    const int begin = island.tree_begin;
    int j = begin;
    while (j < trees() && At(component_, j) == At(component_, begin)) ++j;
    int pair = island.pair_begin, edge = island.edge_begin;
    while (pair < static_cast<int>(pairs_.size()) && At(pairs_, pair).row < j) {
      if (At(pairs_, pair).edge >= 0) ++edge;
      island.contact_end = At(blocks_, pair++).end;
    }
    island.tree_end = j;
    island.row_end = j < trees() ? place(j).row : rows();
    island.pair_end = pair;
    island.edge_end = edge;
    island.factor = begin < lone_trees_ ? 0 : factors_++;
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
}

IslandOrder::Change IslandOrder::Follow(const ContactTask& p) {
  if (SameGraph(p)) return Change::kNone;
  const bool new_blocks = BuildGraph(p);
  BuildPairs(p);
  BuildIslands();
  return new_blocks ? Change::kBlocks : Change::kContacts;
}

}  // namespace slip
