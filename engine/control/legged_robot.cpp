#include "engine/control/legged_robot.h"

#include <cmath>

#include "engine/control/small_solve.h"
#include "engine/core/numbers.h"

namespace slip {
namespace {

Mat3 Cross(const Vec3& a) {
  Mat3 m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

// Joints that belong to no leg come to rest [1/s].
constexpr double kRestGain = 10;

// Feet in the air go down with this speed [m/s], by this gain [1/s]: a foot that waits in the air
// would be hit by the ground later.
constexpr double kSinkSpeed = 0.1, kSinkGain = 20;

}  // namespace

void CalcLeastForces(std::span<const Vec3> r, const Vec3& force, const Vec3& moment,
                     std::span<Vec3> f) {
  // f = Aᵀ (A Aᵀ)⁻¹ b, A = [1; [r]×]
  SmallMatrix G = SmallMatrix::Zero(6, 6);
  for (const Vec3& ri : r) {
    const Mat3 X = Cross(ri);
    G.topLeftCorner<3, 3>() += Mat3::Identity();
    G.topRightCorner<3, 3>() -= X;
    G.bottomLeftCorner<3, 3>() += X;
    G.bottomRightCorner<3, 3>() -= X * X;
  }
  Vec6 b;
  b << force, moment;
  const Vec6 y = SolveSymmetric(G, b);  // G is singular where the points are on one line
  for (std::size_t i = 0; i < r.size(); ++i) f[i] = y.head<3>() - r[i].cross(Vec3(y.tail<3>()));
}

LeggedRobot::LeggedRobot(const Tick& tick) : tick_(tick), s_(*tick.scratch) {
  const Model& model = tick.model;
  const State& state = tick.state;
  const Tree& tree = tick.tree();
  s_.acceleration.setZero(tree.nv);
  s_.tau.setZero(tree.nv);
  R_WH_ = tick.X_WH.q.toRotationMatrix();
  const Quat R_HW = tick.X_WH.q.conjugate();
  const Pose& X_BL = model.body(tick.map.base).X_BL;
  const Pose& X_WB = state.pose(tick.map.base);
  base_W_ = X_WB * X_BL.p;
  com_of_base_W_ = X_WB.p;
  w_W_ = state.v.segment<3>(tree.v_start);
  p = R_WH_.transpose() * (base_W_ - tick.X_WH.p);
  v = R_WH_.transpose() * tick_.dynamics->CalcPointVelocity(tick.map.base, base_W_);
  R = R_HW * X_WB.q * X_BL.q;
  turn = CalcRotationVector(R);
  w = R_WH_.transpose() * w_W_;
  mass = tick_.dynamics->mass();
  g = tick.gravity_W.norm();
  com = R_WH_.transpose() * (tick_.dynamics->CalcCenterOfMass() - tick.X_WH.p);
  com_v = R_WH_.transpose() * tick_.dynamics->CalcMomentum().tail<3>() / mass;
  for (int leg = 0; leg < legs(); ++leg) {
    At(feet, leg) = SenseFoot(leg);
    feet_on += At(feet, leg).touching > 0;
  }
}

LeggedRobot::Foot LeggedRobot::SenseFoot(int leg) {
  const LegMap& m = map(leg);
  const Tree& tree = tick_.tree();
  const Pose& X_WB = tick_.state.pose(m.foot);
  const Vec3 p_W = X_WB * m.X_BF.p;
  auto& rows = At(s_.rows, leg);
  rows.resize(6, tree.nv);
  for (int r = 0; r < 3; ++r) {
    const Vec3 axis = R_WH_.col(r);
    tick_.dynamics->CalcPointRow(m.foot, p_W, axis, rows.row(r).data());
    tick_.dynamics->CalcTurnRow(m.foot, axis, rows.row(3 + r).data());
  }
  Foot foot;
  const Vec6 V = rows * tick_.state.v.segment(tree.v_start, tree.nv);
  foot.v = V.head<3>();
  foot.w = V.tail<3>();
  foot.p = R_WH_.transpose() * (p_W - tick_.X_WH.p);
  foot.R = tick_.X_WH.q.conjugate() * X_WB.q * m.X_BF.q;
  foot.turn = CalcRotationVector(foot.R);
  foot.center.setZero();
  for (int i = 0; i < m.points; ++i) {
    foot.center += ContactPoint(leg, i) / m.points;
    foot.touching += Touches(leg, i);
  }
  return foot;
}

Vec3 LeggedRobot::ContactPoint(int leg, int point) const {
  const LegMap& m = map(leg);
  const Body& body = tick_.model.body(m.foot);
  const Vec3 p_W = tick_.state.pose(m.foot) * At(body.points_B, m.first_point + point);
  return R_WH_.transpose() * (p_W - tick_.X_WH.p);
}

// Convex models carry load at φ > 0 too, by the error of linearisation.
bool LeggedRobot::Touches(int leg, int point) const {
  const LegMap& m = map(leg);
  if (tick_.loads[m.first_load + point] > 1e-9) return true;
  const Body& body = tick_.model.body(m.foot);
  const Vec3 p_W = tick_.state.pose(m.foot) * At(body.points_B, m.first_point + point);
  for (const Surface& surface : tick_.model.surfaces) {
    if (surface.normal.dot(p_W - surface.point) - body.point_radius <= 0) return true;
  }
  return false;
}

std::size_t LeggedRobot::CoordinateOf(int leg, int joint) const {
  return ToIndex(At(map(leg).coordinates, joint));
}
double LeggedRobot::q(int leg, int joint) const {
  return tick_.state.q[At(map(leg).positions, joint)];
}
double LeggedRobot::qd(int leg, int joint) const {
  return tick_.state.v[tick_.tree().v_start + At(map(leg).coordinates, joint)];
}
double& LeggedRobot::wanted(int leg, int joint) {
  return s_.acceleration.data()[CoordinateOf(leg, joint)];
}
double& LeggedRobot::torque(int leg, int joint) { return s_.tau.data()[CoordinateOf(leg, joint)]; }

void LeggedRobot::Accelerate(const Vec3& a, const Vec3& angular) {
  const Tree& tree = tick_.tree();
  VectorX& vdot = s_.acceleration;
  const auto rates = tick_.state.v.segment(tree.v_start, tree.nv);
  vdot = -kRestGain * rates;
  // coordinates of the base are those of its centre of mass
  const Vec3 alpha_W = R_WH_ * angular, r = com_of_base_W_ - base_W_;
  vdot.segment<3>(0) = alpha_W;
  vdot.segment<3>(3) = R_WH_ * a + alpha_W.cross(r) + w_W_.cross(Vec3(w_W_.cross(r)));
  for (int leg = 0; leg < legs(); ++leg) {
    for (int j = 0; j < map(leg).joints; ++j) wanted(leg, j) = 0;
  }
  // J_leg q̈ = a_foot - J̇ v - J_base a_base
  for (int leg = 0; leg < legs(); ++leg) {
    const LegMap& m = map(leg);
    const auto& rows = At(s_.rows, leg);
    const Vec3 p_W = tick_.X_WH.p + R_WH_ * At(feet, leg).p;
    Vec6 rest;
    rest << At(feet, leg).acceleration -
                R_WH_.transpose() * tick_.dynamics->CalcPointBias(m.foot, p_W),
        At(feet, leg).angular - R_WH_.transpose() * tick_.dynamics->CalcTurnBias(m.foot);
    rest -= rows * vdot;
    Eigen::Matrix<double, 6, 6> J;
    for (int j = 0; j < m.joints; ++j) J.col(j) = rows.col(At(m.coordinates, j));
    if (m.joints == 3) {
      const Vec3 qdd = J.topLeftCorner<3, 3>().inverse() * rest.head<3>();
      for (int j = 0; j < 3; ++j) wanted(leg, j) = qdd[j];
    } else {
      const Vec6 qdd = J.partialPivLu().solve(rest);
      for (int j = 0; j < 6; ++j) wanted(leg, j) = qdd[j];
    }
  }
  tick_.dynamics->CalcInverseDynamics(tick_.gravity_W, vdot.data(), s_.tau.data());
  force = R_WH_.transpose() * s_.tau.segment<3>(3);
  moment = R_WH_.transpose() * (s_.tau.segment<3>(0) + r.cross(Vec3(s_.tau.segment<3>(3))));
}

void LeggedRobot::Carry(int leg, const Vec3& f, const Vec3& m) {
  const auto& rows = At(s_.rows, leg);
  Vec6 wrench;
  wrench << f, m;
  for (int k = tick_.map.base_nv; k < s_.tau.size(); ++k) s_.tau[k] -= rows.col(k).dot(wrench);
}

void LeggedRobot::CarryAll(const std::array<bool, kMostLegs>& stance) {
  std::array<Vec3, kMostLegs> r, f;
  std::size_t n = 0;
  for (int leg = 0; leg < legs(); ++leg) {
    if (At(stance, leg)) r[n++] = At(feet, leg).p - p;
  }
  CalcLeastForces({r.data(), n}, force, moment, {f.data(), n});
  n = 0;
  for (int leg = 0; leg < legs(); ++leg) {
    if (At(stance, leg)) Carry(leg, f[n++]);
  }
}

void LeggedRobot::Fly() {
  // a_b = -M_bb⁻¹ (M_bj q̈ + nle_b)
  VectorX& vdot = s_.acceleration;
  vdot.head<6>().setZero();
  tick_.dynamics->CalcInverseDynamics(tick_.gravity_W, vdot.data(), s_.tau.data());
  const Vec6 rest = s_.tau.head<6>();
  s_.mass_matrix.resize(s_.tau.size(), s_.tau.size());
  tick_.dynamics->CalcMassMatrix(s_.mass_matrix.data());
  vdot.head<6>() = -SolveSymmetric(s_.mass_matrix.topLeftCorner<6, 6>(), rest);
  tick_.dynamics->CalcInverseDynamics(tick_.gravity_W, vdot.data(), s_.tau.data());
}

void Balance(const Vec3& a, const Vec3& angular, LeggedRobot* robot, double brake) {
  std::array<bool, LeggedRobot::kMostLegs> stance{};
  for (int leg = 0; leg < robot->legs(); ++leg) {
    LeggedRobot::Foot& foot = At(robot->feet, leg);
    const bool on = foot.touching > 0;
    foot.acceleration = on ? Vec3(-brake * Vec3(foot.v.x(), foot.v.y(), 0))
                           : Vec3(kSinkGain * (Vec3(0, 0, -kSinkSpeed) - foot.v));
    At(stance, leg) = on || robot->feet_on < 3;
  }
  robot->Accelerate(a, angular);
  robot->CarryAll(stance);
}

}  // namespace slip
