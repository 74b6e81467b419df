// Convergence studies of engine/README.md section 11: errors against Lagged at a tenth of the
// smallest step, sampled on the coarsest grid.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "engine/convex/convex_params.h"
#include "tests/support/methods.h"
#include "tests/support/models.h"

namespace slip::test {
namespace {

using namespace method_id;

struct Study {
  std::function<Simulation(MethodId, double h)> make;
  double duration, grid, length;  // length scales the angle in the error norm
  double reference_step;
};

// (x, z, l theta) on the grid.
std::vector<Vec3> Sample(const Study& study, MethodId id, double h) {
  Simulation sim = study.make(id, h);
  std::vector<Vec3> samples;
  const int count = static_cast<int>(std::lround(study.duration / study.grid));
  const int stride = static_cast<int>(std::lround(study.grid / h));
  double turns = 0, previous = Value(sim, Signal::kPitch);
  for (int j = 1; j <= count; ++j) {
    for (int i = 0; i < stride; ++i) {
      if (!Advanced(sim.Step())) ADD_FAILURE() << sim.failure();
      const double pitch = Value(sim, Signal::kPitch);
      turns -= std::round((pitch - previous) / (2 * std::numbers::pi));
      previous = pitch;
    }
    samples.emplace_back(Value(sim, Signal::kPositionX), Value(sim, Signal::kPositionZ),
                         study.length * (previous + 2 * std::numbers::pi * turns));
  }
  return samples;
}

double Error(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]).squaredNorm();
  return std::sqrt(sum / static_cast<double>(a.size()));
}

struct Errors {
  double h, lagged, similar, sap;
};

std::vector<Errors> Measure(const Study& study, const std::vector<Errors>& table) {
  const auto reference = Sample(study, kLagged, study.reference_step);
  std::vector<Errors> found;
  for (const Errors& row : table) {
    found.push_back({row.h, Error(Sample(study, kLagged, row.h), reference),
                     Error(Sample(study, kSimilar, row.h), reference),
                     Error(Sample(study, kSap, row.h), reference)});
  }
  return found;
}

void ExpectTable(const std::vector<Errors>& found, const std::vector<Errors>& table, double rtol,
                 double h_max = 1) {
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i].h > h_max) continue;
    const auto near = [&](double a, double b, const char* who) {
      EXPECT_NEAR(a, b, rtol * b) << who << " h " << table[i].h;
    };
    near(found[i].lagged, table[i].lagged, "lagged");
    near(found[i].similar, table[i].similar, "similar");
    near(found[i].sap, table[i].sap, "sap");
  }
}

double Order(double coarse, double fine, double ratio) {
  return std::log(coarse / fine) / std::log(ratio);
}

TEST(Convergence, ConveyorLong) {
  const Study study{[](MethodId id, double h) {
                      Config config = BeltConfig(id, h);
                      config.surfaces[0].belt_amplitude = 0.2;
                      config.surfaces[0].belt_frequency = 1;
                      config.step.part<ConvexParams>().stiction_tolerance = 1e-6;
                      config.materials[0].relaxation_time = 5e-4;
                      return Simulation(BoxOnBelt(JointKind::kXZ, -9.81e-7), config);
                    },
                    1, 1e-2, 0, 1e-5};
  const std::vector<Errors> table = {
      {1e-2, 3.8527e-3, 4.3470e-3, 4.3801e-3}, {5e-3, 1.9146e-3, 2.1641e-3, 2.2011e-3},
      {2e-3, 7.6172e-4, 8.6112e-4, 9.0176e-4}, {1e-3, 3.7880e-4, 4.2851e-4, 4.7211e-4},
      {5e-4, 1.8749e-4, 2.1244e-4, 2.6054e-4}, {2e-4, 7.2706e-5, 8.2958e-5, 1.3980e-4},
      {1e-4, 3.4440e-5, 3.9829e-5, 1.0425e-4}};
  const auto found = Measure(study, table);
  ExpectTable(found, table, 0.05);
  for (std::size_t i = 1; i < found.size(); ++i) {
    const double ratio = found[i - 1].h / found[i].h;
    const double lagged = Order(found[i - 1].lagged, found[i].lagged, ratio);
    const double similar = Order(found[i - 1].similar, found[i].similar, ratio);
    EXPECT_GT(lagged, 0.9);
    EXPECT_LT(lagged, 1.15);
    EXPECT_GT(similar, 0.9);
    EXPECT_LT(similar, 1.15);
    EXPECT_GT(found[i].similar, found[i].lagged);
  }
  const std::size_t last = found.size() - 1;
  EXPECT_LT(Order(found[last - 1].sap, found[last].sap, 2), 0.55);
}

TEST(Convergence, Sphere) {
  const Study study{FallingSphere, 0.3, 4e-3, 0.05, 5e-6};
  const std::vector<Errors> table = {{4e-3, 2.3409e-3, 2.7639e-3, 2.9344e-3},
                                     {2e-3, 1.1669e-3, 1.3755e-3, 1.5400e-3},
                                     {1e-3, 5.8248e-4, 6.8647e-4, 8.5486e-4},
                                     {5e-4, 2.8999e-4, 3.4427e-4, 5.2268e-4},
                                     {2e-4, 1.1435e-4, 1.4313e-4, 3.3836e-4}};
  const auto found = Measure(study, table);
  ExpectTable(found, table, 0.05);
  for (std::size_t i = 1; i < found.size(); ++i) {
    const double ratio = found[i - 1].h / found[i].h;
    EXPECT_NEAR(Order(found[i - 1].lagged, found[i].lagged, ratio), 1.025, 0.125);
    EXPECT_GT(found[i].similar, found[i].lagged);
  }
  EXPECT_LT(Order(found[3].sap, found[4].sap, 2.5), 0.55);
}

TEST(Convergence, RodLong) {
  const Study study{[](MethodId id, double h) {
                      Body rod;
                      rod.SetJoint(JointKind::kPlanar);
                      rod.mass = 0.3;
                      rod.inertia_B = Vec3::Constant(0.3 * 0.25 / 12);
                      rod.points_B = {Vec3(0.25, 0, 0)};
                      rod.X_WB.q = Quat(Eigen::AngleAxisd(std::numbers::pi / 6, Vec3::UnitY()));
                      rod.X_WB.p = Vec3(0, 0, 0.125);
                      rod.V_WB[3] = 10;
                      rod.start_offset = StartOffset::kGlide;
                      Model model;
                      model.bodies = {rod};
                      model.surfaces = {Surface{}};
                      Config config = BeltConfig(id, h);
                      config.surfaces.clear();
                      config.materials[0].friction = 2.3;
                      config.materials[0].dissipation = 0;
                      config.materials[0].relaxation_time = 0;
                      return Simulation(Finish(model), config);
                    },
                    0.1, 2e-3, 0.25, 1e-6};
  const std::vector<Errors> table = {
      {2e-3, 3.387e-1, 2.786e-1, 2.786e-1}, {1e-3, 3.210e-1, 2.169e-1, 2.169e-1},
      {5e-4, 2.774e-1, 1.555e-1, 1.555e-1}, {2e-4, 8.311e-2, 9.290e-2, 9.290e-2},
      {1e-4, 4.468e-2, 6.087e-2, 6.087e-2}, {5e-5, 2.651e-2, 3.884e-2, 3.884e-2},
      {2e-5, 1.266e-2, 2.068e-2, 2.068e-2}, {1e-5, 6.709e-3, 1.200e-2, 1.200e-2}};
  const auto found = Measure(study, table);
  ExpectTable(found, table, 0.15, 2.1e-4);
  for (const Errors& row : found) {
    // Lagged misses the jam at large steps, and is the best model where it does not
    EXPECT_EQ(row.h >= 4.9e-4, row.lagged > row.similar) << row.h;
    EXPECT_NEAR(row.sap, row.similar, 1e-3 * row.similar) << row.h;
  }
}

}  // namespace
}  // namespace slip::test
