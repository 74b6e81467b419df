// A whole step of the trotting quadruped at 2 ms, controller included, by the methods whose
// contacts have anchors, in turns and each time from the same state: "exponential" without products
// of matrices, with as many as full accuracy takes, and with those for 1 % of the mean forces,
// beside "explicit-euler".
#include "engine/integrators/integrator_params.h"
#include "engine/scene/scene.h"
#include "engine/sim/method_list.h"
#include "engine/sim/simulation.h"
#include "tests/bench/interleaved.h"

namespace slip {
namespace {

constexpr double kStep = 2e-3;     // [s]
constexpr double kDuration = 2.9;  // [s]

Config TrotConfig(const Scene& scene, MethodId method, int products) {
  Config config = scene.config;
  config.step.method = static_cast<int>(method);
  config.step.time_step = kStep;
  config.step.part<ExponentialParams>().matrix_multiplications = products;
  return config;
}

void TrotStep(benchmark::State& state) {
  const auto scene = FindScene("quadruped-trot");
  if (!scene.ok()) {
    state.SkipWithError(scene.error().Text().c_str());
    return;
  }
  Config configs[] = {TrotConfig(**scene, MethodNamed("explicit-euler"), -1),
                      TrotConfig(**scene, MethodNamed("exponential"), 0),
                      TrotConfig(**scene, MethodNamed("exponential"), -1),
                      TrotConfig(**scene, MethodNamed("exponential"), -1)};
  configs[3].step.part<ExponentialParams>().product_tolerance = 1e-2;
  // it goes along the trajectory from which the others take a step each: Euler's own is unstable
  Simulation leader((*scene)->model, configs[2]);
  leader.SetMeasureCondition(false);
  std::vector<Simulation> timed;
  for (const Config& config : configs) {
    timed.emplace_back((*scene)->model, config);
    timed.back().SetMeasureCondition(false);
  }
  bench::Interleaved times;
  for (auto _ : state) {
    if (leader.time() > kDuration) leader.Reset();
    if (!Advanced(leader.Step())) state.SkipWithError(leader.failure().c_str());
    for (std::size_t i = 0; i < timed.size(); ++i) {
      timed[i].Restore(leader.now(), configs[i]);
      times.Time(i, [&] { (void)timed[i].Step(); });
    }
  }
  times.Report({"euler", "exponential_0", "exponential", "exponential_tolerance"}, &state);
}

BENCHMARK(TrotStep)->Iterations(8000)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace slip
