// Quadratic programs of a grasp, 13 unknowns and 80 rows, each from a cold start: the interior
// point at both tolerances in turns with a dual active set method (tests/support/dense_qp.h).
// Argument: the instruction set, as an index of FindQpKernels.
#include "engine/solver/convex_qp.h"
#include "tests/bench/interleaved.h"
#include "tests/support/dense_qp.h"
#include "tests/support/grasp_qp.h"

namespace slip {
namespace {

void GraspQps(benchmark::State& state) {
  constexpr int kProblems = 500;
  const auto variant = static_cast<int>(state.range(0));
  if (FindQpKernels(variant, 13) == nullptr) {
    state.SkipWithError("this processor has no such instruction set");
    return;
  }
  state.SetLabel(FindQpKernels(variant, 13)->name);
  std::mt19937 random(1);
  std::vector<ConvexQp> problems;
  while (problems.size() < kProblems) problems.push_back(test::MakeGraspQp(&random));
  ConvexQpSolver solver(variant);
  test::ActiveSetQp peer;
  QpResult result;
  solver.Reserve(13, 80, &result);
  bench::Interleaved times;
  double iterations[2] = {}, peer_iterations = 0;
  std::size_t next = 0;
  for (auto _ : state) {
    const ConvexQp& qp = problems[next++ % problems.size()];
    times.Time(0, [&] { benchmark::DoNotOptimize(peer.Solve(qp)); });
    peer_iterations += peer.iterations();
    times.Time(1, [&] { solver.Solve(qp, {.tolerance = 1e-8, .max_iterations = 60}, &result); });
    iterations[0] += result.iterations;
    times.Time(2, [&] { solver.Solve(qp, {.tolerance = 1e-11, .max_iterations = 60}, &result); });
    iterations[1] += result.iterations;
  }
  const auto solves = static_cast<double>(state.iterations());
  state.counters["set_its"] = peer_iterations / solves;
  state.counters["1e-8_its"] = iterations[0] / solves;
  state.counters["1e-11_its"] = iterations[1] / solves;
  times.Report({"set", "1e-8", "1e-11"}, &state);
}

BENCHMARK(GraspQps)->DenseRange(0, 2)->Iterations(20000)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace slip
