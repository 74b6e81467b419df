// The Hessian of an island: its pattern, assembly and factorisation.
#include <algorithm>

#include "engine/convex/island.h"
#include "engine/solver/block_kernels.h"

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

void CopyColumns(const double* A, int n, double* H) {
  if (n == 6) {  // of a size that the compiler knows
    for (int c = 0; c < 6; ++c) std::copy_n(A + 6 * c, 6, H + kStride6 * c);
    return;
  }
  std::copy_n(A, n * n, H);  // stored without gaps, too
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

void IslandSystem::CopyInertia(int position, double* H) const {
  if (const TreePattern* pattern = PatternOf(position)) {
    std::copy_n(A_.data() + A_begin_[U(position)], pattern->entries(), H);
  } else {
    CopyFullInertia(position, H);
  }
}

void IslandSystem::CopyFullInertia(int position, double* H) const {
  const double* A = A_.data() + A_begin_[U(position)];
  if (const TreePattern* pattern = pattern_of_[U(position)]) {
    pattern->Unpack(A, H);
  } else {
    CopyColumns(A, size(position), H);
  }
}

bool IslandSystem::HasStiffness(const PairBlock& pair) const {
  for (int i = pair.begin; i < pair.end; ++i) {
    // positive semidefinite: without a diagonal there is nothing; NaN counts
    const ContactWork& w = work_[U(i)];
    if (w.value.hessian.trace() != 0 || (w.spin != nullptr && w.spin->G_uu != 0)) return true;
  }
  return false;
}

void IslandSystem::UpdatePattern(const Island& island, bool renew) {
  if (island.factor == 0) return;  // lone trees share one, which has no pairs
  Factor& factor = factors_[U(island.factor)];
  if (renew) {
    factor.stubborn = false;
    factor.stale = factor.stale || factor.whole;
  }
  for (int k = island.pair_begin; k < island.pair_end; ++k) {
    if (pairs_[U(k)].edge < 0) continue;
    Edge& edge = edges_[U(pairs_[U(k)].edge)];
    const bool stiff = (renew ? edge.near : edge.stiff) || HasStiffness(blocks_[U(k)]);
    if (stiff != edge.stiff) factor.stale = true;
    edge.stiff = stiff;
  }
}

// Every block is written first, then added to: none is cleared.
void IslandSystem::Assemble(const Island& island, bool renew, const double* scalar_stiffness) {
  if (island.factor < 0) {
    for (const Island& part : islands_) Assemble(part, renew);
    return;
  }
  double* H = H_.data();
  for (int j = island.tree_begin; j < island.tree_end; ++j) {
    if (begins_row_[U(j)]) continue;
    CopyInertia(j, H + H_begin_[U(j)]);
  }
  if (island.contacts() == 0) return AssembleScalars(island, scalar_stiffness);
  UpdatePattern(island, renew);
  // runs of pairs that are part of the pattern; of the others the inertia may be needed
  for (int k = island.pair_begin; k < island.pair_end;) {
    const auto stiff = [&](int i) {
      const int edge = pairs_[U(i)].edge;
      return edge < 0 || edges_[U(edge)].stiff;
    };
    const int first = k;
    while (k < island.pair_end && stiff(k)) ++k;
    if (k > first) AssemblePairs(first, k);
    for (; k < island.pair_end && !stiff(k); ++k) {
      const PairBlock& pair = blocks_[U(k)];
      if (pair.A >= 0) CopyInertia(pairs_[U(k)].row, H + pair.H_row);
    }
  }
  if (island.spins()) AssembleSpins(island);
  AssembleScalars(island, scalar_stiffness);
}

void IslandSystem::AssembleScalars(const Island& island, const double* stiffness) {
  for (int i = island.scalar_begin; i < island.scalar_end; ++i) {
    const ScalarRow& row = scalars_[U(i)];
    H_[U(row.H)] += stiffness != nullptr ? *stiffness++ : row.scalar.Hessian(v[row.row]);
  }
}

void IslandSystem::AssemblePairs(int first, int last) {
  double* H = H_.data();
  ForEachPair(
      first, last,
      [&](int begin, int end) {
        kernels_->assemble(View(), begin, end, work_.data()->value.hessian.data(), A_.data(), H);
      },
      [&](const PairBlock& pair, int position, int n_row, int n_col) {
        if (pair.A >= 0) CopyInertia(position, H + pair.H_row);
        if (const TreePattern* pattern = PatternOf(position)) {
          for (int i = pair.begin; i < pair.end; ++i) {
            pattern->AddSquare(last_[U(i)], J_.data() + pair.J + 3 * n_row * (i - pair.begin),
                               work_[U(i)].value.hessian, H + pair.H_row);
          }
          return;
        }
        if (n_col > 0) kernels::MapBlock(H + pair.H, n_row, n_col).setZero();
        const double* J = J_.data() + pair.J;
        double* GJ = GJ_.data() + 3 * pair.x_row;
        double* GJ_col = GJ_.data() + 3 * std::max(pair.x_col, 0);
        for (int i = pair.begin; i < pair.end; ++i, J += 3 * (n_row + n_col)) {
          const Mat3& G = work_[U(i)].value.hessian;
          ScaleRows(G, J, n_row, GJ);
          AddProducts(J, n_row, GJ, n_row, H + pair.H_row);
          if (n_col == 0) continue;
          ScaleRows(G, J + 3 * n_row, n_col, GJ_col);
          AddProducts(J + 3 * n_row, n_col, GJ_col, n_col, H + pair.H_col);
          AddProducts(J, n_row, GJ_col, n_col, H + pair.H);
        }
      });
}

void IslandSystem::Analyze(const Island& island) {
  Factor& factor = factors_[U(island.factor)];
  const bool lone = island.factor == 0;
  const int begin = lone ? 0 : island.tree_begin, end = lone ? lone_trees_ : island.tree_end;
  factor.new_nodes.clear();
  factor.new_edges.clear();
  for (int j = begin; j < end; ++j) {
    factor.new_nodes.push_back({size(j), row_begin_[U(j)] - row_begin_[U(begin)], H_begin_[U(j)]});
  }
  for (int e = island.edge_begin; e < island.edge_end; ++e) {
    const Edge& edge = edges_[U(e)];
    if (edge.stiff) factor.new_edges.push_back({edge.row - begin, edge.col - begin, edge.H});
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
        factor.stubborn ? std::numeric_limits<std::int64_t>::max() : expensive_fill * blocks);
    factor.whole = factor.stubborn;
  }
  factor.stale = false;
}

bool IslandSystem::Factorize(const Island& island, double shift) {
  if (island.factor < 0) {
    return std::all_of(islands_.begin(), islands_.end(),
                       [&](const Island& part) { return Factorize(part, shift); });
  }
  if (const TreePattern* pattern = PatternOf(island)) {
    const int at = H_begin_[U(island.tree_begin)];
    double* L = L_.data() + at;
    std::copy_n(H_.data() + at, pattern->entries(), L);
    for (int c = 0; c < pattern->size() && shift != 0; ++c) L[pattern->Diagonal(c)] *= 1 + shift;
    return pattern->Factorize(L);
  }
  Factor& factor = factors_[U(island.factor)];
  if (factor.stale) Analyze(island);
  const int first = island.factor == 0 ? island.tree_begin : 0, last = first + island.trees();
  if (factor.matrix.Factorize(H_.data(), first, last, shift)) return true;
  // dropped fill may cost an incomplete factor its pivots
  for (double more = 1e-3; factor.matrix.incomplete() && more < 2; more *= 10) {
    if (factor.matrix.Factorize(H_.data(), first, last, more)) return true;
  }
  return false;
}

bool IslandSystem::FactorizeShifted(const Island& island, bool* helped) {
  for (const double shift : {0.0, 1e-12, 1e-9}) {
    if (Factorize(island, shift)) return true;
    *helped = true;
  }
  return false;
}

bool IslandSystem::HasDefiniteInertia(const Island& island) {
  for (int j = island.tree_begin; j < island.tree_end; ++j) {
    const int n = size(j);
    double* block = H_.data() + H_begin_[U(j)];
    CopyFullInertia(j, block);
    if (!kernels::IsPositiveDefinite(n, static_cast<int>(ColumnStride(n)), block, kRoundOff)) {
      return false;
    }
  }
  return true;
}

void IslandSystem::Solve(const Island& island, double* x) {
  if (island.factor < 0) {
    for (const Island& part : islands_) Solve(part, x);
    return;
  }
  if (const TreePattern* pattern = PatternOf(island)) {
    return pattern->Solve(L_.data() + H_begin_[U(island.tree_begin)], x + island.row_begin);
  }
  Factor& factor = factors_[U(island.factor)];
  if (island.factor == 0) {
    return factor.matrix.Solve(island.tree_begin, island.tree_end, x);
  }
  double* own = x + island.row_begin;
  if (!factor.matrix.incomplete()) return factor.matrix.Solve(0, island.trees(), own);
  const int iterations = factor.iteration.Solve(
      island.rows(), kAccuracy, expensive_products,
      [&](const VectorX& p, VectorX* y) {
        y->setZero();
        factor.matrix.Multiply(H_.data(), p.data(), y->data());
      },
      [&](VectorX* z) { factor.matrix.Solve(0, island.trees(), z->data()); }, own);
  if (iterations == expensive_products) factor.stubborn = factor.stale = true;
}

bool IslandSystem::IsIterative() const {
  return std::any_of(islands_.begin(), islands_.end(), [&](const Island& island) {
    return factors_[U(island.factor)].matrix.incomplete();
  });
}

void IslandSystem::Precondition(double* x) const {
  for (const Island& island : islands_) {
    if (const TreePattern* pattern = PatternOf(island)) {
      pattern->Solve(L_.data() + H_begin_[U(island.tree_begin)], x + island.row_begin);
      continue;
    }
    const BlockCholesky& matrix = factors_[U(island.factor)].matrix;
    if (island.factor == 0) {
      matrix.Solve(island.tree_begin, island.tree_end, x);
    } else {
      matrix.Solve(0, island.trees(), x + island.row_begin);
    }
  }
}

void IslandSystem::Multiply(const VectorX& x, VectorX* y) const {
  y->setZero(rows());
  for (const Island& island : islands_) {
    if (const TreePattern* pattern = PatternOf(island)) {
      pattern->Multiply(H_.data() + H_begin_[U(island.tree_begin)], x.data() + island.row_begin,
                        y->data() + island.row_begin);
      continue;
    }
    const BlockCholesky& matrix = factors_[U(island.factor)].matrix;
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
