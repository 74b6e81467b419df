// How a body moves against its parent. Coordinates of position q and velocity v, and the map
// between them. Frames: P parent, F the joint's frame on it; B body, M the joint's frame on it.
#pragma once

#include <string>

#include "engine/core/numbers.h"
#include "engine/core/types.h"

namespace slip {

/// Velocity coordinates are components of M's velocity against F in F's axes, angular first; F is
/// the world for a body without parent.
enum class JointKind {
  kFree,       ///< all six
  kPlanar,     ///< x-z plane with rotation about y: (w_y, v_x, v_z)
  kXZ,         ///< x-z plane without rotation: (v_x, v_z)
  kZ,          ///< vertical only: (v_z)
  kFixed,      ///< none
  kRevolute,   ///< rotation about `axis`
  kPrismatic,  ///< translation along `axis`
  kBall,       ///< rotation: (w_x, w_y, w_z)
  kUpright     ///< does not tip: (w_z, v_x, v_y, v_z)
};

/// Whether the joint can hang a body on the world without coordinates q: its pose in the State is
/// its position.
constexpr bool KeepsPose(JointKind kind) {
  return kind <= JointKind::kFixed || kind == JointKind::kUpright;
}

/// What resists and drives a joint of one coordinate. Infinite limits are none.
struct Joint {
  std::string name = {};
  JointKind kind = JointKind::kFree;
  int parent = -1;            ///< body; -1 = the world
  Pose X_PF = {};             ///< joint frame on the parent's body frame
  Pose X_BM = {};             ///< joint frame on the body's own frame
  Vec3 axis = Vec3::UnitX();  ///< unit, in F and M: revolute and prismatic
  double lower = -kInfinity;  ///< [rad] or [m]
  double upper = kInfinity;
  double limit_stiffness = kInfinity;  ///< [N m/rad] or [N/m]
  double limit_relaxation = 0;         ///< damping over stiffness of the limits [s]
  double effort = kInfinity;           ///< of the motor [N m] or [N]
  double damping = 0;                  ///< [N m s/rad] or [N s/m]
  double friction = 0;                 ///< dry [N m] or [N]
  double armature = 0;                 ///< inertia of the motor, seen at the joint [kg m^2] or [kg]
  int leader = -1;  ///< body whose joint this one follows: q = ratio q_leader + offset
  double ratio = 1, offset = 0;
};

/// Numbers of velocity coordinates, and of position coordinates where there are any.
int VelocityCount(JointKind kind);
int PositionCount(JointKind kind);

/// One velocity coordinate: a rotation about M's origin or a translation, along a unit axis in F.
struct JointDirection {
  bool rotates = false;
  Vec3 axis_F = Vec3::UnitX();
};
JointDirection DirectionOf(const Joint& joint, int coordinate);

/// Pose of M in F at q: angle or distance; (x, z); (angle, x, z); (angle, x, y, z); a unit
/// quaternion (x, y, z, w); position and quaternion.
Pose CalcJointPose(const Joint& joint, const double* q);
/// q := q (+) v, a displacement in velocity coordinates: rotations turn in F's axes.
void IntegrateJoint(const Joint& joint, const double* v, double* q);
/// v with q0 (+) v = q1, rotations below half a turn.
void DifferenceJoint(const Joint& joint, const double* q0, const double* q1, double* v);
/// q of M at F.
void SetNeutral(const Joint& joint, double* q);

/// Turn by the rotation vector w, |w| its angle [rad].
Quat CalcRotation(const Vec3& w);
/// What a change dw of the rotation vector turns by, in world axes: CalcRotation(w + dw) =
/// CalcRotation(J dw) CalcRotation(w); the left Jacobian of SO(3).
Mat3 CalcRotationJacobian(const Vec3& w);
/// The shortest rotation vector with CalcRotation(w) = q.
Vec3 CalcRotationVector(const Quat& q);

}  // namespace slip
