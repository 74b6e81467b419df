// Products with J and A, pair by pair: free bodies through kernels of their own.
#include <algorithm>
#include <limits>

#include "engine/convex/island_numbers.h"
#include "engine/core/numbers.h"

namespace slip {

static_assert(sizeof(ContactWork) % sizeof(double) == 0, "the kernels count in doubles");

namespace {

using LongRows = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, 3>>;

// y += J x of three rows of n; long rows several entries at a time
void AddRowProducts(const double* J, int n, const double* x, Vec3* y) {
  if (n > 6) {
    *y += LongRows(J, n, 3).transpose().lazyProduct(Eigen::Map<const VectorX>(x, n));
    return;
  }
  for (int r = 0; r < 3; ++r, J += n) {
    double sum = (*y)[r];
    for (int k = 0; k < n; ++k) sum += J[k] * x[k];
    (*y)[r] = sum;
  }
}

// y += Jᵀ g
void AddColumnProducts(const double* J, int n, const Vec3& g, double* y) {
  if (n > 6) {
    Eigen::Map<VectorX>(y, n) += LongRows(J, n, 3).lazyProduct(g);
    return;
  }
  for (int k = 0; k < n; ++k) y[k] = y[k] + J[k] * g[0] + J[n + k] * g[1] + J[2 * n + k] * g[2];
}

// J x and y += Jᵀ g of rows with the columns on a way
Vec3 MultiplyPath(const double* J, std::span<const int> way, const double* x) {
  const std::size_t n = way.size();
  Vec3 y = Vec3::Zero();
  for (std::size_t e = 0; e < n; ++e) {
    const double x_e = x[way[e]];
    y += x_e * Vec3(J[e], J[n + e], J[2 * n + e]);
  }
  return y;
}
void AddPathProducts(const double* J, std::span<const int> way, const Vec3& g, double* y) {
  const std::size_t n = way.size();
  for (std::size_t e = 0; e < n; ++e)
    y[way[e]] += J[e] * g.x() + J[n + e] * g.y() + J[2 * n + e] * g.z();
}

}  // namespace

PairView IslandNumbers::View() const {
  return {order_->blocks().data(), J_.data(),
          static_cast<int>(sizeof(ContactWork) / sizeof(double))};
}

// Through the same products as a step.
void IslandNumbers::CalcContactVelocities(const Island& island, const VectorX& x) {
  CalcContactSteps(island, x);
  for (int i = island.contact_begin; i < island.contact_end; ++i) {
    ContactWork& w = At(work_, i);
    w.v_c = w.dv_c + w.bias;
    if (w.spin != nullptr) w.spin->u = w.spin->du;  // what turns is a body: no bias
  }
}

void IslandNumbers::CalcContactSteps(const Island& island, const VectorX& of) {
  if (island.contacts() == 0) return;
  const double* x = of.data();
  order_->ForEachPair(
      island.pair_begin, island.pair_end,
      [&](int first, int last) {
        kernels_->contact_steps(View(), first, last, x, work_.data()->dv_c.data());
      },
      [&](const PairBlock& pair, int position, int n_row, int n_col) {
        const double* x_row = x + pair.x_row;
        const double* x_col = pair.x_col < 0 ? nullptr : x + pair.x_col;
        const double* J = J_.data() + pair.J;
        const TreePattern* pattern = PatternOf(position);
        for (int i = pair.begin; i < pair.end; ++i, J += 3 * (n_row + n_col)) {
          Vec3& y = At(work_, i).dv_c;
          if (pattern != nullptr) {
            y = MultiplyPath(J, pattern->Path(At(last_, i)), x_row);
            continue;
          }
          y.setZero();
          AddRowProducts(J, n_row, x_row, &y);
          if (n_col > 0) AddRowProducts(J + 3 * n_row, n_col, x_col, &y);
        }
      });
  if (island.spins()) AddSpinSteps(island, of);
}

void IslandNumbers::CalcImpulseSum(const Island& island, VectorX* out) const {
  out->segment(island.row_begin, island.rows()).setZero();
  if (island.contacts() == 0) return;
  double* y = out->data();
  order_->ForEachPair(
      island.pair_begin, island.pair_end,
      [&](int first, int last) {
        kernels_->impulse_sum(View(), first, last, work_.data()->value.gamma.data(), y);
      },
      [&](const PairBlock& pair, int position, int n_row, int n_col) {
        double* y_row = y + pair.x_row;
        double* y_col = pair.x_col < 0 ? nullptr : y + pair.x_col;
        const double* J = J_.data() + pair.J;
        const TreePattern* pattern = PatternOf(position);
        for (int i = pair.begin; i < pair.end; ++i, J += 3 * (n_row + n_col)) {
          const Vec3& g = At(work_, i).value.gamma;
          if (pattern != nullptr) {
            AddPathProducts(J, pattern->Path(At(last_, i)), g, y_row);
            continue;
          }
          AddColumnProducts(J, n_row, g, y_row);
          if (n_col > 0) AddColumnProducts(J + 3 * n_row, n_col, g, y_col);
        }
      });
  if (island.spins()) AddSpinImpulses(island, y);
}

double IslandNumbers::AddScalars(const Island& island, const VectorX& v, VectorX* y) const {
  double cost = 0;
  for (int i = island.scalar_begin; i < island.scalar_end; ++i) {
    const ScalarRow& row = At(scalars_, i);
    (*y)[row.row] += row.scalar.Impulse(v[row.row]);
    cost += row.scalar.Cost(v[row.row]);
  }
  return cost;
}

void IslandNumbers::AddScalarsAlong(const Island& island, const VectorX& v, const VectorX& dv,
                                    double alpha, LinePoint* point) const {
  for (int i = island.scalar_begin; i < island.scalar_end; ++i) {
    const ScalarRow& row = At(scalars_, i);
    const double step = dv[row.row], at = v[row.row] + alpha * step;
    point->cost += row.scalar.Cost(at);
    point->slope -= row.scalar.Impulse(at) * step;
    point->curvature += row.scalar.Hessian(at) * step * step;
  }
}

double IslandNumbers::ScalarRoundOff(const Island& island, const VectorX& v) const {
  constexpr double kBits = 8 * std::numeric_limits<double>::epsilon();
  double sum = 0;
  for (int i = island.scalar_begin; i < island.scalar_end; ++i) {
    const ScalarRow& row = At(scalars_, i);
    const double bit = kBits * row.scalar.Hessian(v[row.row]) * v[row.row] * D_[row.row];
    sum += bit * bit;
  }
  return sum;
}

void IslandNumbers::ApplyA(const Island& island, const VectorX& x, VectorX* y) const {
  for (int j = island.tree_begin; j < island.tree_end;) {
    const IslandOrder::Place& place = order_->place(j);
    const int n = place.size, begin = place.row;
    const double* A = A_.data() + place.A;
    const double* from = x.data() + begin;
    double* to = y->data() + begin;
    if (n == 6) {  // as many as follow each other
      const int first = j;
      while (j < island.tree_end && order_->place(j).size == 6) ++j;
      kernels_->multiply_diagonal(A, j - first, from, to);
      continue;
    }
    if (const TreePattern* pattern = At(pattern_of_, j)) {
      pattern->Multiply(A, from, to);
      ++j;
      continue;
    }
    if (n > 6) {
      Eigen::Map<VectorX>(to, n).noalias() =
          Eigen::Map<const MatrixX>(A, n, n).lazyProduct(Eigen::Map<const VectorX>(from, n));
      ++j;
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

void AddContactImpulse(const IslandOrder& order, const IslandNumbers& numbers, int pair,
                       int contact, const Vec3& g, double g_spin, double* y) {
  const IslandOrder::Pair& of = At(order.pairs(), pair);
  const PairBlock& block = At(order.blocks(), pair);
  const int n_row = order.place(of.row).size, n_col = order.columns(of);
  const TreePattern* pattern = numbers.PatternOf(of.row);
  const double* J = numbers.View().J + block.J + 3 * (n_row + n_col) * (contact - block.begin);
  if (pattern != nullptr) {
    AddPathProducts(J, pattern->Path(numbers.last(contact)), g, y + block.x_row);
  } else {
    AddColumnProducts(J, n_row, g, y + block.x_row);
    if (n_col > 0) AddColumnProducts(J + 3 * n_row, n_col, g, y + block.x_col);
  }
  if (At(numbers.contacts(), contact).spin == nullptr || g_spin == 0) return;
  const auto& spins = numbers.spins();
  const auto spin = std::lower_bound(
      spins.begin(), spins.end(), contact,
      [](const IslandNumbers::SpinRow& row, int wanted) { return row.contact < wanted; });
  const double* entry = numbers.spin_J(*spin);
  for (int c = 0; c < n_row; ++c) y[order.place(of.row).row + c] += *entry++ * g_spin;
  for (int c = 0; c < n_col; ++c) y[order.place(of.col).row + c] += *entry++ * g_spin;
}

}  // namespace slip
