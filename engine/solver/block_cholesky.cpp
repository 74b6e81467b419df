#include "engine/solver/block_cholesky.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/core/numbers.h"
#include "engine/solver/block_kernels.h"

namespace slip {

using kernels::BlockMap;
using kernels::ConstBlockMap;
using kernels::MapBlock;

namespace {

// Small blocks lie without gaps; there Eigen's loop over sizes of run time costs more than the
// copy.
void CopyBlock(const double* from, int rows, int columns, double* to) {
  if (rows != 6) {
    std::copy_n(from, rows * columns, to);
  } else {
    MapBlock(to, rows, columns) = MapBlock(from, rows, columns);
  }
}

}  // namespace

// Of a whole factorisation in the order at hand.
std::int64_t BlockCholesky::CountUpdates() const {
  std::int64_t updates = 0;
  for (int i = 0; i < static_cast<int>(node_sizes_.size()); ++i) {
    const auto blocks = static_cast<std::int64_t>(ordering_.Column(i).size());
    updates += blocks * (blocks + 1) / 2;
  }
  return updates;
}

void BlockCholesky::Analyze(std::span<const FactorNode> nodes, std::span<const FactorEdge> edges,
                            std::int64_t most_updates) {
  const int n = static_cast<int>(nodes.size());
  node_sizes_.clear();
  graph_.clear();
  for (const FactorNode& node : nodes) node_sizes_.push_back(node.size);
  for (const FactorEdge& edge : edges) graph_.emplace_back(edge.row, edge.col);
  ordering_.Compute(node_sizes_, graph_);
  incomplete_ = CountUpdates() > most_updates;
  node_.resize(ToIndex(n));
  if (incomplete_) {
    std::iota(node_.begin(), node_.end(), 0);
  } else {
    node_.assign(ordering_.order().begin(), ordering_.order().end());
  }
  position_.resize(ToIndex(n));
  sizes_.resize(ToIndex(n));
  all6_ = true;
  for (int j = 0; j < n; ++j) {
    At(position_, node(j)) = j;
    At(sizes_, j) = At(node_sizes_, node(j));
    all6_ = all6_ && At(sizes_, j) == 6;
  }
  entries_.clear();
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const int i = At(position_, edges[e].row), j = At(position_, edges[e].col);
    entries_.push_back({std::min(i, j), std::max(i, j), static_cast<int>(e), i < j});
  }
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return a.column != b.column ? a.column < b.column : a.row < b.row;
  });

  block_of_edge_.resize(edges.size());

  // blocks of L, column by column
  columns_.assign(ToIndex(n), FactorColumn{});
  rows_.clear();
  auto entry = entries_.cbegin();
  int L = 0;
  for (int j = 0; j < n; ++j) {
    FactorColumn& column = At(columns_, j);
    const int nj = At(sizes_, j);
    column.L = L;
    L += 2 * BlockRoom(nj, nj);
    order_.clear();
    if (incomplete_) {
      for (auto e = entry; e != entries_.cend() && e->column == j; ++e) order_.push_back(e->row);
    } else {
      for (const int later : ordering_.Column(node(j))) order_.push_back(At(position_, later));
      std::sort(order_.begin(), order_.end());
    }
    column.blocks = static_cast<int>(rows_.size());
    for (const int i : order_) {
      FactorBlock block;
      block.row = i;
      block.L = L;
      block.H = -1;
      if (entry != entries_.cend() && entry->column == j && entry->row == i) {
        block.transposed = entry->transposed;
        At(block_of_edge_, entry->edge) = static_cast<int>(rows_.size());
        ++entry;
      }
      rows_.push_back(block);
      L += BlockRoom(At(sizes_, i), nj);
    }
    column.blocks_end = static_cast<int>(rows_.size());
  }
  L_.resize(ToIndex(L));
  AnalyzeUpdates();
  Relocate(nodes, edges);
}

void BlockCholesky::Relocate(std::span<const FactorNode> nodes, std::span<const FactorEdge> edges) {
  for (int j = 0; j < count(); ++j) {
    At(columns_, j).x = At(nodes, node(j)).x;
    At(columns_, j).H = At(nodes, node(j)).H;
  }
  for (FactorBlock& block : rows_) block.x = At(columns_, block.row).x;
  for (std::size_t e = 0; e < edges.size(); ++e) At(rows_, block_of_edge_[e]).H = edges[e].H;
}

// For every block (i, j) of L the columns k < j that hold both i and j.
void BlockCholesky::AnalyzeUpdates() {
  const int n = count();
  transpose_begin_.assign(ToIndex(n) + 1, 0);
  for (const FactorBlock& block : rows_) ++transpose_begin_[ToIndex(block.row) + 1];
  for (int i = 0; i < n; ++i) transpose_begin_[ToIndex(i) + 1] += At(transpose_begin_, i);
  transpose_.resize(2 * rows_.size());
  scratch_.assign(transpose_begin_.begin(), transpose_begin_.end());
  for (int k = 0; k < n; ++k) {
    for (int m = At(columns_, k).blocks; m < At(columns_, k).blocks_end; ++m) {
      const int slot = At(scratch_, At(rows_, m).row)++;
      At(transpose_, 2 * slot) = k;
      At(transpose_, 2 * slot + 1) = m;
    }
  }
  updates_.clear();
  order_.assign(ToIndex(n), 0);  // block of the column at hand in a row
  for (int j = 0; j < n; ++j) {
    FactorColumn& column = At(columns_, j);
    const int first = At(transpose_begin_, j), last = transpose_begin_[ToIndex(j) + 1];
    column.updates = static_cast<int>(updates_.size());
    for (int s = first; s < last; ++s) {
      const int k = At(transpose_, 2 * s), L = At(rows_, At(transpose_, 2 * s + 1)).L;
      updates_.push_back({L, L, At(sizes_, k)});
    }
    column.updates_end = static_cast<int>(updates_.size());
    // count, then fill
    for (int m = column.blocks; m < column.blocks_end; ++m) {
      At(order_, At(rows_, m).row) = m;
      At(rows_, m).updates = 0;
    }
    const auto has = [&](const FactorBlock& block, int row) {
      const auto at = &block - rows_.data();
      return at >= column.blocks && at < column.blocks_end && block.row == row;
    };
    const auto each = [&](auto&& fn) {
      for (int s = first; s < last; ++s) {
        const int k = At(transpose_, 2 * s), at = At(transpose_, 2 * s + 1);
        for (int m = at + 1; m < At(columns_, k).blocks_end; ++m) {
          FactorBlock& target = At(rows_, At(order_, At(rows_, m).row));
          // an incomplete factor has no block for everything; `order_` may be of an older column
          if (incomplete_ && !has(target, At(rows_, m).row)) continue;
          fn(target, FactorUpdate{At(rows_, m).L, At(rows_, at).L, At(sizes_, k)});
        }
      }
    };
    each([](FactorBlock& block, const FactorUpdate&) { ++block.updates; });
    int at = column.updates_end;
    for (int m = column.blocks; m < column.blocks_end; ++m) {
      const int number = At(rows_, m).updates;
      At(rows_, m).updates = At(rows_, m).updates_end = at;
      at += number;
    }
    updates_.resize(ToIndex(at));
    each([this](FactorBlock& block, const FactorUpdate& update) {
      At(updates_, block.updates_end++) = update;
    });
  }
}

bool BlockCholesky::Factorize(const double* H, int first, int last, double shift) {
  if (all6_) {
    const FactorView view{columns_.data(), rows_.data(), updates_.data(), H};
    return kernels_->factor(view, first, last, shift, L_.data());
  }
  for (int j = first; j < last; ++j) {
    if (!EliminateColumn(H, j, shift)) return false;
  }
  return true;
}

bool BlockCholesky::EliminateColumn(const double* H, int j, double shift) {
  const FactorColumn& column = At(columns_, j);
  const int n = At(sizes_, j);
  double* L = L_.data();
  // the diagonal block is built in the place of its inverse factor
  double* X = L + column.L;
  double* XT = X + BlockRoom(n, n);
  BlockMap C = MapBlock(X, n, n);
  CopyBlock(H + column.H, n, n, X);
  if (shift != 0) C.diagonal() *= 1 + shift;
  for (int u = column.updates; u < column.updates_end; ++u) {
    const FactorUpdate& update = At(updates_, u);
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
    const FactorBlock& block = At(rows_, m);
    const int rows = At(sizes_, block.row);
    BlockMap out = MapBlock(L + block.L, rows, n);
    if (block.transposed) {
      out = MapBlock(H + block.H, n, rows).transpose();
    } else if (block.H >= 0) {
      CopyBlock(H + block.H, rows, n, L + block.L);
    } else {
      out.setZero();
    }
    for (int u = block.updates; u < block.updates_end; ++u) {
      const FactorUpdate& update = At(updates_, u);
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
  if (all6_) {
    const FactorView view{columns_.data(), rows_.data(), updates_.data(), nullptr};
    return kernels_->solve(view, L_.data(), first, last, x);
  }
  const double* L = L_.data();
  for (int j = first; j < last; ++j) {
    const FactorColumn& column = At(columns_, j);
    const int n = At(sizes_, j), stride = ColumnStride(n);
    double* xj = x + column.x;
    const double* XT = L + column.L + BlockRoom(n, n);
    // lower triangular product in place, last row first
    for (int r = n - 1; r >= 0; --r) {
      double sum = 0;
      for (int c = 0; c <= r; ++c) sum += XT[r * stride + c] * xj[c];
      xj[r] = sum;
    }
    for (int m = column.blocks; m < column.blocks_end; ++m) {
      const FactorBlock& block = At(rows_, m);
      const int rows = At(sizes_, block.row);
      double* xi = x + block.x;
      const double* B = L + block.L;
      for (int k = 0; k < n; ++k, B += ColumnStride(rows)) {
        for (int r = 0; r < rows; ++r) xi[r] -= B[r] * xj[k];
      }
    }
  }
  for (int j = last - 1; j >= first; --j) {
    const FactorColumn& column = At(columns_, j);
    const int n = At(sizes_, j), stride = ColumnStride(n);
    double* xj = x + column.x;
    const double* X = L + column.L;
    for (int m = column.blocks; m < column.blocks_end; ++m) {
      const FactorBlock& block = At(rows_, m);
      const int rows = At(sizes_, block.row);
      const double* xi = x + block.x;
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

void BlockCholesky::Multiply(const double* H, const double* x, double* y) const {
  if (all6_) {
    const FactorView view{columns_.data(), rows_.data(), updates_.data(), H};
    return kernels_->multiply(view, 0, count(), x, y);
  }
  using Map = Eigen::Map<VectorX>;
  using ConstMap = Eigen::Map<const VectorX>;
  for (int j = 0; j < count(); ++j) {
    const FactorColumn& column = At(columns_, j);
    const int n = At(sizes_, j);
    const ConstMap xj(x + column.x, n);
    Map yj(y + column.x, n);
    yj.noalias() += MapBlock(H + column.H, n, n) * xj;
    for (int m = column.blocks; m < column.blocks_end; ++m) {
      const FactorBlock& block = At(rows_, m);
      const int rows = At(sizes_, block.row);
      const ConstBlockMap B = MapBlock(H + block.H, rows, n);
      Map(y + block.x, rows).noalias() += B * xj;
      yj.noalias() += B.transpose() * ConstMap(x + block.x, rows);
    }
  }
}

}  // namespace slip
