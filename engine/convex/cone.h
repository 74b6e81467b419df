// One contact as complementarities of second-order cones, with what a primal-dual interior point
// method needs of them: Nesterov-Todd scaling, condensed stiffness, steps to the border.
//   cone    g = (mu gamma_n, gamma_t, gamma_e), y = ((v_n - v(gamma_n))/mu + eps, v_t + R_t
//   gamma_t,
//           eps), both in Q = { x0 >= |(x1, x2, x3)| }, g . y = 0
//   normal  g = gamma_n, y = v_n - v(gamma_n), both >= 0: only the first entries are used
//   disc    g = (b, gamma_t, gamma_e), y = (s, v_t, eps): the radius b is given, the slip speed s
//   free
// A contact is a cone; a normal when it has no friction; a normal and a disc when what bounds its
// friction is known beforehand.
#pragma once

#include "engine/contact/contact_value.h"

namespace slip {

using Vec4 = Eigen::Vector4d;
using Mat4 = Eigen::Matrix4d;

struct ConePair {
  enum class Kind { kCone, kNormal, kDisc };

  ConeForm form;
  Kind kind = Kind::kCone;
  int contact = 0;       ///< of the island
  Vec4 g, y;             ///< impulse and velocity; inside the cone
  Vec4 rho;              ///< rel(v, g) - y
  Vec4 dg, dy, ds, x;    ///< steps, right-hand side, W ds - rho
  Vec4 lambda;           ///< W g = W^-1 y
  Mat4 W, W_inverse, K;  ///< scaling; K = (W^2 + C)^-1
  Vec4 C;                ///< diagonal compliance dy/dg

  bool friction() const { return kind != Kind::kNormal; }
  bool bears() const { return kind != Kind::kDisc; }  ///< it has the normal impulse
  double gamma_n() const { return kind == Kind::kCone ? g[0] / form.mu : g[0]; }
  /// The contact's impulse, or its part of it.
  Vec3 Impulse(const Vec4& g_) const {
    if (kind == Kind::kNormal) return Vec3(0, 0, g_[0]);
    return Vec3(g_[1], g_[2], kind == Kind::kCone ? g_[0] / form.mu : 0);
  }
  /// Contact velocity on the axes of y, without constants: (v_n/mu, v_t, 0).
  Vec4 Project(const Vec3& v_c) const {
    if (kind == Kind::kNormal) return Vec4(v_c.z(), 0, 0, 0);
    return Vec4(kind == Kind::kCone ? v_c.z() / form.mu : 0, v_c.x(), v_c.y(), 0);
  }

  /// Interior impulse at speed scale V and inverse mass w.
  void StartImpulse(double V, double w);
  /// Interior velocity at speed scale V, from the impulse.
  void StartVelocity(const Vec3& v_c, const NormalInverse& inverse, double V);
  /// rel(v, g) with the velocity at which the law gives gamma_n; sets C as well. The free entry of
  /// a disc is its y.
  Vec4 Relative(const Vec3& v_c, const NormalInverse& inverse);
  /// Scaling and condensed stiffness at (g, y); false at round-off.
  bool Scale();
  /// Hessian that the contact adds, on contact axes.
  Mat3 Stiffness() const;
  /// ds of the predictor, and of the corrector with the predictor's steps at centring sigma gap.
  void Predict() { ds = friction() ? Vec4(-lambda) : Vec4(-g[0] * y[0], 0, 0, 0); }
  void Correct(double centre);
  /// x from ds.
  void CalcRightSide();
  /// dg, dy from the step of the contact velocity.
  void CalcSteps(const Vec3& dv_c);
  /// Largest step in (0, limit] that keeps g and y inside.
  double CalcMaxStep(double limit) const;
};

}  // namespace slip
