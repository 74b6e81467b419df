// The equation of motion of one tree, M v̇ = u + Jᵀ λ, at a state, and its points that touch
// surfaces.
#pragma once

#include <span>
#include <vector>

#include "engine/collide/contact_material.h"
#include "engine/contact/bristle.h"
#include "engine/dynamics/kinematics.h"
#include "engine/method/config.h"

namespace slip {

/// A point of a body on a surface, at a signed distance of zero or less.
struct Touch {
  ContactKey key = 0;
  int surface = 0, body = 0;
  BristleParams params;
  double phi = 0;           ///< signed distance [m]
  Vec3 p_W = Vec3::Zero();  ///< [m]
  Vec3 centre_W = p_W;      ///< of the small sphere whose lowest point p_W is [m]
  Vec3 t1_W = Vec3::UnitX(), n_W = Vec3::UnitZ();
  Vec3 belt_W = Vec3::Zero();  ///< velocity of the surface, mean over the step [m/s]
};

/// A touching point at the start of a step, by its anchor.
struct AnchoredTouch {
  Touch touch;
  Vec3 anchor_W = Vec3::Zero();
};

/// Speed of a surface along its belt axis, mean over the step of length h from `time` on [m/s].
double MeanBeltSpeed(const Config& config, const Surface& surface, double time, double h);

/// All touching points of a state, ascending by key. Belts move as in a step from `time` on.
void FindTouches(const Model& model, const Config& config, const MaterialPairs& materials,
                 double time, const State& state, std::vector<Touch>* touches);
/// Those of one tree alone.
void FindTouches(const Model& model, const Config& config, const MaterialPairs& materials,
                 const Tree& tree, double time, const State& state, std::vector<Touch>* touches);

/// How far the anchor of a touching point goes along from one state to another: with the surface,
/// and with a sphere that rolls, whose lowest point moves on without slipping [m].
Vec3 CarryAnchor(const State& from, const State& to, const Touch& touch, double elapsed);

/// Memory is reused from state to state.
class TreeMotion {
 public:
  /// `links` are those of an articulated tree, else null. `actuation` as in StepInput.
  void Update(const Model& model, const Config& config, const Tree& tree, TreeDynamics* links,
              const State& state, std::span<const Vec6> V_WB, const VectorX* actuation);

  int nv() const { return nv_; }
  /// M⁻¹ u [rad/s^2] or [m/s^2].
  const VectorX& free_acceleration() const { return free_; }
  /// Forces of motors and of dampers of joints [N m] or [N], constant within the step.
  const VectorX& motors() const { return motors_; }
  const VectorX& dampers() const { return dampers_; }
  bool positive() const { return factor_.info() == Eigen::Success; }
  void SolveInPlace(Eigen::Ref<MatrixX> x) const { factor_.solveInPlace(x); }
  const MatrixX& mass_matrix() const { return M_; }
  /// x := L⁻¹ x with M = L Lᵀ.
  void SolveLowerInPlace(Eigen::Ref<MatrixX> x) const { factor_.matrixL().solveInPlace(x); }

  /// Jacobian of a touching point in world axes, 3 x nv.
  void CalcRows(const Touch& touch, Eigen::Ref<MatrixX> rows);
  /// Its velocity against the surface [m/s].
  Vec3 CalcVelocity(const Touch& touch) const;
  /// J̇ v: its acceleration without accelerations of coordinates [m/s^2].
  Vec3 CalcBias(const Touch& touch) const;

  /// Derivatives of M a - u by displacements of positions and by velocities, nv x nv, a held. Of
  /// the mouse spring the change of its arm is left out.
  void CalcDerivatives(const VectorX& acceleration, MatrixX* by_position, MatrixX* by_velocity);
  /// Derivative of CalcVelocity by positions, 3 x nv. This one and the next go on from
  /// CalcDerivatives.
  void CalcVelocityDerivative(const Touch& touch, MatrixX* by_position) const;
  /// Adds the derivative of Jᵀ f by positions, f the same force at a touching point.
  void AddForceDerivative(const Touch& touch, const Vec3& f_W, MatrixX* by_position) const;

 private:
  const Body& FirstBody() const {
    return model_->bodies[static_cast<std::size_t>(tree_->first_body)];
  }
  void AddPull(const Config& config);

  const Model* model_ = nullptr;
  const Tree* tree_ = nullptr;
  TreeDynamics* links_ = nullptr;
  const Config* config_ = nullptr;
  const State* state_ = nullptr;
  std::span<const Vec6> V_WB_;
  int nv_ = 0;
  MatrixX M_;
  Eigen::RowVectorXd row_;
  VectorX v_, u_, free_, motors_, dampers_;
  MatrixX pull_rows_;  // of the mouse spring; empty where it does not pull
  bool pull_limited_ = false;
  Eigen::LLT<MatrixX> factor_;
};

}  // namespace slip
