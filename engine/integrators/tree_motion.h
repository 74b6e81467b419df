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

/// Speed of a surface along its belt axis, mean over the step of length h from `time` on [m/s].
double MeanBeltSpeed(const Config& config, const Surface& surface, double time, double h);

/// All touching points of a state, ascending by key.
void FindTouches(const Model& model, const Config& config, const MaterialPairs& materials,
                 double time, const State& state, std::vector<Touch>* touches);

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
  /// x := L⁻¹ x with M = L Lᵀ.
  void SolveLowerInPlace(Eigen::Ref<MatrixX> x) const { factor_.matrixL().solveInPlace(x); }

  /// Jacobian of a touching point in world axes, 3 x nv.
  void CalcRows(const Touch& touch, Eigen::Ref<MatrixX> rows);
  /// Its velocity against the surface [m/s].
  Vec3 CalcVelocity(const Touch& touch) const;
  /// J̇ v: its acceleration without accelerations of coordinates [m/s^2].
  Vec3 CalcBias(const Touch& touch) const;

 private:
  void AddPull(const Config& config);

  const Model* model_ = nullptr;
  const Tree* tree_ = nullptr;
  const TreeDynamics* links_ = nullptr;
  const State* state_ = nullptr;
  std::span<const Vec6> V_WB_;
  int nv_ = 0;
  MatrixX M_;
  Eigen::RowVectorXd row_;
  VectorX v_, u_, free_, motors_, dampers_;
  Eigen::LLT<MatrixX> factor_;
};

}  // namespace slip
