#include "tests/support/tosses.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "engine/dynamics/joint.h"
#include "engine/fit/dice.h"
#include "engine/foreign/foreign_compare.h"
#include "tests/support/temp_folder.h"

namespace slip::test {
namespace {

constexpr double kRate = 148;  // [Hz]

class Noise {
 public:
  explicit Noise(uint64_t seed) : dice_(seed) {}
  double Even(double low, double high) { return low + (high - low) * dice_.Number(); }
  double Normal() {
    const double radius = std::sqrt(-2 * std::log(1 - dice_.Number()));
    return radius * std::cos(2 * std::numbers::pi * dice_.Number());
  }
  Vec3 Normals() {
    const double x = Normal(), y = Normal();
    return Vec3(x, y, Normal());
  }

 private:
  Dice dice_;
};

/// Thrown by hand from some centimetres above the board, as fast as a hand throws.
State Throw(const Model& model, Noise* noise) {
  const double heading = noise->Even(-std::numbers::pi, std::numbers::pi);
  const double speed = noise->Even(0.7, 1.3);
  std::vector<Pose> X = {Pose{}};
  std::vector<Vec6> V = {Vec6::Zero()};
  X[0].p = Vec3(0, 0, noise->Even(0.14, 0.18));
  X[0].q = Quat(noise->Normal(), noise->Normal(), noise->Normal(), noise->Normal()).normalized();
  V[0].head<3>() = 4 * noise->Normals();
  V[0].tail<3>() =
      Vec3(speed * std::cos(heading), speed * std::sin(heading), noise->Even(-0.3, 0.2));
  return StateOf(model, X, V);
}

}  // namespace

std::vector<std::string> MakeTosses(const Scene& scene, const Config& config, int count,
                                    uint64_t seed, const TossNoise& noise, double duration) {
  Noise dice(seed);
  std::vector<std::string> tables;
  for (int i = 0; i < count; ++i) {
    Simulation sim(scene.model, config);
    sim.SetState(Throw(*scene.model, &dice));
    MotionTrail trail;
    trail.Add(sim);
    while (trail.end() < duration) {
      EXPECT_TRUE(Advanced(sim.Step())) << sim.failure();
      trail.Add(sim);
    }
    std::string table = "time_s,px_m,py_m,pz_m,qw,qx,qy,qz\n";
    for (int k = 0; k / kRate <= duration; ++k) {
      Pose X = trail.Interpolate(0, k / kRate);
      X.p += noise.position * dice.Normals();
      X.q = (X.q * CalcRotation(noise.angle * dice.Normals())).normalized();
      table += fmt::format("{:.9f},{:.6f},{:.6f},{:.6f},{:.7f},{:.7f},{:.7f},{:.7f}\n", k / kRate,
                           X.p.x(), X.p.y(), X.p.z(), X.q.w(), X.q.x(), X.q.y(), X.q.z());
    }
    tables.push_back(std::move(table));
  }
  return tables;
}

std::vector<std::shared_ptr<const ForeignRun>> MakeTossRuns(const Scene& scene,
                                                            const Config& config, int count,
                                                            uint64_t seed, const TossNoise& noise,
                                                            double duration) {
  const TempFolder folder;
  std::vector<std::shared_ptr<const ForeignRun>> runs;
  for (const std::string& table : MakeTosses(scene, config, count, seed, noise, duration)) {
    const std::string name = fmt::format("toss-{:02}", runs.size() + 1);
    WriteText(folder.path(name + ".csv"), table);
    auto file = ReadForeignFile(folder.path(name + ".csv"), {});
    EXPECT_TRUE(file) << file.error().Text();
    auto run = ForeignRun::Make(std::move(file).value(), scene.model, name, {});
    EXPECT_TRUE(run) << run.error().Text();
    runs.push_back(std::make_shared<ForeignRun>(std::move(run).value()));
  }
  return runs;
}

}  // namespace slip::test
