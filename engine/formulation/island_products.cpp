// Products with J, A and the assembly of H, pair by pair: free bodies in six-wide registers.
#include "engine/formulation/island.h"
#include "engine/solver/block_kernels.h"

namespace slip {

// Calls fn6(pair) where both trees have six coordinates (or the second is the world), else
// fn(pair, n_row, n_col).
template <class Fn6, class Fn>
void IslandSystem::ForEachPair(const Island& island, Fn6&& fn6, Fn&& fn) const {
  for (int k = island.pair_begin; k < island.pair_end; ++k) {
    const Pair& pair = pairs_[U(k)];
    const int n_row = matrix_.size(pair.row);
    const int n_col = pair.col < 0 ? 0 : matrix_.size(pair.col);
    if (n_row == 6 && (n_col == 6 || n_col == 0)) {
      fn6(pair);
    } else {
      fn(pair, n_row, n_col);
    }
  }
}

void IslandSystem::CalcContactVelocities(const Island& island) {
  // through the same products as a step: v_c = b + J v
  for (int i = island.contact_begin; i < island.contact_end; ++i) work_[U(i)].dv_c.setZero();
  dv.segment(island.row_begin, island.rows()) = v.segment(island.row_begin, island.rows());
  CalcContactSteps(island);
  for (int i = island.contact_begin; i < island.contact_end; ++i) {
    ContactWork& w = work_[U(i)];
    w.v_c = w.dv_c + w.bias;
  }
}

void IslandSystem::CalcContactSteps(const Island& island) {
  const double* x = dv.data();
  ForEachPair(
      island,
      [&](const Pair& pair) {
        const Row6 x_row = Row6::Load(x + matrix_.begin(pair.row));
        const bool two = pair.col >= 0;
        const Row6 x_col = two ? Row6::Load(x + matrix_.begin(pair.col)) : Row6::Zero();
        const double* J = J_.data() + pair.J;
        for (int i = pair.begin; i < pair.end; ++i) {
          Vec3& y = work_[U(i)].dv_c;
          Unroll<3>([&](auto r) SLIP_INLINE {
            Row6 sum = Row6::Zero();
            sum.AddProduct(Row6::Load(J + 6 * r), x_row);
            if (two) sum.AddProduct(Row6::Load(J + 18 + 6 * r), x_col);
            y[r()] = sum.Sum();
          });
          J += two ? 36 : 18;
        }
      },
      [&](const Pair& pair, int n_row, int n_col) {
        const double* x_row = x + matrix_.begin(pair.row);
        const double* x_col = pair.col < 0 ? nullptr : x + matrix_.begin(pair.col);
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
  double* y = out->data();
  ForEachPair(
      island,
      [&](const Pair& pair) {
        const bool two = pair.col >= 0;
        double* y_row = y + matrix_.begin(pair.row);
        double* y_col = two ? y + matrix_.begin(pair.col) : nullptr;
        Row6 row = Row6::Load(y_row);
        Row6 col = two ? Row6::Load(y_col) : Row6::Zero();
        const double* J = J_.data() + pair.J;
        for (int i = pair.begin; i < pair.end; ++i) {
          const Vec3& g = work_[U(i)].value.gamma;
          for (int r = 0; r < 3; ++r) row.Add(Row6::Load(J + 6 * r), g[r]);
          if (two) {
            for (int r = 0; r < 3; ++r) col.Add(Row6::Load(J + 18 + 6 * r), g[r]);
          }
          J += two ? 36 : 18;
        }
        row.Store(y_row);
        if (two) col.Store(y_col);
      },
      [&](const Pair& pair, int n_row, int n_col) {
        double* y_row = y + matrix_.begin(pair.row);
        double* y_col = pair.col < 0 ? nullptr : y + matrix_.begin(pair.col);
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
  for (int j = island.tree_begin; j < island.tree_end; ++j) {
    const int n = matrix_.size(j), begin = matrix_.begin(j);
    const double* A = A_.data() + A_begin_[U(j)];
    const double* from = x.data() + begin;
    double* to = y->data() + begin;
    if (n == 6) {  // symmetric: its rows are its columns
      kernels::MultiplyAdd6(Row6::Zero(), A, from).Store(to);
      continue;
    }
    for (int r = 0; r < n; ++r, A += n) {
      double sum = 0;
      for (int k = 0; k < n; ++k) sum += A[k] * from[k];
      to[r] = sum;
    }
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

void ScaleRows6(const Mat3& G, const double* J, double* out) {
  const Row6 a = Row6::Load(J), b = Row6::Load(J + 6), c = Row6::Load(J + 12);
  Unroll<3>([&](auto r) SLIP_INLINE {
    Row6 sum = Row6::Zero();
    sum.Add(a, G(r(), 0));
    sum.Add(b, G(r(), 1));
    sum.Add(c, G(r(), 2));
    sum.Store(out + 6 * r);
  });
}

// H (6x6, column major) += sum over contacts of J^T (G J); strides between contacts
void AddProducts6(const double* J, int J_stride, const double* GJ, int GJ_stride, int count,
                  double* H) {
  constexpr int kColumns = kernels::kColumnsAtOnce;
  for (int first = 0; first < 6; first += kColumns) {
    Row6 c[kColumns];
    Unroll<kColumns>([&](auto j) SLIP_INLINE { c[j] = Row6::Load(H + 6 * (first + j)); });
    const double* a = J;
    const double* b = GJ + first;
    for (int i = 0; i < count; ++i, a += J_stride, b += GJ_stride) {
      Unroll<3>([&](auto r) SLIP_INLINE {
        const Row6 row = Row6::Load(a + 6 * r);
        Unroll<kColumns>([&](auto j) SLIP_INLINE { c[j].Add(row, b[6 * r + j]); });
      });
    }
    Unroll<kColumns>([&](auto j) SLIP_INLINE { c[j].Store(H + 6 * (first + j)); });
  }
}

void AddProducts(const double* J, int rows, const double* GJ, int cols, double* H) {
  for (int c = 0; c < cols; ++c) {
    const double g0 = GJ[c], g1 = GJ[cols + c], g2 = GJ[2 * cols + c];
    for (int r = 0; r < rows; ++r) {
      H[c * rows + r] += J[r] * g0 + J[rows + r] * g1 + J[2 * rows + r] * g2;
    }
  }
}

}  // namespace

void IslandSystem::Assemble(const Island& island) {
  matrix_.SetZero(island.tree_begin, island.tree_end);
  for (int j = island.tree_begin; j < island.tree_end; ++j) {
    const double* A = A_.data() + A_begin_[U(j)];
    const int n = matrix_.size(j);
    std::copy(A, A + n * n, matrix_.Diagonal(j));
  }
  double* values = matrix_.Values();
  ForEachPair(
      island,
      [&](const Pair& pair) {
        const bool two = pair.col >= 0;
        const int stride = two ? 36 : 18, count = pair.end - pair.begin;
        const double* J = J_.data() + pair.J;
        double* GJ = GJ_.data();
        for (int i = 0; i < count; ++i) {
          const Mat3& G = work_[U(pair.begin + i)].value.hessian;
          ScaleRows6(G, J + i * stride, GJ + i * stride);
          if (two) ScaleRows6(G, J + i * stride + 18, GJ + i * stride + 18);
        }
        AddProducts6(J, stride, GJ, stride, count, matrix_.Diagonal(pair.row));
        if (two) {
          AddProducts6(J + 18, stride, GJ + 18, stride, count, matrix_.Diagonal(pair.col));
          AddProducts6(J, stride, GJ + 18, stride, count, values + pair.H);
        }
      },
      [&](const Pair& pair, int n_row, int n_col) {
        const double* J = J_.data() + pair.J;
        double* GJ = GJ_.data();
        for (int i = pair.begin; i < pair.end; ++i, J += 3 * (n_row + n_col)) {
          const Mat3& G = work_[U(i)].value.hessian;
          ScaleRows(G, J, n_row, GJ);
          AddProducts(J, n_row, GJ, n_row, matrix_.Diagonal(pair.row));
          if (n_col == 0) continue;
          ScaleRows(G, J + 3 * n_row, n_col, GJ);
          AddProducts(J + 3 * n_row, n_col, GJ, n_col, matrix_.Diagonal(pair.col));
          AddProducts(J, n_row, GJ, n_col, values + pair.H);
        }
      });
}

}  // namespace slip
