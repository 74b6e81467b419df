// Dynamics of one tree of links: mass matrix, inverse and forward dynamics, rows of Jacobians
// (Featherstone, Rigid Body Dynamics Algorithms, 2008, chapters 5 to 7).
//   M(q) v̇ + nle(q, v) = τ + Jᵀ λ
// Spatial quantities (angular, linear) have world axes and are taken about one point O for the
// whole tree, the origin of its first body: no transforms between links.
#pragma once

#include <vector>

#include "engine/dynamics/model.h"
#include "engine/dynamics/state.h"

namespace slip {

/// Memory is reused from state to state.
class TreeDynamics {
 public:
  /// Takes the tree in this state. The model must stay as it is until the next call.
  void Update(const Model& model, const Tree& tree, const State& state);

  int nv() const { return static_cast<int>(directions_.size()); }
  /// The coordinate before k on the way from it to the root, -1 at its end: M has entries for a
  /// coordinate and those on its way alone.
  int Before(int k) const { return before_[U(k)]; }
  const Vec3& origin() const { return p_WO_; }

  /// M, nv x nv row major, with armature: composite bodies (chapter 6).
  void CalcMassMatrix(double* M);
  /// Solves M x = b in place for a symmetric positive definite matrix with entries where the mass
  /// matrix has them; M, nv x nv, becomes its factor (section 6.3: Lᵀ L, without fill).
  void SolveInPlace(double* M, double* x) const;
  /// τ of these accelerations; none (null) gives nle = Coriolis, centrifugal and gravity forces.
  void CalcInverseDynamics(const Vec3& gravity_W, const double* acceleration, double* tau);
  /// v̇ of these joint forces: articulated bodies (chapter 7). A singular inertia gives NaN.
  void CalcForwardDynamics(const Vec3& gravity_W, const double* tau, double* acceleration);

  /// Row of a point's Jacobian, nv entries: velocity along `axis` of the point p_W of a body.
  void CalcPointRow(int body, const Vec3& p_W, const Vec3& axis, double* row) const;
  /// The same for the angular velocity of a body.
  void CalcTurnRow(int body, const Vec3& axis, double* row) const;
  Vec3 CalcPointVelocity(int body, const Vec3& p_W) const;
  /// J̇ v: acceleration of the point without accelerations of joints, and without gravity.
  Vec3 CalcPointBias(int body, const Vec3& p_W) const;
  /// Likewise angular.
  Vec3 CalcTurnBias(int body) const;

  double CalcKineticEnergy() const;  ///< of links and motors [J]
  double mass() const { return mass_; }
  Vec3 CalcCenterOfMass() const;  ///< [m]
  Vec6 CalcMomentum() const;      ///< about the centre of mass (angular, linear)

 private:
  static std::size_t U(int i) { return static_cast<std::size_t>(i); }
  /// About O: mass, first moment m c, second moment.
  struct Inertia {
    double mass = 0;
    Vec3 first = Vec3::Zero();
    Mat3 second = Mat3::Zero();
    Vec6 operator*(const Vec6& V) const {
      const Vec3 w = V.head<3>(), v = V.tail<3>();
      Vec6 momentum;
      momentum.head<3>() = second * w + first.cross(v);
      momentum.tail<3>() = mass * v - first.cross(w);
      return momentum;
    }
    void operator+=(const Inertia& other) {
      mass += other.mass;
      first += other.first;
      second += other.second;
    }
  };
  struct Link {
    int parent = -1;         // link
    int begin = 0, end = 0;  // its own coordinates
    int last = -1;           // last coordinate on the way from the root to it
    Mat3 R_WB;
    Inertia inertia;
    Vec6 V, bias;  // velocity; acceleration that its own coordinates' velocities make
    Vec6 A, F;     // of a pass
    Inertia composite;
    Eigen::Matrix<double, 6, 6> articulated;
    Vec6 force;
  };
  using Block = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6>;
  using Columns = Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, 6>;
  using Part = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1>;

  int IndexOf(int body) const { return link_of_[U(body - first_body_)]; }
  const Link& LinkOf(int body) const { return links_[U(IndexOf(body))]; }

  int first_body_ = 0;
  double mass_ = 0;
  Vec3 p_WO_ = Vec3::Zero();
  std::vector<Link> links_;
  std::vector<int> link_of_;      // of every body of the tree
  std::vector<Vec6> directions_;  // S: velocity that a unit of the coordinate gives
  std::vector<int> before_;
  std::vector<int> ways_, way_begin_;  // of each coordinate: those before it, the nearest first
  std::vector<double> velocities_, armature_;
  std::vector<Columns> shares_;  // of articulated bodies: I_A S per link
  std::vector<Block> joint_inverse_;
  std::vector<Part> joint_force_;
};

}  // namespace slip
