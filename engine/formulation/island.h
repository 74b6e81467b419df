// A contact problem in solving order: trees in the elimination order of the factorisation, islands
// (trees linked by contacts) one after the other, contacts of the same two trees side by side.
// The order depends on the contact graph alone and is kept while the graph stands.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/formulation/contact_passes.h"
#include "engine/solver/block_cholesky.h"

namespace slip {

/// A contiguous part of the system: an island, or all of it.
struct Island {
  int tree_begin = 0, tree_end = 0;        ///< positions
  int row_begin = 0, row_end = 0;          ///< velocity coordinates
  int pair_begin = 0, pair_end = 0;        ///< body pairs
  int contact_begin = 0, contact_end = 0;  ///< contacts

  int trees() const { return tree_end - tree_begin; }
  int rows() const { return row_end - row_begin; }
  int contacts() const { return contact_end - contact_begin; }
};

class IslandSystem {
 public:
  /// Takes the numbers of a problem; rebuilds the order if its graph has changed.
  void Load(const ContactProblem& problem, const ContactPasses& passes);
  /// Velocities and impulses back in the problem's own order.
  void Store(ContactProblem* problem) const;

  const std::vector<Island>& islands() const { return islands_; }
  /// All islands as one.
  const Island& whole() const { return whole_; }
  /// Whether several threads may work on different islands: all products go through the kernels of
  /// free bodies. Others need scratch of which there is one.
  bool Shareable() const { return shareable_; }
  BlockCholesky& matrix() { return matrix_; }
  const ContactPasses& passes() const { return *passes_; }
  /// Contacts in solving order, and their place in the problem.
  ContactWork* work(const Island& i) { return work_.data() + i.contact_begin; }
  int contact(int i) const { return contact_of_[U(i)]; }
  const void* frozen(const Island& i) const {
    return frozen_.data() + U(i.contact_begin) * passes_->frozen_size;
  }
  int coordinate(int row) const { return coordinate_of_[U(row)]; }

  // velocities and gradients in solving order, as long as the system has rows
  VectorX v, v_star, v0, D, delta, A_delta, Av_star, JTg, grad, dv, A_dv;

  /// v_c = J v + b.
  void CalcContactVelocities(const Island& island);
  /// dv_c = J dv.
  void CalcContactSteps(const Island& island);
  /// y = J^T gamma for rows of the island.
  void CalcImpulseSum(const Island& island, VectorX* y) const;
  /// y = A x.
  void ApplyA(const Island& island, const VectorX& x, VectorX* y) const;
  /// H = A + J^T G J into the matrix.
  void Assemble(const Island& island);

 private:
  static std::size_t U(int i) { return static_cast<std::size_t>(i); }
  /// Contacts between the same two trees; col = -1 is the world, else row > col. Their numbers are
  /// in `blocks_`.
  struct Pair {
    int row = 0, col = -1;
    bool six = false;  // both trees have six coordinates, or the second is the world
  };
  bool SameGraph(const ContactProblem& problem) const;
  void BuildGraph(const ContactProblem& problem);
  void BuildPairs(const ContactProblem& problem);
  template <class Fn6, class Fn>
  void ForEachPair(const Island& island, Fn6&& fn6, Fn&& fn) const;
  PairView View() const;

  const ContactPasses* passes_ = nullptr;
  BlockCholesky matrix_;
  std::vector<Island> islands_;
  Island whole_;
  std::vector<Pair> pairs_;
  std::vector<PairBlock> blocks_;
  std::vector<char> begins_row_;  // per tree: it is the row of a pair
  const Kernels6* kernels_ = &GetKernels6();
  std::vector<ContactWork> work_;
  std::vector<int> contact_of_, coordinate_of_, A_begin_;
  AlignedVector A_, J_;
  std::vector<double> GJ_;
  bool shareable_ = false;
  struct alignas(std::max_align_t) Chunk {
    std::byte bytes[sizeof(std::max_align_t)];
  };
  struct FrozenPool {
    std::vector<Chunk> chunks;
    void Resize(std::size_t bytes) { chunks.resize(bytes / sizeof(Chunk) + 1); }
    std::byte* data() { return chunks.data()->bytes; }
    const std::byte* data() const { return chunks.data()->bytes; }
  } frozen_;

  // the graph that the order was made for
  std::vector<int> sizes_, ends_, component_, parent_;
  std::vector<BlockEdge> edges_, new_edges_;
  std::vector<std::uint64_t> keys_;
};

}  // namespace slip
