// Products with J, A and the assembly of H, pair by pair: free bodies through kernels of their own.
#include <algorithm>

#include "engine/formulation/island.h"
#include "engine/solver/block_kernels.h"

namespace slip {

static_assert(sizeof(ContactWork) % sizeof(double) == 0, "the kernels count in doubles");

PairView IslandSystem::View() const {
  return {blocks_.data(), J_.data(), static_cast<int>(sizeof(ContactWork) / sizeof(double))};
}

// Calls fn6(first, last) for runs of pairs whose trees have six coordinates (or the second is the
// world), else fn(block, n_row, n_col), in order.
template <class Fn6, class Fn>
void IslandSystem::ForEachPair(const Island& island, Fn6&& fn6, Fn&& fn) const {
  for (int k = island.pair_begin; k < island.pair_end;) {
    const int first = k;
    while (k < island.pair_end && pairs_[U(k)].six) ++k;
    if (k > first) fn6(first, k);
    for (; k < island.pair_end && !pairs_[U(k)].six; ++k) {
      const Pair& pair = pairs_[U(k)];
      fn(blocks_[U(k)], matrix_.size(pair.row), pair.col < 0 ? 0 : matrix_.size(pair.col));
    }
  }
}

void IslandSystem::CalcContactVelocities(const Island& island) {
  // through the same products as a step: v_c = b + J v
  dv.segment(island.row_begin, island.rows()) = v.segment(island.row_begin, island.rows());
  CalcContactSteps(island);
  for (int i = island.contact_begin; i < island.contact_end; ++i) {
    ContactWork& w = work_[U(i)];
    w.v_c = w.dv_c + w.bias;
  }
}

void IslandSystem::CalcContactSteps(const Island& island) {
  if (island.contacts() == 0) return;
  const double* x = dv.data();
  ForEachPair(
      island,
      [&](int first, int last) {
        kernels_->contact_steps(View(), first, last, x, work_.data()->dv_c.data());
      },
      [&](const PairBlock& pair, int n_row, int n_col) {
        const double* x_row = x + pair.x_row;
        const double* x_col = pair.x_col < 0 ? nullptr : x + pair.x_col;
        const double* J = J_.data() + pair.J;
        for (int i = pair.begin; i < pair.end; ++i) {
          Vec3& y = work_[U(i)].dv_c;
          y.setZero();
          for (int r = 0; r < 3; ++r, J += n_row) {
            for (int k = 0; k < n_row; ++k) y[r] += J[k] * x_row[k];
          }
          for (int r = 0; n_col > 0 && r < 3; ++r, J += n_col) {
            for (int k = 0; k < n_col; ++k) y[r] += J[k] * x_col[k];
          }
        }
      });
}

void IslandSystem::CalcImpulseSum(const Island& island, VectorX* out) const {
  out->segment(island.row_begin, island.rows()).setZero();
  if (island.contacts() == 0) return;
  double* y = out->data();
  ForEachPair(
      island,
      [&](int first, int last) {
        kernels_->impulse_sum(View(), first, last, work_.data()->value.gamma.data(), y);
      },
      [&](const PairBlock& pair, int n_row, int n_col) {
        double* y_row = y + pair.x_row;
        double* y_col = pair.x_col < 0 ? nullptr : y + pair.x_col;
        const double* J = J_.data() + pair.J;
        for (int i = pair.begin; i < pair.end; ++i) {
          const Vec3& g = work_[U(i)].value.gamma;
          for (int r = 0; r < 3; ++r, J += n_row) {
            for (int k = 0; k < n_row; ++k) y_row[k] += J[k] * g[r];
          }
          for (int r = 0; n_col > 0 && r < 3; ++r, J += n_col) {
            for (int k = 0; k < n_col; ++k) y_col[k] += J[k] * g[r];
          }
        }
      });
}

void IslandSystem::ApplyA(const Island& island, const VectorX& x, VectorX* y) const {
  for (int j = island.tree_begin; j < island.tree_end;) {
    const int n = matrix_.size(j), begin = matrix_.begin(j);
    const double* A = A_.data() + A_begin_[U(j)];
    const double* from = x.data() + begin;
    double* to = y->data() + begin;
    if (n == 6) {  // as many as follow each other
      const int first = j;
      while (j < island.tree_end && matrix_.size(j) == 6) ++j;
      kernels_->multiply_diagonal(A, j - first, from, to);
      continue;
    }
    for (int r = 0; r < n; ++r, A += n) {
      double sum = 0;
      for (int k = 0; k < n; ++k) sum += A[k] * from[k];
      to[r] = sum;
    }
    ++j;
  }
}

namespace {

// rows of G J: 3 x n from 3 x n
void ScaleRows(const Mat3& G, const double* J, int n, double* out) {
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
    for (int r = 0; r < rows; ++r) {
      H[r] += J[r] * g0 + J[rows + r] * g1 + J[2 * rows + r] * g2;
    }
  }
}

void CopyInertia(const double* A, int n, double* H) {
  if (n == 6) {  // of a size that the compiler knows
    for (int c = 0; c < 6; ++c) std::copy_n(A + 6 * c, 6, H + kStride6 * c);
    return;
  }
  kernels::MapBlock(H, n, n) = Eigen::Map<const MatrixX>(A, n, n);
}

}  // namespace

// Every block is written first, then added to: none is cleared.
void IslandSystem::Assemble(const Island& island) {
  double* H = matrix_.Values();
  for (int j = island.tree_begin; j < island.tree_end; ++j) {
    if (begins_row_[U(j)]) continue;
    CopyInertia(A_.data() + A_begin_[U(j)], matrix_.size(j), matrix_.Diagonal(j));
  }
  if (island.contacts() == 0) return;
  ForEachPair(
      island,
      [&](int first, int last) {
        kernels_->assemble(View(), first, last, work_.data()->value.hessian.data(), A_.data(), H);
      },
      [&](const PairBlock& pair, int n_row, int n_col) {
        if (pair.A >= 0) CopyInertia(A_.data() + pair.A, n_row, H + pair.H_row);
        if (n_col > 0) kernels::MapBlock(H + pair.H, n_row, n_col).setZero();
        const double* J = J_.data() + pair.J;
        double* GJ = GJ_.data();
        for (int i = pair.begin; i < pair.end; ++i, J += 3 * (n_row + n_col)) {
          const Mat3& G = work_[U(i)].value.hessian;
          ScaleRows(G, J, n_row, GJ);
          AddProducts(J, n_row, GJ, n_row, H + pair.H_row);
          if (n_col == 0) continue;
          ScaleRows(G, J + 3 * n_row, n_col, GJ);
          AddProducts(J + 3 * n_row, n_col, GJ, n_col, H + pair.H_col);
          AddProducts(J, n_row, GJ, n_col, H + pair.H);
        }
      });
}

}  // namespace slip
