// Cost of a step of a settled pile against the number of bodies. The pile is as deep everywhere:
// four layers on a square that grows with their number. One is of boxes, which come to rest; the
// other has spheres between them, which roll and creep on.
#include <benchmark/benchmark.h>

#include <cmath>

#include "engine/core/worker_pool.h"
#include "engine/sim/simulation.h"

namespace slip {
namespace {

constexpr double kSize = 0.1;  // [m]
constexpr int kLayers = 4;

enum class Pile {
  kMixed,  // spheres and boxes in turn, shifted by a fixed pattern
  kBoxes,  // boxes, turned about the vertical as well: they lean on their neighbours
};

std::shared_ptr<const Model> MakeSettling(Pile pile, int bodies) {
  Model model;
  model.contact_margin = 5e-3;
  const int columns = static_cast<int>(std::ceil(std::sqrt(bodies / static_cast<double>(kLayers))));
  const double half = 0.5 * 1.15 * kSize * columns;
  const auto wall = [&](const Vec3& normal, const Vec3& point) {
    Surface surface;
    surface.normal = normal;
    surface.point = point;
    surface.material = 0;
    if (std::abs(normal.x()) > 0.9) surface.belt_axis = Vec3::UnitZ();
    model.surfaces.push_back(surface);
  };
  wall(Vec3::UnitZ(), Vec3::Zero());
  wall(Vec3::UnitX(), Vec3(-half, 0, 0));
  wall(-Vec3::UnitX(), Vec3(half, 0, 0));
  wall(Vec3::UnitY(), Vec3(0, -half, 0));
  wall(-Vec3::UnitY(), Vec3(0, half, 0));
  uint64_t seed = 1;
  const auto random = [&] {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(seed >> 40) * 0x1p-24 - 0.5;
  };
  for (int i = 0; i < bodies; ++i) {
    const int layer = i % kLayers, column = i / kLayers;
    Body body;
    body.SetJoint(JointKind::kFree);
    const double x = (column % columns + 0.5) * 1.15 * kSize - half;
    const double y = (column / columns + 0.5) * 1.15 * kSize - half;
    body.X_WB.p =
        Vec3(x, y, (layer + 0.6) * 1.05 * kSize) + 0.1 * kSize * Vec3(random(), random(), 0);
    if (pile == Pile::kMixed && (layer + column) % 2 == 0) {
      body.shape.radius = kSize / 2;
      body.mass = 0.5236;
      body.inertia_B = Vec3::Constant(0.4 * body.mass * kSize * kSize / 4);
      body.points_B = {Vec3::Zero()};
      body.point_radius = kSize / 2;
    } else {
      body.shape.kind = ShapeKind::kBox;
      if (pile == Pile::kBoxes) {
        body.X_WB.q = Quat(Eigen::AngleAxisd(0.6 * random(), Vec3::UnitZ()));
      }
      body.shape.size = Vec3::Constant(kSize);
      body.mass = 1;
      body.inertia_B = Vec3::Constant(body.mass * kSize * kSize / 6);
      for (int k = 0; k < 8; ++k) {
        body.points_B.push_back(kSize / 2 * Vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1));
      }
    }
    model.bodies.push_back(body);
  }
  model.Finish();
  return std::make_shared<const Model>(std::move(model));
}

// Arguments: bodies, model, threads.
void Settled(benchmark::State& state, Pile pile, int settling_steps) {
  Config config;
  config.step.time_step = 0.01;
  config.step.method = static_cast<int>(state.range(1));
  Material steel;
  steel.stiffness = 2e7;
  steel.dissipation = 10;
  steel.relaxation_time = 5e-5;
  steel.friction = 1;
  config.materials = {steel};
  const int bodies = static_cast<int>(state.range(0));
  Simulation sim(MakeSettling(pile, bodies), config);
  sim.SetMeasureCondition(false);
  WorkerPool pool(static_cast<int>(state.range(2)));
  sim.SetWorkers(&pool);
  for (int i = 0; i < settling_steps; ++i) (void)sim.Step();
  double iterations = 0;
  for (auto _ : state) {
    (void)sim.Step();
    iterations += sim.solve().iterations;
  }
  state.counters["us_per_body"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * bodies * 1e-6,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["newton"] = iterations / static_cast<double>(state.iterations());
  state.counters["contacts"] = sim.solve().contacts;
  state.counters["largest_island"] = sim.solve().largest_island;
  state.counters["max_speed"] = sim.state().v.cwiseAbs().maxCoeff();
  state.SetLabel(std::string(MethodIds()[static_cast<std::size_t>(state.range(1))]));
}

void SettledPile(benchmark::State& state) { Settled(state, Pile::kMixed, 600); }
// within twenty seconds all come to rest
void RestingBoxes(benchmark::State& state) { Settled(state, Pile::kBoxes, 2000); }

BENCHMARK(SettledPile)
    ->ArgsProduct({{40, 400, 1000}, {0, 1}, {1, 2}})
    ->ArgNames({"bodies", "model", "threads"})
    ->Unit(benchmark::kMicrosecond)
    ->Iterations(50)
    ->UseRealTime();
// these take over a minute to settle
BENCHMARK(SettledPile)
    ->Args({4000, 0, 1})
    ->ArgNames({"bodies", "model", "threads"})
    ->Unit(benchmark::kMicrosecond)
    ->Iterations(20)
    ->Repetitions(1)
    ->UseRealTime();
BENCHMARK(RestingBoxes)
    ->ArgsProduct({{40, 400, 1000, 4000}, {0}, {1}})
    ->ArgNames({"bodies", "model", "threads"})
    ->Unit(benchmark::kMicrosecond)
    ->Iterations(50)
    ->Repetitions(1)
    ->UseRealTime();

}  // namespace
}  // namespace slip
