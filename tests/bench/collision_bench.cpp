// Cost of the broad phase, of every analytic narrow-phase routine and of the general one, whose
// last argument 1 is libccd.
#include <benchmark/benchmark.h>

#include <random>

#include "engine/collide/broad_phase.h"
#include "engine/collide/narrow_phase.h"
#include "engine/geometry/convex_hull.h"

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

Shape Sphere() { return {.kind = ShapeKind::kSphere, .radius = 0.05}; }
Shape Capsule() { return {.kind = ShapeKind::kCapsule, .radius = 0.05, .length = 0.2}; }
Shape Box() { return {.kind = ShapeKind::kBox, .size = Vec3::Constant(0.1)}; }

// B moves by a millimetre along x around 256 places, as if it were 256 pairs.
void Narrow(benchmark::State& state, Shape a, Shape b, Vec3 p_AB, Vec3 turn,
            NarrowPhaseId narrow_phase = NarrowPhaseId::kOwn) {
  const Pose X_WA = {Vec3(1, 2, 3), Quat(0.9, 0.1, 0.3, -0.2).normalized()};
  std::mt19937 random(4);
  std::uniform_real_distribution<double> unit(-1, 1);
  std::vector<Pose> poses;
  for (int i = 0; i < 256; ++i) {
    const Vec3 wobble(unit(random), unit(random), 1e-3 * unit(random));
    const double angle = turn.norm();
    const Quat q = angle > 0 ? Quat(Eigen::AngleAxisd(angle, turn / angle)) : Quat::Identity();
    poses.push_back({X_WA * (p_AB + 1e-3 * wobble), X_WA.q * q});
  }
  PairContacts contacts;
  std::size_t i = 0, points = 0;
  for (auto _ : state) {
    contacts.clear();
    Collide(a, X_WA, b, poses[i++ % 256], 1e-3, &contacts, narrow_phase);
    points += contacts.size();
    benchmark::DoNotOptimize(contacts.data());
  }
  state.counters["points"] = static_cast<double>(points) / static_cast<double>(state.iterations());
}
const Vec3 kNone = Vec3::Zero(), kAbout(0.3, 0.5, 0.4);
BENCHMARK_CAPTURE(Narrow, sphere_sphere, Sphere(), Sphere(), Vec3(0, 0, 0.099), kNone);
BENCHMARK_CAPTURE(Narrow, sphere_box, Sphere(), Box(), Vec3(0.02, 0, 0.099), kNone);
BENCHMARK_CAPTURE(Narrow, sphere_capsule, Sphere(), Capsule(), Vec3(0.02, 0, 0.099), kNone);
BENCHMARK_CAPTURE(Narrow, capsule_capsule, Capsule(), Capsule(), Vec3(0, 0, 0.099), kAbout);
BENCHMARK_CAPTURE(Narrow, capsule_capsule_parallel, Capsule(), Capsule(), Vec3(0, 0, 0.099), kNone);
BENCHMARK_CAPTURE(Narrow, capsule_box_face, Capsule(), Box(), Vec3(0, 0, 0.099), kNone);
BENCHMARK_CAPTURE(Narrow, capsule_box_edge, Capsule(), Box(), Vec3(0, 0, 0.125), kAbout);
BENCHMARK_CAPTURE(Narrow, capsule_box_deep, Capsule(), Box(), Vec3(0, 0, 0.03), kAbout);
BENCHMARK_CAPTURE(Narrow, capsule_box_apart, Capsule(), Box(), Vec3(0, 0, 0.2), kAbout);
BENCHMARK_CAPTURE(Narrow, box_box_stacked, Box(), Box(), Vec3(0, 0, 0.0999), kNone);
BENCHMARK_CAPTURE(Narrow, box_box_face, Box(), Box(), Vec3(0.02, 0.03, 0.0999), kNone);
BENCHMARK_CAPTURE(Narrow, box_box_octagon, Box(), Box(), Vec3(0, 0, 0.0999), Vec3(0, 0, 0.8));
BENCHMARK_CAPTURE(Narrow, box_box_turned, Box(), Box(), Vec3(0.03, 0.02, 0.108), kAbout);
BENCHMARK_CAPTURE(Narrow, box_box_corner, Box(), Box(), Vec3(0.1006, 0.1006, 0.1), kNone);
BENCHMARK_CAPTURE(Narrow, box_box_apart_by_face, Box(), Box(), Vec3(0.03, 0.02, 0.14), kAbout);
BENCHMARK_CAPTURE(Narrow, box_box_apart_by_edge, Box(), Box(), Vec3(0.1, 0.02, 0.1),
                  Vec3(0, 0.75, 0.75));

Shape Cylinder() { return {.kind = ShapeKind::kCylinder, .radius = 0.05, .length = 0.1}; }
Shape Hull() {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  std::vector<Vec3> points;
  for (int i = 0; i < 24; ++i) {
    const double x = normal(random), y = normal(random), z = normal(random);
    points.push_back(0.05 * Vec3(x, y, z).normalized());
  }
  return {.kind = ShapeKind::kConvex,
          .convex = std::make_shared<ConvexMesh>(CalcConvexHull(points).value())};
}
void Convex(benchmark::State& state, Shape a, Shape b, Vec3 p_AB, Vec3 turn) {
  Narrow(state, a, b, p_AB, turn, static_cast<NarrowPhaseId>(state.range(0)));
}
BENCHMARK_CAPTURE(Convex, hull_hull, Hull(), Hull(), Vec3(0.01, 0.02, 0.06), kAbout)
    ->Arg(0)
    ->Arg(1);
BENCHMARK_CAPTURE(Convex, hull_box, Box(), Hull(), Vec3(0.01, 0.02, 0.08), kAbout)->Arg(0)->Arg(1);
BENCHMARK_CAPTURE(Convex, hull_sphere, Hull(), Sphere(), Vec3(0.01, 0, 0.08), kAbout)
    ->Arg(0)
    ->Arg(1);
BENCHMARK_CAPTURE(Convex, cylinder_box, Box(), Cylinder(), Vec3(0.01, 0.02, 0.097), kNone)
    ->Arg(0)
    ->Arg(1);
BENCHMARK_CAPTURE(Convex, cylinder_cylinder, Cylinder(), Cylinder(), Vec3(0.01, 0.02, 0.08), kAbout)
    ->Arg(0)
    ->Arg(1);
BENCHMARK_CAPTURE(Convex, hull_hull_apart, Hull(), Hull(), Vec3(0.01, 0.02, 0.15), kAbout)
    ->Arg(0)
    ->Arg(1);

}  // namespace
}  // namespace slip
