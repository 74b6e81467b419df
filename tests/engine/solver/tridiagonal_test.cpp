#include "engine/solver/tridiagonal.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <limits>
#include <random>

namespace slip {
namespace {

void ExpectEnds(const MatrixX& matrix) {
  EigenRange range;
  range.Compute(matrix);
  const Eigen::SelfAdjointEigenSolver<MatrixX> all(matrix, Eigen::EigenvaluesOnly);
  const double round_off = 20 * std::numeric_limits<double>::epsilon() * matrix.norm();
  EXPECT_NEAR(range.largest(), all.eigenvalues().maxCoeff(), round_off) << matrix;
  EXPECT_NEAR(range.smallest(), all.eigenvalues().minCoeff(), round_off) << matrix;
}

TEST(EigenRange, HasTheEndsOfAFullDecomposition) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 300; ++k) {
    const Eigen::Index n = 1 + k % 30;
    MatrixX half = MatrixX::NullaryExpr(n, n, [&] { return normal(random); });
    half.col(0) *= std::pow(10.0, k % 7);  // far apart, some of them near zero
    ExpectEnds(half * half.transpose());
    ExpectEnds(half + half.transpose());
  }
}

TEST(EigenRange, OfSeveralAtTheSamePlace) {
  for (const Eigen::Index n : {1, 2, 3, 6, 18}) {
    ExpectEnds(MatrixX::Identity(n, n));
    ExpectEnds(MatrixX::Zero(n, n));
    ExpectEnds(MatrixX::Ones(n, n));  // all but one are zero
    // pairs, as those of a robot with the same legs on both sides
    MatrixX pairs = MatrixX::Identity(2 * n, 2 * n);
    pairs.topRightCorner(n, n).diagonal().setConstant(0.5);
    pairs.bottomLeftCorner(n, n).diagonal().setConstant(0.5);
    ExpectEnds(pairs);
  }
}

}  // namespace
}  // namespace slip
