// Cost of one step of one channel, from a warmed state. Run: tests/run --bench
#include <benchmark/benchmark.h>

#include "engine/core/worker_pool.h"
#include "engine/run/scope/scope.h"
#include "engine/scene/scene.h"
#include "tests/support/methods.h"

namespace slip {
namespace {

// Steps a scene's first channel under the given model; every iteration is one step.
void StepScene(benchmark::State& state, const char* name, MethodId model) {
  const auto scene = FindScene(name);
  if (!scene.ok()) {
    state.SkipWithError(scene.error().Text().c_str());
    return;
  }
  Config config = scene.value()->config;
  config.step.method = static_cast<int>(model);
  config.step.time_step = 1e-3;
  Simulation sim(scene.value()->model, config);
  for (int i = 0; i < 100; ++i) (void)sim.Step();
  int64_t iterations = 0;
  for (auto _ : state) {
    (void)sim.Step();
    iterations += sim.solve().iterations;
  }
  state.counters["newton"] =
      static_cast<double>(iterations) / static_cast<double>(state.iterations());
}

// Four hundred bodies that fall and hit each other, the time of finding contacts and of many
// islands. Arguments: model, threads.
void FallingPile(benchmark::State& state) {
  const auto scene = FindScene("clutter");
  if (!scene.ok()) {
    state.SkipWithError(scene.error().Text().c_str());
    return;
  }
  Config config = scene.value()->config;
  config.step.method = static_cast<int>(state.range(0));
  if (!SetParam(&config, "pile.objects.bodies", 400).ok()) state.SkipWithError("no pile");
  WorkerPool pool(static_cast<int>(state.range(1)));
  Simulation sim(scene.value()->ModelFor(config), config);
  sim.SetMeasureCondition(false);
  sim.SetWorkers(&pool);
  for (int i = 0; i < 5; ++i) (void)sim.Step();
  const StepRecord start = sim.now();
  for (auto _ : state) {
    if (sim.step() >= start.state.step + 60) {
      state.PauseTiming();
      sim.Restore(start, config);
      state.ResumeTiming();
    }
    (void)sim.Step();
  }
  state.SetLabel(std::string(MethodIds()[static_cast<std::size_t>(state.range(0))]));
}

// Three channels in lockstep with history: what the engine thread does per mark.
void AdvanceConveyor(benchmark::State& state) {
  const auto scene = FindScene("conveyor");
  if (!scene.ok()) {
    state.SkipWithError(scene.error().Text().c_str());
    return;
  }
  Scope scope;
  scope.Apply(LoadScene{scene.value()});
  scope.Apply(SetParamCommand{-1, "time_step", 1e-3});
  for (auto _ : state) scope.Advance();
}

BENCHMARK_CAPTURE(StepScene, conveyor_sap, "conveyor", method_id::kSap);
BENCHMARK_CAPTURE(StepScene, conveyor_lagged, "conveyor", method_id::kLagged);
BENCHMARK_CAPTURE(StepScene, conveyor_similar, "conveyor", method_id::kSimilar);
BENCHMARK_CAPTURE(StepScene, conveyor_todorov, "conveyor", method_id::kTodorov);
BENCHMARK(FallingPile)
    ->ArgsProduct({{0, 1, 3}, {1, 2}})
    ->ArgNames({"model", "threads"})
    ->Unit(benchmark::kMicrosecond)
    ->Iterations(240)
    ->UseRealTime();
BENCHMARK(AdvanceConveyor);

}  // namespace
}  // namespace slip

BENCHMARK_MAIN();
