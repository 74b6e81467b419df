#include "engine/convex/cone.h"

#include <algorithm>
#include <cmath>

namespace slip {
namespace {

double Tail(const Vec4& x) { return x.tail<3>().norm(); }
// det x = x0² − |x₁|², as a product: no cancellation near the border
double Det(const Vec4& x) {
  const double r = Tail(x);
  return (x[0] - r) * (x[0] + r);
}
// the product of the cone's Jordan algebra: (x·y, x0 y₁ + y0 x₁)
Vec4 Product(const Vec4& x, const Vec4& y) {
  Vec4 z;
  z[0] = x.dot(y);
  z.tail<3>() = x[0] * y.tail<3>() + y[0] * x.tail<3>();
  return z;
}
// z with lambda o z = b
Vec4 Divide(const Vec4& lambda, const Vec4& b) {
  Vec4 z;
  z[0] = (lambda[0] * b[0] - lambda.tail<3>().dot(b.tail<3>())) / Det(lambda);
  z.tail<3>() = (b.tail<3>() - z[0] * lambda.tail<3>()) / lambda[0];
  return z;
}

// largest a in (0, limit] with x + a d in the cone
double MaxConeStep(const Vec4& x, const Vec4& d, double limit) {
  const double c = Det(x);
  const double b = x[0] * d[0] - x.tail<3>().dot(d.tail<3>());
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

void ConePair::StartImpulse(double V, double w) {
  const double radius = kind == Kind::kCone ? form.mu * V / w : form.bound;
  g = Vec4(kind == Kind::kNormal ? V / w : radius, 0, 0, 0);
  y.setZero();
}

void ConePair::StartVelocity(const Vec3& v_c, const NormalInverse& inverse, double V) {
  y = Relative(v_c, inverse);
  const double border = friction() ? y.tail<3>().norm() : 0;
  y[0] = std::max(y[0], border + V);
}

Vec4 ConePair::Relative(const Vec3& v_c, const NormalInverse& inverse) {
  if (kind == Kind::kNormal) {
    C = Vec4(inverse.compliance, 0, 0, 0);
    return Vec4(v_c.z() - inverse.v, 0, 0, 0);
  }
  if (kind == Kind::kDisc) {
    C.setZero();
    return Vec4(y[0], v_c.x(), v_c.y(), form.eps);
  }
  const double mu = form.mu;
  C = Vec4(inverse.compliance / (mu * mu), form.Rt, form.Rt, 0);
  return Vec4((v_c.z() - inverse.v) / mu + form.eps, v_c.x() + form.Rt * g[1],
              v_c.y() + form.Rt * g[2], form.eps);
}

bool ConePair::Scale() {
  if (!friction()) {
    K(0, 0) = 1 / (y[0] / g[0] + C[0]);
    return std::isfinite(K(0, 0)) && g[0] > 0 && y[0] > 0;
  }
  const double det_y = Det(y), det_g = Det(g);
  if (!(det_y > 0) || !(det_g > 0)) return false;
  const Vec4 y_bar = y / std::sqrt(det_y), g_bar = g / std::sqrt(det_g);
  Vec4 w = y_bar;
  w[0] += g_bar[0];
  w.tail<3>() -= g_bar.tail<3>();
  w /= std::sqrt(2 + 2 * y_bar.dot(g_bar));
  const double b2 = std::sqrt(det_y / det_g), b = std::sqrt(b2);
  Vec4 p = w;
  p[0] += 1;
  p /= std::sqrt(2 * (w[0] + 1));
  Vec4 Rp = -p;
  Rp[0] = p[0];
  W = 2 * p * p.transpose();
  W_inverse = 2 * Rp * Rp.transpose();
  Mat4 M = (2 * b2) * w * w.transpose();
  for (int i = 0; i < 4; ++i) {
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
  const Eigen::LLT<Mat4> factor(M);
  if (factor.info() != Eigen::Success) return false;
  // column by column: for a matrix on the right Eigen takes the blocked path of large ones
  for (int i = 0; i < 4; ++i) K.col(i) = factor.solve(Vec4::Unit(i));
  K = 0.5 * (K + K.transpose()).eval();
  if (kind == Kind::kDisc) K(0, 0) = 0;
  return K.allFinite() && lambda.allFinite();
}

Mat3 ConePair::Stiffness() const {
  Mat3 G = Mat3::Zero();
  if (!friction()) {
    G(2, 2) = K(0, 0);
    return G;
  }
  G.topLeftCorner<2, 2>() = K.block<2, 2>(1, 1);
  if (kind == Kind::kDisc) return G;
  G.topRightCorner<2, 1>() = K.block<2, 1>(1, 0) / form.mu;
  G.bottomLeftCorner<1, 2>() = G.topRightCorner<2, 1>().transpose();
  G(2, 2) = K(0, 0) / (form.mu * form.mu);
  return G;
}

void ConePair::Correct(double centre) {
  if (!friction()) {
    ds[0] = centre - g[0] * y[0] - dg[0] * dy[0];
    return;
  }
  Vec4 b = -Product(lambda, lambda) - Product(W_inverse.lazyProduct(dy), W.lazyProduct(dg));
  b[0] += centre;
  ds = Divide(lambda, b);
}

void ConePair::CalcRightSide() {
  if (!friction()) {
    x = Vec4(ds[0] / g[0] - rho[0], 0, 0, 0);
  } else {
    x = W.lazyProduct(ds) - rho;
  }
}

void ConePair::CalcSteps(const Vec3& dv_c) {
  const Vec4 B = Project(dv_c);
  if (!friction()) {
    dg = Vec4(K(0, 0) * (x[0] - B[0]), 0, 0, 0);
  } else {
    dg = K.lazyProduct(Vec4(x - B));
  }
  dy = B + C.cwiseProduct(dg) + rho;
  // the slip speed of a disc is free: complementarity alone sets it
  if (kind == Kind::kDisc) dy[0] = x[0] - W.row(0).dot(W.lazyProduct(dg));
}

double ConePair::CalcMaxStep(double limit) const {
  if (friction()) return MaxConeStep(y, dy, MaxConeStep(g, dg, limit));
  double step = limit;
  if (dg[0] < 0) step = std::min(step, -g[0] / dg[0]);
  if (dy[0] < 0) step = std::min(step, -y[0] / dy[0]);
  return step;
}

}  // namespace slip
