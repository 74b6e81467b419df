// The order in which a contact problem is solved: islands (trees linked by contacts) one after the
// other, contacts of the same two trees side by side. It depends on the contact graph alone and is
// kept while the graph stands.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/convex/contact_problem.h"
#include "engine/core/numbers.h"
#include "engine/solver/kernels6.h"

namespace slip {

/// A contiguous part of the system: an island, or all of it.
struct Island {
  int tree_begin = 0, tree_end = 0;        ///< positions
  int row_begin = 0, row_end = 0;          ///< velocity coordinates
  int pair_begin = 0, pair_end = 0;        ///< body pairs
  int contact_begin = 0, contact_end = 0;  ///< contacts
  int edge_begin = 0, edge_end = 0;        ///< pairs of two trees that contacts could link
  int scalar_begin = 0, scalar_end = 0;    ///< potentials of one coordinate
  int spin_begin = 0, spin_end = 0;        ///< rows of spin, in the order of their contacts
  int factor = -1;                         ///< its factorisation; -1 = one per island

  int trees() const { return tree_end - tree_begin; }
  int rows() const { return row_end - row_begin; }
  int contacts() const { return contact_end - contact_begin; }
  int scalars() const { return scalar_end - scalar_begin; }
  bool spins() const { return spin_begin < spin_end; }
  /// Whether something acts on it: else it moves freely.
  bool loaded() const { return contacts() > 0 || scalars() > 0; }
  int work() const { return contacts() + scalars(); }
};

class IslandOrder {
 public:
  /// A tree at its position.
  struct Place {
    int tree = 0;         ///< in the task
    int row = 0;          ///< its first one
    int size = 0;         ///< rows
    int A = 0, H = 0;     ///< places of its inertia and of its diagonal block
    bool paired = false;  ///< it is the row of a pair
  };
  /// Two trees, row > col (positions), and their block of H.
  struct Edge {
    int row = 0, col = 0, H = 0;
  };
  /// Contacts between the same two trees, or a tree and the world. Their numbers are in blocks().
  struct Pair {
    int row = 0, col = -1;  ///< positions; col = -1 is the world
    int edge = -1;
    bool six = false;  ///< both trees have six coordinates, or the second is the world
  };
  /// What a task has changed of it. Contacts may come and go between the same trees without new
  /// blocks.
  enum class Change { kNone, kContacts, kBlocks };

  Change Follow(const ContactTask& task);

  const std::vector<Island>& islands() const { return islands_; }
  const Island& whole() const { return whole_; }
  /// Gives the islands their parts of a list of so many in solving order: potentials by their rows,
  /// spins by their contacts.
  template <class Fn>
  void DealScalars(int count, Fn&& row_of) {
    Deal(count, row_of, &Island::row_end, &Island::scalar_begin, &Island::scalar_end);
  }
  template <class Fn>
  void DealSpins(int count, Fn&& contact_of) {
    Deal(count, contact_of, &Island::contact_end, &Island::spin_begin, &Island::spin_end);
  }

  int trees() const { return static_cast<int>(places_.size()); }
  int lone_trees() const { return lone_trees_; }  ///< those without neighbours come first
  int factors() const { return factors_; }        ///< one of all lone trees, and one per island
  const Place& place(int position) const { return At(places_, position); }
  int position(int tree) const { return At(position_, tree); }
  /// Scalar rows of the whole system, and the coordinate of the task that each stands for.
  int rows() const { return static_cast<int>(coordinate_of_.size()); }
  int coordinate(int row) const { return At(coordinate_of_, row); }
  /// Contacts, and the place of each in the task.
  const std::vector<int>& contacts() const { return contact_of_; }
  int contact(int i) const { return At(contact_of_, i); }
  const std::vector<Pair>& pairs() const { return pairs_; }
  const std::vector<PairBlock>& blocks() const { return blocks_; }
  const std::vector<Edge>& edges() const { return edges_; }  ///< by row, then column
  int columns(const Pair& pair) const { return pair.col < 0 ? 0 : place(pair.col).size; }

  /// Numbers that A, H and J take; the coordinates of the largest tree.
  int A_size() const { return A_size_; }
  int H_size() const { return H_size_; }
  int J_size() const { return J_size_; }
  int largest() const { return largest_; }

  /// Calls fn6(begin, end) for runs of pairs whose trees have six coordinates (or the second is the
  /// world), else fn(block, position of the row, n_row, n_col), in order.
  template <class Fn6, class Fn>
  void ForEachPair(int first, int last, Fn6&& fn6, Fn&& fn) const {
    for (int k = first; k < last;) {
      const int begin = k;
      while (k < last && At(pairs_, k).six) ++k;
      if (k > begin) fn6(begin, k);
      for (; k < last && !At(pairs_, k).six; ++k) {
        const Pair& pair = At(pairs_, k);
        fn(At(blocks_, k), pair.row, place(pair.row).size, columns(pair));
      }
    }
  }

 private:
  template <class Fn>
  void Deal(int count, Fn& place_of, int Island::*limit, int Island::*begin, int Island::*end) {
    int next = 0;
    for (Island& island : islands_) {
      island.*begin = next;
      while (next < count && place_of(next) < island.*limit) ++next;
      island.*end = next;
    }
    whole_.*begin = 0;
    whole_.*end = next;
  }
  bool SameGraph(const ContactTask& task) const;
  bool SameTrees(const ContactTask& task) const;
  bool BuildGraph(const ContactTask& task);
  void OrderTrees(const ContactTask& task);
  void PlaceBlocks(const ContactTask& task);
  void BuildPairs(const ContactTask& task);
  void BuildIslands();

  std::vector<Island> islands_;
  Island whole_;
  std::vector<Place> places_;
  std::vector<Pair> pairs_;
  std::vector<PairBlock> blocks_;
  std::vector<Edge> edges_;
  std::vector<int> contact_of_, coordinate_of_;
  int lone_trees_ = 0, factors_ = 1;
  int A_size_ = 0, H_size_ = 0, J_size_ = 0, largest_ = 0;

  // the graph that the order was made for
  bool branched_ = false;
  std::vector<int> sizes_, entries_, ends_, component_, parent_, position_, scratch_;
  std::vector<std::pair<int, int>> graph_, new_graph_;
  std::vector<std::uint64_t> keys_;
};

}  // namespace slip
