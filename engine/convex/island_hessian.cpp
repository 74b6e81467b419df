#include "engine/convex/island_hessian.h"

#include <algorithm>
#include <limits>

#include "engine/core/numbers.h"
#include "engine/solver/block_kernels.h"
#include "engine/solver/dense_factor.h"

namespace slip {
namespace {

constexpr double kAccuracy = 1e-2;  // of a direction: a better one saves hardly an iteration
constexpr double kRoundOff = 1e-9;  // that an inertia may lack of being positive definite

// rows of G J: 3 x n from 3 x n
void ScaleRows(const Mat3& G, const double* J, int n, double* out) {
  if (n > 6) {  // the same, several at a time
    using Columns = Eigen::Matrix<double, Eigen::Dynamic, 3>;
    const Eigen::Map<const Columns> from(J, n, 3);
    Eigen::Map<Columns> to(out, n, 3);
    for (int r = 0; r < 3; ++r) {
      to.col(r) = G(r, 0) * from.col(0) + G(r, 1) * from.col(1) + G(r, 2) * from.col(2);
    }
    return;
  }
  for (int r = 0; r < 3; ++r) {
    for (int k = 0; k < n; ++k) {
      out[r * n + k] = G(r, 0) * J[k] + G(r, 1) * J[n + k] + G(r, 2) * J[2 * n + k];
    }
  }
}

// H (rows x cols, as stored) += J^T (G J)
void AddProducts(const double* J, int rows, const double* GJ, int cols, double* H) {
  for (int c = 0; c < cols; ++c, H += ColumnStride(rows)) {
    const double g0 = GJ[c], g1 = GJ[cols + c], g2 = GJ[2 * cols + c];
    if (rows > 6) {
      if (g0 == 0 && g1 == 0 && g2 == 0) continue;  // joints that the contact does not move
      const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, 3>> from(J, rows, 3);
      Eigen::Map<VectorX>(H, rows) += from.col(0) * g0 + from.col(1) * g1 + from.col(2) * g2;
      continue;
    }
    for (int r = 0; r < rows; ++r) {
      H[r] += J[r] * g0 + J[rows + r] * g1 + J[2 * rows + r] * g2;
    }
  }
}

// y += B x of a stored 6 x 6 block
void AddProduct6(const double* B, const double* x, double* y) {
  Vec6 sum = Eigen::Map<const Vec6>(B) * x[0];
  for (int c = 1; c < 6; ++c) sum += Eigen::Map<const Vec6>(B + kStride6 * c) * x[c];
  Eigen::Map<Vec6> to(y);
  to += sum;
}

// y += Bᵀ x, even and odd rows apart
void AddTransposedProduct6(const double* B, const double* x, double* y) {
  for (int c = 0; c < 6; ++c, B += kStride6) {
    const Eigen::Map<const Eigen::Matrix<double, 2, 3>> b(B), with(x);
    const Eigen::Vector2d sum = b.col(0).cwiseProduct(with.col(0)) +
                                b.col(1).cwiseProduct(with.col(1)) +
                                b.col(2).cwiseProduct(with.col(2));
    y[c] += sum[0] + sum[1];
  }
}

}  // namespace

void IslandHessian::Fit(IslandOrder::Change change, bool branched) {
  if (change == IslandOrder::Change::kNone) return;
  if (change == IslandOrder::Change::kBlocks) {
    H_.resize(ToIndex(order_.H_size()));
    if (branched) L_.resize(ToIndex(order_.H_size()));
    GJ_.resize(ToIndex(3 * order_.rows()));
    full_.resize(ToIndex(3 * order_.largest() + order_.largest() * order_.largest()));
    stiff_.assign(order_.edges().size(), 0);
    for (Factor& factor : factors_) factor.stale = true;
  }
  if (order_.factors() > static_cast<int>(factors_.size()))
    factors_.resize(ToIndex(order_.factors()));
  if (factors_[0].stale && order_.lone_trees() > 0) Analyze(order_.islands().front());
}

bool IslandHessian::HasStiffness(const PairBlock& pair) const {
  for (int i = pair.begin; i < pair.end; ++i) {
    // positive semidefinite: without a diagonal there is nothing; NaN counts
    const ContactWork& w = At(numbers_.contacts(), i);
    if (w.value.hessian.trace() != 0 || (w.spin != nullptr && w.spin->G_uu != 0)) return true;
  }
  return false;
}

void IslandHessian::UpdatePattern(const Island& island, bool renew) {
  if (island.factor == 0) return;  // lone trees share one, which has no pairs
  Factor& factor = At(factors_, island.factor);
  if (renew) {
    factor.stubborn = whole_;
    factor.stale = factor.stale || factor.whole != whole_;
  }
  for (int k = island.pair_begin; k < island.pair_end; ++k) {
    const int edge = At(order_.pairs(), k).edge;
    if (edge < 0) continue;
    const bool was = At(stiff_, edge) != 0;
    const bool stiff = (renew ? numbers_.near(edge) : was) || HasStiffness(At(order_.blocks(), k));
    if (stiff != was) factor.stale = true;
    At(stiff_, edge) = stiff;
  }
}

// Every block is written first, then added to: none is cleared.
void IslandHessian::Assemble(const Island& island, const VectorX& v, bool renew,
                             const double* scalar_stiffness) {
  if (island.factor < 0) {
    for (const Island& part : order_.islands()) Assemble(part, v, renew);
    return;
  }
  double* H = H_.data();
  for (int j = island.tree_begin; j < island.tree_end; ++j) {
    const IslandOrder::Place& place = order_.place(j);
    if (!place.paired) numbers_.CopyInertia(j, H + place.H);
  }
  if (island.contacts() == 0) return AssembleScalars(island, v, scalar_stiffness);
  UpdatePattern(island, renew);
  // runs of pairs that are part of the pattern; of the others the inertia may be needed
  for (int k = island.pair_begin; k < island.pair_end;) {
    const auto stiff = [&](int i) {
      const int edge = At(order_.pairs(), i).edge;
      return edge < 0 || At(stiff_, edge);
    };
    const int first = k;
    while (k < island.pair_end && stiff(k)) ++k;
    if (k > first) AssemblePairs(first, k);
    for (; k < island.pair_end && !stiff(k); ++k) {
      const PairBlock& pair = At(order_.blocks(), k);
      if (pair.A >= 0) numbers_.CopyInertia(At(order_.pairs(), k).row, H + pair.H_row);
    }
  }
  if (island.spins()) AssembleSpins(island);
  AssembleScalars(island, v, scalar_stiffness);
}

void IslandHessian::AssembleScalars(const Island& island, const VectorX& v,
                                    const double* stiffness) {
  const IslandNumbers::ScalarRow* scalars = numbers_.scalars(island);
  for (int i = 0; i < island.scalars(); ++i) {
    const IslandNumbers::ScalarRow& row = scalars[i];
    At(H_, row.H) += stiffness != nullptr ? *stiffness++ : row.scalar.Hessian(v[row.row]);
  }
}

void IslandHessian::AssemblePairs(int first, int last) {
  double* H = H_.data();
  const std::vector<ContactWork>& work = numbers_.contacts();
  order_.ForEachPair(
      first, last,
      [&](int begin, int end) {
        kernels_->assemble(numbers_.View(), begin, end, work.data()->value.hessian.data(),
                           numbers_.A(), H);
      },
      [&](const PairBlock& pair, int position, int n_row, int n_col) {
        if (pair.A >= 0) numbers_.CopyInertia(position, H + pair.H_row);
        if (const TreePattern* pattern = numbers_.PatternOf(position)) {
          for (int i = pair.begin; i < pair.end; ++i) {
            pattern->AddSquare(numbers_.last(i),
                               numbers_.View().J + pair.J + 3 * n_row * (i - pair.begin),
                               At(work, i).value.hessian, H + pair.H_row);
          }
          return;
        }
        if (n_col > 0) kernels::MapBlock(H + pair.H, n_row, n_col).setZero();
        const double* J = numbers_.View().J + pair.J;
        double* GJ = GJ_.data() + 3 * pair.x_row;
        double* GJ_col = GJ_.data() + 3 * std::max(pair.x_col, 0);
        for (int i = pair.begin; i < pair.end; ++i, J += 3 * (n_row + n_col)) {
          const Mat3& G = At(work, i).value.hessian;
          ScaleRows(G, J, n_row, GJ);
          AddProducts(J, n_row, GJ, n_row, H + pair.H_row);
          if (n_col == 0) continue;
          ScaleRows(G, J + 3 * n_row, n_col, GJ_col);
          AddProducts(J + 3 * n_row, n_col, GJ_col, n_col, H + pair.H_col);
          AddProducts(J, n_row, GJ_col, n_col, H + pair.H);
        }
      });
}

void IslandHessian::Analyze(const Island& island) {
  Factor& factor = At(factors_, island.factor);
  const bool lone = island.factor == 0;
  const int begin = lone ? 0 : island.tree_begin;
  const int end = lone ? order_.lone_trees() : island.tree_end;
  factor.new_nodes.clear();
  factor.new_edges.clear();
  for (int j = begin; j < end; ++j) {
    const IslandOrder::Place& place = order_.place(j);
    factor.new_nodes.push_back({place.size, place.row - order_.place(begin).row, place.H});
  }
  for (int e = island.edge_begin; e < island.edge_end; ++e) {
    const IslandOrder::Edge& edge = At(order_.edges(), e);
    if (At(stiff_, e)) factor.new_edges.push_back({edge.row - begin, edge.col - begin, edge.H});
  }
  const bool known = factor.whole == factor.stubborn &&
                     std::ranges::equal(factor.nodes, factor.new_nodes, {}, &FactorNode::size,
                                        &FactorNode::size) &&
                     std::ranges::equal(factor.edges, factor.new_edges,
                                        [](const FactorEdge& a, const FactorEdge& b) {
                                          return a.row == b.row && a.col == b.col;
                                        });
  std::swap(factor.nodes, factor.new_nodes);
  std::swap(factor.edges, factor.new_edges);
  // pairs beyond the pattern come and go: they only move blocks
  if (known) {
    factor.matrix.Relocate(factor.nodes, factor.edges);
  } else {
    const auto blocks = static_cast<std::int64_t>(factor.nodes.size() + 2 * factor.edges.size());
    factor.matrix.Analyze(
        factor.nodes, factor.edges,
        factor.stubborn ? std::numeric_limits<std::int64_t>::max() : expensive_fill_ * blocks);
    factor.whole = factor.stubborn;
  }
  factor.stale = false;
}

bool IslandHessian::Factorize(const Island& island, double shift) {
  if (island.factor < 0) {
    return std::all_of(order_.islands().begin(), order_.islands().end(),
                       [&](const Island& part) { return Factorize(part, shift); });
  }
  if (const TreePattern* pattern = numbers_.PatternOf(island)) {
    const int at = order_.place(island.tree_begin).H;
    double* L = L_.data() + at;
    std::copy_n(H_.data() + at, pattern->entries(), L);
    for (int c = 0; c < pattern->size() && shift != 0; ++c) L[pattern->Diagonal(c)] *= 1 + shift;
    return pattern->Factorize(L);
  }
  Factor& factor = At(factors_, island.factor);
  if (factor.stale) Analyze(island);
  const int first = island.factor == 0 ? island.tree_begin : 0, last = first + island.trees();
  if (factor.matrix.Factorize(H_.data(), first, last, shift)) return true;
  // dropped fill may cost an incomplete factor its pivots
  for (double more = 1e-3; factor.matrix.incomplete() && more < 2; more *= 10) {
    if (factor.matrix.Factorize(H_.data(), first, last, more)) return true;
  }
  return false;
}

bool IslandHessian::FactorizeShifted(const Island& island, bool* helped) {
  for (const double shift : {0.0, 1e-12, 1e-9}) {
    if (Factorize(island, shift)) return true;
    *helped = true;
  }
  return false;
}

bool IslandHessian::HasDefiniteInertia(const Island& island) {
  for (int j = island.tree_begin; j < island.tree_end; ++j) {
    const int n = order_.place(j).size;
    double* block = H_.data() + order_.place(j).H;
    numbers_.CopyFullInertia(j, block);
    if (!IsPositiveDefinite(n, ColumnStride(n), block, kRoundOff)) {
      return false;
    }
  }
  return true;
}

void IslandHessian::Solve(const Island& island, double* x) {
  if (island.factor < 0) {
    for (const Island& part : order_.islands()) Solve(part, x);
    return;
  }
  if (const TreePattern* pattern = numbers_.PatternOf(island)) {
    return pattern->Solve(L_.data() + order_.place(island.tree_begin).H, x + island.row_begin);
  }
  Factor& factor = At(factors_, island.factor);
  if (island.factor == 0) {
    return factor.matrix.Solve(island.tree_begin, island.tree_end, x);
  }
  double* own = x + island.row_begin;
  if (!factor.matrix.incomplete()) return factor.matrix.Solve(0, island.trees(), own);
  const int iterations = factor.iteration.Solve(
      island.rows(), kAccuracy, expensive_products_,
      [&](const VectorX& p, VectorX* y) {
        y->setZero();
        factor.matrix.Multiply(H_.data(), p.data(), y->data());
      },
      [&](VectorX* z) { factor.matrix.Solve(0, island.trees(), z->data()); }, own);
  if (iterations == expensive_products_) factor.stubborn = factor.stale = true;
}

void IslandHessian::CopyDense(const Island& island, int stride, double* out) const {
  const int n = island.rows();
  for (int r = 0; r < n; ++r) std::fill_n(out + r * stride, n, 0.0);
  const auto copy = [&](int row, int rows, int col, int cols, const double* from) {
    double* to = out + (row - island.row_begin) * stride + (col - island.row_begin);
    double* across = out + (col - island.row_begin) * stride + (row - island.row_begin);
    for (int c = 0; c < cols; ++c, from += ColumnStride(rows)) {
      for (int r = 0; r < rows; ++r) to[r * stride + c] = across[c * stride + r] = from[r];
    }
  };
  for (int j = island.tree_begin; j < island.tree_end; ++j) {
    const IslandOrder::Place& place = order_.place(j);
    const double* H = H_.data() + place.H;
    const TreePattern* pattern = numbers_.PatternOf(j);
    if (pattern == nullptr) {
      copy(place.row, place.size, place.row, place.size, H);
      continue;
    }
    double* to = out + (place.row - island.row_begin) * (stride + 1);
    for (int k = 0; k < pattern->size(); ++k) {
      for (const int i : pattern->Path(k)) to[k * stride + i] = to[i * stride + k] = *H++;
    }
  }
  for (int e = island.edge_begin; e < island.edge_end; ++e) {
    if (At(stiff_, e) == 0) continue;
    const IslandOrder::Edge& edge = At(order_.edges(), e);
    const IslandOrder::Place &row = order_.place(edge.row), &col = order_.place(edge.col);
    copy(row.row, row.size, col.row, col.size, H_.data() + edge.H);
  }
}

bool IslandHessian::IsIterative() const {
  return std::any_of(order_.islands().begin(), order_.islands().end(), [&](const Island& island) {
    return At(factors_, island.factor).matrix.incomplete();
  });
}

void IslandHessian::Precondition(double* x) const {
  for (const Island& island : order_.islands()) {
    if (const TreePattern* pattern = numbers_.PatternOf(island)) {
      pattern->Solve(L_.data() + order_.place(island.tree_begin).H, x + island.row_begin);
      continue;
    }
    const BlockCholesky& matrix = At(factors_, island.factor).matrix;
    if (island.factor == 0) {
      matrix.Solve(island.tree_begin, island.tree_end, x);
    } else {
      matrix.Solve(0, island.trees(), x + island.row_begin);
    }
  }
}

void IslandHessian::Multiply(const VectorX& x, VectorX* y) const {
  y->setZero(order_.rows());
  for (const Island& island : order_.islands()) {
    if (const TreePattern* pattern = numbers_.PatternOf(island)) {
      pattern->Multiply(H_.data() + order_.place(island.tree_begin).H, x.data() + island.row_begin,
                        y->data() + island.row_begin);
      continue;
    }
    const BlockCholesky& matrix = At(factors_, island.factor).matrix;
    if (matrix.incomplete()) {
      matrix.Multiply(H_.data(), x.data() + island.row_begin, y->data() + island.row_begin);
      continue;
    }
    ForEachBlock(island, [&](int row, int row_size, int col, int col_size, const double* values) {
      if (row_size == 6 && col_size == 6) {  // most
        AddProduct6(values, x.data() + col, y->data() + row);
        if (row != col) AddTransposedProduct6(values, x.data() + row, y->data() + col);
        return;
      }
      const auto B = kernels::MapBlock(values, row_size, col_size);
      y->segment(row, row_size).noalias() += B * x.segment(col, col_size);
      if (row == col) return;
      y->segment(col, col_size).noalias() += B.transpose() * x.segment(row, row_size);
    });
  }
}

}  // namespace slip
