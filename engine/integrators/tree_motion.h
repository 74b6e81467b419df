// The equation of motion of one tree, M v̇ = u + Jᵀ λ, at a state, and its points that touch
// surfaces.
#pragma once

#include <span>
#include <vector>

#include "engine/collide/contact_material.h"
#include "engine/contact/bristle.h"
#include "engine/dynamics/kinematics.h"
#include "engine/dynamics/motion.h"
#include "engine/method/pull.h"

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
  bool slid = false;  ///< it slipped at the end of the step before
};

/// Speed of a surface along its belt axis, mean over the step of length h from `time` on [m/s].
double MeanBeltSpeed(const Config& config, const Surface& surface, double time, double h);

/// All touching points of a state, ascending by key. Belts move as in a step from `time` on.
void FindTouches(const Model& model, const Config& config, const MaterialPairs& materials,
                 double time, const State& state, std::vector<Touch>* touches);
/// Those of one tree alone, and points as far above surfaces as `reach` [m].
void FindTouches(const Model& model, const Config& config, const MaterialPairs& materials,
                 const Tree& tree, double time, const State& state, std::vector<Touch>* touches,
                 double reach = 0);

/// Anchors of touching points, both ascending by key: those that the state remembers; a point that
/// has just come stretches nothing yet.
void FindAnchors(const std::vector<Touch>& found, const std::vector<ContactMemory>& memory,
                 std::vector<AnchoredTouch>* touches);

/// How far the anchor of a touching point goes along from one state to another: with the surface,
/// and with a sphere that rolls, whose lowest point moves on without slipping [m].
Vec3 CarryAnchor(const State& from, const State& to, const Touch& touch, double elapsed);

/// Memory is reused from state to state.
class TreeMotion {
 public:
  /// `links` are those of an articulated tree, else null. `actuation` as in StepInput. With
  /// `implicit_h` [s] above zero, springs and dampers of joints act as at the end of a step of this
  /// length, linear in the acceleration: M⁻¹ is then that of M + h (D + h K) everywhere below but
  /// in CalcMassMatrix. Stiff motors on light links need it; contacts are none of its business.
  void Update(const Model& model, const Config& config, const Tree& tree, TreeDynamics* links,
              const State& state, std::span<const Vec6> V_WB, const VectorX* actuation,
              double implicit_h = 0);

  /// Inertia, Coriolis forces and gravity at a state alone, without a factor: for TakeFreeMotion
  /// of another.
  void UpdateInertia(const Model& model, const Config& config, const Tree& tree,
                     TreeDynamics* links, const State& state, std::span<const Vec6> V_WB);
  /// From now on the free acceleration is that of the inertia, Coriolis forces and gravity of
  /// another state, such as the middle of the step, under the other forces of this one.
  void TakeFreeMotion(TreeMotion* middle);

  /// From the next update on motors are taken for this, by coordinate: 1 or -1 gives all it has,
  /// that way; 0 has no limit. Empty: their limits decide.
  void HoldMotors(std::span<const int> pieces) { held_motors_ = pieces; }
  /// What a motor is where its limit decides.
  int MotorPiece(int i) const;

  int nv() const { return nv_; }
  /// M⁻¹ u [rad/s^2] or [m/s^2].
  const VectorX& free_acceleration() const { return free_; }
  /// Forces of motors and of dampers of joints [N m] or [N], constant within the step; where they
  /// are implicit, without what the acceleration adds.
  const VectorX& motors() const { return motors_; }
  const VectorX& dampers() const { return dampers_; }
  /// Takes away from the two forces what this acceleration adds where they are implicit.
  void AddImplicitForces(const VectorX& acceleration, VectorX* motors, VectorX* dampers) const;
  /// Force or torque of the mouse spring on this tree [N] or [N m], constant within the step, and
  /// its power at these velocities [W].
  const Vec3& pull_W() const { return pull_W_; }
  double CalcPullPower(Eigen::Ref<const VectorX> v) const;
  bool positive() const { return positive_; }
  /// x := M⁻¹ x.
  void SolveInPlace(Eigen::Ref<MatrixX> x) const;
  /// M in full, nv x nv.
  const MatrixX& CalcMassMatrix();

  /// Jacobian of a touching point in world axes, 3 x nv.
  void CalcRows(const Touch& touch, Eigen::Ref<MatrixX> rows);
  /// Its velocity against the surface [m/s].
  Vec3 CalcVelocity(const Touch& touch) const;
  /// Size of what that is summed from, which may cancel: the motions of joints that carry the
  /// point, by their arms, and its surface's own [m/s].
  double CalcSpeedOfTerms(const Touch& touch);
  /// J̇ v: its acceleration without accelerations of coordinates [m/s^2].
  Vec3 CalcBias(const Touch& touch) const;

  /// Points whose Jacobians are kept along the way from the root to their bodies, for the functions
  /// below; `i` counts them from 0 on.
  void ClearPoints() { points_.clear(); }
  /// Room for so many of them, in trees of so many coordinates.
  void ReservePoints(int points, int nv);
  void AddPoint(const Touch& touch);
  /// J_i a.
  Vec3 CalcAcceleration(std::size_t i, const VectorX& a) const;
  /// tau += J_iᵀ f.
  void AddForce(std::size_t i, const Vec3& f_W, VectorX* tau) const;
  /// J M⁻¹ Jᵀ of these points, three rows each [1/kg].
  void CalcDelassus(MatrixX* out);

  /// Derivatives of M a - u by displacements of positions and by velocities, nv x nv, a held. Of
  /// the mouse spring the change of its arm is left out.
  void CalcDerivatives(const VectorX& acceleration, MatrixX* by_position, MatrixX* by_velocity);
  /// Derivative of CalcVelocity by positions, 3 x nv. This one and the next go on from
  /// CalcDerivatives.
  void CalcVelocityDerivative(const Touch& touch, MatrixX* by_position) const;
  /// Adds the derivative of Jᵀ f by positions, f the same force at a touching point.
  void AddForceDerivative(const Touch& touch, const Vec3& f_W, MatrixX* by_position) const;

 private:
  /// Place of a point's rows in J_, and its last coordinate; -1 = none moves it.
  struct Point {
    std::size_t begin = 0;
    int last = -1;
  };
  const Body& FirstBody() const { return model_->body(tree_->first_body); }
  void AddPull(const Config& config);
  void AddImplicitInertia(std::vector<double>* rows) const;
  const TreePattern& pattern() const { return links_ != nullptr ? tree_->pattern : chain_; }
  /// Rows of J along the way to the coordinate that is returned, behind each other; -1 = none.
  int CalcWayRows(const Touch& touch, double* rows);
  double CalcMotor(const Body& body, int i, double held, double implicit_h) const;
  bool IsAtLimit(const Body& body, int i) const;

  const Model* model_ = nullptr;
  const Tree* tree_ = nullptr;
  TreeDynamics* links_ = nullptr;
  Motion motion_;
  const Config* config_ = nullptr;
  const State* state_ = nullptr;
  std::span<const Vec6> V_WB_;
  int nv_ = 0;
  TreePattern chain_;           // of a single body: all coordinates on one way
  std::vector<double> factor_;  // of M, by rows of the pattern
  bool positive_ = false, implicit_ = false;
  Eigen::RowVectorXd row_;
  VectorX v_, bias_, u_, free_, motors_, dampers_;
  std::span<const int> held_motors_;
  VectorX motor_inertia_, damper_inertia_;  // h (D + h K) and h c of each joint; 0 where explicit
  MatrixX M_;
  std::vector<double> mass_;  // by rows of the pattern
  Pull pull_;                 // of the mouse spring, of any tree
  bool pulls_ = false;        // it pulls this one
  MatrixX pull_rows_;
  Vec3 pull_W_ = Vec3::Zero();
  std::vector<Point> points_;
  // three rows per point along its way: of J, of L⁻ᵀ Jᵀ, and of D⁻¹ L⁻ᵀ Jᵀ
  std::vector<double> J_, half_, scaled_;
};

}  // namespace slip
