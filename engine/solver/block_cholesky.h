// Cholesky factorisation of a symmetric positive definite matrix of blocks, one block row per
// kinematic tree. The pattern is analysed apart from the numbers: minimum-degree order, fill, and a
// static list of the updates of every block. The matrix stays where and in the order its owner
// keeps it.
//   P H P^T = L L^T, left-looking: L_ij = (H_ij - sum_k L_ik L_jk^T) L_jj^-T
// Where the fill would cost too much, an incomplete factor has the blocks of H alone: no solution,
// but a preconditioner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "engine/core/aligned.h"
#include "engine/core/numbers.h"
#include "engine/core/types.h"
#include "engine/solver/kernels6.h"
#include "engine/solver/ordering.h"

namespace slip {

/// A block row of a matrix.
struct FactorNode {
  int size = 0;  ///< scalar rows
  int x = 0;     ///< the first of them
  int H = 0;     ///< offset of the diagonal block
};
/// An off-diagonal block, size(row) x size(col), stored once: the other triangle follows.
struct FactorEdge {
  int row = 0, col = 0;  ///< nodes
  int H = 0;             ///< offset
};

class BlockCholesky {
 public:
  /// Prepares for matrices of this pattern (no loops, no edge twice; row > col). Stored blocks are
  /// column major, ColumnStride(rows) apart. The same pattern gives the same order; without edges
  /// it is the nodes' own. When the factor would take more than `most_updates` block products it is
  /// incomplete, in the nodes' own order.
  void Analyze(std::span<const FactorNode> nodes, std::span<const FactorEdge> edges,
               std::int64_t most_updates = std::numeric_limits<std::int64_t>::max());

  /// The same pattern, node by node and edge by edge, with blocks and rows elsewhere.
  void Relocate(std::span<const FactorNode> nodes, std::span<const FactorEdge> edges);

  int count() const { return static_cast<int>(sizes_.size()); }
  /// Node at a place in the elimination order.
  int node(int position) const { return At(node_, position); }
  bool incomplete() const { return incomplete_; }

  /// Factors the columns [first, last) of the elimination order, which no column outside must touch
  /// (all, or some without edges). With `shift` the diagonal is multiplied by 1 + shift. False when
  /// H is not positive definite to working precision.
  bool Factorize(const double* H, int first, int last, double shift = 0);
  /// x := H^-1 x for the rows of these columns, or what the incomplete factor makes of it.
  void Solve(int first, int last, double* x) const;
  /// y += H x; of an incomplete factor only.
  void Multiply(const double* H, const double* x, double* y) const;

  /// Off-diagonal blocks of the factor, and block products of a whole factorisation.
  int factor_blocks() const { return static_cast<int>(rows_.size()); }
  int updates() const { return static_cast<int>(updates_.size()); }

 private:
  struct Entry {  // off-diagonal block of H, in the elimination order: row > column
    int column = 0, row = 0, edge = 0;
    bool transposed = false;
  };

  std::int64_t CountUpdates() const;
  void AnalyzeUpdates();
  bool EliminateColumn(const double* H, int j, double shift);

  MinimumDegree ordering_;
  std::vector<BlockEdge> graph_;
  std::vector<int> node_sizes_, sizes_, node_, position_, block_of_edge_, scratch_, order_;
  std::vector<Entry> entries_;
  std::vector<FactorColumn> columns_;
  std::vector<FactorBlock> rows_;
  std::vector<FactorUpdate> updates_;
  std::vector<int> transpose_begin_, transpose_;  // per row: blocks of L in it, by column
  bool all6_ = false, incomplete_ = false;
  const Kernels6* kernels_ = &GetKernels6();
  AlignedVector L_;
};

}  // namespace slip
