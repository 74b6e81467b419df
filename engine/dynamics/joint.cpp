#include "engine/dynamics/joint.h"

#include <cmath>

namespace slip {

namespace {

// Components of a velocity against F that a joint keeps: 0-2 angular, 3-5 linear.
int ComponentOf(JointKind kind, int coordinate) {
  static constexpr int kOfPlanar[] = {1, 3, 5}, kOfXZ[] = {3, 5}, kOfUpright[] = {2, 3, 4, 5};
  switch (kind) {
    case JointKind::kPlanar:
      return kOfPlanar[coordinate];
    case JointKind::kXZ:
      return kOfXZ[coordinate];
    case JointKind::kZ:
      return 5;
    case JointKind::kUpright:
      return kOfUpright[coordinate];
    default:
      return coordinate;
  }
}

Quat ToQuat(const double* q) { return Quat(q[3], q[0], q[1], q[2]); }
void Store(const Quat& from, double* q) {
  for (int i = 0; i < 4; ++i) q[i] = from.coeffs()[i];
}

}  // namespace

int VelocityCount(JointKind kind) {
  switch (kind) {
    case JointKind::kFree:
      return 6;
    case JointKind::kUpright:
      return 4;
    case JointKind::kPlanar:
    case JointKind::kBall:
      return 3;
    case JointKind::kXZ:
      return 2;
    case JointKind::kZ:
    case JointKind::kRevolute:
    case JointKind::kPrismatic:
      return 1;
    case JointKind::kFixed:
      return 0;
  }
  return 0;
}

int PositionCount(JointKind kind) {
  if (kind == JointKind::kFree) return 7;
  if (kind == JointKind::kBall) return 4;
  return VelocityCount(kind);
}

JointDirection DirectionOf(const Joint& joint, int coordinate) {
  if (joint.kind == JointKind::kRevolute) return {true, joint.axis};
  if (joint.kind == JointKind::kPrismatic) return {false, joint.axis};
  const int component = ComponentOf(joint.kind, coordinate);
  return {component < 3, Vec3::Unit(component % 3)};
}

Quat CalcRotation(const Vec3& w) {
  const double angle = w.norm();
  if (angle == 0) return Quat::Identity();
  // sin(a/2)/a and cos(a/2), by their series to the last bit where it is short
  const double half = 0.5 * angle, x = half * half;
  const bool small = half < 0.05;
  const double s = small ? 0.5 * (1 - x / 6 * (1 - x / 20 * (1 - x / 42))) : std::sin(half) / angle;
  const double c = small ? 1 - x / 2 * (1 - x / 12 * (1 - x / 30 * (1 - x / 56))) : std::cos(half);
  return Quat(c, s * w.x(), s * w.y(), s * w.z());
}

Mat3 CalcRotationJacobian(const Vec3& w) {
  // 1 + (1 - cos a)/a² [w] + (a - sin a)/a³ [w]², by series where a is short
  const double x = w.squaredNorm(), a = std::sqrt(x);
  const bool small = x < 0.01;
  const double first =
      small ? 0.5 * (1 - x / 12 * (1 - x / 30 * (1 - x / 56))) : (1 - std::cos(a)) / x;
  const double second =
      small ? (1 - x / 20 * (1 - x / 42 * (1 - x / 72))) / 6 : (a - std::sin(a)) / (x * a);
  Mat3 cross;
  cross << 0, -w.z(), w.y(), w.z(), 0, -w.x(), -w.y(), w.x(), 0;
  return Mat3::Identity() + first * cross + second * (w * w.transpose() - x * Mat3::Identity());
}

Vec3 CalcRotationVector(const Quat& q) {
  const double sign = q.w() < 0 ? -1 : 1;
  const double half_sine = q.vec().norm();
  if (half_sine < 1e-12) return 2 * sign * q.vec();
  return 2 * sign * std::atan2(half_sine, sign * q.w()) / half_sine * q.vec();
}

Pose CalcJointPose(const Joint& joint, const double* q) {
  Pose X;
  switch (joint.kind) {
    case JointKind::kFree:
      X.p = Vec3(q[0], q[1], q[2]);
      X.q = ToQuat(q + 3);
      break;
    case JointKind::kPlanar:
      X.p = Vec3(q[1], 0, q[2]);
      X.q = CalcRotation(q[0] * Vec3::UnitY());
      break;
    case JointKind::kXZ:
      X.p = Vec3(q[0], 0, q[1]);
      break;
    case JointKind::kZ:
      X.p = Vec3(0, 0, q[0]);
      break;
    case JointKind::kFixed:
      break;
    case JointKind::kUpright:
      X.p = Vec3(q[1], q[2], q[3]);
      X.q = CalcRotation(q[0] * Vec3::UnitZ());
      break;
    case JointKind::kRevolute:
      X.q = CalcRotation(q[0] * joint.axis);
      break;
    case JointKind::kPrismatic:
      X.p = q[0] * joint.axis;
      break;
    case JointKind::kBall:
      X.q = ToQuat(q);
      break;
  }
  return X;
}

void IntegrateJoint(const Joint& joint, const double* v, double* q) {
  const auto turn = [](const double* w, double* at) {
    Store((CalcRotation(Vec3(w[0], w[1], w[2])) * ToQuat(at)).normalized(), at);
  };
  if (joint.kind == JointKind::kBall) return turn(v, q);
  if (joint.kind == JointKind::kFree) {
    for (int i = 0; i < 3; ++i) q[i] += v[3 + i];
    return turn(v, q + 3);
  }
  for (int i = 0; i < VelocityCount(joint.kind); ++i) q[i] += v[i];
}

void DifferenceJoint(const Joint& joint, const double* q0, const double* q1, double* v) {
  const auto turn = [](const double* from, const double* to, double* w) {
    const Vec3 rotation = CalcRotationVector(ToQuat(to) * ToQuat(from).conjugate());
    for (int i = 0; i < 3; ++i) w[i] = rotation[i];
  };
  if (joint.kind == JointKind::kBall) return turn(q0, q1, v);
  if (joint.kind == JointKind::kFree) {
    for (int i = 0; i < 3; ++i) v[3 + i] = q1[i] - q0[i];
    return turn(q0 + 3, q1 + 3, v);
  }
  for (int i = 0; i < VelocityCount(joint.kind); ++i) v[i] = q1[i] - q0[i];
}

void SetNeutral(const Joint& joint, double* q) {
  for (int i = 0; i < PositionCount(joint.kind); ++i) q[i] = 0;
  if (joint.kind == JointKind::kFree) q[6] = 1;
  if (joint.kind == JointKind::kBall) q[3] = 1;
}

}  // namespace slip
