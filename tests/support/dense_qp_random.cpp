#include "tests/support/dense_qp_random.h"

#include <cmath>

namespace slip::test {

ConvexQp RandomQps::Make(QpKind kind) {
  const int n = 1 + Count(4), m = kind == QpKind::kFeasible ? Count(7) : 2 + Count(5);
  ConvexQp qp{MatrixX(n, n), VectorX(n), MatrixX(m, n), VectorX(m)};
  MatrixX B(n, n);
  for (double& x : B.reshaped()) x = Number(-1, 1);
  for (double& x : qp.A.reshaped()) x = Number(-1, 1);
  for (double& x : qp.g) x = Number(-2, 2);
  qp.H = B * B.transpose() + 0.1 * MatrixX::Identity(n, n);
  VectorX inside(n);
  for (double& x : inside) x = Number(-1, 1);
  qp.b = qp.A * inside;
  switch (kind) {
    case QpKind::kAny:
      for (double& x : qp.b) x = Number(-1, 1);
      break;
    case QpKind::kDegenerate:
      break;  // all rows pass through a point
    case QpKind::kWeak: {
      // the optimum without rows is where some rows begin
      const int active = 1 + Count(m);
      qp.g = qp.H * inside;
      for (int i = active; i < m; ++i) qp.b[i] -= Number(0, 1);
      break;
    }
    default:
      for (double& x : qp.b) x -= Number(0.01, 1);
  }
  const int first = Count(m > 0 ? m : 1), other = m > 1 ? (first + 1 + Count(m - 1)) % m : 0;
  if (kind == QpKind::kDuplicated) {
    const double factor = Count(2) == 0 ? 1 : Number(0.1, 10);
    qp.A.row(other) = factor * qp.A.row(first);
    qp.b[other] = factor * qp.b[first];
    if (m > 3) {
      const int zero = (other + 1) % m;
      qp.A.row(zero).setZero();
      qp.b[zero] = -Count(2);
    }
  }
  if (kind == QpKind::kFlat || kind == QpKind::kInfeasible) {
    // as good as equal, or apart by more than any tolerance
    const double factor = std::exp2(Count(5) - 2);
    const double gap = kind == QpKind::kFlat ? 0 : std::pow(10.0, Number(-5, 1));
    qp.A.row(other) = -factor * qp.A.row(first);
    qp.b[other] = -factor * (qp.b[first] - gap * qp.A.row(first).norm());
  }
  return qp;
}

RandomQp RandomQps::Next(QpKind kind) {
  RandomQp out;
  out.kind = kind;
  if (kind != QpKind::kBadlyScaled) {
    out.qp = Make(kind);
    out.same = out.qp;
    out.units = VectorX::Ones(out.qp.g.size());
    return out;
  }
  out.same = Make(static_cast<QpKind>(Count(static_cast<int>(QpKind::kBadlyScaled))));
  out.qp = out.same;
  const auto n = out.qp.g.size();
  out.units.resize(n);
  // powers of 2, or the rows of opposites would no longer be opposite
  for (double& x : out.units) x = std::exp2(Count(41) - 20);
  const double all = std::exp2(Count(41) - 20);
  const VectorX inverse = out.units.cwiseInverse();
  out.qp.H = all * (inverse.asDiagonal() * out.same.H * inverse.asDiagonal()).eval();
  out.qp.g = all * inverse.cwiseProduct(out.same.g);
  for (Eigen::Index i = 0; i < out.qp.b.size(); ++i) {
    const double unit = std::exp2(Count(41) - 20);
    out.qp.A.row(i) = unit * out.same.A.row(i).cwiseProduct(inverse.transpose());
    out.qp.b[i] *= unit;
  }
  return out;
}

ConvexQp RandomQps::Wild() {
  const int n = 1 + Count(4), m = Count(7);
  const auto number = [&] { return (Count(2) == 0 ? -1 : 1) * std::pow(10.0, Number(-12, 12)); };
  ConvexQp qp{MatrixX(n, n), VectorX(n), MatrixX(m, n), VectorX(m)};
  for (double& x : qp.g) x = number();
  for (double& x : qp.b) x = number();
  for (double& x : qp.A.reshaped()) x = Count(8) == 0 ? 0 : number();
  VectorX scale(n);
  for (double& x : scale) x = std::pow(10.0, Number(-6, 6));
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) qp.H(i, j) = qp.H(j, i) = Number(-0.3, 0.3) * scale[i] * scale[j];
    qp.H(i, i) = scale[i] * scale[i];
  }
  return qp;
}

QpErrors CalcQpErrors(const ConvexQp& qp, const VectorX& x, const VectorX& lambda) {
  QpErrors out;
  const VectorX D = qp.H.diagonal().cwiseSqrt().cwiseInverse();
  out.scale = std::sqrt(x.cwiseQuotient(D).squaredNorm() + qp.g.cwiseProduct(D).squaredNorm());
  out.scale = std::max(out.scale, 1e-12);  // the solver's smallest
  double forces = out.scale;
  for (Eigen::Index i = 0; i < lambda.size(); ++i) {
    const double norm = qp.A.row(i).transpose().cwiseProduct(D).norm();
    if (norm == 0) continue;
    const double slack = (qp.A.row(i).dot(x) - qp.b[i]) / norm, size = std::abs(qp.b[i]) / norm;
    out.violation = std::max(out.violation, -slack / (out.scale + size));
    forces += lambda[i] * norm;
  }
  for (Eigen::Index i = 0; i < lambda.size(); ++i) {
    const double norm = qp.A.row(i).transpose().cwiseProduct(D).norm();
    if (norm == 0) continue;
    const double slack = std::abs(qp.A.row(i).dot(x) - qp.b[i]) / norm;
    const double share = slack / (out.scale + std::abs(qp.b[i]) / norm);
    out.complementarity = std::max(out.complementarity, share * lambda[i] * norm / forces);
  }
  const VectorX rest = qp.H * x - qp.g - qp.A.transpose() * lambda;
  out.stationarity = rest.cwiseProduct(D).norm() / forces;
  return out;
}

}  // namespace slip::test
