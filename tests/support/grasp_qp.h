// Quadratic programs as a step of a grasp has them: a body between two pads of a hand on a floor,
// 13 unknowns (translation and rotation of the body; translation, rotation and half opening of the
// hand), 15 contacts. Ten contacts with the pads have six rows n +- mu t1, n +- mu t2, n +- mu_w
// times the spin; five with the floor have four: 80 rows.
#pragma once

#include <random>

#include "engine/solver/convex_qp.h"

namespace slip::test {

inline ConvexQp MakeGraspQp(std::mt19937* random) {
  const auto number = [&](double a, double b) {
    return a + (b - a) * static_cast<double>((*random)()) / 4294967296.0;
  };
  constexpr double h = 0.01, mass = 0.4, mu = 0.8, mu_w = 0.02;
  ConvexQp qp{MatrixX::Zero(13, 13), VectorX(13), MatrixX::Zero(80, 13), VectorX(80)};
  const Vec3 inertia(4.84e-4, 3.4e-4, 3.4e-4), axis(number(-1, 1), number(-1, 1), number(-1, 1));
  const Mat3 R = Eigen::AngleAxisd(number(0, 1), axis.normalized()).toRotationMatrix();
  qp.H.topLeftCorner<3, 3>() = mass / h * Mat3::Identity();
  qp.H.block<3, 3>(3, 3) = R * inertia.asDiagonal() * R.transpose() / h;
  const double stiffness[7] = {2000, 2000, 2000, 50, 50, 50, 4000};
  qp.g << 0, 0, -h * mass * 9.81, VectorX::Zero(10);
  for (int k = 0; k < 7; ++k) {
    qp.H(6 + k, 6 + k) = h * stiffness[k];
    const double error = k < 3 ? 1e-3 : k < 6 ? 5e-3 : 0;
    qp.g[6 + k] = h * stiffness[k] * (k == 6 ? number(-0.01, 1e-3) : number(-error, error));
  }
  const Vec3 p_body(0, 0, 0.055), p_hand(0, 0.025, 0.06);
  int row = 0;
  for (int contact = 0; contact < 15; ++contact) {
    const int object = contact / 5;  // pad, pad, floor
    const bool floor = object == 2, first = contact % 5 == 0;
    const double side = object == 0 ? -1 : 1;
    const Vec3 tilt(number(-0.1, 0.1), number(-0.1, 0.1), number(-0.1, 0.1));
    const Vec3 n = floor ? Vec3::UnitZ() : (Vec3(-side, 0, 0) + 0.2 * tilt).normalized();
    const Vec3 d1 =
        floor ? Vec3::UnitX() : Vec3(n.cross(Vec3::UnitX() + Vec3::UnitY())).normalized();
    const Vec3 d2 = n.cross(d1);
    const Vec3 point = floor ? Vec3(number(-0.03, 0.03), number(-0.04, 0.04), 0)
                             : Vec3(side * 0.042, number(0, 0.05), number(0.035, 0.085));
    Eigen::Matrix<double, 4, 13> J = Eigen::Matrix<double, 4, 13>::Zero();
    const auto cross = [](const Vec3& a) {
      Mat3 out;
      out << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
      return out;
    };
    J.topLeftCorner<3, 3>().setIdentity();
    J.block<3, 3>(0, 3) = -cross(point - p_body);
    J.block<1, 3>(3, 3) = n.transpose();
    if (!floor) {
      J.block<3, 3>(0, 6) = -Mat3::Identity();
      J.block<3, 3>(0, 9) = cross(point - p_hand);
      J.block<1, 3>(3, 9) = -n.transpose();
      J(0, 12) = -side;
    }
    const double phi = first ? number(-1e-5, 1e-5) : number(-1e-5, 3e-3);
    const auto add = [&](const Eigen::Matrix<double, 1, 13>& extra) {
      for (const double sign : {1.0, -1.0}) {
        qp.A.row(row) = n.transpose() * J.topRows<3>() + sign * extra;
        qp.b[row++] = -phi;
      }
    };
    add(mu * d1.transpose() * J.topRows<3>());
    add(mu * d2.transpose() * J.topRows<3>());
    if (!floor) add(mu_w * J.row(3));
  }
  return qp;
}

}  // namespace slip::test
