// Acceleration of one tree, its contact forces included, at states that a step tries on its way.
#pragma once

#include <span>
#include <vector>

#include "engine/integrators/tree_motion.h"
#include "engine/method/step_io.h"

namespace slip {

/// Last bits of a point's position and velocity, which a chain of rotations has made.
inline constexpr double kLastBits = 8;

/// A touching point of a state on the way.
struct TrialContact {
  AnchoredTouch at;
  bool old = false;             ///< it touched at the start too
  bool held = false;            ///< to a piece of the law, which may let it pull
  Vec3 trial_W = Vec3::Zero();  ///< force before the projection [N]
  BristleForce force;           ///< `weight` included
  Vec3 whole_W = Vec3::Zero();  ///< without it [N]
  double weight = 1;            ///< below 1 in the ramp of a point that has just come
  double weight_rate = 0;       ///< derivative of the weight by signed distance [1/m]
};

/// A piece of the force laws: on each the acceleration is smooth, and goes on beyond its ends. In
/// it contacts slip or stick, whatever their friction, and may pull; motors have no limits or have
/// come to them.
struct TrialPieces {
  struct Contact {
    ContactKey key = 0;
    bool slips = false, in_ramp = false;
    bool operator==(const Contact&) const = default;
  };
  std::vector<Contact> contacts;  ///< those that are not open, ascending by key
  std::vector<int> motors;        ///< by coordinate, see TreeMotion::HoldMotors
  bool operator==(const TrialPieces&) const = default;
};

/// Memory is reused from step to step.
class TrialDynamics {
 public:
  /// The step to come: once before its trees.
  void Begin(const StepInput& input, const MaterialPairs& materials);
  /// Room for so many points of trees of so many coordinates: on pieces more may act than touch.
  void Reserve(int points, int nv);
  /// One tree and what it touches at the start, ascending by key.
  ///
  /// A damper's force sets in with a jump at the surface. An implicit step that ends there needs a
  /// part of it: with `ramps` it grows over the last thousandth of a new point's way (Filippov's
  /// solution, made thick).
  void Start(const Tree& tree, std::span<const AnchoredTouch> touches, bool ramps = false);
  /// The tree `elapsed` [s] after the start, displaced by `displacement` along its velocity
  /// coordinates, at velocities v. A point that has come on the way has its anchor where it is.
  /// False when the state is not finite or the inertia not positive definite.
  bool Evaluate(const VectorX& displacement, const VectorX& v, double elapsed);

  /// The piece that the state evaluated last is on, by the law itself.
  void FindPieces(TrialPieces* pieces) const;
  /// From now on states are evaluated on this piece, wherever they are; null: on their own. It must
  /// live on.
  void Hold(const TrialPieces* pieces);
  /// Whether points that touched at the start have ramps too, until the next Start. Thick ones are
  /// a tenth of the way, for bodies so light that the last bits of positions pass through a ramp.
  void RampAll(bool all, bool thick = false) { ramp_all_ = all, thick_ = thick, soft_ = 0; }
  /// The same for bodies that take next to nothing of a damper's force, which ramps of no thickness
  /// can tell from none: the slopes of thin ones are so low that last bits of positions change the
  /// velocity by no more than `change` [m/s], [rad/s]. Their ends stay where they are: a point that
  /// goes deeper has its whole force.
  void RampSoftly(double change) { ramp_all_ = true, thick_ = false, soft_ = change; }

  /// The largest length that the position of a touching point was computed from [m].
  double CalcReach(const Touch& touch) const;

  /// Of the state evaluated last.
  const VectorX& acceleration() const { return acceleration_; }
  const std::vector<TrialContact>& contacts() const { return contacts_; }
  TreeMotion& motion() { return motion_; }

  /// Derivatives of M a - u - Jᵀ λ there, a = acceleration(), by displacements and velocities.
  void Linearize(MatrixX* by_position, MatrixX* by_velocity);

 private:
  void TakeTouch(const Touch& touch, const AnchoredTouch* known, const TrialPieces::Contact* piece,
                 double elapsed);
  void KeepHeld();
  double CalcSoftRamp(const TrialContact& contact, double elapsed);

  const StepInput* input_ = nullptr;
  const MaterialPairs* materials_ = nullptr;
  const Tree* tree_ = nullptr;
  std::span<const AnchoredTouch> touches_;
  bool ramps_ = false, ramp_all_ = false, thick_ = false;
  double soft_ = 0;
  const TrialPieces* held_ = nullptr;
  State state_;
  Kinematics kinematics_;
  TreeMotion motion_;
  std::vector<Touch> found_;
  std::vector<TrialContact> contacts_;
  MatrixX J_, weighted_, rates_;
  Eigen::Matrix<double, Eigen::Dynamic, 3> by_force_;
  VectorX acceleration_, along_;
  Eigen::RowVectorXd across_;
};

}  // namespace slip
