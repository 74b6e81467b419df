// The interior point for convex quadratic programs: published numbers, the conditions of an
// optimum, what it says of problems that have none, its bits and its memory.
#include "engine/solver/convex_qp.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/alloc_guard.h"
#include "tests/support/grasp_qp.h"

namespace slip {
namespace {

constexpr QpSettings kReference{.tolerance = 1e-11, .max_iterations = 60};

QpResult SolveQp(const ConvexQp& qp, const QpSettings& settings = kReference) {
  ConvexQpSolver solver;
  QpResult result;
  solver.Solve(qp, settings, &result);
  return result;
}

ConvexQp PlainQp() {
  ConvexQp qp{MatrixX(3, 3), VectorX(3), MatrixX(4, 3), VectorX(4)};
  qp.H << 4, 1, 0, 1, 3, 0.5, 0, 0.5, 2;
  qp.g << 1, 2, -1;
  qp.A << 1, 0, 0, 0, -1, 0, -1, -1, -1, 0, 1, 2;
  qp.b << 0.5, -0.25, -1, 0.2;
  return qp;
}

// One unknown, H = 1.
ConvexQp OneUnknown(double g, std::initializer_list<std::pair<double, double>> rows) {
  const auto m = static_cast<Eigen::Index>(rows.size());
  ConvexQp qp{MatrixX::Ones(1, 1), VectorX::Constant(1, g), MatrixX(m, 1), VectorX(m)};
  Eigen::Index i = 0;
  for (const auto& [a, b] : rows) {
    qp.A(i, 0) = a;
    qp.b[i++] = b;
  }
  return qp;
}

TEST(ConvexQp, PlainQp) {
  const QpResult result = SolveQp(PlainQp());
  EXPECT_EQ(result.status, QpStatus::kSolved);
  const double x[] = {0.5, 0.25, -0.025}, lambda[] = {1.25, 1.3, 0, 0.5375};
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(result.x[i], x[i], 1e-9 * std::abs(x[i]) + 1e-12);
  for (int i = 0; i < 4; ++i)
    EXPECT_NEAR(result.lambda[i], lambda[i], 1e-9 * lambda[i] + 1e-12) << i;
}

// The same row three times shares its load; of two that lean apart each takes what it must.
TEST(ConvexQp, LeastMultipliersShareALoad) {
  QpSettings settings = kReference;
  settings.least_multipliers = true;
  const QpResult shared = SolveQp(OneUnknown(-3, {{1, 0}, {1, 0}, {1, 0}, {1, -5}}), settings);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(shared.lambda[i], 1, 1e-9);
  EXPECT_LT(shared.lambda[3], 1e-9);
  ConvexQp qp{MatrixX::Identity(2, 2), VectorX(2), MatrixX(3, 2), VectorX::Zero(3)};
  qp.g << 0, -1;
  qp.A << 0.6, 0.8, -0.6, 0.8, 0, 1;
  // (a, a, c): 1.6 a + c = 1, least a^2 + a^2 + c^2
  const QpResult apart = SolveQp(qp, settings);
  const double c = 1 / (1 + 2 * 0.64);
  EXPECT_NEAR(apart.lambda[0], 0.8 * c, 1e-9);
  EXPECT_NEAR(apart.lambda[1], 0.8 * c, 1e-9);
  EXPECT_NEAR(apart.lambda[2], c, 1e-9);
}

// A free mass on a line and a pad on a spring of 2000 N/m that is told to move by 10 mm, 1 mm
// apart.
TEST(ConvexQp, ImpedancePair) {
  const struct {
    double h, dx_o, dx_a, force;
  } rows[] = {{0.01, 3.000000000000e-03, 4.000000000000e-03, 12.0},
              {0.001, 4.477611940299e-05, 1.044776119403e-03, 17.9104477612}};
  for (const auto& row : rows) {
    constexpr double kStiffness = 2000, kMass = 0.4;
    ConvexQp qp{MatrixX::Zero(2, 2), VectorX(2), MatrixX(1, 2), VectorX(1)};
    qp.H.diagonal() << kMass / row.h, row.h * kStiffness;
    qp.g << 0, row.h * kStiffness * 0.01;
    qp.A << 1, -1;
    qp.b << -0.001;
    const QpResult result = SolveQp(qp);
    EXPECT_EQ(result.status, QpStatus::kSolved);
    EXPECT_NEAR(result.x[0], row.dx_o, 1e-9 * row.dx_o);
    EXPECT_NEAR(result.x[1], row.dx_a, 1e-9 * row.dx_a);
    EXPECT_NEAR(result.lambda[0] / row.h, row.force, 1e-9 * row.force);
  }
}

// A sphere on a floor that is spun by a torque T, three translations and three rotations, six rows.
ConvexQp SpinningSphere(double h, double T, double phi) {
  constexpr double kMass = 1, kRadius = 0.1, kMu = 0.5, kMuW = 0.05;
  ConvexQp qp{MatrixX::Zero(6, 6), VectorX::Zero(6), MatrixX::Zero(6, 6), VectorX(6)};
  qp.H.diagonal().head<3>().setConstant(kMass / h);
  qp.H.diagonal().tail<3>().setConstant(0.4 * kMass * kRadius * kRadius / h);
  qp.g[2] = -h * kMass * 9.81;
  qp.g[5] = h * T;
  const double arm = kRadius + phi;
  for (int i = 0; i < 6; ++i) {
    qp.A(i, 2) = 1;
    qp.b[i] = -phi;
  }
  for (const int i : {0, 2}) {
    qp.A(i, 0) = i == 0 ? kMu : -kMu;
    qp.A(i, 4) = i == 0 ? -kMu * arm : kMu * arm;
  }
  for (const int i : {1, 3}) {
    qp.A(i, 1) = i == 1 ? kMu : -kMu;
    qp.A(i, 3) = i == 1 ? kMu * arm : -kMu * arm;
  }
  qp.A(4, 5) = kMuW;
  qp.A(5, 5) = -kMuW;
  return qp;
}

TEST(ConvexQp, SpinningSphere) {
  const struct {
    double h, T, phi, dz, dtheta, N, T_n;
  } rows[] = {
      {0.01, 0.3, 0, 0, 0, 9.81, -0.3},
      {0.01, 1, 0, 3.919230769231e-04, 7.838461538462e-03, 13.7292307692, -0.6864615385},
      {0.005, 2, 0, 2.902884615385e-04, 5.805769230769e-03, 21.4215384615, -1.0710769231},
      {0.01, 2, 0.001, 5.457692307692e-04, 3.091538461538e-02, 15.2676923077, -0.7633846154},
      {0.01, 0, 0.005, -9.81e-04, 0, 0, 0},
      {0.01, -2, 0, 1.161153846154e-03, -2.322307692308e-02, 21.4215384615, 1.0710769231}};
  for (const auto& row : rows) {
    const QpResult result = SolveQp(SpinningSphere(row.h, row.T, row.phi));
    EXPECT_EQ(result.status, QpStatus::kSolved);
    EXPECT_NEAR(result.x[2], row.dz, 1e-9 * std::abs(row.dz) + 1e-12);
    EXPECT_NEAR(result.x[5], row.dtheta, 1e-9 * std::abs(row.dtheta) + 1e-12);
    EXPECT_NEAR(result.lambda.sum() / row.h, row.N, 1e-9 * row.N + 1e-9);
    EXPECT_NEAR(0.05 * (result.lambda[4] - result.lambda[5]) / row.h, row.T_n,
                1e-9 * std::abs(row.T_n) + 1e-9);
  }
}

// Torque exactly at the limit of friction: rows without slack whose multipliers are 0.
TEST(ConvexQp, AtTheLimitOfFriction) {
  const double limit = 0.05 * 9.81;
  const QpResult result = SolveQp(SpinningSphere(0.01, limit, 0));
  EXPECT_EQ(result.status, QpStatus::kSolved);
  const double free_fall = 1e-4 * 9.81, free_spin = 1e-4 * limit / 0.004;  // steps without a floor
  EXPECT_LT(result.x.head<3>().cwiseAbs().maxCoeff(), 1e-7 * free_fall);
  EXPECT_LT(result.x.tail<3>().cwiseAbs().maxCoeff(), 1e-7 * free_spin);
  EXPECT_NEAR(0.05 * (result.lambda[4] - result.lambda[5]) / 0.01, -limit, 1e-7 * limit);
}

TEST(ConvexQp, OptimalityConditionsOfAGrasp) {
  std::mt19937 random(2);
  for (int sample = 0; sample < 200; ++sample) {
    const ConvexQp qp = test::MakeGraspQp(&random);
    const QpResult result = SolveQp(qp);
    ASSERT_EQ(result.status, QpStatus::kSolved);
    const VectorX rest = qp.H * result.x - qp.g - qp.A.transpose() * result.lambda;
    const VectorX slack = qp.A * result.x - qp.b;
    EXPECT_LE(rest.cwiseAbs().maxCoeff(), 1e-8 * qp.g.cwiseAbs().maxCoeff());
    EXPECT_GE(slack.minCoeff(), -1e-10);
    EXPECT_LE((slack.array() * result.lambda.array()).abs().maxCoeff(), 1e-10);
    EXPECT_GE(result.lambda.minCoeff(), 0);
    EXPECT_LE(result.iterations, 20);
    // what it reports of itself
    EXPECT_EQ(result.history.size(), static_cast<std::size_t>(result.iterations + 1));
    EXPECT_NEAR(result.stationarity, rest.cwiseAbs().maxCoeff(), 1e-15);
    EXPECT_NEAR(result.violation, std::max(0.0, -slack.minCoeff()), 1e-16);
    EXPECT_LT(result.residual, kReference.tolerance);
    EXPECT_LT(result.mu, 1e-3 * kReference.tolerance);
    EXPECT_GT(result.condition, 1);
  }
}

TEST(ConvexQp, WithoutRowsItSolvesALinearSystem) {
  ConvexQp qp = PlainQp();
  qp.A.resize(0, 3);
  qp.b.resize(0);
  const QpResult result = SolveQp(qp);
  EXPECT_EQ(result.status, QpStatus::kSolved);
  EXPECT_LT((qp.H * result.x - qp.g).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(ConvexQp, RowsOfZerosAreDropped) {
  ConvexQp qp = PlainQp();
  const QpResult without = SolveQp(qp);
  qp.A.conservativeResize(6, 3);
  qp.b.conservativeResize(6);
  qp.A.bottomRows(2).setZero();
  qp.b.tail(2) << 0, -3;
  const QpResult with = SolveQp(qp);
  EXPECT_EQ(with.status, QpStatus::kSolved);
  EXPECT_EQ(with.x, without.x);
  EXPECT_EQ(with.lambda.tail(2), VectorX::Zero(2));
  qp.b[4] = 1e-3;  // 0 >= 0.001
  EXPECT_EQ(SolveQp(qp).status, QpStatus::kRegularised);
}

TEST(ConvexQp, RowsThatCannotAllHoldGiveWay) {
  // between two walls that overlap by 2: halfway, as both are as soft
  const QpResult walls = SolveQp(OneUnknown(0, {{1, 1}, {-1, 1}}));
  EXPECT_EQ(walls.status, QpStatus::kRegularised);
  EXPECT_NEAR(walls.x[0], 0, 1e-6);
  EXPECT_NEAR(walls.violation, 1, 1e-6);
  // by less than the multipliers would show
  for (const double overlap : {1e-2, 1e-4, 1e-6}) {
    const QpResult result = SolveQp(OneUnknown(0, {{1, 1 + overlap}, {-1, -1}}));
    EXPECT_EQ(result.status, QpStatus::kRegularised) << overlap;
    EXPECT_NEAR(result.x[0], 1 + overlap / 2, 1e-8) << overlap;
  }
  // rows that leave one point
  const QpResult point = SolveQp(OneUnknown(0, {{1, 1}, {-1, -1}}));
  EXPECT_EQ(point.status, QpStatus::kSolved);
  EXPECT_NEAR(point.x[0], 1, 1e-9);
}

TEST(ConvexQp, WhatIsNoProblemFails) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  ConvexQpSolver solver;
  QpResult result;
  const auto expect_failure = [&](const ConvexQp& qp) {
    solver.Solve(qp, {}, &result);
    EXPECT_EQ(result.status, QpStatus::kFailed);
    EXPECT_EQ(result.x, VectorX::Zero(3));
    EXPECT_EQ(result.lambda, VectorX::Zero(4));
    // and leaves nothing behind
    solver.Solve(PlainQp(), {}, &result);
    EXPECT_EQ(result.status, QpStatus::kSolved);
    EXPECT_EQ(result.x, SolveQp(PlainQp(), {}).x);
  };
  for (const double bad : {nan, inf, -inf}) {
    ConvexQp qp = PlainQp();
    qp.H(1, 1) = bad;
    expect_failure(qp);
    qp = PlainQp();
    qp.H(2, 1) = bad;
    expect_failure(qp);
    qp = PlainQp();
    qp.g[1] = bad;
    expect_failure(qp);
    qp = PlainQp();
    qp.A(3, 0) = bad;
    expect_failure(qp);
    qp = PlainQp();
    qp.b[2] = bad;
    expect_failure(qp);
  }
  ConvexQp qp = PlainQp();
  qp.H(2, 2) = 0;
  expect_failure(qp);
  qp = PlainQp();
  qp.H(2, 2) = -1;
  expect_failure(qp);
  qp = PlainQp();
  qp.H(0, 1) = qp.H(1, 0) = 4;  // indefinite, its diagonal positive
  expect_failure(qp);
}

TEST(ConvexQp, IterationsAreLimited) {
  const ConvexQp qp = PlainQp();
  for (int most = 0; most < 4; ++most) {
    const QpResult result = SolveQp(qp, {.tolerance = 1e-11, .max_iterations = most});
    EXPECT_EQ(result.status, QpStatus::kIterationLimit);
    EXPECT_EQ(result.iterations, most);
    EXPECT_TRUE(result.x.allFinite());
  }
}

// Sizes that are written out and those that are not; rows that fill panels and that do not.
TEST(ConvexQp, BitsAreThoseOfEveryInstructionSet) {
  std::mt19937 random(3);
  const auto number = [&] { return static_cast<double>(random()) / 2147483648.0 - 1; };
  for (int n = 1; n <= 20; ++n) {
    for (const int m : {1, 7, 16, 45}) {
      ConvexQp qp{MatrixX(n, n), VectorX(n), MatrixX(m, n), VectorX(m)};
      MatrixX B(n, n);
      for (double& x : B.reshaped()) x = number();
      for (double& x : qp.A.reshaped()) x = number();
      for (double& x : qp.g) x = number();
      for (double& x : qp.b) x = number() - 0.5;
      qp.H = B * B.transpose() + MatrixX::Identity(n, n);
      QpResult first;
      for (int variant = 0; FindQpKernels(variant, n) != nullptr; ++variant) {
        ConvexQpSolver solver(variant);
        QpResult result;
        solver.Solve(qp, kReference, &result);
        if (variant == 0) first = result;
        EXPECT_EQ(result.status, first.status);
        EXPECT_EQ(result.x, first.x) << FindQpKernels(variant, n)->name << ", " << n << " unknowns";
        EXPECT_EQ(result.lambda, first.lambda);
        EXPECT_EQ(result.condition, first.condition);
      }
    }
  }
}

TEST(ConvexQp, SolvesAllocateNothing) {
  std::mt19937 random(4);
  const ConvexQp grasp = test::MakeGraspQp(&random);
  ConvexQp lost = grasp;
  lost.A.row(1) = -lost.A.row(0);
  lost.b[1] = 1 - lost.b[0];
  ConvexQpSolver solver;
  QpResult result;
  solver.Reserve(13, 80, &result);
  const test::AllocGuard guard;
  solver.Solve(grasp, kReference, &result);
  EXPECT_EQ(result.status, QpStatus::kSolved);
  solver.Solve(lost, kReference, &result);
  EXPECT_EQ(result.status, QpStatus::kRegularised);
  solver.Solve(grasp, kReference, &result);
  EXPECT_EQ(guard.count(), 0u);
}

}  // namespace
}  // namespace slip
