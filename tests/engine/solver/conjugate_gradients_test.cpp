#include "engine/solver/conjugate_gradients.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/alloc_guard.h"
#include "tests/support/dense_algebra.h"

namespace slip::test {
namespace {

constexpr int kSize = 60;

// Symmetric, positive definite, with a condition number of 1e4.
MatrixX MakeMatrix() {
  const MatrixX B = MatrixX::NullaryExpr(kSize, kSize, [](Eigen::Index i, Eigen::Index j) {
    return std::sin(static_cast<double>(3 * i * i + 7 * j + i * j));
  });
  MatrixX Q;
  CalcEigenvalues(B + B.transpose(), &Q);
  const VectorX values =
      VectorX::LinSpaced(kSize, 0, 4).unaryExpr([](double x) { return std::pow(10, x); });
  return Multiply(Q * values.asDiagonal(), Q.transpose());
}

class ConjugateGradientsTest : public testing::Test {
 protected:
  int Solve(double tolerance, int most, VectorX* x) {
    return solver_.Solve(
        kSize, tolerance, most, [&](const VectorX& p, VectorX* y) { y->noalias() = H_ * p; },
        [&](VectorX* z) { *z = z->cwiseQuotient(H_.diagonal()); }, x->data());
  }
  const MatrixX H_ = MakeMatrix();
  const VectorX b_ = VectorX::LinSpaced(kSize, -1, 3);
  ConjugateGradients solver_;
};

TEST_F(ConjugateGradientsTest, FindsTheSolution) {
  VectorX x = b_;
  EXPECT_LT(Solve(1e-10, 1000, &x), 4 * kSize);
  EXPECT_LT((H_ * x - b_).norm(), 1e-8 * b_.norm());
  VectorX again = b_;
  const AllocGuard guard;
  Solve(1e-10, 1000, &again);
  EXPECT_EQ(guard.count(), 0u);
  EXPECT_EQ(again, x);
}

// What a line search along the step relies on.
TEST_F(ConjugateGradientsTest, AFullStepIsTheMinimumWheneverItEnds) {
  double last = 0;
  for (const int most : {1, 2, 5, 20}) {
    VectorX x = b_;
    EXPECT_EQ(Solve(1e-12, most, &x), most);
    EXPECT_NEAR(x.dot(H_ * x), x.dot(b_), 1e-9 * x.dot(b_));
    const double cost = 0.5 * x.dot(H_ * x) - x.dot(b_);
    EXPECT_LT(cost, last);
    last = cost;
  }
}

TEST_F(ConjugateGradientsTest, NothingToDoAndNothingToBeDone) {
  VectorX x = VectorX::Zero(kSize);
  EXPECT_EQ(Solve(1e-2, 100, &x), 0);
  EXPECT_EQ(x.norm(), 0);
  x[3] = NAN;
  EXPECT_EQ(Solve(1e-2, 100, &x), 0);
}

}  // namespace
}  // namespace slip::test
