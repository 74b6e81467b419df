// Dynamics of one tree of links: mass matrix, inverse and forward dynamics, rows of Jacobians
// (Featherstone, Rigid Body Dynamics Algorithms, 2008, chapters 5 to 7).
//   M(q) v̇ + nle(q, v) = τ + Jᵀ λ
// Spatial quantities (angular, linear) have world axes and are taken about one point O for the
// whole tree, the origin of its first body: no transforms between links.
#pragma once

#include <vector>

#include "engine/core/numbers.h"
#include "engine/dynamics/model.h"
#include "engine/dynamics/spatial.h"
#include "engine/dynamics/state.h"

namespace slip {

/// Memory is reused from state to state.
class TreeDynamics {
 public:
  /// Takes the tree in this state. The model must stay as it is until the next call.
  void Update(const Model& model, const Tree& tree, const State& state);
  /// The same pose with other velocities, nv of them.
  void SetVelocities(const double* v);

  int nv() const { return tree_->nv; }
  /// The coordinate before k on the way from it to the root, -1 at its end: M has entries for a
  /// coordinate and those on its way alone.
  int Before(int k) const { return tree_->pattern.Before(k); }
  const Vec3& origin() const { return p_WO_; }

  /// M by the rows of Tree::pattern, with armature: composite bodies (chapter 6).
  void CalcMassRows(double* M);
  /// The same in full, nv x nv.
  void CalcMassMatrix(double* M);
  /// τ of these accelerations; none (null) gives nle = Coriolis, centrifugal and gravity forces.
  void CalcInverseDynamics(const Vec3& gravity_W, const double* acceleration, double* tau);
  /// Derivatives of CalcInverseDynamics, nv x nv: by displacements of positions along the velocity
  /// coordinates, and by velocities.
  void CalcInverseDynamicsDerivatives(const Vec3& gravity_W, const double* acceleration,
                                      MatrixX* by_position, MatrixX* by_velocity);
  /// v̇ of these joint forces: articulated bodies (chapter 7). A singular inertia gives NaN.
  void CalcForwardDynamics(const Vec3& gravity_W, const double* tau, double* acceleration);

  /// Row of a point's Jacobian, nv entries: velocity along `axis` of the point p_W of a body.
  void CalcPointRow(int body, const Vec3& p_W, const Vec3& axis, double* row) const;
  /// Rows along three axes, each with the entries on the way from the root to the body alone
  /// (Tree::pattern): 3 x its length.
  void CalcPointRows(int body, const Vec3& p_W, const Mat3& axes, double* rows) const;
  /// The three in full, 3 x nv, or those of the opposite motion.
  void CalcWholePointRows(int body, const Vec3& p_W, const Mat3& axes, bool opposite,
                          double* rows) const;
  /// A point's row for the angular velocity of a body.
  void CalcTurnRow(int body, const Vec3& axis, double* row) const;
  Vec3 CalcPointVelocity(int body, const Vec3& p_W) const;
  /// Spatial velocity of a link at the point p_W.
  Vec6 CalcVelocity(int link, const Vec3& p_W) const {
    const Twist& V = At(moving_, link).V;
    Vec6 out;
    out.head<3>() = V.w;
    out.tail<3>() = V.v + V.w.cross(p_W - p_WO_);
    return out;
  }
  /// J̇ v: acceleration of the point without accelerations of joints, and without gravity.
  Vec3 CalcPointBias(int body, const Vec3& p_W) const {
    return CalcPointBias(body, CalcLinkBias(body), p_W);
  }
  /// Likewise of a body as a whole, angular first, from which that of each of its points follows.
  Twist CalcLinkBias(int body) const;
  Vec3 CalcPointBias(int body, const Twist& link_bias, const Vec3& p_W) const;
  Vec3 CalcTurnBias(int body) const { return CalcLinkBias(body).w; }
  /// Derivative of CalcPointVelocity by positions, 3 x nv, where the point stays beside the body's
  /// point `rides_W`, such as the lowest point of a sphere below its centre. This one and the next
  /// go on from CalcInverseDynamicsDerivatives.
  void CalcPointVelocityDerivative(int body, const Vec3& p_W, const Vec3& rides_W,
                                   MatrixX* by_position) const;
  /// Adds the derivative of Jᵀ f by positions, f the same force in world axes at that point.
  void AddForceDerivative(int body, const Vec3& p_W, const Vec3& rides_W, const Vec3& f_W,
                          MatrixX* by_position) const;

  double CalcKineticEnergy() const;  ///< of links and motors [J]
  double mass() const { return mass_; }
  Vec3 CalcCenterOfMass() const;  ///< [m]
  Vec6 CalcMomentum() const;      ///< about the centre of mass (angular, linear)
  /// Rate of the linear momentum while the joints' rates stay as they are, without gravity [N].
  Vec3 CalcMomentumRate();

 private:
  /// Entries on the way alone, of the point r from the tree's origin.
  void FillPointRow(std::span<const int> way, const Vec3& r, const Vec3& axis, double* row) const;
  /// Of a link in this state; what no state changes is in Tree::link.
  struct Moving {
    Mat3 R_WB;
    SpatialInertia inertia, composite;
    Twist V, bias;  // velocity; acceleration that its own coordinates' velocities make
    Twist A;        // of a pass
    Wrench F;
  };
  /// Of a link, for forward dynamics.
  struct Articulated {
    Eigen::Matrix<double, 6, 6> inertia;
    Vec6 force;
    Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, 6> share;  // I_A S
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6> joint_inverse;
    Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1> joint_force;
  };

  /// 2 B in the notes of tree_derivatives.cpp: of a link, or of all that hangs on it.
  struct Turning {
    Mat3 moment;
    Vec3 momentum;

    void Set(const SpatialInertia& inertia, const Twist& V);
    Wrench operator*(const Vec3& w) const;
    Vec3 Transposed(const Twist& S) const;
  };
  /// Of a coordinate, likewise.
  struct Rates {
    int link = 0;
    bool translates = false;
    Twist psi1, psi2, phi;  // Ψ̇, Ψ̈, Φ
  };
  void CalcRates(const double* acceleration);

  int LinkOf(int body) const { return At(bodies_, body).link; }
  const Moving& MovingOf(int body) const { return At(moving_, LinkOf(body)); }

  const Tree* tree_ = nullptr;
  const Body* bodies_ = nullptr;
  double mass_ = 0;
  Vec3 p_WO_ = Vec3::Zero();
  std::vector<Moving> moving_;
  std::vector<Twist> directions_;  // S: velocity that a unit of the coordinate gives
  std::vector<double> velocities_, rows_;
  std::vector<Articulated> articulated_;
  std::vector<Turning> turning_;
  std::vector<Rates> rates_;
  std::vector<double> tau_;
};

}  // namespace slip
