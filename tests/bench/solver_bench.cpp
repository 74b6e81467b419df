// Cost of one solver iteration on a fixed contact graph, by model and size, without condition
// numbers; and the 6x6 block product that calibrates the machine (a busy one is slower).
#include <benchmark/benchmark.h>

#include "engine/convex/convex.h"
#include "engine/core/aligned.h"
#include "engine/method/config.h"
#include "engine/solver/kernels6.h"
#include "tests/support/pile.h"

namespace slip {
namespace {

void Calibrate6x6(benchmark::State& state) {
  using Mat6 = Eigen::Matrix<double, 6, 6>;
  const Mat6 A = Mat6::Constant(1e-3), B = A;
  Mat6 C = Mat6::Zero();
  for (auto _ : state) {
    C.noalias() -= A * B.transpose();
    benchmark::DoNotOptimize(C.data());
    benchmark::ClobberMemory();
  }
}

void Kernel6x6(benchmark::State& state) {
  const FactorUpdate update{0, kBlock6, 6};
  AlignedVector L(2 * kBlock6, 1e-3), C(kBlock6, 0.0);
  const auto subtract = GetKernels6().subtract_products;
  for (auto _ : state) {
    subtract(C.data(), L.data(), &update, &update + 1, C.data());
    benchmark::DoNotOptimize(C.data());
    benchmark::ClobberMemory();
  }
}

// One solve per round; the counters say what an iteration costs: `s_per_it` counts
// factorisations of the whole system.
void SolvePile(benchmark::State& state, test::PileState pile_state) {
  test::PileSpec spec;
  spec.bodies = static_cast<int>(state.range(0));
  spec.model = static_cast<int>(state.range(1));
  spec.state = pile_state;
  ContactProblem problem = test::MakePile(spec);
  ConvexSolver solver;
  (void)solver.Solve(&problem);
  double iterations = 0;
  for (auto _ : state) {
    (void)solver.Solve(&problem);
    iterations += problem.solution.record.equivalent_iterations;
  }
  state.counters["contacts"] = static_cast<double>(problem.task.contacts.size());
  state.counters["it"] = problem.solution.record.iterations;
  state.counters["ip"] = problem.solution.record.interior_point_iterations;
  state.counters["ls"] = problem.solution.record.line_search_iterations;

  state.counters["s_per_it"] =
      benchmark::Counter(iterations, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.SetLabel(std::string(MethodIds()[static_cast<std::size_t>(spec.model)]));
}

BENCHMARK(Calibrate6x6);
BENCHMARK(Kernel6x6);
BENCHMARK_CAPTURE(SolvePile, mid_fall, test::PileState::kMidFall)
    ->ArgsProduct({{40, 400}, {0, 1, 2, 3, 4, 5}})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(SolvePile, resting, test::PileState::kResting)
    ->ArgsProduct({{40, 400}, {0, 1, 3}})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(SolvePile, first_impact, test::PileState::kFirstImpact)
    ->ArgsProduct({{4000}, {0, 1, 3}})
    ->Iterations(1)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace slip
