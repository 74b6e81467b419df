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
  bool positive() const { return positive_; }
  /// x := M⁻¹ x.
  void SolveInPlace(Eigen::Ref<MatrixX> x) const;

  /// Jacobian of a touching point in world axes, 3 x nv.
  void CalcRows(const Touch& touch, Eigen::Ref<MatrixX> rows);
  /// Its velocity against the surface [m/s].
  Vec3 CalcVelocity(const Touch& touch) const;
  /// J̇ v: its acceleration without accelerations of coordinates [m/s^2].
  Vec3 CalcBias(const Touch& touch) const;

  /// Points whose Jacobians are kept along the way from the root to their bodies, for the functions
  /// below; `i` counts them from 0 on.
  void ClearPoints() { points_.clear(); }
  void AddPoint(const Touch& touch);
  /// J_i a.
  Vec3 CalcAcceleration(std::size_t i, const VectorX& a) const;
  /// tau += J_iᵀ f.
  void AddForce(std::size_t i, const Vec3& f_W, VectorX* tau) const;
  /// J M⁻¹ Jᵀ of these points, three rows each [1/kg].
  void CalcDelassus(MatrixX* out);

 private:
  /// Place of a point's rows in J_, and its last coordinate; -1 = none moves it.
  struct Point {
    std::size_t begin = 0;
    int last = -1;
  };
  void AddPull(const Config& config);
  const TreePattern& pattern() const { return links_ != nullptr ? tree_->pattern : chain_; }
  /// Rows of J along the way to the coordinate that is returned, behind each other; -1 = none.
  int CalcWayRows(const Touch& touch, double* rows);

  const Model* model_ = nullptr;
  const Tree* tree_ = nullptr;
  const TreeDynamics* links_ = nullptr;
  const State* state_ = nullptr;
  std::span<const Vec6> V_WB_;
  int nv_ = 0;
  TreePattern chain_;           // of a single body: all coordinates on one way
  std::vector<double> factor_;  // of M, by rows of the pattern
  bool positive_ = false;
  Eigen::RowVectorXd row_;
  VectorX v_, u_, free_, motors_, dampers_;
  std::vector<Point> points_;
  // three rows per point along its way: of J, of L⁻ᵀ Jᵀ, and of D⁻¹ L⁻ᵀ Jᵀ
  std::vector<double> J_, half_, scaled_;
};

}  // namespace slip
