// One contact as complementarities of second-order cones, with what a primal-dual interior point
// method needs of them: Nesterov-Todd scaling, condensed stiffness, steps to the border.
//   cone    g = (mu gamma_n, gamma_u, gamma_e), y = ((v_n - v(gamma_n))/mu + eps, u + R_t gamma_u,
//           eps), both in Q = { x0 >= |(x1, x2, ..)| }, g . y = 0
//   normal  g = gamma_n, y = v_n - v(gamma_n), both >= 0: only the first entries are used
//   disc    g = (b, gamma_u, gamma_e), y = (s, u, eps): the radius b is given, the slip speed s
//   free
// The slip u has two directions, or three with torsion.
// A contact is a cone; a normal when it has no friction; a normal and a disc when what bounds its
// friction is known beforehand.
#pragma once

#include "engine/contact/contact_value.h"

namespace slip {

enum class ConeKind { kCone, kNormal, kDisc };

template <int kSlip>
struct ConePair {
  static constexpr int kSize = kSlip + 2;
  using Kind = ConeKind;
  using Vector = Eigen::Matrix<double, kSize, 1>;
  using Matrix = Eigen::Matrix<double, kSize, kSize>;
  using Velocity = ContactVector<kSlip>;

  ConeForm form;
  Kind kind = Kind::kCone;
  int contact = 0;         ///< of the island
  Vector g, y;             ///< impulse and velocity; inside the cone
  Vector rho;              ///< rel(v, g) - y
  Vector dg, dy, ds, x;    ///< steps, right-hand side, W ds - rho
  Vector lambda;           ///< W g = W^-1 y
  Matrix W, W_inverse, K;  ///< scaling; K = (W^2 + C)^-1
  Vector C;                ///< diagonal compliance dy/dg

  bool friction() const { return kind != Kind::kNormal; }
  bool bears() const { return kind != Kind::kDisc; }  ///< it has the normal impulse
  double gamma_n() const { return kind == Kind::kCone ? g[0] / form.mu : g[0]; }
  /// The contact's impulse, or its part of it.
  Velocity Impulse(const Vector& g_) const {
    Velocity gamma = Velocity::Zero();
    if (kind == Kind::kNormal) {
      gamma[kSlip] = g_[0];
      return gamma;
    }
    gamma.template head<kSlip>() = g_.template segment<kSlip>(1);
    gamma[kSlip] = kind == Kind::kCone ? g_[0] / form.mu : 0;
    return gamma;
  }
  /// Contact velocity on the axes of y, without constants: (v_n/mu, u, 0).
  Vector Project(const Velocity& v_c) const {
    if (kind == Kind::kNormal) return First(v_c[kSlip]);
    Vector y_;
    y_ << (kind == Kind::kCone ? v_c[kSlip] / form.mu : 0), v_c.template head<kSlip>(), 0;
    return y_;
  }
  /// (x, 0, ..)
  static Vector First(double x) {
    Vector all = Vector::Zero();
    all[0] = x;
    return all;
  }
  /// g . y of the entries in use, K x likewise.
  double Gap() const { return friction() ? g.dot(y) : g[0] * y[0]; }
  Vector MultiplyK() const { return friction() ? Vector(K.lazyProduct(x)) : First(K(0, 0) * x[0]); }

  /// Interior impulse at speed scale V and inverse mass w.
  void StartImpulse(double V, double w);
  /// Interior velocity at speed scale V, from the impulse.
  void StartVelocity(const Velocity& v_c, const NormalInverse& inverse, double V);
  /// rel(v, g) with the velocity at which the law gives gamma_n; sets C as well. The free entry of
  /// a disc is its y.
  Vector Relative(const Velocity& v_c, const NormalInverse& inverse);
  /// Scaling and condensed stiffness at (g, y); false at round-off.
  bool Scale();
  /// Hessian that the contact adds, on contact axes.
  ContactMatrix<kSlip> Stiffness() const;
  /// ds of the predictor, and of the corrector with the predictor's steps at centring sigma gap.
  void Predict() { ds = friction() ? Vector(-lambda) : First(-g[0] * y[0]); }
  void Correct(double centre);
  /// x from ds.
  void CalcRightSide();
  /// dg, dy from the step of the contact velocity.
  void CalcSteps(const Velocity& dv_c);
  /// Largest step in (0, limit] that keeps g and y inside.
  double CalcMaxStep(double limit) const;
};

}  // namespace slip
