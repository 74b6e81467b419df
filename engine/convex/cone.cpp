#include "engine/convex/cone.h"

#include <algorithm>
#include <cmath>

namespace slip {
namespace {

template <int kSize>
using ConeVector = Eigen::Matrix<double, kSize, 1>;

// x₁: all but the first entry
template <int kSize>
auto Tail(const ConeVector<kSize>& x) {
  return x.template tail<kSize - 1>();
}
template <int kSize>
auto Tail(ConeVector<kSize>& x) {
  return x.template tail<kSize - 1>();
}
// det x = x0² − |x₁|², as a product: no cancellation near the border
template <int kSize>
double Det(const ConeVector<kSize>& x) {
  const double r = Tail(x).norm();
  return (x[0] - r) * (x[0] + r);
}
// the product of the cone's Jordan algebra: (x·y, x0 y₁ + y0 x₁)
template <int kSize>
ConeVector<kSize> Product(const ConeVector<kSize>& x, const ConeVector<kSize>& y) {
  ConeVector<kSize> z;
  z[0] = x.dot(y);
  Tail(z) = x[0] * Tail(y) + y[0] * Tail(x);
  return z;
}
// z with lambda o z = b
template <int kSize>
ConeVector<kSize> Divide(const ConeVector<kSize>& lambda, const ConeVector<kSize>& b) {
  ConeVector<kSize> z;
  z[0] = (lambda[0] * b[0] - Tail(lambda).dot(Tail(b))) / Det(lambda);
  Tail(z) = (Tail(b) - z[0] * Tail(lambda)) / lambda[0];
  return z;
}

// largest a in (0, limit] with x + a d in the cone
template <int kSize>
double MaxConeStep(const ConeVector<kSize>& x, const ConeVector<kSize>& d, double limit) {
  const double c = Det(x);
  const double b = x[0] * d[0] - Tail(x).dot(Tail(d));
  const double a = Det(d);
  double step = limit;
  // c + 2 b s + a s² = 0, smallest positive root
  const double discriminant = b * b - a * c;
  if (discriminant >= 0) {
    const double root = std::sqrt(discriminant);
    const double q = b >= 0 ? -(b + root) : -b + root;
    if (q > 0) step = std::min(step, c / q);
    if (a != 0 && q / a > 0) step = std::min(step, q / a);
  }
  if (d[0] < 0) step = std::min(step, -x[0] / d[0]);
  return step;
}

}  // namespace

template <int kSlip>
void ConePair<kSlip>::StartImpulse(double V, double w) {
  const double radius = kind == Kind::kCone ? form.mu * V / w : form.bound;
  g = First(kind == Kind::kNormal ? V / w : radius);
  y.setZero();
}

template <int kSlip>
void ConePair<kSlip>::StartVelocity(const Velocity& v_c, const NormalInverse& inverse, double V) {
  y = Relative(v_c, inverse);
  const double border = friction() ? Tail(y).norm() : 0;
  y[0] = std::max(y[0], border + V);
}

template <int kSlip>
auto ConePair<kSlip>::Relative(const Velocity& v_c, const NormalInverse& inverse) -> Vector {
  if (kind == Kind::kNormal) {
    C = First(inverse.compliance);
    return First(v_c[kSlip] - inverse.v);
  }
  const auto u = v_c.template head<kSlip>();
  Vector relative;
  if (kind == Kind::kDisc) {
    C.setZero();
    relative << y[0], u, form.eps;
    return relative;
  }
  const double mu = form.mu;
  C << inverse.compliance / (mu * mu), SlipVector<kSlip>::Constant(form.Rt), 0;
  relative << (v_c[kSlip] - inverse.v) / mu + form.eps, u + form.Rt * g.template segment<kSlip>(1),
      form.eps;
  return relative;
}

template <int kSlip>
bool ConePair<kSlip>::Scale() {
  if (!friction()) {
    K(0, 0) = 1 / (y[0] / g[0] + C[0]);
    return std::isfinite(K(0, 0)) && g[0] > 0 && y[0] > 0;
  }
  const double det_y = Det(y), det_g = Det(g);
  if (!(det_y > 0) || !(det_g > 0)) return false;
  const Vector y_bar = y / std::sqrt(det_y), g_bar = g / std::sqrt(det_g);
  Vector w = y_bar;
  w[0] += g_bar[0];
  Tail(w) -= Tail(g_bar);
  w /= std::sqrt(2 + 2 * y_bar.dot(g_bar));
  const double b2 = std::sqrt(det_y / det_g), b = std::sqrt(b2);
  Vector p = w;
  p[0] += 1;
  p /= std::sqrt(2 * (w[0] + 1));
  Vector Rp = -p;
  Rp[0] = p[0];
  W = 2 * p * p.transpose();
  W_inverse = 2 * Rp * Rp.transpose();
  Matrix M = (2 * b2) * w * w.transpose();
  for (int i = 0; i < kSize; ++i) {
    const double R = i == 0 ? 1 : -1;
    W(i, i) -= R;
    W_inverse(i, i) -= R;
    M(i, i) += C[i] - b2 * R;
  }
  W *= b;
  W_inverse /= b;
  // lazyProduct, here and below: a plain product of this size is a call, not inlined
  lambda = W.lazyProduct(g);
  if (kind == Kind::kDisc) {
    // g0 does not move
    M.row(0).setZero();
    M.col(0).setZero();
    M(0, 0) = 1;
  }
  // K = M^-1 through its Cholesky factor: symmetric, and positive while M is
  const Eigen::LLT<Matrix> factor(M);
  if (factor.info() != Eigen::Success) return false;
  // column by column: for a matrix on the right Eigen takes the blocked path of large ones
  for (int i = 0; i < kSize; ++i) K.col(i) = factor.solve(Vector::Unit(i));
  K = 0.5 * (K + K.transpose()).eval();
  if (kind == Kind::kDisc) K(0, 0) = 0;
  return K.allFinite() && lambda.allFinite();
}

template <int kSlip>
ContactMatrix<kSlip> ConePair<kSlip>::Stiffness() const {
  ContactMatrix<kSlip> G = ContactMatrix<kSlip>::Zero();
  if (!friction()) {
    G(kSlip, kSlip) = K(0, 0);
    return G;
  }
  G.template topLeftCorner<kSlip, kSlip>() = K.template block<kSlip, kSlip>(1, 1);
  if (kind == Kind::kDisc) return G;
  G.template topRightCorner<kSlip, 1>() = K.template block<kSlip, 1>(1, 0) / form.mu;
  G.template bottomLeftCorner<1, kSlip>() = G.template topRightCorner<kSlip, 1>().transpose();
  G(kSlip, kSlip) = K(0, 0) / (form.mu * form.mu);
  return G;
}

template <int kSlip>
void ConePair<kSlip>::Correct(double centre) {
  if (!friction()) {
    ds[0] = centre - g[0] * y[0] - dg[0] * dy[0];
    return;
  }
  const Vector scaled_dy = W_inverse.lazyProduct(dy), scaled_dg = W.lazyProduct(dg);
  Vector b = -Product(lambda, lambda) - Product(scaled_dy, scaled_dg);
  b[0] += centre;
  ds = Divide(lambda, b);
}

template <int kSlip>
void ConePair<kSlip>::CalcRightSide() {
  if (!friction()) {
    x = First(ds[0] / g[0] - rho[0]);
  } else {
    x = W.lazyProduct(ds) - rho;
  }
}

template <int kSlip>
void ConePair<kSlip>::CalcSteps(const Velocity& dv_c) {
  const Vector B = Project(dv_c);
  if (!friction()) {
    dg = First(K(0, 0) * (x[0] - B[0]));
  } else {
    dg = K.lazyProduct(Vector(x - B));
  }
  dy = B + C.cwiseProduct(dg) + rho;
  // the slip speed of a disc is free: complementarity alone sets it
  if (kind == Kind::kDisc) dy[0] = x[0] - W.row(0).dot(W.lazyProduct(dg));
}

template <int kSlip>
double ConePair<kSlip>::CalcMaxStep(double limit) const {
  if (friction()) return MaxConeStep(y, dy, MaxConeStep(g, dg, limit));
  double step = limit;
  if (dg[0] < 0) step = std::min(step, -g[0] / dg[0]);
  if (dy[0] < 0) step = std::min(step, -y[0] / dy[0]);
  return step;
}

template struct ConePair<2>;
template struct ConePair<3>;

}  // namespace slip
