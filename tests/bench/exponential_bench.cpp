// e^X and e^X V beside Eigen's unsupported exp(), in turns, over matrices of contacts as the
// integrator has them: 2n + 3 rows for n force components, balanced before, so that both take the
// same norm. Arguments: rows, the tenth logarithm of the norm, and whether the matrix is full
// instead.
#include <unsupported/Eigen/MatrixFunctions>

#include <cmath>
#include <random>

#include "engine/solver/matrix_exponential.h"
#include "tests/bench/interleaved.h"

namespace slip {
namespace {

// h [A b x0 0; 0 0 1 0; 0 0 0 1; 0] of points on springs and dampers whose inverse inertia J M^-1
// J^T is random.
MatrixX MakeContacts(int n, std::mt19937* random) {
  std::uniform_real_distribution<double> number(-1, 1);
  const auto matrix = [&](int rows, int columns) {
    MatrixX out(rows, columns);
    for (double& x : out.reshaped()) x = number(*random);
    return out;
  };
  constexpr double kStiffness = 1e5, kDamping = 300, kStep = 2e-3;
  const MatrixX J = matrix(n, 18), Y = J * J.transpose() / 18;
  MatrixX X = MatrixX::Zero(2 * n + 3, 2 * n + 3);
  X.block(0, n, n, n).setIdentity();
  X.block(n, 0, n, n) = -kStiffness * Y;
  X.block(n, n, n, n) = -kDamping * Y;
  X.block(n, 2 * n, n, 1) = 10 * matrix(n, 1);
  X.block(0, 2 * n + 1, n, 1) = 1e-4 * matrix(n, 1);
  X.block(n, 2 * n + 1, n, 1) = 0.1 * matrix(n, 1);
  X(2 * n, 2 * n + 1) = X(2 * n + 1, 2 * n + 2) = 1;
  return kStep * X;
}

// Without zeros, and without eigenvalues to the right of 0.
MatrixX MakeDense(int n, std::mt19937* random) {
  std::uniform_real_distribution<double> number(-1, 1);
  MatrixX X(n, n);
  for (double& x : X.reshaped()) x = number(*random);
  return X - X.transpose().eval() - 0.1 * MatrixX::Identity(n, n);
}

void BesideEigen(benchmark::State& state) {
  constexpr int kMatrices = 8;
  const auto rows = static_cast<int>(state.range(0));
  const double norm = std::pow(10.0, static_cast<double>(state.range(1)));
  std::mt19937 random(5);
  MatrixExponential exponential;
  exponential.Reserve(rows, 2);
  MatrixX E(rows, rows), V(rows, 2);
  std::vector<MatrixX> inputs;
  while (inputs.size() < kMatrices) {
    MatrixX X =
        state.range(2) != 0 ? MakeDense(rows, &random) : MakeContacts((rows - 3) / 2, &random);
    (void)exponential.Compute(X, &E);
    X = exponential.balance().cwiseInverse().asDiagonal() * X * exponential.balance().asDiagonal();
    inputs.push_back(norm / exponential.report().norm * X);
  }
  bench::Interleaved times(4);
  std::size_t next = 0;
  for (auto _ : state) {
    const MatrixX& X = inputs[next++ % inputs.size()];
    times.Time(0, [&] {
      E = X.exp();
      benchmark::DoNotOptimize(E.data());
    });
    times.Time(1, [&] { benchmark::DoNotOptimize(exponential.Compute(X, &E)); });
    V.setZero();
    times.Time(2, [&] {
      V(rows - 2, 0) = V(rows - 1, 1) = 1;
      benchmark::DoNotOptimize(exponential.Apply(X, V));
    });
  }
  state.counters["products"] = exponential.report().products;
  times.Report({"eigen", "e^X", "e^X_V"}, &state);
}

BENCHMARK(BesideEigen)
    ->ArgsProduct({{15, 27, 51}, {-8, -4, -2, -1, 0, 1, 2, 3, 4, 5, 6}, {0, 1}})
    ->ArgNames({"rows", "log_norm", "full"})
    ->Iterations(200)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace slip
