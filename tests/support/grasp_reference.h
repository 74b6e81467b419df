// The grasp of one cloud by a hand of seven coordinates, written down as plainly as it can be: a
// reference for the quasi-dynamic method. Floor z = 0, pads that are boxes; five points each.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/support/dense_qp.h"

namespace slip::test {

class GraspReference {
 public:
  struct Params {
    double h, mu, mu_w, stiffness, turning, squeezing;
  };
  explicit GraspReference(const Params& params) : p_(params) {}

  void SetPoints(std::vector<Vec3> points, double mass, const Vec3& inertia, const Vec3& at) {
    points_ = std::move(points);
    mass_ = mass;
    inertia_ = inertia;
    x_ = at;
  }
  const Vec3& p() const { return x_; }
  const Mat3& R() const { return R_; }

  /// To commands of half-opening and height at the step's end.
  bool Step(double w_command, double z_command) {
    constexpr Eigen::Index kUnknowns = 13;
    ConvexQp qp;
    qp.H.setZero(kUnknowns, kUnknowns);
    qp.g.setZero(kUnknowns);
    const double h = p_.h;
    qp.H.block<3, 3>(0, 0) = mass_ / h * Mat3::Identity();
    qp.H.block<3, 3>(3, 3) = R_ * inertia_.asDiagonal() * R_.transpose() / h;
    qp.g[2] = -h * mass_ * 9.81;
    const Vec3 hand_command(0, 0.025, z_command);
    for (int i = 0; i < 3; ++i) {
      qp.H(6 + i, 6 + i) = h * p_.stiffness;
      qp.g[6 + i] = h * p_.stiffness * (hand_command[i] - hand_[i]);
      qp.H(9 + i, 9 + i) = h * p_.turning;
    }
    qp.g.segment<3>(9) = h * p_.turning * -Log(R_hand_);
    qp.H(12, 12) = h * p_.squeezing;
    qp.g[12] = h * p_.squeezing * (w_command - w_);

    rows_.clear();
    bounds_.clear();
    AddFloor();
    AddPad(-1);
    AddPad(1);
    qp.A.resize(static_cast<Eigen::Index>(rows_.size()), kUnknowns);
    qp.b.resize(static_cast<Eigen::Index>(rows_.size()));
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      qp.A.row(static_cast<Eigen::Index>(i)) = rows_[i];
      qp.b[static_cast<Eigen::Index>(i)] = bounds_[i];
    }
    if (solver_.Solve(qp) != ActiveSetQp::Status::kSolved) return false;
    const VectorX& d = solver_.x();
    x_ += d.segment<3>(0);
    R_ = Exp(d.segment<3>(3)) * R_;
    hand_ += d.segment<3>(6);
    R_hand_ = Exp(d.segment<3>(9)) * R_hand_;
    w_ += d[12];
    return true;
  }

 private:
  using Row = Eigen::Matrix<double, 1, 13>;
  struct Near {
    double phi;
    std::size_t point;
    Vec3 n, beta;
  };

  static Mat3 Cross(const Vec3& a) {
    Mat3 m;
    m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
    return m;
  }
  static Mat3 Exp(const Vec3& w) {
    const double t = w.norm();
    const Mat3 W = Cross(w);
    if (t < 1e-8) return Mat3::Identity() + W + 0.5 * W * W;
    return Mat3::Identity() + std::sin(t) / t * W + (1 - std::cos(t)) / (t * t) * W * W;
  }
  static Vec3 Log(const Mat3& R) {
    const Eigen::AngleAxisd turn(R);
    return turn.angle() * turn.axis();
  }

  std::vector<Near> Closest(std::vector<Near> all) const {
    std::stable_sort(all.begin(), all.end(),
                     [](const Near& a, const Near& b) { return a.phi < b.phi; });
    all.resize(5);
    return all;
  }

  // Rows of one point: `motion` is that of B against A (3 x 13), `turn` about n.
  void AddRows(const Near& at, const Eigen::Matrix<double, 3, 13>& motion, const Row& turn,
               bool torsion) {
    Vec3 d1 = Vec3::UnitX();
    if (at.n != Vec3::UnitZ()) {
      int k = 0;
      for (int i = 1; i < 3; ++i) {
        if (std::abs(at.n[i]) < std::abs(at.n[k])) k = i;
      }
      d1 = (Vec3::Unit(k) - at.n[k] * at.n).normalized();
    }
    const Vec3 d2 = at.n.cross(d1);
    const Row normal = at.n.transpose() * motion;
    for (const double sign : {1.0, -1.0}) {
      for (const Vec3& d : {d1, d2}) Add(normal + sign * p_.mu * d.transpose() * motion, at.phi);
    }
    if (!torsion || p_.mu_w == 0) return;
    for (const double sign : {1.0, -1.0}) Add(normal + sign * p_.mu_w * turn, at.phi);
  }
  void Add(const Row& row, double phi) {
    rows_.push_back(row);
    bounds_.push_back(-phi);
  }

  void AddFloor() {
    std::vector<Near> all;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const Vec3 beta = x_ + R_ * points_[i];
      all.push_back({beta.z(), i, Vec3::UnitZ(), beta});
    }
    for (const Near& at : Closest(all)) AddRows(at, PointMotion(at.beta), Row::Zero(), false);
  }

  void AddPad(int side) {
    const Vec3 half(0.01, 0.03, 0.03);
    const Vec3 centre = hand_ + R_hand_ * Vec3(side * (w_ + half.x()), 0, 0);
    std::vector<Near> all;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const Vec3 beta = x_ + R_ * points_[i];
      const Vec3 local = R_hand_.transpose() * (beta - centre);
      const Vec3 q = local.cwiseAbs() - half, out = q.cwiseMax(0);
      Vec3 n = Vec3::Zero();
      double phi = 0;
      if (out.norm() > 0) {
        phi = out.norm();
        for (int k = 0; k < 3; ++k) n[k] = std::copysign(out[k] / phi, local[k]);
      } else {
        Eigen::Index k = 0;
        phi = q.maxCoeff(&k);
        n[k] = local[k] < 0 ? -1 : 1;
      }
      all.push_back({phi, i, R_hand_ * n, beta});
    }
    for (const Near& at : Closest(all)) {
      const Vec3 alpha = at.beta - at.phi * at.n;
      Eigen::Matrix<double, 3, 13> motion = PointMotion(at.beta);
      motion.middleCols<3>(6) -= Mat3::Identity();
      motion.middleCols<3>(9) += Cross(alpha - hand_);
      motion.col(12) -= side * R_hand_.col(0);
      Row turn = Row::Zero();
      turn.segment<3>(3) = at.n.transpose();
      turn.segment<3>(9) = -at.n.transpose();
      AddRows(at, motion, turn, true);
    }
  }

  Eigen::Matrix<double, 3, 13> PointMotion(const Vec3& beta) const {
    Eigen::Matrix<double, 3, 13> motion;
    motion.setZero();
    motion.leftCols<3>() = Mat3::Identity();
    motion.middleCols<3>(3) = -Cross(beta - x_);
    return motion;
  }

  Params p_;
  std::vector<Vec3> points_;
  double mass_ = 1;
  Vec3 inertia_ = Vec3::Ones(), x_ = Vec3::Zero();
  Mat3 R_ = Mat3::Identity(), R_hand_ = Mat3::Identity();
  Vec3 hand_ = Vec3(0, 0.025, 0.06);
  double w_ = 0.05;
  std::vector<Row> rows_;
  std::vector<double> bounds_;
  ActiveSetQp solver_;
};

}  // namespace slip::test
