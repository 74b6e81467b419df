// The fourth row of contacts with torsion, and what it adds to the products of the other three and
// to the Hessian.
#include "engine/convex/island_hessian.h"
#include "engine/core/numbers.h"
#include "engine/solver/add_scaled.h"
#include "engine/solver/block_kernels.h"

namespace slip {
namespace {

struct SpinSide {
  const double *u, *a;
  int n;
};

// H += u_row a_colᵀ + a_row u_colᵀ of a stored block
void AddSpinProducts(const SpinSide& row, const SpinSide& col, double* H) {
  const double* const x[] = {row.u, row.a};
  for (int c = 0; c < col.n; ++c) {
    const double f[] = {col.a[c], col.u[c]};
    AddScaled<2>(row.n, f, x, H + c * ColumnStride(row.n));
  }
}

}  // namespace

// Torsion comes and goes with a knob, not with the graph: its rows are dealt to the islands anew.
void IslandNumbers::LoadSpins(const ContactTask& p) {
  spins_.clear();
  spin_J_.clear();
  for (ContactWork& w : work_) w.spin = nullptr;
  for (std::size_t k = 0; k < order_->pairs().size(); ++k) {
    const IslandOrder::Pair& pair = order_->pairs()[k];
    const IslandOrder::Place& place = order_->place(pair.row);
    const int n_row = place.size, n_col = order_->columns(pair);
    const PairBlock& block = order_->blocks()[k];
    for (int i = block.begin; i < block.end; ++i) {
      const auto& contact = At(p.contacts, order_->contact(i));
      if (!contact.spins()) continue;
      const double rho = contact.start.rho();
      const std::size_t J = spin_J_.size();
      spins_.push_back({i, static_cast<int>(k), static_cast<int>(J), rho});
      spin_J_.resize(J + ToIndex(n_row + n_col), 0.0);
      const auto add = [&](int tree, int offset, int columns, const int* way) {
        if (tree < 0) return;
        double* to = spin_J_.data() + J + (tree == place.tree ? 0 : n_row);
        const double* from = p.J.data() + offset + 3 * columns;
        for (int c = 0; c < columns; ++c) to[way != nullptr ? way[c] : c] += rho * from[c];
      };
      const int n_a = contact.tree_a < 0 ? 0 : At(p.trees, contact.tree_a).nv;
      add(contact.tree_a, contact.J_a, n_a, nullptr);
      add(contact.tree_b, contact.J_b, p.Columns(contact), p.WayOf(contact));
    }
  }
  spin_work_.assign(spins_.size(), SpinWork{});
  for (std::size_t i = 0; i < spins_.size(); ++i)
    At(work_, spins_[i].contact).spin = &spin_work_[i];
  order_->DealSpins(static_cast<int>(spins_.size()),
                    [this](int i) { return At(spins_, i).contact; });
}

void IslandNumbers::AddSpinSteps(const Island& island, const VectorX& x) {
  for (int s = island.spin_begin; s < island.spin_end; ++s) {
    const SpinRow& spin = At(spins_, s);
    const double* J = spin_J_.data() + spin.J;
    double du = 0;
    ForEachSpinSide(spin, [&](int row, int n) {
      for (int c = 0; c < n; ++c) du += *J++ * x[row + c];
    });
    At(spin_work_, s).du = du;
  }
}

void IslandNumbers::AddSpinImpulses(const Island& island, double* y) const {
  for (int s = island.spin_begin; s < island.spin_end; ++s) {
    const SpinRow& spin = At(spins_, s);
    const double* J = spin_J_.data() + spin.J;
    ForEachSpinSide(spin, [&](int row, int n) {
      for (int c = 0; c < n; ++c) y[row + c] += *J++ * At(spin_work_, s).gamma;
    });
  }
}

// With a = the fourth row, g and G_uu the Hessian's fourth column, u = Jᵀg + G_uu a/2:
//   H += u aᵀ + a uᵀ
void IslandHessian::AssembleSpins(const Island& island) {
  for (int s = island.spin_begin; s < island.spin_end; ++s) {
    const IslandNumbers::SpinRow& spin = At(numbers_.spins(), s);
    const SpinWork& work = numbers_.spin_work(s);
    const IslandOrder::Pair& pair = At(order_.pairs(), spin.pair);
    const PairBlock& block = At(order_.blocks(), spin.pair);
    // a pair that is not part of the pattern has nothing to add
    if (pair.edge >= 0 && !At(stiff_, pair.edge)) continue;
    const int n_row = order_.place(pair.row).size, n_col = order_.columns(pair);
    const double* J =
        numbers_.View().J + block.J + 3 * (n_row + n_col) * (spin.contact - block.begin);
    const double* a = numbers_.spin_J(spin);
    const auto combine = [&](const double* rows, int n, const double* own, double* u) {
      for (int c = 0; c < n; ++c) {
        u[c] = work.G[0] * rows[c] + work.G[1] * rows[n + c] + work.G[2] * rows[2 * n + c] +
               0.5 * work.G_uu * own[c];
      }
    };
    double* u_row = GJ_.data() + 3 * block.x_row;
    if (const TreePattern* pattern = numbers_.PatternOf(pair.row)) {
      const int last = numbers_.last(spin.contact), n = pattern->Length(last);
      double *on_way = u_row + n, *none = u_row + 2 * n;
      for (int e = 0; e < n; ++e) on_way[e] = a[At(pattern->Path(last), e)];
      combine(J, n, on_way, u_row);
      std::fill_n(none, n, 0.0);
      const Mat3 swap = (Mat3() << 0, 1, 0, 1, 0, 0, 0, 0, 0).finished();
      pattern->AddSquare(last, u_row, swap, H_.data() + block.H_row);
      continue;
    }
    combine(J, n_row, a, u_row);
    AddSpinProducts({u_row, a, n_row}, {u_row, a, n_row}, H_.data() + block.H_row);
    if (n_col == 0) continue;
    const double* a_col = a + n_row;
    double* u_col = GJ_.data() + 3 * block.x_col;
    combine(J + 3 * n_row, n_col, a_col, u_col);
    AddSpinProducts({u_col, a_col, n_col}, {u_col, a_col, n_col}, H_.data() + block.H_col);
    AddSpinProducts({u_row, a, n_row}, {u_col, a_col, n_col}, H_.data() + block.H);
  }
}

}  // namespace slip
