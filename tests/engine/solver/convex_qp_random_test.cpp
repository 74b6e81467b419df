// The interior point against every active set and against a dual active set method, on small random
// problems: degenerate, redundant, infeasible, badly scaled.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/solver/convex_qp.h"
#include "tests/support/dense_qp.h"
#include "tests/support/dense_qp_random.h"
#include "tests/support/grasp_qp.h"

namespace slip {
namespace {

using test::QpKind;

constexpr QpSettings kTight{.tolerance = 1e-11, .max_iterations = 60};

// What every result is, whatever the problem.
void ExpectSane(const QpResult& result, const QpSettings& settings) {
  EXPECT_LE(result.iterations, settings.max_iterations);
  EXPECT_TRUE(result.x.allFinite() && result.lambda.allFinite() && result.slack.allFinite());
  EXPECT_TRUE((result.lambda.array() >= 0).all());
}

// sqrt(mu) is what a weakly active row leaves of accuracy; others leave mu.
double ToleranceOf(QpKind kind) {
  const bool weak = kind == QpKind::kWeak || kind == QpKind::kBadlyScaled;
  return weak ? 2e-7 : 2e-9;
}

class HundredThousandQps : public testing::TestWithParam<int> {};

TEST_P(HundredThousandQps, AgreeWithAllActiveSetsLong) {
  constexpr int kSamples = 12500;
  const auto kind = static_cast<QpKind>(GetParam());
  test::RandomQps random(static_cast<unsigned>(100 + GetParam()));
  ConvexQpSolver solver;
  QpResult result;
  VectorX x, lambda;
  int feasible = 0;
  for (int sample = 0; sample < kSamples; ++sample) {
    const test::RandomQp problem = random.Next(kind);
    solver.Solve(problem.qp, kTight, &result);
    ExpectSane(result, kTight);
    if (test::EnumerateActiveSets(problem.same, &x, &lambda)) {
      ++feasible;
      ASSERT_EQ(result.status, QpStatus::kSolved) << "sample " << sample;
      const VectorX own = result.x.cwiseQuotient(problem.units);
      ASSERT_LT((own - x).norm(), ToleranceOf(kind) * (1 + x.norm())) << "sample " << sample;
    } else {
      ASSERT_EQ(result.status, QpStatus::kRegularised) << "sample " << sample;
    }
    if (HasFailure()) break;
  }
  if (kind == QpKind::kInfeasible) {
    EXPECT_EQ(feasible, 0);
  } else if (kind == QpKind::kAny || kind == QpKind::kFlat || kind == QpKind::kBadlyScaled) {
    EXPECT_GT(feasible, kSamples / 10);
    EXPECT_LT(feasible, kSamples);
  } else {
    EXPECT_EQ(feasible, kSamples);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, HundredThousandQps,
                         testing::Range(0, static_cast<int>(test::QpKind::kCount)));

// Entries of any size: there need not be an answer, but what is called solved is one.
TEST(ConvexQp, WhatIsCalledSolvedIsSolvedOfTwentyThousandWildOnes) {
  test::RandomQps random(9);
  ConvexQpSolver solver;
  QpResult result;
  int solved = 0;
  for (int sample = 0; sample < 20000; ++sample) {
    const ConvexQp qp = random.Wild();
    const QpSettings settings{.tolerance = sample % 2 == 0 ? 1e-8 : 1e-11, .max_iterations = 60};
    solver.Solve(qp, settings, &result);
    ExpectSane(result, settings);
    if (result.status == QpStatus::kSolved) {
      ++solved;
      const test::QpErrors errors = test::CalcQpErrors(qp, result.x, result.lambda);
      ASSERT_LT(errors.stationarity, 10 * settings.tolerance) << sample;
      ASSERT_LT(errors.violation, 10 * settings.tolerance) << sample;
      ASSERT_LT(errors.complementarity, 10 * settings.tolerance) << sample;
    }
    if (HasFailure()) break;
  }
  EXPECT_GT(solved, 5000);
}

// Ill-posed on purpose: rows again, and more of them than unknowns in the optimum.
TEST(ConvexQp, LeastMultipliersFitTheSameResultAndAreLeast) {
  test::RandomQps random(7);
  QpSettings settings{.tolerance = 1e-10};
  int smaller = 0;
  for (int k = 0; k < 20000; ++k) {
    const ConvexQp qp =
        random.Next(k % 2 == 0 ? test::QpKind::kDegenerate : test::QpKind::kDuplicated).qp;
    ConvexQpSolver solver;
    QpResult any, least, again;
    settings.least_multipliers = false;
    solver.Solve(qp, settings, &any);
    settings.least_multipliers = true;
    solver.Solve(qp, settings, &least);
    ASSERT_EQ(any.status, least.status);
    if (any.status != QpStatus::kSolved) continue;
    ASSERT_TRUE(any.x == least.x) << "x is not touched";
    EXPECT_GE(least.lambda.size() > 0 ? least.lambda.minCoeff() : 0.0, 0.0);
    EXPECT_LT(test::CalcQpErrors(qp, least.x, least.lambda).stationarity, 1e-8);
    EXPECT_LT(test::CalcQpErrors(qp, least.x, least.lambda).complementarity, 1e-8);
    EXPECT_LT(least.lambda.norm(), any.lambda.norm() * (1 + 1e-6) + 1e-6);
    smaller += least.lambda.norm() < 0.99 * any.lambda.norm() ? 1 : 0;
  }
  EXPECT_GT(smaller, 100) << "some had a choice";
}

TEST(ConvexQp, AgreesWithTheDualActiveSetInGrasps) {
  std::mt19937 random(6);
  ConvexQpSolver solver;
  test::ActiveSetQp peer;
  QpResult result;
  for (int sample = 0; sample < 2000; ++sample) {
    const ConvexQp qp = test::MakeGraspQp(&random);
    solver.Solve(qp, kTight, &result);
    ASSERT_EQ(result.status, QpStatus::kSolved);
    ASSERT_EQ(peer.Solve(qp), test::ActiveSetQp::Status::kSolved);
    // one of some thousand has a row that is all but weakly active
    const VectorX off = (result.x - peer.x()).cwiseProduct(qp.H.diagonal().cwiseSqrt());
    ASSERT_LT(off.norm(), 1e-6 * test::CalcQpErrors(qp, peer.x(), peer.lambda()).scale) << sample;
  }
}

}  // namespace
}  // namespace slip
