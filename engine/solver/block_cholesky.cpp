#include "engine/solver/block_cholesky.h"

#include <algorithm>
#include <utility>

#include "engine/solver/block_kernels.h"

namespace slip {

using kernels::BlockMap;
using kernels::ConstBlockMap;
using kernels::MapBlock;

namespace {
// Doubles that a block takes: whole cache lines.
int Room(int rows, int columns) { return (ColumnStride(rows) * columns + 7) / 8 * 8; }
}  // namespace

void BlockCholesky::Analyze(std::span<const int> sizes, std::span<const BlockEdge> edges,
                            std::span<const int> component) {
  const int n = static_cast<int>(sizes.size());
  ordering_.Compute(sizes, edges);

  // components one after the other, each in its elimination order: the same fill, contiguous
  int components = 0;
  for (const int c : component) components = std::max(components, c + 1);
  scratch_.assign(U(components) + 1, 0);
  for (const int c : component) ++scratch_[U(c) + 1];
  for (int c = 0; c < components; ++c) scratch_[U(c) + 1] += scratch_[U(c)];
  node_.resize(U(n));
  position_.resize(U(n));
  for (const int node : ordering_.order()) {
    const int position = scratch_[U(component[U(node)])]++;
    node_[U(position)] = node;
    position_[U(node)] = position;
  }
  sizes_.resize(U(n));
  row_begin_.assign(U(n) + 1, 0);
  all6_ = true;
  for (int j = 0; j < n; ++j) {
    sizes_[U(j)] = sizes[U(node_[U(j)])];
    row_begin_[U(j) + 1] = row_begin_[U(j)] + sizes_[U(j)];
    all6_ = all6_ && sizes_[U(j)] == 6;
  }

  // pattern of H: edges by column, then row
  edges_.clear();
  for (const auto& [a, b] : edges) {
    const int i = position_[U(a)], j = position_[U(b)];
    edges_.emplace_back(std::min(i, j), std::max(i, j));
  }
  std::sort(edges_.begin(), edges_.end());

  // blocks of H and of L, column by column
  columns_.assign(U(n), FactorColumn{});
  pattern_.clear();
  rows_.clear();
  std::size_t edge = 0;
  int H = 0, L = 0;
  for (int j = 0; j < n; ++j) {
    FactorColumn& column = columns_[U(j)];
    const int nj = sizes_[U(j)];
    column.H = H;
    H += Room(nj, nj);
    column.L = L;
    L += 2 * Room(nj, nj);
    column.pattern = static_cast<int>(pattern_.size());
    for (; edge < edges_.size() && edges_[edge].first == j; ++edge) {
      const int i = edges_[edge].second;
      pattern_.push_back({i, H});
      H += Room(sizes_[U(i)], nj);
    }
    column.pattern_end = static_cast<int>(pattern_.size());
    order_.clear();
    for (const int node : ordering_.Column(node_[U(j)])) order_.push_back(position_[U(node)]);
    std::sort(order_.begin(), order_.end());
    column.blocks = static_cast<int>(rows_.size());
    int p = column.pattern;
    for (const int i : order_) {
      FactorBlock block;
      block.row = i;
      block.L = L;
      block.H = -1;
      if (p < column.pattern_end && pattern_[U(p)].row == i) block.H = pattern_[U(p++)].H;
      rows_.push_back(block);
      L += Room(sizes_[U(i)], nj);
    }
    column.blocks_end = static_cast<int>(rows_.size());
  }
  H_.resize(U(H));
  L_.resize(U(L));
  AnalyzeUpdates();
}

// For every block (i, j) of L the columns k < j that hold both i and j.
void BlockCholesky::AnalyzeUpdates() {
  const int n = count();
  transpose_begin_.assign(U(n) + 1, 0);
  for (const FactorBlock& block : rows_) ++transpose_begin_[U(block.row) + 1];
  for (int i = 0; i < n; ++i) transpose_begin_[U(i) + 1] += transpose_begin_[U(i)];
  transpose_.resize(2 * rows_.size());
  scratch_.assign(transpose_begin_.begin(), transpose_begin_.end());
  for (int k = 0; k < n; ++k) {
    for (int m = columns_[U(k)].blocks; m < columns_[U(k)].blocks_end; ++m) {
      const int slot = scratch_[U(rows_[U(m)].row)]++;
      transpose_[U(2 * slot)] = k;
      transpose_[U(2 * slot + 1)] = m;
    }
  }
  updates_.clear();
  order_.assign(U(n), 0);  // block of the column at hand in a row
  for (int j = 0; j < n; ++j) {
    FactorColumn& column = columns_[U(j)];
    const int first = transpose_begin_[U(j)], last = transpose_begin_[U(j) + 1];
    column.updates = static_cast<int>(updates_.size());
    for (int s = first; s < last; ++s) {
      const int k = transpose_[U(2 * s)], L = rows_[U(transpose_[U(2 * s + 1)])].L;
      updates_.push_back({L, L, sizes_[U(k)]});
    }
    column.updates_end = static_cast<int>(updates_.size());
    // count, then fill
    for (int m = column.blocks; m < column.blocks_end; ++m) {
      order_[U(rows_[U(m)].row)] = m;
      rows_[U(m)].updates = 0;
    }
    const auto each = [&](auto&& fn) {
      for (int s = first; s < last; ++s) {
        const int k = transpose_[U(2 * s)], at = transpose_[U(2 * s + 1)];
        for (int m = at + 1; m < columns_[U(k)].blocks_end; ++m) {
          fn(rows_[U(order_[U(rows_[U(m)].row)])],
             FactorUpdate{rows_[U(m)].L, rows_[U(at)].L, sizes_[U(k)]});
        }
      }
    };
    each([](FactorBlock& block, const FactorUpdate&) { ++block.updates; });
    int at = column.updates_end;
    for (int m = column.blocks; m < column.blocks_end; ++m) {
      const int number = rows_[U(m)].updates;
      rows_[U(m)].updates = rows_[U(m)].updates_end = at;
      at += number;
    }
    updates_.resize(U(at));
    each([this](FactorBlock& block, const FactorUpdate& update) {
      updates_[U(block.updates_end++)] = update;
    });
  }
}

int BlockCholesky::Find(int row, int column) const {
  const FactorColumn& c = columns_[U(column)];
  const auto at = std::lower_bound(pattern_.begin() + c.pattern, pattern_.begin() + c.pattern_end,
                                   row, [](const Pattern& block, int i) { return block.row < i; });
  return at->H;
}

FactorView BlockCholesky::View() const {
  return {columns_.data(), rows_.data(), updates_.data(), H_.data()};
}

bool BlockCholesky::Factorize(int first, int last, double shift) {
  if (all6_) return kernels_->factor(View(), first, last, shift, L_.data());
  for (int j = first; j < last; ++j) {
    if (!EliminateColumn(j, shift)) return false;
  }
  return true;
}

bool BlockCholesky::EliminateColumn(int j, double shift) {
  const FactorColumn& column = columns_[U(j)];
  const int n = sizes_[U(j)];
  double* L = L_.data();
  // the diagonal block is built in the place of its inverse factor
  double* X = L + column.L;
  double* XT = X + Room(n, n);
  BlockMap C = MapBlock(X, n, n);
  C = MapBlock(std::as_const(H_).data() + column.H, n, n);
  if (shift != 0) C.diagonal() *= 1 + shift;
  for (int u = column.updates; u < column.updates_end; ++u) {
    const FactorUpdate& update = updates_[U(u)];
    const ConstBlockMap B = MapBlock(std::as_const(L_).data() + update.b, n, update.inner);
    C.noalias() -= B * B.transpose();
  }
  // C and X share storage: the factor is read for the last time before X is written
  const bool ok = n == 2   ? kernels::InvertFactor2(X, X, XT)
                  : n == 6 ? kernels_->invert_factor(X, X, XT)
                           : kernels::InvertFactor(n, X, X, XT);
  if (!ok) return false;
  const ConstBlockMap inverse_transposed = MapBlock(std::as_const(L_).data() + (XT - L), n, n);
  for (int m = column.blocks; m < column.blocks_end; ++m) {
    const FactorBlock& block = rows_[U(m)];
    const int rows = sizes_[U(block.row)];
    BlockMap out = MapBlock(L + block.L, rows, n);
    if (block.H >= 0) {
      out = MapBlock(std::as_const(H_).data() + block.H, rows, n);
    } else {
      out.setZero();
    }
    for (int u = block.updates; u < block.updates_end; ++u) {
      const FactorUpdate& update = updates_[U(u)];
      const double* factor = L;
      out.noalias() -= MapBlock(factor + update.a, rows, update.inner) *
                       MapBlock(factor + update.b, n, update.inner).transpose();
    }
    // out := out L^-T in place, last column first: column c needs the columns up to c
    for (int c = n - 1; c >= 0; --c) {
      out.col(c) *= inverse_transposed(c, c);
      for (int k = 0; k < c; ++k) out.col(c) += inverse_transposed(k, c) * out.col(k);
    }
  }
  return true;
}

void BlockCholesky::Solve(int first, int last, double* x) const {
  if (all6_) return kernels_->solve(View(), L_.data(), first, last, x);
  const double* L = L_.data();
  for (int j = first; j < last; ++j) {
    const FactorColumn& column = columns_[U(j)];
    const int n = sizes_[U(j)], stride = ColumnStride(n);
    double* xj = x + row_begin_[U(j)];
    const double* XT = L + column.L + Room(n, n);
    // lower triangular product in place, last row first
    for (int r = n - 1; r >= 0; --r) {
      double sum = 0;
      for (int c = 0; c <= r; ++c) sum += XT[r * stride + c] * xj[c];
      xj[r] = sum;
    }
    for (int m = column.blocks; m < column.blocks_end; ++m) {
      const FactorBlock& block = rows_[U(m)];
      const int rows = sizes_[U(block.row)];
      double* xi = x + row_begin_[U(block.row)];
      const double* B = L + block.L;
      for (int k = 0; k < n; ++k, B += ColumnStride(rows)) {
        for (int r = 0; r < rows; ++r) xi[r] -= B[r] * xj[k];
      }
    }
  }
  for (int j = last - 1; j >= first; --j) {
    const FactorColumn& column = columns_[U(j)];
    const int n = sizes_[U(j)], stride = ColumnStride(n);
    double* xj = x + row_begin_[U(j)];
    const double* X = L + column.L;
    for (int m = column.blocks; m < column.blocks_end; ++m) {
      const FactorBlock& block = rows_[U(m)];
      const int rows = sizes_[U(block.row)];
      const double* xi = x + row_begin_[U(block.row)];
      const double* B = L + block.L;
      for (int k = 0; k < n; ++k, B += ColumnStride(rows)) {
        double sum = 0;
        for (int r = 0; r < rows; ++r) sum += B[r] * xi[r];
        xj[k] -= sum;
      }
    }
    for (int r = 0; r < n; ++r) {
      double sum = 0;
      for (int c = r; c < n; ++c) sum += X[r * stride + c] * xj[c];
      xj[r] = sum;
    }
  }
}

void BlockCholesky::Multiply(int first, int last, const double* x, double* y) const {
  using Map = Eigen::Map<VectorX>;
  using ConstMap = Eigen::Map<const VectorX>;
  for (int j = first; j < last; ++j) {
    const int n = sizes_[U(j)];
    Map(y + row_begin_[U(j)], n).noalias() =
        MapBlock(Diagonal(j), n, n) * ConstMap(x + row_begin_[U(j)], n);
  }
  for (int j = first; j < last; ++j) {
    const int n = sizes_[U(j)];
    const FactorColumn& column = columns_[U(j)];
    for (int m = column.pattern; m < column.pattern_end; ++m) {
      const int i = pattern_[U(m)].row, rows = sizes_[U(i)];
      const ConstBlockMap B = MapBlock(H_.data() + pattern_[U(m)].H, rows, n);
      Map(y + row_begin_[U(i)], rows).noalias() += B * ConstMap(x + row_begin_[U(j)], n);
      Map(y + row_begin_[U(j)], n).noalias() +=
          B.transpose() * ConstMap(x + row_begin_[U(i)], rows);
    }
  }
}

}  // namespace slip
