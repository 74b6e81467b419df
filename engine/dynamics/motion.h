// The motion of one tree at a state, M v̇ + nle = τ + Jᵀ λ, a body of its own or links: what every
// formulation writes into its equations. The caller does not ask which.
#pragma once

#include <span>

#include "engine/core/numbers.h"
#include "engine/dynamics/rigid_dynamics.h"
#include "engine/dynamics/tree_dynamics.h"

namespace slip {

/// Looks at a model, a state and the dynamics of its links, which must stay. Rows have an entry for
/// each coordinate of the tree, or for those on the way from the root to a body alone.
class Motion {
 public:
  Motion() = default;
  /// `links` are those of an articulated tree at the state, else null.
  Motion(const Model& model, const Tree& tree, const State& state, TreeDynamics* links);
  /// `trees` as in Kinematics.
  Motion(const Model& model, const Tree& tree, const State& state, std::span<TreeDynamics> trees)
      : Motion(model, tree, state, LinksOf(tree, trees)) {}

  const Tree& tree() const { return *tree_; }
  int nv() const { return tree_->nv; }
  bool has_links() const { return links_ != nullptr; }
  /// Of a body of its own: the tree is nothing else.
  const Body& body() const { return *body_; }
  const BodyInertia& inertia() const { return inertia_; }

  /// M by the rows of Tree::pattern, of a body of its own the lower triangle; or in full, nv x nv.
  void CalcMassRows(double* M) const;
  void CalcMassMatrix(double* M) const;
  /// nle: Coriolis and gyroscopic forces and gravity.
  void CalcBias(const Vec3& gravity_W, double* nle) const;
  /// M v - h nle [kg m/s] or [kg m^2/s]. Of links by way of the forces that would stop them within
  /// h, which are left in `stop`.
  void CalcMomentum(const Vec3& gravity_W, double h, VectorX* stop, double* momentum) const;
  /// x := M⁻¹ x of a body of its own.
  void SolveBody(double* x) const;
  /// Calls fn(body, scale, row) for its bodies in order: scale times row is the weight of each.
  template <class Fn>
  void ForEachWeight(const Vec3& gravity_W, double* row, Fn&& fn) const;

  /// The last coordinate on the way to a body; -1 = none moves it.
  int last(int body) const;
  /// Velocity of the point p_W of a body along an axis, and along three.
  void CalcPointRow(int body, const Vec3& p_W, const Vec3& axis, double* row) const;
  void CalcPointRows(int body, const Vec3& p_W, const Mat3& axes, double* rows) const;
  /// The same of the opposite motion.
  void CalcOppositePointRows(int body, const Vec3& p_W, const Mat3& axes, double* rows) const;
  /// The three on the way to last(body) alone.
  void CalcWayRows(int body, const Vec3& p_W, const Mat3& axes, double* rows) const;
  /// Angular velocity of a body about an axis.
  void CalcTurnRow(int body, const Vec3& axis, double* row) const;
  /// J̇ v: acceleration of a point without accelerations of coordinates, and without gravity.
  Vec3 CalcPointBias(int body, const Vec3& p_W) const;

 private:
  static TreeDynamics* LinksOf(const Tree& tree, std::span<TreeDynamics> trees) {
    return tree.articulated < 0 ? nullptr : &At(trees, tree.articulated);
  }
  const Pose& X_WB() const { return state_->pose(tree_->first_body); }
  Vec6 CalcBodyForce(const Vec3& gravity_W, const Vec6& V_WB, const Vec3& momentum_W) const;
  template <bool kOpposite>
  void FillFreeRows(const Vec3& p_W, const Mat3& axes, double* rows) const;

  const Model* model_ = nullptr;
  const Tree* tree_ = nullptr;
  const State* state_ = nullptr;
  TreeDynamics* links_ = nullptr;
  const Body* body_ = nullptr;  // of a tree without links, as the next one
  BodyInertia inertia_{};
};

template <class Fn>
void Motion::ForEachWeight(const Vec3& gravity_W, double* row, Fn&& fn) const {
  if (!has_links()) {
    const Vec3 weight_W = inertia_.mass * gravity_W;
    for (int i = 0; i < nv(); ++i) row[i] = body_->dof[i] < 3 ? 0 : weight_W[body_->dof[i] - 3];
    return fn(tree_->first_body, 1.0, row);
  }
  for (int b = tree_->first_body; b < tree_->first_body + tree_->links; ++b) {
    links_->CalcPointRow(b, state_->pose(b).p, gravity_W, row);
    fn(b, model_->body(b).mass, row);
  }
}

}  // namespace slip
