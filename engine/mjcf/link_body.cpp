#include "engine/mjcf/link_body.h"

#include <algorithm>

#include "engine/core/pose.h"
#include "engine/core/rotation.h"

namespace slip {
namespace {

// Principal moments, and the turn to their axes; none where the file's axes are principal.
Quat FindPrincipalAxes(const Mat3& inertia, Vec3* moments) {
  const Mat3 off = inertia - Mat3(inertia.diagonal().asDiagonal());
  if (off.norm() <= 1e-14 * inertia.norm()) {
    *moments = inertia.diagonal();
    return Quat::Identity();
  }
  const SymmetricEigen eigen = CalcSymmetricEigen(inertia);
  *moments = eigen.values;
  Mat3 axes = eigen.vectors;
  if (axes.determinant() < 0) axes.col(2) = -axes.col(2);
  return Quat(axes);
}

JointKind KindOf(RobotJointKind kind) {
  switch (kind) {
    case RobotJointKind::kFixed:
      return JointKind::kFixed;
    case RobotJointKind::kRevolute:
    case RobotJointKind::kContinuous:
      return JointKind::kRevolute;
    case RobotJointKind::kPrismatic:
      return JointKind::kPrismatic;
    case RobotJointKind::kFloating:
      return JointKind::kFree;
    case RobotJointKind::kPlanar:
      return JointKind::kPlanar;
    case RobotJointKind::kBall:
      return JointKind::kBall;
  }
  return JointKind::kFixed;
}

}  // namespace

Pose SetMass(const RobotLink& link, Body* body) {
  body->mass = link.mass;
  const Pose X_LB{link.p_LC, FindPrincipalAxes(link.I_LC, &body->inertia_B)};
  body->X_BL = Inverse(X_LB);
  return X_LB;
}

void SetJoint(const RobotJoint& from, const Body& parent, Body* body) {
  Joint& joint = body->joint;
  joint.axis = from.axis;
  body->SetJoint(KindOf(from.kind));
  // our planar joint turns about y
  const Quat turn = from.kind == RobotJointKind::kPlanar ? RotationBetween(Vec3::UnitY(), from.axis)
                                                         : Quat::Identity();
  const Pose X_JF{Vec3::Zero(), turn};
  joint.X_PF = parent.X_BL * from.X_PJ * X_JF;
  joint.X_BM = body->X_BL * from.X_CJ * X_JF;
  joint.armature = from.armature;
  SetNeutral(joint, body->q0.data());
}

void SetStartTurn(const RobotJoint& from, const RobotStart& start, Body* body) {
  const bool ball = from.kind == RobotJointKind::kBall;
  const double* wxyz = start.q.data() + (ball ? 0 : 3);
  const Quat turn(wxyz[0], wxyz[1], wxyz[2], wxyz[3]);
  if (ball) {
    Eigen::Map<Eigen::Vector4d>(body->q0.data()) = turn.coeffs();
  } else if (from.kind == RobotJointKind::kFloating) {
    const Pose X_PC{Vec3(start.q[0], start.q[1], start.q[2]), turn};
    const Pose X_FM = Inverse(from.X_PJ) * X_PC * from.X_CJ;
    std::copy(X_FM.p.data(), X_FM.p.data() + 3, body->q0.data());
    Eigen::Map<Eigen::Vector4d>(body->q0.data() + 3) = X_FM.q.coeffs();
  }
}

}  // namespace slip
