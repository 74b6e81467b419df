#include "engine/convex/coupled_system.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slip {
namespace {

constexpr double kGmresTolerance = 1e-6;

}  // namespace

void CoupledSystem::Reserve(int contacts, int rows, int all_rows) {
  if (static_cast<int>(couplings_.size()) < contacts) {
    couplings_.resize(ToIndex(contacts));
    active_.reserve(ToIndex(contacts));
    right_.resize(ToIndex(contacts));
    normal_.resize(ToIndex(contacts));
    answer_.resize(ToIndex(contacts));
  }
  if (rows > kSmall) gmres_.Reserve(contacts);
  lu_.Reserve(std::min(rows, kMostDense));
  if (u_.size() < all_rows) {
    u_.setZero(all_rows);
    v_.setZero(all_rows);
    x0_.setZero(all_rows);
    grad_.setZero(all_rows);
  }
}

void CoupledSystem::Take(IslandSystem* system, const Island* island) {
  system_ = system;
  island_ = island;
  factorizations = 0;
  last_sign = 0;
  Reserve(island->contacts(), island->rows(), system->order().rows());
}

IslandPoint CoupledSystem::Look(const CoupledLook& look) {
  system_->passes().evaluate_coupled(system_->frozen(*island_), system_->work(*island_),
                                     island_->contacts(), look, couplings_.data());
  return GatherPoint(system_, *island_);
}

void CoupledSystem::FindActive() {
  active_.clear();
  for (int i = 0; i < island_->contacts(); ++i) {
    if (At(couplings_, i).acts()) active_.push_back(i);
  }
}

void CoupledSystem::CopyJacobian(int stride, double* out) {
  system_->hessian().CopyDense(*island_, stride, out);
  const IslandOrder& order = system_->order();
  const int first = island_->row_begin;
  for (int k = island_->pair_begin; k < island_->pair_end; ++k) {
    const PairBlock& block = At(order.blocks(), k);
    const IslandOrder::Pair& pair = At(order.pairs(), k);
    const IslandOrder::Place& row = order.place(pair.row);
    // rows of the pair's two trees
    const int begin[] = {row.row, pair.col < 0 ? 0 : order.place(pair.col).row};
    const int count[] = {row.size, order.columns(pair)};
    for (int i = block.begin; i < block.end; ++i) {
      const Coupling& c = At(couplings_, i - island_->contact_begin);
      if (!c.acts()) continue;
      for (int side = 0; side < 2; ++side) {
        u_.segment(begin[side], count[side]).setZero();
        v_.segment(begin[side], count[side]).setZero();
      }
      const IslandNumbers& numbers = system_->numbers();
      AddContactImpulse(order, numbers, k, i, Vec3(c.friction.x(), c.friction.y(), 0),
                        c.friction.z(), u_.data());
      AddContactImpulse(order, numbers, k, i, Vec3(0, 0, c.changed * c.slope), 0, v_.data());
      for (int a = 0; a < 2; ++a) {
        for (int r = begin[a]; r < begin[a] + count[a]; ++r) {
          double* to = out + (r - first) * stride - first;
          for (int b = 0; b < 2; ++b) {
            for (int j = begin[b]; j < begin[b] + count[b]; ++j) to[j] += u_[r] * v_[j];
          }
        }
      }
    }
  }
}

bool CoupledSystem::FindSmallStep() {
  const int n = island_->rows();
  CopyJacobian(n, lu_.Start(n));
  if (!lu_.Factorize()) return false;
  last_sign = lu_.certain() ? lu_.sign() : 0;
  auto dv = RowsOf(*island_, system_->dv());
  dv = -RowsOf(*island_, system_->grad());
  lu_.Solve(system_->dv().data() + island_->row_begin);
  return dv.allFinite();
}

// x0 = H^-1 (-F);  (I + V^T H^-1 U) y = V^T x0;  dv = x0 - H^-1 U y, y the change of the normal
// impulses that take part.
bool CoupledSystem::FindLargeStep(bool* helped) {
  IslandHessian& hessian = system_->hessian();
  if (!hessian.FactorizeShifted(*island_, helped)) return false;
  auto dv = RowsOf(*island_, system_->dv());
  dv = -RowsOf(*island_, system_->grad());
  hessian.Solve(*island_, system_->dv().data());
  const int m = static_cast<int>(active_.size());
  last_sign = m == 0 ? 1 : 0;
  if (m == 0) return dv.allFinite();
  ContactWork* work = system_->work(*island_);
  RowsOf(*island_, x0_) = dv;
  const auto take_normal = [&](double* out) {
    system_->CalcContactSteps(*island_);
    for (int k = 0; k < m; ++k) {
      const Coupling& c = At(couplings_, At(active_, k));
      out[k] = c.changed * c.slope * work[At(active_, k)].dv_c.z();
    }
  };
  const auto spread = [&](const double* y) {
    std::fill_n(normal_.begin(), island_->contacts(), 0.0);
    for (int k = 0; k < m; ++k) At(normal_, At(active_, k)) = y[k];
    SpreadFriction([&](int i) { return At(normal_, i); }, &system_->dv());
    hessian.Solve(*island_, system_->dv().data());
  };
  take_normal(right_.data());
  double* y = answer_.data();
  gmres_.Solve(
      m, kGmresTolerance,
      [&](const double* x, double* out) {
        spread(x);
        take_normal(out);
      },
      right_.data(), y);
  spread(y);
  dv = RowsOf(*island_, x0_) - dv;
  return dv.allFinite();
}

bool CoupledSystem::FindStep(bool renew, bool* helped) {
  last_sign = 0;
  ++factorizations;
  system_->Assemble(*island_, renew);
  FindActive();
  const bool small = island_->rows() <= kSmall && !active_.empty();
  const bool found = small ? FindSmallStep() : FindLargeStep(helped);
  if (found) system_->CalcContactSteps(*island_);
  return found;
}

int CoupledSystem::FindIndex() {
  FindActive();
  if (active_.empty()) return 1;
  const int n = island_->rows();
  if (n > kMostDense) return 0;
  system_->Assemble(*island_, false);
  CopyJacobian(n, lu_.Start(n));
  return lu_.Factorize() && lu_.certain() ? lu_.sign() : 0;
}

double CoupledSystem::FindRoundOff() {
  constexpr double kBits = 8 * std::numeric_limits<double>::epsilon();
  (void)Look({});
  double most = CalcRoundOff(system_, *island_);
  auto v = RowsOf(*island_, system_->v());
  RowsOf(*island_, grad_) = RowsOf(*island_, system_->grad());
  RowsOf(*island_, x0_) = v;
  for (int pattern = 1; pattern <= 2; ++pattern) {
    for (int i = 0; i < island_->rows(); ++i) v[i] *= 1 + ((i / pattern) % 2 == 0 ? kBits : -kBits);
    system_->CalcContactVelocities(*island_);
    (void)Look({});
    const auto D = RowsOf(*island_, system_->numbers().D());
    const auto change = RowsOf(*island_, system_->grad()) - RowsOf(*island_, grad_);
    most = std::max(most, change.cwiseProduct(D).norm());
    v = RowsOf(*island_, x0_);
  }
  system_->CalcContactVelocities(*island_);
  (void)Look({});
  return most;
}

double CoupledSystem::WorkAlong(const LinePoint& inertia, double alpha) const {
  LinePoint at{0, inertia.slope + alpha * inertia.curvature, 0};
  system_->AddScalarsAlong(*island_, alpha, &at);
  return at.slope + system_->passes().work_coupled(system_->frozen(*island_),
                                                   system_->work(*island_), island_->contacts(),
                                                   alpha);
}

}  // namespace slip
