// Cost of the broad phase and of every analytic narrow-phase routine.
#include <benchmark/benchmark.h>

#include <random>

#include "engine/geometry/broad_phase.h"

namespace slip {
namespace {

// n spheres of 0.1 m, or cubes turned at random, at the density of a pile in a bin that is 37 of
// them wide.
std::vector<Bounds> DenseBin(int64_t n, bool turned) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> unit(0, 1);
  const int64_t wide = std::min<int64_t>(37, static_cast<int64_t>(std::cbrt(n)) + 1);
  std::vector<Bounds> boxes;
  for (int64_t i = 0; i < n; ++i) {
    const Vec3 at(static_cast<double>(i % wide), static_cast<double>(i / wide % wide),
                  static_cast<double>(i / (wide * wide)));
    const Vec3 centre = 0.1 * (at + 0.3 * Vec3(unit(random), unit(random), unit(random)));
    Quat q(unit(random) - 0.5, unit(random) - 0.5, unit(random) - 0.5, unit(random) - 0.5);
    Vec3 half = Vec3::Constant(0.05);
    if (turned) half = 0.045 * q.normalized().toRotationMatrix().cwiseAbs().rowwise().sum();
    boxes.push_back({centre - half, centre + half, false});
  }
  // bodies are numbered without regard to where they lie
  std::shuffle(boxes.begin(), boxes.end(), random);
  return boxes;
}

void BroadPhaseDense(benchmark::State& state) {
  std::vector<Bounds> boxes = DenseBin(state.range(0), state.range(1) == 1);
  if (state.range(1) == 2) boxes.push_back({Vec3(-5, -5, -1), Vec3(5, 5, 0), true});
  BroadPhase broad_phase;
  std::size_t pairs = 0;
  for (auto _ : state) pairs = broad_phase.FindPairs(boxes).size();
  state.counters["pairs"] = static_cast<double>(pairs);
}
BENCHMARK(BroadPhaseDense)->ArgsProduct({{10, 20, 40, 60, 400, 4000}, {0, 1, 2}});

}  // namespace
}  // namespace slip

BENCHMARK_MAIN();
