// e^X of random matrices against Eigen's own, in every instruction set, and what its error is
// estimated at.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "engine/solver/matrix_exponential.h"
#include "tests/support/dense_algebra.h"

namespace slip {
namespace {

class RandomMatrices {
 public:
  explicit RandomMatrices(unsigned seed) : random_(seed) {}
  double Number(double a, double b) {
    return a + (b - a) * static_cast<double>(random_()) / 4294967296.0;
  }
  int Count(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }
  MatrixX Matrix(int rows, int columns) {
    MatrixX out(rows, columns);
    for (double& x : out.reshaped()) x = Number(-1, 1);
    return out;
  }
  /// Skew, less a little that damps: no eigenvalue to the right of 0, and few far to the left.
  MatrixX Stable(int n, double norm) {
    const MatrixX A = Matrix(n, n), B = Matrix(n, 1);
    const MatrixX X = A - A.transpose() - 0.1 * test::Multiply(B, B.transpose());
    return norm / OneNorm(X) * X;
  }
  MatrixX Any(int n, double norm) {
    const MatrixX X = Matrix(n, n);
    return norm / OneNorm(X) * X;
  }
  /// h [A b x0 0; 0 0 1 0; 0 0 0 1; 0] of n components of force, A = [0 1; -Y K -Y B].
  MatrixX Contacts(int n, double h, double stiffness, double damping) {
    const MatrixX J = Matrix(n, 18), Y = test::Multiply(J, J.transpose()) / 18;
    MatrixX X = MatrixX::Zero(2 * n + 3, 2 * n + 3);
    X.block(0, n, n, n).setIdentity();
    X.block(n, 0, n, n) = -stiffness * Y;
    X.block(n, n, n, n) = -damping * Y;
    X.block(n, 2 * n, n, 1) = 10 * Matrix(n, 1);
    X.block(0, 2 * n + 1, n, 1) = 10 / stiffness * Matrix(n, 1);
    X.block(n, 2 * n + 1, n, 1) = 0.1 * Matrix(n, 1);
    X(2 * n, 2 * n + 1) = X(2 * n + 1, 2 * n + 2) = 1;
    return h * X;
  }
  static double OneNorm(const MatrixX& X) { return X.cwiseAbs().colwise().sum().maxCoeff(); }

 private:
  std::mt19937 random_;
};

TEST(MatrixExponential, AgreesWithEigenInTenThousandMatricesLong) {
  constexpr int kSamples = 10000;
  RandomMatrices random(7);
  MatrixExponential exponential;
  for (int sample = 0; sample < kSamples; ++sample) {
    constexpr int kUsual[] = {15, 27, 51};  // two, four and eight points
    const int form = sample % 3;
    int n = sample % 5 < 3 ? kUsual[sample / 5 % 3] : 1 + random.Count(51);
    double norm = std::pow(10, random.Number(-8, 6));
    if (form == 1) norm = std::min(norm, 1.0);  // e^X of a larger one may be anything
    MatrixX X = form == 1 ? random.Any(n, norm) : random.Stable(n, norm);
    if (form == 2) {
      X = random.Contacts(std::max(1, (n - 3) / 2), 1e-3, std::pow(10, random.Number(3, 7)), 300);
      n = static_cast<int>(X.rows());
      // Eigen does not balance: it gets what was balanced
      MatrixX E;
      ASSERT_TRUE(exponential.Compute(X, &E));
      const VectorX d = exponential.balance();
      X = d.cwiseInverse().asDiagonal() * X * d.asDiagonal();
      norm = std::min(norm, 1e4);
      X *= norm / RandomMatrices::OneNorm(X);
    }
    MatrixX E;
    ASSERT_TRUE(exponential.Compute(X, &E));
    const MatrixX expected = test::CalcExponential(X);
    // First-order perturbation: a change dX of X moves e^X by no more than |dX| M^2, M the largest
    // norm on the way to e^X; here it grows to the end if at all. Numbers are known to half of a
    // unit in the last place, and ten such changes of X are allowed; matrices and columns here have
    // norms of up to sqrt(n) for entries of 1.
    const double M = std::max(1.0, expected.norm() / std::sqrt(n));
    const double tolerance = 10 * 0x1p-53 * (1 + norm) * M * M * std::sqrt(n);
    ASSERT_LT((E - expected).norm(), tolerance) << n << " rows, norm " << norm << ", form " << form;
    MatrixX V = random.Matrix(n, 2);
    const MatrixX image = test::Multiply(expected, V);
    ASSERT_TRUE(exponential.Apply(X, V));
    ASSERT_LT((V - image).norm(), tolerance * std::sqrt(n))
        << n << " rows, norm " << norm << ", form " << form;
  }
}

TEST(MatrixExponential, BitsAreThoseOfEveryInstructionSet) {
  RandomMatrices random(3);
  for (int sample = 0; sample < 60; ++sample) {
    const int n = 1 + random.Count(30);
    const double norm = std::pow(10, random.Number(-3, 3));
    const MatrixX X = sample % 2 == 0 ? random.Stable(n, norm) : random.Contacts(n, 1e-3, 1e5, 300);
    const MatrixX start = random.Matrix(static_cast<int>(X.rows()), 2);
    MatrixX first, first_image;
    for (int i = 0; const DenseKernels* kernels = FindDenseKernels(i); ++i) {
      MatrixExponential exponential(*kernels);
      MatrixX E, V = start;
      ASSERT_TRUE(exponential.Compute(X, &E));
      ASSERT_TRUE(exponential.Apply(X, V));
      if (i == 0) first = E, first_image = V;
      EXPECT_EQ(E, first) << kernels->name;
      EXPECT_EQ(V, first_image) << kernels->name;
    }
  }
}

// What Q^-1 P of each order is off by at an eigenvalue z, beside the estimate: that of a 2 x 2
// matrix which turns by y and shrinks by x.
TEST(MatrixExponential, TheEstimateBoundsTheError) {
  class Largest : public ErrorMeasure {
   public:
    double Relative(const MatrixX&, const MatrixX& error) const override { return error.norm(); }
  };
  MatrixExponential exponential;
  for (const double angle : {0.0, 0.1, 0.7, 1.2, 1.5}) {
    for (double size = 1e-2; size < 1e4; size *= 1.3) {
      const double x = -size * std::sin(angle), y = size * std::cos(angle);
      MatrixX X(2, 2);
      X << x, -y, y, x;
      const Vec2 exact = std::exp(x) * Vec2(std::cos(y), std::sin(y));
      for (int products = 0; products <= MatrixExponential::kMostProducts; ++products) {
        MatrixX V = Vec2(1, 0);
        ASSERT_TRUE(exponential.ApplyTo(1e-300, Largest(), X, V, products));
        const double error = (V - exact).norm();
        EXPECT_LE(error, exponential.report().error + 1e-14 * (1 + size))
            << x << " + " << y << " i, " << products << " products";
      }
    }
  }
}

// The forces K x + B x' of the two integrals, as the integrator takes them.
class ForceOf : public ErrorMeasure {
 public:
  ForceOf(int n, double K, double B) : n_(n), K_(K), B_(B) {}
  double Relative(const MatrixX& result, const MatrixX& error) const override {
    return std::max(Force(error, 0) / Force(result, 0), Force(error, 1) / Force(result, 1));
  }

 private:
  double Force(const MatrixX& x, int column) const {
    const VectorX f = K_ * x.col(column).head(n_) + B_ * x.col(column).segment(n_, n_);
    return f.norm();
  }
  int n_;
  double K_, B_;
};

TEST(MatrixExponential, TakesAsFewProductsAsATolerancePermits) {
  RandomMatrices random(11);
  MatrixExponential exponential;
  constexpr double kTolerances[] = {1e-12, 1e-9, 1e-6, 1e-4, 1e-2, 1e-1};
  long products[std::size(kTolerances)] = {};
  for (int sample = 0; sample < 600; ++sample) {
    const int n = 3 * (1 + random.Count(8));
    const double K = std::pow(10, random.Number(3, 7)), B = std::pow(10, random.Number(1, 3));
    const MatrixX X = random.Contacts(n, std::pow(10, random.Number(-4, -1.5)), K, B);
    const ForceOf measure(n, K, B);
    MatrixX exact = MatrixX::Zero(2 * n + 3, 2);
    exact(2 * n + 1, 0) = exact(2 * n + 2, 1) = 1;
    const MatrixX start = exact;
    ASSERT_TRUE(exponential.Apply(X, exact));
    const ExponentialReport full = exponential.report();
    int before = 100;
    for (std::size_t i = 0; i < std::size(kTolerances); ++i) {
      MatrixX V = start;
      ASSERT_TRUE(exponential.ApplyTo(kTolerances[i], measure, X, V));
      const ExponentialReport& report = exponential.report();
      const double error = measure.Relative(exact, V - exact);
      // what the reference itself is good for
      const double tolerance = std::max(kTolerances[i], 1e-10);
      // never more than full accuracy takes, and within the tolerance unless it takes as many
      EXPECT_LE(report.order == 13 ? report.squarings : 0, full.squarings);
      if (report.error > kTolerances[i]) EXPECT_EQ(report.squarings, full.squarings);
      EXPECT_LE(error, 2 * tolerance) << n << " at " << kTolerances[i];
      const int taken = report.order < 13 ? report.products : 6 + report.squarings;
      EXPECT_LE(taken, before);
      before = taken;
      products[i] += taken;
    }
  }
  for (std::size_t i = 1; i < std::size(kTolerances); ++i) EXPECT_LT(products[i], products[i - 1]);
}

}  // namespace
}  // namespace slip
