// Cholesky factorisation of a symmetric positive definite matrix of blocks, one block row per
// kinematic tree. The pattern is analysed once (minimum-degree order, fill, and a static list of
// the updates of every block) and serves as long as the graph stands; numbers come and go.
//   P H P^T = L L^T, left-looking: L_ij = (H_ij - sum_k L_ik L_jk^T) L_jj^-T
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/core/aligned.h"
#include "engine/core/types.h"
#include "engine/solver/kernels6.h"
#include "engine/solver/ordering.h"

namespace slip {

class BlockCholesky {
 public:
  /// Prepares for a matrix with diagonal blocks of these sizes and an off-diagonal block per edge
  /// (no loops, no repeats). Nodes of one component follow each other in the order; components are
  /// sorted by their number `component[i]`, which must be constant along edges.
  void Analyze(std::span<const int> sizes, std::span<const BlockEdge> edges,
               std::span<const int> component);

  int count() const { return static_cast<int>(sizes_.size()); }
  /// Scalar rows of the whole matrix.
  int rows() const { return row_begin_.back(); }
  /// Place of a node in the elimination order, and back.
  int position(int node) const { return position_[U(node)]; }
  int node(int position) const { return node_[U(position)]; }
  int size(int position) const { return sizes_[U(position)]; }
  /// First scalar row of a position; begin(count()) = rows().
  int begin(int position) const { return row_begin_[U(position)]; }

  // The matrix. Blocks are column major, ColumnStride(rows) apart; only those with row > column
  // exist.
  double* Diagonal(int position) { return H_.data() + columns_[U(position)].H; }
  const double* Diagonal(int position) const { return H_.data() + columns_[U(position)].H; }
  /// Offsets of a block of the pattern from Values(); row > column (positions).
  int DiagonalAt(int position) const { return columns_[U(position)].H; }
  int Find(int row, int column) const;
  double* Values() { return H_.data(); }
  /// Calls fn(row, column, values) for every block of the pattern, diagonal ones included.
  template <class Fn>
  void ForEachBlock(Fn&& fn) const {
    for (int j = 0; j < count(); ++j) {
      const FactorColumn& column = columns_[U(j)];
      fn(j, j, H_.data() + column.H);
      for (int m = column.pattern; m < column.pattern_end; ++m) {
        fn(pattern_[U(m)].row, j, H_.data() + pattern_[U(m)].H);
      }
    }
  }
  /// Factors the columns [first, last), a union of components. With `shift` the diagonal is
  /// multiplied by 1 + shift. False when H is not positive definite to working precision.
  bool Factorize(int first, int last, double shift = 0);
  /// x := H^-1 x for the rows of these columns; x is indexed by the scalar rows of the whole
  /// matrix.
  void Solve(int first, int last, double* x) const;
  /// y := H x, likewise.
  void Multiply(int first, int last, const double* x, double* y) const;

  /// Off-diagonal blocks of the factor, and block products of a whole factorisation.
  int factor_blocks() const { return static_cast<int>(rows_.size()); }
  int updates() const { return static_cast<int>(updates_.size()); }

 private:
  static std::size_t U(int i) { return static_cast<std::size_t>(i); }
  struct Pattern {  // off-diagonal block of H
    int row = 0, H = 0;
  };

  void AnalyzeUpdates();
  bool EliminateColumn(int j, double shift);
  FactorView View() const;

  MinimumDegree ordering_;
  std::vector<int> sizes_, row_begin_, position_, node_, scratch_, order_;
  std::vector<BlockEdge> edges_;  // (column, row) in positions, sorted
  std::vector<FactorColumn> columns_;
  std::vector<FactorBlock> rows_;
  std::vector<Pattern> pattern_;
  std::vector<FactorUpdate> updates_;
  std::vector<int> transpose_begin_, transpose_;  // per row: blocks of L in it, by column
  bool all6_ = false;
  const Kernels6* kernels_ = &GetKernels6();
  AlignedVector H_, L_;
};

}  // namespace slip
