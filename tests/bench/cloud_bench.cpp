// The nearest points of a cloud to the three obstacles of the grasp, found through the tree and by
// looking at every point, in turns; and the same of clouds of growing size.
#include <benchmark/benchmark.h>

#include <cmath>
#include <numbers>
#include <random>

#include "engine/collide/cloud_query.h"
#include "engine/geometry/point_cloud.h"
#include "engine/scene/scene.h"
#include "tests/bench/interleaved.h"

namespace slip {
namespace {

constexpr int kPerObstacle = 5;

std::vector<Vec3> Bunny() {
  const auto cloud = ReadPointCloud(SceneFolder() + "/../assets/clouds/bunny.xyz", 0);
  return cloud.ok() ? cloud->mesh.points : std::vector<Vec3>();
}

// On the surface of a ball of the bunny's size that touches both pads and the floor.
std::vector<Vec3> Ball(int64_t count) {
  std::mt19937 random(2);
  std::normal_distribution<double> normal;
  std::vector<Vec3> points;
  for (int64_t i = 0; i < count; ++i) {
    const double x = normal(random), y = normal(random), z = normal(random);
    points.push_back(Vec3(0, 0.025, 0.042) + 0.042 * Vec3(x, y, z).normalized());
  }
  return points;
}

/// Floor and pads, squeezing; the cloud sways a little from call to call.
class Grasp {
 public:
  explicit Grasp(const std::vector<Vec3>& points) : cloud_(points), phi_(points.size()) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> unit(-1, 1);
    for (int i = 0; i < 64; ++i) {
      const Vec3 p(unit(random), unit(random), unit(random));
      const Vec3 turn(unit(random), unit(random), unit(random));
      const Quat q(Eigen::AngleAxisd(0.02 * turn.norm(), turn.normalized()));
      poses_.push_back({1e-3 * p, q});
    }
  }

  void UseTree() {
    const Pose& X_WB = Next();
    FindClosest(cloud_, X_WB, floor_, Closest(0));
    for (int side = 0; side < 2; ++side)
      FindClosest(cloud_, X_WB, pad_, pads_[side], Closest(1 + side));
    benchmark::DoNotOptimize(closest_.data());
  }

  /// The three passes over all points, without the selection.
  void LookAtAll() {
    const Pose& X_WB = Next();
    CalcCloudDistances(cloud_, X_WB, floor_, phi_);
    for (const Pose& X_WA : pads_) CalcCloudDistances(cloud_, X_WB, pad_, X_WA, phi_);
    benchmark::DoNotOptimize(phi_.data());
  }

 private:
  const Pose& Next() { return poses_[next_++ % poses_.size()]; }
  std::span<CloudCandidate> Closest(int obstacle) {
    return std::span(closest_).subspan(kPerObstacle * obstacle, kPerObstacle);
  }

  CloudTree cloud_;
  HalfSpace floor_;
  Shape pad_{.kind = ShapeKind::kBox, .size = Vec3(0.020, 0.060, 0.060)};
  std::array<Pose, 2> pads_ = {Pose{Vec3(0.052, 0.025, 0.060), Quat::Identity()},
                               Pose{Vec3(-0.052, 0.025, 0.060), Quat::Identity()}};
  std::vector<Pose> poses_;
  std::size_t next_ = 0;
  std::array<CloudCandidate, 3 * kPerObstacle> closest_;
  std::vector<double> phi_;
};

void CompareTree(benchmark::State& state, const std::vector<Vec3>& points) {
  if (points.empty()) return state.SkipWithError("assets/clouds/bunny.xyz cannot be read");
  Grasp grasp(points);
  bench::Interleaved turns(points.size() > 10000 ? 1 : 20);
  for (auto _ : state) {
    turns.Time(0, [&] { grasp.UseTree(); });
    turns.Time(1, [&] { grasp.LookAtAll(); });
  }
  turns.Report({"tree", "all"}, &state);
}

void CloudGraspBunny(benchmark::State& state) { CompareTree(state, Bunny()); }
BENCHMARK(CloudGraspBunny);
void CloudGraspBall(benchmark::State& state) { CompareTree(state, Ball(state.range(0))); }
BENCHMARK(CloudGraspBall)->Arg(1000)->Arg(10000)->Arg(100000)->Arg(1000000);

void CloudTreeMade(benchmark::State& state) {
  const std::vector<Vec3> points = Ball(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(CloudTree(points).size());
}
BENCHMARK(CloudTreeMade)->Arg(992)->Arg(100000)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace slip
