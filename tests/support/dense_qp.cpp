#include "tests/support/dense_qp.h"

#include <cmath>

#include "engine/core/numbers.h"

namespace slip::test {
namespace {

constexpr double kFeasible = 1e-12;  ///< of a row, beside what is summed in it

}  // namespace

void ActiveSetQp::Resize(int n, int m) {
  n_ = n;
  m_ = m;
  for (VectorX* v : {&x_, &z_, &d_, &r_, &u_}) v->resize(n + 1);
  x_.resize(n);
  lambda_.resize(m);
  norms_.resize(m);
  J_.resize(n, n);
  R_.resize(n, n);
  rows_.resize(n, m);
  set_.resize(static_cast<std::size_t>(n + 1));
  is_active_.resize(static_cast<std::size_t>(m));
}

// J = L^-T for H = L L^T, and x without rows.
bool ActiveSetQp::Start(const ConvexQp& qp) {
  MatrixX& L = R_;
  for (int j = 0; j < n_; ++j) {
    for (int i = j; i < n_; ++i) {
      double sum = qp.H(i, j);
      for (int k = 0; k < j; ++k) sum -= L(i, k) * L(j, k);
      if (i == j && !(sum > 0)) return false;
      L(i, j) = i == j ? std::sqrt(sum) : sum / L(j, j);
    }
  }
  J_.setZero();
  for (int c = 0; c < n_; ++c) {  // column c of L^-1 is row c of J
    for (int i = c; i < n_; ++i) {
      double sum = i == c ? 1 : 0;
      for (int k = c; k < i; ++k) sum -= L(i, k) * J_(c, k);
      J_(c, i) = sum / L(i, i);
    }
  }
  for (int j = 0; j < n_; ++j) d_[j] = J_.col(j).dot(qp.g);
  x_.setZero();
  for (int j = 0; j < n_; ++j) x_ += d_[j] * J_.col(j);
  for (int i = 0; i < m_; ++i) {
    double square = 0;
    for (int j = 0; j < n_; ++j) {
      rows_(j, i) = qp.A(i, j);
      square += qp.A(i, j) * qp.A(i, j);
    }
    norms_[i] = std::sqrt(square);
    is_active_[static_cast<std::size_t>(i)] = 0;
  }
  active_ = 0;
  return true;
}

// z: the step of x at which the row grows and the active ones stay; r: what their multipliers lose.
void ActiveSetQp::CalcDirections(const double* row) {
  const Eigen::Map<const VectorX> a(row, n_);
  for (int j = 0; j < n_; ++j) d_[j] = J_.col(j).dot(a);
  z_.head(n_).setZero();
  for (int j = active_; j < n_; ++j) z_.head(n_) += d_[j] * J_.col(j);
  for (int i = active_ - 1; i >= 0; --i) {
    double sum = d_[i];
    for (int k = i + 1; k < active_; ++k) sum -= R_(i, k) * r_[k];
    r_[i] = sum / R_(i, i);
  }
}

// d = J^T a becomes a column of R by rotations of J's columns.
bool ActiveSetQp::Add(int row) {
  for (int j = n_ - 1; j > active_; --j) {
    const double h = std::hypot(d_[j - 1], d_[j]);
    if (h == 0) continue;
    const double c = d_[j - 1] / h, s = d_[j] / h;
    d_[j - 1] = h;
    for (int i = 0; i < n_; ++i) {
      const double a = J_(i, j - 1), b = J_(i, j);
      J_(i, j - 1) = c * a + s * b;
      J_(i, j) = c * b - s * a;
    }
  }
  for (int i = 0; i <= active_; ++i) R_(i, active_) = d_[i];
  set_[static_cast<std::size_t>(active_)] = row;
  is_active_[static_cast<std::size_t>(row)] = 1;
  ++active_;
  return d_[active_ - 1] != 0;
}

void ActiveSetQp::Drop(int place) {
  is_active_[static_cast<std::size_t>(set_[static_cast<std::size_t>(place)])] = 0;
  for (int k = place + 1; k < active_; ++k) {
    set_[static_cast<std::size_t>(k - 1)] = set_[static_cast<std::size_t>(k)];
    u_[k - 1] = u_[k];
    for (int i = 0; i <= k; ++i) R_(i, k - 1) = R_(i, k);
  }
  u_[active_ - 1] = u_[active_];
  --active_;
  for (int k = place; k < active_; ++k) {
    const double h = std::hypot(R_(k, k), R_(k + 1, k));
    if (h == 0) continue;
    const double c = R_(k, k) / h, s = R_(k + 1, k) / h;
    for (int j = k; j < active_; ++j) {
      const double a = R_(k, j), b = R_(k + 1, j);
      R_(k, j) = c * a + s * b;
      R_(k + 1, j) = c * b - s * a;
    }
    for (int i = 0; i < n_; ++i) {
      const double a = J_(i, k), b = J_(i, k + 1);
      J_(i, k) = c * a + s * b;
      J_(i, k + 1) = c * b - s * a;
    }
  }
}

ActiveSetQp::Status ActiveSetQp::Solve(const ConvexQp& qp) {
  const auto n = static_cast<int>(qp.g.size()), m = static_cast<int>(qp.b.size());
  if (n != n_ || m != m_) Resize(n, m);
  iterations_ = 0;
  if (!Start(qp)) return Status::kGivenUp;
  const int most = 50 * (n + m);
  for (;;) {
    int row = -1;
    double worst = 0;
    for (int i = 0; i < m_; ++i) {
      if (is_active_[static_cast<std::size_t>(i)] != 0) continue;
      const double size = norms_[i] * x_.norm() + std::abs(qp.b[i]);
      const double slack = rows_.col(i).dot(x_) - qp.b[i];
      if (slack < -kFeasible * size && (norms_[i] == 0 || slack < worst * norms_[i])) {
        if (norms_[i] == 0) return Status::kInfeasible;
        worst = slack / norms_[i];
        row = i;
      }
    }
    if (row < 0) break;
    u_[active_] = 0;
    for (bool added = false; !added;) {
      if (++iterations_ > most) return Status::kGivenUp;
      CalcDirections(rows_.col(row).data());
      double t1 = kInfinity, t2 = kInfinity;
      int blocking = -1;
      for (int k = 0; k < active_; ++k) {
        if (r_[k] > 0 && u_[k] / r_[k] < t1) {
          t1 = u_[k] / r_[k];
          blocking = k;
        }
      }
      const double slack = rows_.col(row).dot(x_) - qp.b[row];
      double curvature = 0;
      for (int j = active_; j < n_; ++j) curvature += d_[j] * d_[j];
      if (curvature > 1e-24 * d_.head(n_).squaredNorm()) t2 = -slack / curvature;
      const double t = std::min(t1, t2);
      if (t == kInfinity) return Status::kInfeasible;
      if (t2 < kInfinity) x_ += t * z_.head(n_);
      for (int k = 0; k < active_; ++k) u_[k] -= t * r_[k];
      u_[active_] += t;
      if (t == t2) {
        if (!Add(row)) return Status::kGivenUp;
        added = true;
      } else {
        Drop(blocking);
      }
    }
  }
  lambda_.setZero();
  for (int k = 0; k < active_; ++k) lambda_[set_[static_cast<std::size_t>(k)]] = u_[k];
  return Status::kSolved;
}

bool EnumerateActiveSets(const ConvexQp& qp, VectorX* x, VectorX* lambda) {
  constexpr double kTolerance = 1e-9;
  const auto n = static_cast<int>(qp.g.size()), m = static_cast<int>(qp.b.size());
  for (unsigned set = 0; set < (1u << m); ++set) {
    const int count = __builtin_popcount(set);
    if (count > n) continue;
    MatrixX K = MatrixX::Zero(n + count, n + count);
    VectorX right(n + count);
    K.topLeftCorner(n, n) = qp.H;
    right.head(n) = qp.g;
    for (int i = 0, k = n; i < m; ++i) {
      if ((set >> i & 1u) == 0) continue;
      K.row(k).head(n) = qp.A.row(i);
      K.col(k).head(n) = -qp.A.row(i).transpose();
      right[k++] = qp.b[i];
    }
    const Eigen::FullPivLU<MatrixX> factor(K);
    if (!factor.isInvertible()) continue;
    const VectorX solution = factor.solve(right);
    lambda->setZero(m);
    for (int i = 0, k = n; i < m; ++i) {
      if ((set >> i & 1u) != 0) (*lambda)[i] = solution[k++];
    }
    *x = solution.head(n);
    const VectorX slack = qp.A * *x - qp.b;
    const double largest = m > 0 ? lambda->cwiseAbs().maxCoeff() : 0;
    bool optimal = (lambda->array() >= -kTolerance * (1 + largest)).all();
    for (int i = 0; i < m && optimal; ++i)
      optimal = slack[i] >= -kTolerance * (qp.A.row(i).norm() * x->norm() + std::abs(qp.b[i]));
    if (optimal) return true;
  }
  return false;
}

}  // namespace slip::test
